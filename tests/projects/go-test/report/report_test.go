package report

import (
	"os"
	"testing"
)

var reduced bool

func TestMain(m *testing.M) {
	reduced = true
	os.Exit(m.Run())
}

func TestTax(t *testing.T) {
	t.Parallel()
	if got := Tax(200, reduced); got != 14 {
		t.Errorf("got %d", got)
	}
}

func TestTaxIsNeverNegative(t *testing.T) {
	t.Parallel()
	if Tax(100, false) < 0 {
		t.Error("negative")
	}
}
