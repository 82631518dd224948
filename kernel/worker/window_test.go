package worker

import "testing"

// TestCost is that little is on its way when a cell is interrupted, and that text in large pieces is much.
func TestCost(t *testing.T) {
	for _, test := range []struct {
		name        string
		frame       frame
		least, most int // frames that fill the window
	}{
		{"small displays", frame{kind: kindDisplay, head: make([]byte, 100)}, 64, 256},
		{"comm messages", frame{kind: kindCommOut, head: make([]byte, 100)}, 64, 256},
		{"changes between the streams", frame{kind: kindStderr, body: make([]byte, 100)}, 64, 256},
		{"text", frame{kind: kindStdout, body: make([]byte, captureChunk)}, 15, 16},
		{"large displays", frame{kind: kindDisplay, head: make([]byte, 30<<20)}, 2, 2},
	} {
		if n := windowBytes / test.frame.cost(); n < test.least || n > test.most {
			t.Errorf("%s: %d fill the window, want %d to %d", test.name, n, test.least, test.most)
		}
	}
}
