package vm

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// What a footprint says of each byte is what was put into it, however it was cut into rows and single elements.
func TestFootprintIsExact(t *testing.T) {
	touches := []Touch{TouchRead, TouchWrite, TouchStrongRead, TouchStrongWrite, TouchStrongRead | TouchStrongWrite}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		a := &Allocation{Size: 700 + seed}
		want := make([]Touch, a.Size)
		f := &Footprint{}
		for range 1 + rng.IntN(60) {
			n := 1 + rng.Uint64N(16)
			if rng.IntN(3) > 0 {
				n += longRow
			}
			off := rng.Uint64N(a.Size - n)
			touch := touches[rng.IntN(len(touches))]
			if n >= longRow && seed%4 != 3 {
				f.row(a, Span{off, off + n, touch})
			} else if seed%4 != 0 {
				tread(f.stepsOf(a), off, n, kindsOf(touch))
			} else {
				continue
			}
			for i := off; i < off+n; i++ {
				want[i] |= touch
			}
		}
		got := make([]Touch, a.Size)
		end := uint64(0)
		for _, s := range f.Spans()[a] {
			if s.From < end || s.To <= s.From || s.To > a.Size {
				t.Fatalf("seed %d: span %+v behind %d", seed, s, end)
			}
			for end = s.From; end < s.To; end++ {
				got[end] = s.Touch
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d:\n%v, want\n%v", seed, got, want)
		}
	}
}

// A write races with everything, what is strong with what is not, reads with nothing that reads.
func TestTouchesConflict(t *testing.T) {
	for _, c := range []struct {
		a, b Touch
		want bool
	}{
		{TouchRead, TouchRead, false}, {TouchRead, TouchWrite, true}, {TouchWrite, TouchWrite, true},
		{TouchRead, TouchStrongRead, false}, {TouchRead, TouchStrongWrite, true}, {TouchWrite, TouchStrongRead, true},
		{TouchStrongWrite, TouchStrongWrite, false}, {TouchStrongRead, TouchStrongWrite, false},
		{TouchStrongRead | TouchStrongWrite, TouchStrongRead | TouchStrongWrite, false},
		{TouchRead | TouchStrongWrite, TouchStrongWrite, true},
	} {
		if c.a.Conflicts(c.b) != c.want || c.b.Conflicts(c.a) != c.want {
			t.Errorf("%04b and %04b: want %v", c.a, c.b, c.want)
		}
	}
}
