package worker

import "testing"

// TestCost is that few displays are on their way when a cell is interrupted, and much text is.
func TestCost(t *testing.T) {
	for _, test := range []struct {
		name        string
		frame       frame
		least, most int // frames that fill the window
	}{
		{"small displays", frame{kind: kindDisplay, head: make([]byte, 100)}, 64, 256},
		{"comm messages", frame{kind: kindCommOut, head: make([]byte, 100)}, 64, 256},
		{"lines", frame{kind: kindStdout, body: make([]byte, 100)}, 5000, 20000},
		{"large displays", frame{kind: kindDisplay, head: make([]byte, 30<<20)}, 2, 2},
	} {
		if n := windowBytes / test.frame.cost(); n < test.least || n > test.most {
			t.Errorf("%s: %d fill the window, want %d to %d", test.name, n, test.least, test.most)
		}
	}
}
