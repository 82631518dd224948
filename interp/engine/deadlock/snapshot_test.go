package deadlock

import "testing"

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
	if got[1] != (Parked{State: "chan receive"}) || got[7] != (Parked{"runnable", "main.(*T).g"}) ||
		got[8] != (Parked{"IO wait", "main.serve"}) || len(got) != 3 {
		t.Errorf("%+v", got)
	}
}
