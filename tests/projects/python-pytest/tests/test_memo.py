"""The first test fills the memory; only the second looks at what is in it."""

from stock.memo import rate


def test_there_is_a_rate():
    assert rate("abroad") > 0


def test_abroad():
    assert rate("abroad") == 8


def test_home():
    assert rate("home") == 19
