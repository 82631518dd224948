// Package closures names the random graphs on which congruence closure is tested and measured, on
// the host, on the device and by the programs of other e-graphs beside them (bench/egraph/peers has
// the same generator): binary terms over leaves, and unions of leaves.
package closures

import "fmt"

// Seed is where the generator of every case begins.
const Seed = 88172645463325252

// Random is Marsaglia's xorshift with shifts 13, 7 and 17 (Xorshift RNGs, Journal of Statistical
// Software 8, 2003). It is not to be 0.
type Random uint64

// Next is the next number.
func (x *Random) Next() uint64 {
	*x ^= *x << 13
	*x ^= *x >> 7
	*x ^= *x << 17
	return uint64(*x)
}

// A Case is a graph of Terms binary terms f and g over Leaves, or, Layered, over leaves and terms
// before, and Unions of leaves.
type Case struct {
	Leaves, Terms, Unions int
	Layered               bool
	Classes               int // after the closure, as egg counts them
}

// Cases are what is measured.
var Cases = []Case{
	{1_000, 1_000_000, 500, false, 296_956},
	{100_000, 1_000_000, 50_000, false, 1_035_126},
	{100_000, 4_000_000, 50_000, false, 3_899_492},
	{1_000_000, 4_000_000, 500_000, true, 4_498_455},
}

func (c Case) String() string {
	return fmt.Sprintf("%dk,%dk,%d,layered=%v", c.Leaves/1000, c.Terms/1000, c.Unions, c.Layered)
}

// Term draws the next term, where so many went before: its children, counted from the first leaf,
// and whether it is an f.
func (c Case) Term(x *Random, before int) (a, b uint64, f bool) {
	m := uint64(c.Leaves)
	if c.Layered {
		m += uint64(before)
	}
	a, b = x.Next()%m, x.Next()%m
	return a, b, x.Next()%2 == 0
}

// Union draws the next union's leaves.
func (c Case) Union(x *Random) (a, b uint64) {
	return x.Next() % uint64(c.Leaves), x.Next() % uint64(c.Leaves)
}
