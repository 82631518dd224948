package closures

import "testing"

// The generator's first numbers are those of its definition, which peers in other languages repeat.
func TestRandom(t *testing.T) {
	x := Random(Seed)
	for i, want := range []uint64{8748534153485358512, 3040900993826735515, 3453997556048239312} {
		if got := x.Next(); got != want {
			t.Errorf("number %d is %d, not %d", i, got, want)
		}
	}
}

// Children of layered graphs are leaves and terms before, those of flat ones leaves.
func TestTerm(t *testing.T) {
	for _, c := range []Case{{Leaves: 5}, {Leaves: 5, Layered: true}} {
		x, beyond := Random(Seed), false
		for i := range 100 {
			a, b, _ := c.Term(&x, i)
			if a >= uint64(5+i) || b >= uint64(5+i) {
				t.Fatalf("%v: term %d has the children %d and %d", c, i, a, b)
			}
			beyond = beyond || a >= 5
		}
		if beyond != c.Layered {
			t.Errorf("%v: terms stand on terms: %v", c, beyond)
		}
	}
}
