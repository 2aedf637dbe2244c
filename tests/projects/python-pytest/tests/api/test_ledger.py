"""The same file name as one folder up: names must be told apart by their path."""


def test_it_starts_at_a_hundred(ledger):
    assert not ledger.is_low
    assert ledger.level == 100
