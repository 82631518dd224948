package pace

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	os.Unsetenv("GOGC") // the tests are of what happens where it is not set
	os.Exit(m.Run())
}

func TestPercentFor(t *testing.T) {
	for _, x := range []struct {
		live, floor uint64
		want        int
	}{{0, 32 << 20, 800}, {1 << 10, 32 << 20, 800}, {4 << 20, 32 << 20, 700}, {8 << 20, 32 << 20, 300},
		{16 << 20, 32 << 20, usual}, {1 << 40, 32 << 20, usual}} {
		if got := percentFor(x.live, x.floor); got != x.want {
			t.Errorf("%d of %d: %d, want %d", x.live, x.floor, got, x.want)
		}
	}
}

var sink []byte

// cycles is how many cycles garbage of n MB takes.
func cycles(n int) uint32 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		sink = make([]byte, 1<<20)
	}
	sink = nil
	runtime.ReadMemStats(&after)
	return after.NumGC - before.NumGC
}

// collected runs a cycle and waits until the percentage is as it is to be.
func collected(t *testing.T, so func() bool) {
	t.Helper()
	runtime.GC()
	for end := time.Now().Add(10 * time.Second); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the percentage is %d, %d live", percentage(), live())
		}
	}
}

func TestKeep(t *testing.T) {
	usually := cycles(256)
	Keep(32 << 20)
	defer func() {
		state.Lock()
		state.floor = 0
		state.Unlock()
		debug.SetGCPercent(usual)
	}()
	collected(t, func() bool { return percentage() > usual })
	kept := cycles(256)
	t.Logf("256 MB of garbage: %d cycles, usually %d", kept, usually)
	if kept > 256/20 || kept < 256/64 {
		t.Errorf("256 MB of garbage took %d cycles, 8 were expected", kept)
	}
	large := make([]byte, 100<<20)
	collected(t, func() bool { return percentage() == usual })
	runtime.KeepAlive(large)
	collected(t, func() bool { return percentage() > usual })

	was := debug.SetGCPercent(50) // as a cell might
	runtime.GC()
	time.Sleep(20 * time.Millisecond)
	if percentage() != 50 {
		t.Errorf("what a cell set became %d", percentage())
	}
	debug.SetGCPercent(was)
	collected(t, func() bool { return percentage() > usual })

	end := Begin()
	for range 20 {
		sink = make([]byte, 1<<20)
	}
	sink = nil
	end()
	for until := time.Now().Add(20 * time.Second); held() > worthwhile; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("garbage stays after the last cell")
		}
	}
}
