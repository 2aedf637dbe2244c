import pytest

from stock.ledger import Ledger


@pytest.fixture
def ledger():
    """Stands in front of the fixture of the same name further up."""
    return Ledger(start=100)
