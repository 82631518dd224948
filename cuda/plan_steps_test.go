package cuda

import "testing"

func TestPlanOfSeveralIsCapturedTheSecondTime(t *testing.T) {
	d, m := openKernels(t)
	x := d.MustUpload([]uint32{0})
	var launches []PlanItem
	for i := range 10 {
		p, err := m.MustKernel("affine").Plan(Grid(1), Block(1), x, 1, i, 1)
		check(t, err)
		launches = append(launches, p)
	}
	s, err := d.Plan(launches...)
	check(t, err)
	for i := range 4 {
		if (s.Graph() != nil) != (i >= 2) {
			t.Errorf("before run %d: captured is %v", i, s.Graph() != nil)
		}
		check(t, s.Launch())
	}
	check(t, d.Synchronize())
	equal(t, MustSlice[uint32](x), []uint32{4 * 45})
	check(t, s.Close())
	if s.Launch() == nil || s.Close() == nil {
		t.Error("a closed plan works")
	}
	if _, err := d.Plan(); err == nil {
		t.Error("a plan of nothing")
	}
	if _, err := d.Plan(nil); err == nil {
		t.Error("a plan of nil")
	}
}

// Dispatches that nobody waits for are collected as others are submitted.
func TestManySubmitsNobodyWaitsFor(t *testing.T) {
	d, m := openKernels(t)
	x := d.MustUpload([]uint32{0})
	p := m.MustKernel("affine").MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1)
	for range 1000 {
		if _, err := p.Submit([]*Buffer{x}); err != nil {
			t.Fatal(err)
		}
	}
	check(t, d.Synchronize())
	equal(t, MustSlice[uint32](x), []uint32{1000})
	d.reap()
	if n := len(d.watched()); n != 0 {
		t.Errorf("%d dispatches are watched", n)
	}
}
