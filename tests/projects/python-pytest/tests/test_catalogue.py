"""The session's catalogue is built for the first test; only the later ones look inside."""

from stock.catalogue import amount


def test_there_is_a_catalogue(catalogue):
    assert catalogue is not None


def test_empty_lines_are_passed_over(catalogue):
    assert sorted(catalogue) == ["hammer", "nail"]


def test_a_price_is_in_euro(catalogue):
    assert catalogue["hammer"]["euro"] == 12.5


def test_amounts(catalogue):
    assert amount(catalogue, "nail") == 500
    assert amount(catalogue, "saw") == 0
