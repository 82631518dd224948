package checks

import "testing"

type constant bool

func (c constant) Ordered(uint32, uint32) bool { return bool(c) }

func TestShadow(t *testing.T) {
	const never, always = constant(false), constant(true)
	w := func(thread, value uint32) Access { return Access{Thread: thread, Mask: 15, Write: true, Value: value} }
	r := func(thread uint32) Access { return Access{Thread: thread, Mask: 15} }
	strong := func(a Access) Access { a.Strong = true; return a }
	half := func(a Access, mask uint8) Access { a.Mask = mask; return a }
	for _, c := range []struct {
		name    string
		ordered Order
		seq     []Access
		race    bool
	}{
		{"write then read", never, []Access{w(1, 5), r(2)}, true},
		{"read then write", never, []Access{r(1), w(2, 5)}, true},
		{"two writes", never, []Access{w(1, 5), w(2, 6)}, true},
		{"two writes of one value", never, []Access{w(1, 5), w(2, 5)}, false},
		{"one thread", never, []Access{w(1, 5), r(1), w(1, 6)}, false},
		{"two reads", never, []Access{r(1), r(2)}, false},
		{"ordered", always, []Access{w(1, 5), r(2), w(3, 1)}, false},
		{"atomics", never, []Access{strong(w(1, 5)), strong(w(2, 6)), strong(r(3))}, false},
		{"atomic and plain", never, []Access{strong(w(1, 5)), r(2)}, true},
		{"neighbouring bytes", never, []Access{half(w(1, 5), 3), half(w(2, 6), 12)}, false},
		{"second reader hidden by the first", never, []Access{r(1), r(2), w(1, 3)}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewShadow(64)
			raced := false
			for i, a := range c.seq {
				a.Time = uint32(i)
				_, bad := s.Observe(8, a, c.ordered)
				raced = raced || bad
			}
			if raced != c.race {
				t.Errorf("race reported: %v, want %v", raced, c.race)
			}
		})
	}
}

func TestLinear(t *testing.T) {
	const never = constant(false)
	s := NewShadow(4096)
	if !s.Linear(128, 64, 1, &[ChunkWords]uint32{}) || !s.Linear(128, 64, 2, nil) {
		t.Error("the threads' own words are refused")
	}
	if s.Linear(128, 96, 3, nil) {
		t.Error("other threads' words are taken in")
	}
	if _, bad := s.Observe(128+4*5, Access{Thread: 69, Time: 4, Mask: 15, Write: true}, never); bad {
		t.Error("a thread races with itself")
	}
	if x, bad := s.Observe(128+4*6, Access{Thread: 1, Time: 5, Mask: 15}, never); !bad || x.Thread != 70 || !x.Write {
		t.Errorf("the read of another's word: %+v, %v", x, bad)
	}
	if s.Linear(128, 64, 6, nil) {
		t.Error("a chunk whose cells count is taken in")
	}
}
