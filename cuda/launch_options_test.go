package cuda

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

// everyOption has each option once, as one that could be applied.
func everyOption(s *Stream) map[string]any {
	return map[string]any{"Shared": Shared(16), "Elements": Elements(4), "Cooperative": Cooperative(),
		"Cluster": Cluster(1),
		"On":      On(s),
		"Named":   Named("n"),
		"After":   After(), "Iterations": Iterations(2), "Fixpoint": Fixpoint("x", 2), "Timed": Timed()}
}

// Each call takes the options that are for it, and refuses the others by name, with the call that
// takes them. // D5, H1
func TestOptionsThatDoNotApplyAreRefused(t *testing.T) {
	d, m := openKernels(t)
	k, x := m.MustKernel("affine"), d.MustUpload([]uint32{1, 2, 3, 4})
	s, err := d.NewStream()
	check(t, err)
	args := func(option any) []any { return []any{x, 1, 1, 4, option} }
	calls := map[takers]struct {
		op   string
		call func(option any) error
	}{
		byLaunch: {"Device.Launch", func(o any) error { return d.Launch(k, Grid(1), Block(4), args(o)...) }},
		byDispatch: {"Device.Dispatch", func(o any) error {
			_, err := d.Dispatch(k, Grid(1), Block(4),
				args(o)...)
			return err
		}},
		byStream: {"Stream.Launch", func(o any) error { return s.Launch(k, Grid(1), Block(4), args(o)...) }},
		byPlan: {"Kernel.Plan", func(o any) error {
			_, err := k.Plan(Grid(1), Block(4), InOut("x"), 1, 1, 4, o)
			return err
		}},
		byNode: {"GraphBuilder.Launch", func(o any) error {
			b := d.NewGraphBuilder()
			b.Launch(k, Grid(1), Block(4), args(o)...)
			g, err := b.Build()
			if err != nil {
				return err
			}
			return g.Close()
		}},
	}
	if options := everyOption(s); len(options) != len(optionTakers) {
		t.Errorf("%d options, and the table has %d", len(options), len(optionTakers))
	}
	for by, c := range calls {
		for kind, option := range everyOption(s) {
			err := c.call(option)
			if takersOf(kind)&by != 0 {
				check(t, errors.Join(err, d.Synchronize())) // the next may be on another stream
				continue
			}
			refused(t, fmt.Sprintf("%s of %s", kind, c.op), err, c.op, kind, kind+" is for "+takersOf(kind).String())
		}
	}
	refused(t, "twice", d.Launch(k, Grid(1), Block(4), x, 1, 1, 4, Elements(1), Elements(2)),
		"Elements at most once, got Elements(1) and Elements(2)")
	check(t, d.Synchronize())
	check(t, s.Close())
}

// Values that an option cannot have, and shapes and places that cannot be, are refused with what
// was asked. // D5, D19
func TestAskedValuesAreToldWhereTheyCannotBe(t *testing.T) {
	d, m := openKernels(t)
	k, x := m.MustKernel("affine"), d.MustUpload([]uint32{1, 2, 3, 4})
	with := func(option any) error { return d.Launch(k, Grid(1), Block(4), x, 1, 1, 4, option) }
	plan := func(option any) error {
		_, err := k.Plan(Grid(1), Block(4), InOut("x"), 1, 1, 4, option)
		return err
	}
	shape := func(g GridDim, b BlockDim) error { return d.Launch(k, g, b, x, 1, 1, 4) }
	read := func(r BufferRange) error { _, err := d.ReadRanges(r); return err }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"elements":     {with(Elements(-3)), "0 or more, got Elements(-3)"},
		"shared":       {with(Shared(-5)), "0 or more, got Shared(-5)"},
		"much shared":  {with(Shared(math.MaxInt)), fmt.Sprintf("Shared(%d)", math.MaxInt)},
		"no stream":    {with(On(nil)), "want a stream, got On(no stream)"},
		"zero stream":  {with(On(&Stream{})), "want a stream, got On(no stream)"},
		"no name":      {with(Named("")), `got Named("")`},
		"no rounds":    {plan(Iterations(0)), "at least one iteration, got Iterations(0)"},
		"negative":     {plan(Iterations(-2)), "got Iterations(-2)"},
		"no flag":      {plan(Fixpoint("", 2)), `the name of a binding, got Fixpoint("", 2)`},
		"no most":      {plan(Fixpoint("x", -1)), `got Fixpoint("x", -1)`},
		"grid":         {shape(Grid(-1), Block(4)), "got -1"},
		"huge grid":    {shape(Grid(1<<40), Block(4)), "got 1099511627776"},
		"four extents": {shape(Grid(1, 1, 1, 1), Block(4)), "got 1×1×1×1"},
		"no extent":    {shape(Grid(4, 0), Block(4)), "got 4×0"},
		"zero grid":    {shape(GridDim{}, Block(4)), "got 0×0×0"},
		"grid for 0":   {shape(GridFor(0, 256), Block(4)), "got GridFor(0, 256)"},
		"block":        {shape(Grid(1), Block(1<<31, 1<<31, 4)), "at most 1024 threads a block, got 18446744073709551616"},
		"no block":     {shape(Grid(1), Block(0)), "at least one thread"},
		"range":        {read(x.Elements(-1, 2)), "want elements in [0..4), got Elements(-1, 2)"},
		"range's end":  {read(x.Elements(math.MaxInt, math.MaxInt)), fmt.Sprintf("got Elements(%d, %[1]d)", math.MaxInt)},
		"bytes":        {read(x.Range(math.MaxUint64, 8)), "got requested bytes 8 from 18446744073709551615 on"},
		"write":        {x.Write(math.MaxInt, []uint32{1, 2}), "got 2 from 9223372036854775807 on"},
		"nil option": {func() error { _, err := d.Capture(func(*Stream) {}, nil); return err }(),
			"want an option, got nil"},
	} {
		refused(t, name, c.err, c.want)
	}
	equal(t, MustSlice[uint32](x), []uint32{1, 2, 3, 4})
}

// An output is set to zeros before the launches: the same memory cannot be read by them. // D8
func TestOutputsAreBuffersOfTheirOwn(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("saxpy")
	w, y := d.MustUpload([]float32{1, 2, 3, 4}), d.MustUpload([]float32{1, 2, 3, 4})
	plan := func(b ...any) *Plan { return k.MustPlan(Grid(1), Block(4), append([]any{4, float32(2)}, b...)...) }
	_, err := plan(Input("a"), Output("b")).Run([]*Buffer{w, w}, w.All())
	refused(t, "input", err, "buffers of their own for outputs", "for b, which is input a, too")
	_, err = plan(Output("a"), InOut("b")).Run([]*Buffer{w, w}, w.All())
	refused(t, "in and out", err, "for a, which is input-output b, too")
	_, err = submitPlan(d, nil, plan(Input("a"), Output("b")).With(w, w))
	refused(t, "batch", err, "step 0")
	equal(t, MustSlice[float32](w), []float32{1, 2, 3, 4})
	_, err = plan(Input("a"), InOut("b")).Run([]*Buffer{w, w})
	check(t, err)
	equal(t, MustSlice[float32](w), []float32{3, 6, 9, 12})
	_, err = plan(Input("a"), Output("b")).Run([]*Buffer{y, w})
	check(t, err)
	equal(t, MustSlice[float32](w), []float32{2, 4, 6, 8})
}
