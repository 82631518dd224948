package vm

import (
	"runtime"
	"strings"
	"testing"
	"time"
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
		if p := snapshot()[id]; p.state == "chan receive" {
			if !strings.HasSuffix(p.starter, "vm.TestSnapshot") {
				t.Errorf("started by %q", p.starter)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("goroutine %d: %+v", id, snapshot()[id])
}

func TestParseSnapshot(t *testing.T) {
	text := `goroutine 1 [chan receive, 5 minutes, locked to thread]:
testing.(*T).Run(0xc000)
	/go/testing.go:1 +0x1

goroutine 22 gp=0xc m=nil [select (no cases)]:

goroutine 7 [runnable]:
main.f()
	/x.go:1 +0x1
created by main.(*T).g in goroutine 1
	/x.go:3 +0x1

goroutine 8 [IO wait]:
main.serve(0x1)
	/x.go:1 +0x1
sync.(*WaitGroup).Go.func1()
	/x.go:1 +0x1
created by sync.(*WaitGroup).Go in goroutine 1
	/x.go:3 +0x1
`
	got := parseSnapshot([]byte(text))
	if got[1] != (parked{state: "chan receive"}) || got[7] != (parked{"runnable", "main.(*T).g"}) || got[8] != (parked{"IO wait", "main.serve"}) || len(got) != 3 {
		t.Errorf("%+v", got)
	}
}
