package cuda

import (
	"errors"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// towards adds 1 to x until it is at the goal, and says in changed whether it did.
const towardsPTX = `
.version 7.0
.target sm_75
.address_size 64
.visible .entry towards(.param .u64 x, .param .u64 changed, .param .u32 goal)
{
	.reg .pred %done;
	.reg .u32 %v, %g;
	.reg .u64 %x, %c;
	ld.param.u64 %x, [x];
	ld.param.u64 %c, [changed];
	ld.param.u32 %g, [goal];
	ld.global.u32 %v, [%x];
	setp.ge.u32 %done, %v, %g;
@%done	ret;
	add.u32 %v, %v, 1;
	st.global.u32 [%x], %v;
	st.global.u32 [%c], 1;
	ret;
}
`

func TestFixpointStopsOnADeviceFlag(t *testing.T) {
	d := openTest(t)
	k := d.MustLoadPTX(towardsPTX).MustKernel("towards")
	x, changed := d.MustUpload([]uint32{0}), d.MustUpload([]uint32{0xdead})
	p := k.MustPlan(Grid(1), Block(1), InOut("x"), InOut("changed"), 7, Fixpoint("changed", 100), Timed(), Elements(1))
	before := d.Telemetry()
	q, err := p.Submit([]*Buffer{x, changed}, x.All())
	needsConditions(t, err)
	got, err := q.Values()
	check(t, err)
	equal(t, got[0].([]uint32), []uint32{7})
	rounds, converged := q.Rounds()
	if rounds != 8 || !converged || q.DeviceTime() <= 0 {
		t.Errorf("%d rounds, converged: %v, %s", rounds, converged, q.DeviceTime())
	}
	since := d.Telemetry().Sub(before).Values
	if since["launches"] != 8 || since["graph_launches"] != 1 || since["synchronizations"] != 1 || since["launched_elements"] != 8 {
		t.Errorf("%v", since)
	}
	// The next finds nothing to do, and one that is not allowed enough says so.
	q = p.MustSubmit([]*Buffer{x, changed})
	q.MustWait()
	if rounds, converged := q.Rounds(); rounds != 1 || !converged {
		t.Errorf("%d rounds, converged: %v", rounds, converged)
	}
	check(t, x.Write(0, []uint32{0}))
	short := k.MustPlan(Grid(1), Block(1), InOut("x"), InOut("changed"), 7, Fixpoint("changed", 3))
	q = short.MustSubmit([]*Buffer{x, changed}, x.Elements(0, 1))
	equal(t, q.MustValues()[0].([]uint32), []uint32{3})
	if rounds, converged := q.Rounds(); rounds != 3 || converged {
		t.Errorf("%d rounds, converged: %v", rounds, converged)
	}
	for _, card := range []display.Tabler{p, short, q} {
		t.Log("\n" + display.Render(card).Data[display.TypeText].(string))
	}
	check(t, errors.Join(x.Close(), changed.Close()))
}

func TestBatchAsAFixpoint(t *testing.T) {
	d := openTest(t)
	k := d.MustLoadPTX(towardsPTX).MustKernel("towards")
	x, y, changed := d.MustUpload([]uint32{0}), d.MustUpload([]uint32{0}), d.MustUpload([]uint32{0})
	p := k.MustPlan(Grid(1), Block(1), InOut("x"), InOut("changed"), 7)
	twice := k.MustPlan(Grid(1), Block(1), InOut("x"), InOut("changed"), 10, Iterations(2))
	steps := []PlanItem{p.With(x, changed), twice.With(y, changed)}
	before := d.Telemetry()
	q, err := submitPlan(d, []BufferRange{x.All(), y.All()}, append(steps, BufferWrite{x, 0, words(5)},
		Until(changed, 50))...)
	needsConditions(t, err)
	values := q.MustValues()
	equal(t, append(values[0].([]uint32), values[1].([]uint32)...), []uint32{7, 10})
	rounds, converged := q.Rounds()
	if launches := d.Telemetry().Sub(before).Values["launches"]; rounds != 6 || !converged || launches != 18 {
		t.Errorf("%d rounds, converged: %v, %d launches", rounds, converged, launches)
	}
	loop := k.MustPlan(Grid(1), Block(1), InOut("x"), InOut("changed"), 7, Fixpoint("changed", 3))
	alone := k.MustPlan(Grid(1), Block(1), InOut("x"), InOut("changed"), 7, Cooperative())
	for name, c := range map[string]struct {
		items []PlanItem
		want  string
	}{
		"twice":       {append(steps, Until(changed, 3), Until(changed, 4)), "Until at most once"},
		"no flag":     {append(steps, Until(nil, 3)), "want a buffer"},
		"no max":      {append(steps, Until(changed, 0)), "1 to 2147483647 rounds, got 0"},
		"flag":        {append(steps, Until(d.MustUpload([]float64{1}), 1)), "uint32 or int32"},
		"nested":      {[]PlanItem{loop.With(x, changed), Until(changed, 1)}, "no Fixpoint itself"},
		"cooperative": {[]PlanItem{alone.With(x, changed), Until(changed, 1)}, "not cooperative"},
	} {
		if _, err := d.Plan(c.items...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFixpointsAreRefused(t *testing.T) {
	d := openTest(t)
	k := d.MustLoadPTX(towardsPTX).MustKernel("towards")
	plan := func(flag Binding, options ...any) error {
		_, err := k.Plan(Grid(1), Block(1), append([]any{InOut("x"), flag, 7}, options...)...)
		return err
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"none":        {plan(InOut("changed"), Fixpoint("flag", 3)), "the name of a binding, got flag"},
		"most":        {plan(InOut("changed"), Fixpoint("changed", 0)), `launches at most, got Fixpoint("changed", 0)`},
		"input":       {plan(Input("changed"), Fixpoint("changed", 3)), "a flag that the kernel writes"},
		"both":        {plan(InOut("changed"), Fixpoint("changed", 3), Iterations(2)), "got both"},
		"cooperative": {plan(InOut("changed"), Fixpoint("changed", 3), Cooperative()), "not cooperative"},
	} {
		var e *Error
		if !errors.As(c.err, &e) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	x, small := d.MustUpload([]uint32{0}), d.MustUpload([]uint16{0})
	_, err := k.MustPlan(Grid(1), Block(1), InOut("x"), InOut("changed"), 7, Fixpoint("changed",
		3)).Submit([]*Buffer{x, small})
	if err == nil || !strings.Contains(err.Error(), "at least 4 bytes") {
		t.Errorf("a small flag: %v", err)
	}
}

// The sequence of the resident dispatch specification as one batch: fused writes, three launches, 8 bytes back, one wait.
func TestBatch(t *testing.T) {
	d, m := openKernels(t)
	k := m.MustKernel("affine")
	x, y := d.MustUpload(make([]uint32, 4)), d.MustUpload([]uint32{0, 0})
	plus7 := k.MustPlan(Grid(1), Block(32), InOut("x"), 1, 7, 4, Timed())
	times2 := k.MustPlan(Grid(1), Block(32), InOut("x"), 2, 0, 4)
	before := d.Telemetry()
	three := d.MustPlan(BufferWrite{x, 0, words(1, 2)}, BufferWrite{x, 8, words(3, 4)}, BufferWrite{y, 0, words(5)},
		plus7.With(x), plus7.With(x), times2.With(x))
	q := three.MustSubmit(nil, x.Elements(1, 2), y.Range(0, 3))
	values := q.MustValues()
	equal(t, values[0].([]uint32), []uint32{32, 34})
	equal(t, values[1].([]byte), []byte{5, 0, 0})
	since := d.Telemetry().Sub(before).Values
	if since["launches"] != 3 || since["device_to_host_bytes"] != 11 || since["host_to_device_copies"] != 2 || since["synchronizations"] != 1 || q.DeviceTime() <= 0 {
		t.Errorf("%v, %s", since, q.DeviceTime())
	}
	s, err := d.NewStream()
	check(t, err)
	elsewhere := k.MustPlan(Grid(1), Block(32), InOut("x"), 2, 0, 4, On(s))
	for name, c := range map[string]struct {
		items []PlanItem
		read  []BufferRange
		want  string
	}{
		"nothing": {nil, nil, "at least one step"},
		"no plan": {[]PlanItem{PlanStep{}}, nil, "step 0: want a plan"},
		"several": {[]PlanItem{three}, nil, "step 0: want a plan of one launch"},
		"streams": {[]PlanItem{plus7.With(x), elsewhere.With(x)}, nil, "step 1: want a plan on the stream of step 0"},
		"buffers": {[]PlanItem{plus7.With(x), plus7}, nil, "step 1"},
		"read":    {[]PlanItem{plus7.With(x)}, []BufferRange{x.Elements(3, 2)}, "requested bytes [12..20)"},
		"negative": {[]PlanItem{plus7.With(x)}, []BufferRange{x.Elements(-1, 2)},
			"want elements in [0..4), got Elements(-1, 2)"},
		"write": {[]PlanItem{plus7.With(x), BufferWrite{y, 8, words(1)}}, nil, "requested bytes [8..12)"},
	} {
		var e *Error
		if _, err := submitPlan(d, c.read, c.items...); !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	equal(t, MustSlice[uint32](x), []uint32{30, 32, 34, 36}) // what was refused did nothing
	check(t, s.Close())
}
