// Package till takes money.
package till

import "example.com/shop/stock"

const rebate = 10

// Sell takes pieces from the shelf and says what they cost; dear ones get a rebate.
func Sell(level *stock.Level, pieces, price int) (int, error) {
	if err := level.Take(pieces); err != nil {
		return 0, err
	}
	total := pieces * price
	if total > 100 {
		total -= rebate
	}
	return total, nil
}
