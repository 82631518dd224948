package interp

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/serve"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

// servesVariable is set for a test process that is the worker of another.
const servesVariable = "VYRE_TEST_WORKER"

func TestMain(m *testing.M) {
	check.Checks = ssa.SanityCheckFunctions
	opener := openServed
	switch os.Getenv(servesVariable) {
	case "":
		// Waits for locks have no end that a cell could be given; goroutines of programs are theirs.
		os.Exit(leaktest.Run(m, "vyre-kernel/interp", "!machine.WaitFor", "!machine.Go in ", "!yaegi.waitFor"))
	case "shells":
		opener = openShells
	}
	if err := serve.Process(opener); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func openServed(context.Context) (worker.Session, error) {
	standin.OwnProgram()
	in := &Stdin{}
	e, err := vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type, Stdin: in.Reader()})
	if err != nil {
		return nil, err
	}
	return New(e, Options{Stdin: in})
}

// A deaf receiver takes what cells send, and keeps nothing.
type deaf struct{ died chan error }

func (deaf) Sent(any)                         {}
func (deaf) Stream(_ any, _ bool, b []byte)   { os.Stderr.Write(b) }
func (deaf) Display(any, worker.Display)      {}
func (deaf) ClearOutput(any, bool)            {}
func (deaf) Comm(any, worker.CommEvent)       {}
func (d deaf) Died(err *supervise.DeathError) { d.died <- err }
func (deaf) Input(context.Context, any, string, bool) (string, error) {
	return "", worker.ErrStdinNotAllowed
}

// crowdCell starts goroutines that wait, and some that compute.
const crowdCell = `for range %d {
	go func() { <-never }()
}
for range %d {
	go func() {
		for {
		}
	}()
}
<-never`

// crowdTries are how often each cell may be interrupted.
const crowdTries = 3

// TestCrowdIsInterrupted is that an interrupt, from another process, ends thousands of goroutines
// that compute on two processors, and as many that wait. // G12
func TestCrowdIsInterrupted(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := deaf{make(chan error, 1)}
	command := supervise.Command{Path: path, Env: []string{servesVariable + "=1", "GOMAXPROCS=2"}}
	s := supervise.New(command, r, slog.New(slog.DiscardHandler))
	defer s.Close()
	cell := func(n int, source string) worker.ExecuteReply {
		return s.Execute(t.Context(), n, worker.ExecuteRequest{Number: n, Source: source})
	}
	if reply := cell(1, "kept, never := 7, make(chan int)"); reply.Error != nil {
		t.Fatalf("%+v", reply.Error)
	}
	n := 1
	for _, x := range []struct{ spin, wait int }{{300, 0}, {3000, 0}, {3000, 10000}} {
		var took []time.Duration
		for range crowdTries { // a machine with much else to do may fail to keep the bound once
			n++
			asked := make(chan time.Time, 1)
			time.AfterFunc(500*time.Millisecond, func() { asked <- time.Now(); s.Interrupt() })
			reply := cell(n, fmt.Sprintf(crowdCell, x.wait, x.spin))
			took = append(took, time.Since(<-asked))
			if reply.Error == nil || reply.Error.Name != "Interrupted" {
				t.Fatalf("%+v: %+v", x, reply.Error)
			}
			text := ansi.ReplaceAllString(strings.Join(reply.Error.Traceback, "\n"), "")
			if says := fmt.Sprintf("] at main.In[%d].func", n); !strings.Contains(text, says) {
				t.Errorf("no %q in\n%s", says, text)
			}
			if took[len(took)-1] < 2*time.Second {
				break
			}
		}
		if t.Logf("%+v: %v", x, took); len(took) == crowdTries && took[crowdTries-1] > 2*time.Second {
			t.Errorf("%+v: %v", x, took)
		}
	}
	if reply := cell(n+1, `if kept != 7 { panic(kept) }`); reply.Error != nil {
		t.Errorf("%+v", reply.Error)
	}
	select {
	case err := <-r.died:
		t.Error(err)
	default:
	}
}
