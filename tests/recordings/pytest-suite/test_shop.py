import unittest

import pytest
import shop


@pytest.fixture(scope="module")
def empty_shop():
    return shop.total([])


@pytest.fixture
def broken():
    raise KeyError("no set-up")


@pytest.mark.parametrize("prices", [[1, 2]], ids=["a b > \"c\" [d] é \0"])
def test_total(prices):
    assert shop.total(prices) == 3


def test_wrong_total():
    assert shop.total([1]) == 2


def test_with_fixture(empty_shop):
    assert empty_shop == 0


def test_broken_set_up(broken):
    pass


def test_skipped():
    pytest.skip("not here")


@pytest.mark.xfail
def test_expected_failure():
    assert False


@pytest.mark.xfail(strict=True)
def test_strict_surprise():
    pass


class CaseTest(unittest.TestCase):
    def test_case(self):
        self.assertEqual(1, 2)
