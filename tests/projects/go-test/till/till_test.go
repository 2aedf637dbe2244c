package till_test

import (
	"testing"

	"example.com/shop/stock"
	"example.com/shop/till"
)

func TestSell(t *testing.T) {
	level := &stock.Level{}
	level.Add(10)
	if total, err := till.Sell(level, 3, 40); total != 110 || err != nil {
		t.Errorf("got %d and %v", total, err)
	}
	if level.Pieces() != 7 {
		t.Errorf("%d are left", level.Pieces())
	}
}

func TestTheLastPieceIsSold(t *testing.T) {
	level := &stock.Level{}
	level.Add(1)
	if _, err := till.Sell(level, 1, 5); err != nil {
		t.Error(err)
	}
}
