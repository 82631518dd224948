package machine

import (
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/deadlock"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

func TestSnapshot(t *testing.T) {
	if err := gorelease.GoroutineNumbers.Err(); err != nil {
		t.Fatal(err)
	}
	ids, stop := make(chan uint64), make(chan struct{})
	defer close(stop)
	go func() {
		ids <- gorelease.GoroutineNumber(gorelease.Goroutine())
		<-stop
	}()
	id := <-ids
	for range 100 {
		if p := deadlock.Snapshot()[id]; p.State == "chan receive" {
			if !strings.HasSuffix(p.Starter, "machine.TestSnapshot") {
				t.Errorf("started by %q", p.Starter)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("goroutine %d: %+v", id, deadlock.Snapshot()[id])
}
