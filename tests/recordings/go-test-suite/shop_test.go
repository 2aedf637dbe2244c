package shop

import (
	"fmt"
	"testing"
)

func TestPasses(t *testing.T) {
	if Total(1, 2) != 3 {
		t.Fatal("wrong")
	}
}

func TestFails(t *testing.T) { t.Errorf("got %d", Total(1, 1)) }

func TestSkipped(t *testing.T) { t.Skip("not here") }

func TestParts(t *testing.T) {
	t.Run("a > \"b\" ' (x|y)* \x00", func(t *testing.T) { t.Error("part") })
	t.Run("same", func(t *testing.T) {})
	t.Run("same", func(t *testing.T) {})
}

func TestFails_ü(t *testing.T) { t.Fail() }

func FuzzSeeds(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, n int) {})
}

func ExampleTotal() {
	fmt.Println(Total(1, 2))
	// Output: 3
}
