package vm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
)

// interrupted runs a cell and interrupts it once it says, or at a time of its own, that it is to be.
func interrupted(t *testing.T, s conformance.Session, source string, when func()) time.Duration {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := make(chan time.Time, 1)
	go func() {
		when()
		began <- time.Now()
		cancel()
	}()
	err := s.Cell(ctx, source)
	if i, ok := errors.AsType[*engine.Interrupted](err); !ok {
		t.Fatalf("%v: %v", i, err)
	}
	return time.Since(<-began)
}

// waiting tells how many goroutines wait, by what they wait for.
func waiting(e engine.Engine) map[string]int {
	all := map[string]int{}
	for _, g := range e.Goroutines() {
		all[g.Wait]++
	}
	return all
}

func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after 20 s", what)
		}
	}
}

// Thousands that wait for a channel are interrupted; those of an earlier cell, which wait for it too, keep their places among one another.
func TestStopWakesItsOwn(t *testing.T) {
	e := open(t, vm.Options{})
	s := session(t, e)
	cell := func(source string) {
		t.Helper()
		if err := s.Cell(t.Context(), source); err != nil {
			t.Fatal(err)
		}
	}
	cell("ch, sent := make(chan int), make(chan int)\ngot := make(chan string, 99)\nconst many = 1000")
	for i := 1; i <= 3; i++ {
		cell("go func(i int) {\n\tgot <- fmt.Sprint(i, <-ch)\n}(" + string(rune('0'+i)) + ")\ngo func() {\n\tsent <- " + string(rune('0'+i)) + "\n}()")
		eventually(t, "earlier goroutines wait", func() bool { w := waiting(e); return w["chan receive"] == i && w["chan send"] == i })
		took := interrupted(t, s, "for range many {\n\tgo func() { defer func() { <-ch }(); <-ch }()\n\tgo func() { sent <- -1 }()\n}\n<-ch", func() {
			eventually(t, "all wait", func() bool { w := waiting(e); return w["chan receive"]+w["chan send"] == 2*1000+2*i+1 })
		})
		t.Logf("2,001 goroutines end, and the cell with them, in %v", took)
		eventually(t, "the interrupted are gone", func() bool { w := waiting(e); return w["chan receive"] == i && w["chan send"] == i && len(w) == 2 })
	}
	cell("for i := range 3 {\n\tch <- 10 * i\n}\norder := []any{<-got, <-got, <-got, <-sent, <-sent, <-sent}")
	cell("if s := fmt.Sprint(order); !strings.Contains(s, \" 1 2 3]\") || len(ch) != 0 {\n\tpanic(s)\n}\nsort.Slice(order[:3], func(i, j int) bool { return order[i].(string) < order[j].(string) })\n" +
		"if s := fmt.Sprint(order); s != \"[1 0 2 10 3 20 1 2 3]\" {\n\tpanic(s)\n}")
	eventually(t, "all have gone on", func() bool { return len(waiting(e)) == 0 })
}

// busy is a cell in which goroutines send, receive, select and close all the time, on channels of their own and on one of an earlier cell.
const busy = `for i := range 6 {
	in, out := make(chan int), make(chan string, i%3)
	go func() {
		defer close(out)
		for v := range in {
			out <- fmt.Sprint(v)
			select {
			case shared <- v:
			default:
			}
		}
	}()
	go func() {
		defer close(in)
		for v := 0; ; v++ {
			in <- v
			if s, ok := <-out; ok && s != fmt.Sprint(v) {
				wrong <- s
			}
		}
	}()
	go func() {
		total := 0
		for {
			if i%2 == 0 {
				total += <-shared
				continue
			}
			select {
			case v := <-shared:
				total += v
			case <-time.After(time.Hour):
			}
		}
	}()
}
for v := range shared {
	last = v
}`

func TestStopsAmongTraffic(t *testing.T) {
	e := open(t, vm.Options{})
	s := session(t, e)
	if err := s.Cell(t.Context(), "shared, wrong := make(chan int), make(chan string, 1000)\nlast := 0\nfrom, to := make(chan int), make(chan int)\ngo func() {\n\tfor v := range from {\n\t\tto <- v + 1\n\t}\n}()"); err != nil {
		t.Fatal(err)
	}
	const rounds = 60
	for i := range rounds {
		interrupted(t, s, busy, func() { time.Sleep(time.Duration(i%7) * 300 * time.Microsecond) })
		if err := s.Cell(t.Context(), "from <- 1\nif v := <-to; v != 2 || len(wrong) > 0 {\n\tpanic(fmt.Sprint(v, len(wrong)))\n}"); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "nothing is left but the earlier cell's", func() bool { w := waiting(e); return len(w) == 1 && w["chan receive"] == 1 })
	if err := s.Cell(t.Context(), "select {\ncase v := <-shared:\n\tpanic(v)\ndefault:\n}\nclose(from)\nclose(shared)"); err != nil && !strings.Contains(err.Error(), "closed") {
		t.Fatal(err)
	}
}
