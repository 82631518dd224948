package protocol

import (
	"testing"
	"time"
)

// TestCost is that little is on its way when a cell is interrupted, and that text in large pieces
// is much.
func TestCost(t *testing.T) {
	for _, test := range []struct {
		name        string
		frame       Frame
		least, most int // frames that fill the window
	}{
		{"small displays", Frame{Kind: KindDisplay, Head: make([]byte, 100)}, 64, 256},
		{"comm messages", Frame{Kind: KindCommOut, Head: make([]byte, 100)}, 64, 256},
		{"changes between the streams", Frame{Kind: KindStderr, Body: make([]byte, 100)}, 64, 256},
		{"text", Frame{Kind: KindStdout, Body: make([]byte, ChunkBytes)}, 15, 16},
		{"large displays", Frame{Kind: KindDisplay, Head: make([]byte, 30<<20)}, 2, 2},
	} {
		if n := WindowBytes / test.frame.Cost(); n < test.least || n > test.most {
			t.Errorf("%s: %d fill the window, want %d to %d", test.name, n, test.least, test.most)
		}
	}
}

// TestWindow: who wants more than there is waits until it is given back, or the window closes; then
// nobody waits.
func TestWindow(t *testing.T) {
	w := NewWindow(10)
	w.Acquire(6)
	passed := make(chan int, 2)
	for _, n := range []int{5, 10} {
		go func() { w.Acquire(n); passed <- n }()
	}
	w.Release(0)
	select {
	case n := <-passed:
		t.Fatalf("%d passed beside 6 of 10", n)
	case <-time.After(20 * time.Millisecond):
	}
	w.Release(1)
	if n := <-passed; n != 5 {
		t.Fatalf("%d passed beside 5 of 10", n)
	}
	w.Close()
	if n := <-passed; n != 10 {
		t.Errorf("%d passed", n)
	}
	w.Acquire(1000)
	w.Release(2000)
	if w.used != 0 {
		t.Errorf("%d are used", w.used)
	}
}
