import asyncio

import pytest

from stock.ledger import Ledger, wait_for


def test_the_level_follows_the_bookings(full):
    assert full.level == 30


def test_every_booking_is_remembered(full):
    assert full.history == [(10, "first"), (20, "second")]


def test_more_than_there_is_cannot_go(ledger):
    with pytest.raises(ValueError, match="not enough"):
        ledger.book(-5)


@pytest.mark.usefixtures("shelf")
class TestShelf:
    def test_a_booking(self):
        self.ledger.book(2)
        assert self.ledger.level == 7

    class TestInner:
        def test_undo_of_nothing(self):
            assert Ledger().undo() is False


class TestUndo:
    def setup_method(self):
        self.ledger = Ledger(1)
        self.ledger.book(6)

    def test_it_takes_back_the_last_booking(self):
        assert self.ledger.undo() is True
        assert self.ledger.level == 1


@pytest.mark.parametrize("level, low", [(0, True), (3, True), (4, False)])
def test_is_low(level, low):
    assert Ledger(level).is_low is low


def test_merged():
    assert Ledger.merged(Ledger(1), Ledger(2)).level == 3


def test_wait_for(ledger):
    assert asyncio.run(wait_for(ledger, 2)) is True
