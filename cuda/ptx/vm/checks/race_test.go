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
	const never, n = constant(false), ChunkWords
	s := NewShadow(8 * pageWords)
	values := make([]uint32, pageWords)
	if s.Linear(128, 64, 1, 0, n, 0, values) != n || s.Linear(128, 64, 2, 0, n, 0, nil) != n {
		t.Error("the threads' own words are refused")
	}
	if s.Linear(128, 96, 3, 0, n, 0, nil) != 0 {
		t.Error("other threads' words are taken in")
	}
	if _, bad := s.Observe(128+4*5, Access{Thread: 69, Time: 4, Mask: 15, Write: true}, never); bad {
		t.Error("a thread races with itself")
	}
	if x, bad := s.Observe(128+4*6, Access{Thread: 1, Time: 5, Mask: 15}, never); !bad || x.Thread != 70 || !x.Write {
		t.Errorf("the read of another's word: %+v, %v", x, bad)
	}
	if s.Linear(128, 64, 6, 0, n, 0, nil) != 0 {
		t.Error("a chunk whose cells count is taken in")
	}
	if got := s.Linear(256, 7, 6, 0, 3*n+5, 0, nil); got != 3*n {
		t.Errorf("%d words taken in, want those of three chunks", got)
	}
	if got := s.Linear(0, 32, 6, 0, 5*n, 0, nil); got != n {
		t.Errorf("%d words taken in before a chunk whose cells count, want %d", got, n)
	}
	if got := s.Linear(4*pageWords-128, 7, 8, 0, 2*n, 0, values); got != 2*n {
		t.Errorf("%d words taken in over the end of a page, want %d", got, 2*n)
	}
	if x, bad := s.Observe(4*pageWords, Access{Thread: 1, Time: 9, Mask: 15, Value: 1, Write: true}, never); !bad || x.Thread != 7+n {
		t.Errorf("the write of another's word on the second page: %+v, %v", x, bad)
	}
}

// What all threads have left behind them is forgotten: others take the words in, and
// race with those who come after.
func TestLinearAfterABarrier(t *testing.T) {
	const never, n = constant(false), ChunkWords
	for _, alone := range []bool{false, true} {
		s := NewShadow(4096)
		if alone {
			s = NewShadowOfOne(4096)
		}
		s.Observe(8, Access{Thread: 3, Time: 4, Mask: 15, Write: true}, never)
		if s.Linear(0, 64, 5, 4, n, 0, nil) != 0 {
			t.Error("an access at the barrier's own time counts as before it")
		}
		if s.Linear(0, 64, 6, 5, n, 0, nil) != n {
			t.Error("words of before the barrier are refused")
		}
		if x, bad := s.Observe(8, Access{Thread: 3, Time: 6, Mask: 15, Write: true, Value: 9}, never); !bad || x.Thread != 66 {
			t.Errorf("the write of what another has read since: %+v, %v", x, bad)
		}
	}
}

// Threads may take several words each: of eight bytes, or sixteen.
func TestLinearOfWideElements(t *testing.T) {
	const never, n = constant(false), ChunkWords
	for shift := range uint8(3) {
		s := NewShadow(4096)
		if got := s.Linear(0, 10, 1, 0, 3*n, shift, make([]uint32, 3*n)); got != 3*n {
			t.Fatalf("shift %d: %d words taken in", shift, got)
		}
		if s.Linear(n*4, 10+n>>shift, 2, 0, n, shift, nil) != n || s.Linear(n*4, 10+n>>shift, 3, 0, n, shift+1, nil) != 0 {
			t.Errorf("shift %d: a chunk is refused to its threads, or taken in by others", shift)
		}
		for _, word := range []uint32{0, 5, n + 7, 3*n - 1} {
			owner := 10 + word>>shift
			if _, bad := s.Observe(uint64(4*word), Access{Thread: owner, Time: 4, Mask: 15, Write: true}, never); bad {
				t.Errorf("shift %d, word %d: thread %d races with itself", shift, word, owner)
			}
			if x, bad := s.Observe(uint64(4*word), Access{Thread: owner + 1, Time: 5, Mask: 15, Write: true, Value: 1}, never); !bad || x.Thread != owner {
				t.Errorf("shift %d, word %d: %+v, %v, want a race with thread %d", shift, word, x, bad, owner)
			}
		}
	}
}

func TestClear(t *testing.T) {
	const never = constant(false)
	s := NewShadow(4096)
	s.Linear(0, 0, 1, 0, ChunkWords, 0, make([]uint32, ChunkWords))
	s.Observe(256, Access{Thread: 1, Time: 2, Mask: 15, Write: true}, never)
	s.Clear()
	for _, off := range []uint64{4, 256} {
		if x, bad := s.Observe(off, Access{Thread: 9, Time: 1, Mask: 15, Write: true, Value: 3}, never); bad {
			t.Errorf("offset %d: %+v from before the clearing", off, x)
		}
	}
	if got := s.Linear(512, 5, 1, 0, ChunkWords, 0, nil); got != ChunkWords {
		t.Errorf("%d words taken in after the clearing", got)
	}
}
