package worker

import (
	"testing"
	"time"
)

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

// TestWindow: who wants more than there is waits until it is given back, or the window closes; then nobody waits.
func TestWindow(t *testing.T) {
	w := newWindow(10)
	w.acquire(6)
	passed := make(chan int, 2)
	for _, n := range []int{5, 10} {
		go func() { w.acquire(n); passed <- n }()
	}
	w.release(0)
	select {
	case n := <-passed:
		t.Fatalf("%d passed beside 6 of 10", n)
	case <-time.After(20 * time.Millisecond):
	}
	w.release(1)
	if n := <-passed; n != 5 {
		t.Fatalf("%d passed beside 5 of 10", n)
	}
	w.close()
	if n := <-passed; n != 10 {
		t.Errorf("%d passed", n)
	}
	w.acquire(1000)
	w.release(2000)
	if w.used != 0 {
		t.Errorf("%d are used", w.used)
	}
}
