package vm

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/deadlock"
)

func TestSnapshot(t *testing.T) {
	if goidAt() == 0 {
		t.Fatalf("%s: the number of a goroutine was not found in its descriptor", runtime.Version())
	}
	ids, stop := make(chan uint64), make(chan struct{})
	defer close(stop)
	go func() {
		ids <- goidWord(getg(), goidAt())
		<-stop
	}()
	id := <-ids
	for range 100 {
		if p := deadlock.Snapshot()[id]; p.State == "chan receive" {
			if !strings.HasSuffix(p.Starter, "vm.TestSnapshot") {
				t.Errorf("started by %q", p.Starter)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("goroutine %d: %+v", id, deadlock.Snapshot()[id])
}
