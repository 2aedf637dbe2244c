package till

import "testing"

func TestPanics(t *testing.T) { panic("no till") }
