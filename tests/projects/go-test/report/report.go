// Package report adds up a day.
package report

var taxes = []int{7, 19}

// Tax of an amount, in cents.
func Tax(cents int, reduced bool) int {
	rate := taxes[1]
	if reduced {
		rate = taxes[0]
	}
	return cents * rate / 100
}
