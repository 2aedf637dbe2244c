// Package stock counts what is on the shelf.
package stock

import "errors"

// ErrEmpty says that there is not enough left.
var ErrEmpty = errors.New("not enough in stock")

// Level is how much of an article there is.
type Level struct{ pieces int }

// Add puts pieces on the shelf.
func (l *Level) Add(pieces int) {
	l.pieces += pieces
}

// Take removes pieces, if there are enough.
func (l *Level) Take(pieces int) error {
	if pieces > l.pieces {
		return ErrEmpty
	}
	l.pieces -= pieces
	return nil
}

// Pieces on the shelf.
func (l *Level) Pieces() int {
	return l.pieces
}

// Boxes needed for so many pieces, twelve in each.
func Boxes(pieces int) int {
	boxes := 0
	for pieces > 0 {
		pieces -= 12
		boxes++
	}
	return boxes
}

// Label is printed on a box; nobody tests it.
func Label(pieces int) string {
	if pieces == 1 {
		return "1 piece"
	}
	return "some pieces"
}

// IsHeavy needs two people.
func IsHeavy(weight uint8) bool {
	return weight > 200-100
}
