package serve

import (
	"os"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestGate is that a gate looks when something was written and when nobody can write any more, and
// not in between, or again and again.
func TestGate(t *testing.T) {
	var ends [2]int // blocking, so that the runtime's poller does not watch them
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	r, w := os.NewFile(uintptr(ends[0]), "read"), os.NewFile(uintptr(ends[1]), "write")
	defer r.Close()
	if err := unix.SetNonblock(int(r.Fd()), true); err != nil {
		t.Fatal(err)
	}
	raw, err := r.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGate(r, raw)
	if err != nil {
		t.Fatal(err)
	}
	var looks atomic.Int64
	got := make(chan int)
	done := make(chan error)
	go func() {
		done <- g.wait(func() bool {
			looks.Add(1)
			b := make([]byte, 100)
			if n, _ := unix.Read(int(r.Fd()), b); n > 0 {
				got <- n
			}
			return false
		})
	}()
	for range 100 {
		if _, err := w.WriteString("a line\n"); err != nil {
			t.Fatal(err)
		}
		if n := <-got; n != 7 {
			t.Fatalf("%d bytes", n)
		}
	}
	_ = w.Close()
	time.Sleep(50 * time.Millisecond)
	if n := looks.Load(); n > 250 {
		t.Errorf("it looked %d times", n)
	}
	g.close()
	if err := <-done; err == nil {
		t.Error("a closed gate waits for no error")
	}
}
