package stock

import (
	"errors"
	"fmt"
	"testing"
)

func TestTake(t *testing.T) {
	for name, taken := range map[string]int{"some": 2, "more / than there is": 9} {
		t.Run(name, func(t *testing.T) {
			level := &Level{}
			level.Add(5)
			err := level.Take(taken)
			if enough := taken < 5; enough == errors.Is(err, ErrEmpty) {
				t.Fatalf("taking %d of 5: %v", taken, err)
			}
			if err == nil && level.Pieces() != 5-taken {
				t.Errorf("%d are left", level.Pieces())
			}
		})
	}
}

func ExampleBoxes() {
	fmt.Println(Boxes(13))
	// Output: 2
}

func TestHeavy(t *testing.T) {
	if IsHeavy(20) || !IsHeavy(200) {
		t.Error("20 is light, 200 is heavy")
	}
}
