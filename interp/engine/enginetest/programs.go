package enginetest

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

// Options say what an engine is held to.
type Options struct {
	// MayRefuse lets an engine pass that refuses a program.
	MayRefuse bool
	// Refused, if set, is told of every refusal.
	Refused func(name string, err error)
	// Shallow leaves out what calls tens of thousands deep, for tests that look at the whole stack
	// again and again.
	Shallow bool
}

// deep are the programs that Shallow leaves out.
var deep = map[string]bool{"defers/deferringDeep": true}

// Programs runs the conformance corpus, each program whole and, where that can be, in cells.
func Programs(t *testing.T, open conformance.Open, o Options) {
	ps, err := conformance.Corpus()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if o.Shallow && deep[p.ID()] {
			continue
		}
		t.Run(p.ID(), func(t *testing.T) {
			got, err := conformance.Whole(open, p)
			o.judge(t, p.ID(), got, p.Want, err)
		})
		cells, err := conformance.Cut(p)
		if err != nil {
			t.Error(err)
		}
		if cells == nil {
			continue
		}
		t.Run(p.ID()+"/cells", func(t *testing.T) {
			got, err := conformance.Cells(open, cells)
			o.judge(t, p.ID()+"/cells", got, p.Want, err)
		})
	}
}

// judge fails t unless the outcome is right, or refused where that may be.
func (o Options) judge(t *testing.T, name string, got, want conformance.Outcome, err error) {
	t.Helper()
	var refused *conformance.Refused
	if errors.As(err, &refused) {
		if o.Refused != nil {
			o.Refused(name, err)
		}
		if !o.MayRefuse {
			t.Errorf("refused: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := conformance.Differences(got, want); d != "" {
		t.Error(d)
	}
}
