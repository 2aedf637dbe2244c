import pytest

from stock.catalogue import parse
from stock.ledger import Ledger

TEXT = """
nail; 500; 2
hammer; 3; 1250
"""


@pytest.fixture(scope="session")
def catalogue():
    return parse(TEXT)


@pytest.fixture(scope="module")
def full():
    ledger = Ledger()
    ledger.book(10, "first")
    ledger.book(20, "second")
    return ledger


@pytest.fixture(scope="class")
def shelf(request):
    request.cls.ledger = Ledger(5)
    yield request.cls.ledger
    request.cls.ledger.undo()


@pytest.fixture
def ledger():
    return Ledger(start=4)


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setenv("STOCK_QUIET", "1")
