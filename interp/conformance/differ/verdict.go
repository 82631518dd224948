package differ

import (
	"context"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

// A Verdict is how an engine's answer stands to that of native code.
type Verdict string

const (
	Same      Verdict = "same"
	Refused   Verdict = "refused" // by an engine that may
	OverTime  Verdict = "over time"
	Different Verdict = "different"
	// Unsteady is an answer that differed, and did not when the program was run again.
	Unsteady Verdict = "unsteady"
	// Endless is a program that native code does not end: nothing to compare with.
	Endless Verdict = "endless"
)

// Verdicts are all of them, in the order in which they are printed.
var Verdicts = []Verdict{Same, Refused, OverTime, Unsteady, Different, Endless}

// Compare gives the verdict on an answer, and what differs. Engines that may refuse are the
// interpreters.
func Compare(got, native Answer, mayRefuse bool) (Verdict, string) {
	switch {
	case native.Failed != "":
		return Endless, "native code: " + native.Failed
	case got.Failed != "":
		return OverTime, got.Failed
	case got.Refused != "" && mayRefuse:
		return Refused, got.Refused
	case got.Refused != "":
		return Different, "refused: " + got.Refused
	}
	if d := conformance.Differences(got.Outcome, native.Outcome); d != "" {
		return Different, d
	}
	return Same, ""
}

// Limits are how long a process may run a program. Generated ones need milliseconds, but not where
// many share a processor.
type Limits struct {
	First time.Duration // beside others
	// Again is the limit of the second run, alone, of what differed or was not over.
	Again time.Duration
}

// A floor is shared by the processes that run beside each other, and had alone by one that runs
// again.
type floor struct{ mu sync.RWMutex }

func (f *floor) shared(run func() Answer) Answer {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return run()
}

func (f *floor) alone(run func() Answer) Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	return run()
}

// settle runs a program on an engine and compares, and does both again, alone and with patience,
// before anything but the same or a refusal counts. An interpreter's being slow is no finding,
// which need not be sought alone.
func (h *Hunt) settle(ctx context.Context, dir string, e Engine, source string, native func(time.Duration) Answer,
	first Answer) (Verdict, string, Answer) {
	run := func(limit time.Duration) func() Answer {
		return func() Answer { return e.Run(ctx, dir, source, limit) }
	}
	v, d := Compare(h.floor.shared(run(h.Limits.First)), first, e.MayRefuse)
	if v == Same || v == Refused || ctx.Err() != nil {
		return v, d, first
	}
	again := h.floor.alone
	if v == OverTime && e.MayRefuse {
		again = h.floor.shared
	}
	if v == Endless {
		if first = again(func() Answer { return native(h.Limits.Again) }); first.Failed != "" {
			return v, d, first
		}
	}
	w, d2 := Compare(again(run(h.Limits.Again)), first, e.MayRefuse)
	if v == Different && w != Different {
		return Unsteady, d, first
	}
	return w, d2, first
}
