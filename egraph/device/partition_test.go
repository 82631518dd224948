package device

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/closures"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
)

// byParts closes a packing with a first round by parts, and compares with a closure written with
// maps.
func byParts(t *testing.T, dev *cuda.Device, name string, p *packing) (spilled, rounds int) {
	t.Helper()
	r, err := newResidentBy(dev, p, p.ids, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, rounds, err = r.Fixpoint(); err != nil {
		t.Fatal(err)
	}
	got, err := cuda.Slice[uint32](r.parent)
	if err != nil {
		t.Fatal(err)
	}
	if want := closeWithMaps(p, p.ids); !slices.Equal(got, want) {
		t.Errorf("%s: classes differ", name)
	}
	counts, err := cuda.Slice[uint32](r.parts.counts)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	return int(counts[r.parts.bins+r.parts.parts()]), rounds
}

// mix is the kernels' hash.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// unmix is the key of a hash: a shift by more than half the bits undoes itself, and the factors are
// odd.
func unmix(h uint64) uint64 {
	inverse := func(f uint64) uint64 {
		x := f
		for range 6 {
			x *= 2 - f*x
		}
		return x
	}
	h ^= h >> 33
	h *= inverse(0xc4ceb9fe1a85ec53)
	h ^= h >> 33
	h *= inverse(0xff51afd7ed558ccd)
	return h ^ h>>33
}

// rowsOf makes rows of one class each behind so many leaves.
func rowsOf(leaves, rows int, key func(i int) uint64) *packing {
	p := &packing{width: 24, ids: leaves + rows}
	for i := range rows {
		p.keys, p.classes = append(p.keys, key(i)), append(p.classes, uint32(leaves+i))
	}
	return p
}

func TestPartsLikeMaps(t *testing.T) {
	dev := open(t)
	for _, c := range []closures.Case{{Leaves: 20, Terms: 3000, Unions: 8}, {Leaves: 300, Terms: 5000, Unions: 150,
		Layered: true}, {Leaves: 2000, Terms: 8000, Unions: 700, Layered: true}} {
		p, _ := packCase(c)
		if _, rounds := byParts(t, dev, "random", p); rounds < 2 {
			t.Errorf("%+v: %d rounds", c, rounds)
		}
	}
	empty := &packing{width: 1, ids: 2, pairs: []uint32{0, 1}}
	byParts(t, dev, "no row", empty)
	byParts(t, dev, "one row", rowsOf(1, 1, func(int) uint64 { return 2 << 48 }))
}

// Rows of one key are more than a part has room for, or more than may be spilled.
func TestPartsSkewed(t *testing.T) {
	dev := open(t)
	r := rand.New(rand.NewSource(1))
	const rows = 12_000
	for _, c := range []struct {
		name   string
		equal  int
		spills func(n int) bool
	}{
		{"room for all", 100, func(n int) bool { return n == 0 }},
		{"a part overflows", 1000, func(n int) bool { return n > 0 && n <= rows/16 }},
		{"all rows are equal", rows, func(n int) bool { return n > rows/16 }},
	} {
		p := rowsOf(100, rows, func(i int) uint64 {
			return uint64(2+r.Intn(9))<<48 | uint64(r.Intn(100+rows))<<24 | uint64(r.Intn(100))
		})
		for _, i := range r.Perm(rows)[:c.equal] {
			p.keys[i] = 2<<48 | 5<<24 | 7
		}
		p.pairs = []uint32{5, 9, 7, 8}
		if n, _ := byParts(t, dev, c.name, p); !c.spills(n) {
			t.Errorf("%s: %d spilled", c.name, n)
		}
	}
}

// Keys whose hashes share their tag and their slot are not taken for one another.
func TestPartsTags(t *testing.T) {
	const keys, copies = 40, 3
	p := rowsOf(2, keys*copies, func(i int) uint64 { return unmix(0x12345678<<32 | uint64(i%keys)<<20 | 77) })
	p.width = 1
	byParts(t, open(t), "tags", p)
	for h := range uint64(100) {
		if mix(unmix(h<<40^h)) != h<<40^h {
			t.Error(h)
		}
	}
}

// More different keys in a region than it has slots: those that were spilled are found in the next
// region.
func TestPartsRegionFull(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	const rows, crowd = 24_000, 4600
	in := 0
	p := rowsOf(100, rows, func(i int) uint64 {
		for {
			key := uint64(2)<<48 | uint64(r.Intn(1<<23))<<24 | uint64(r.Intn(100))
			if crowded := uint32(mix(key))>>12&7 == 3; crowded == (i%5 == 0 && in < crowd) {
				if crowded {
					in++
				}
				return key
			}
		}
	})
	p.ids = 1 << 23
	for i := range rows / 10 { // each of some is there twice, of the crowd too
		p.keys[rows-1-i] = p.keys[i]
	}
	p.pairs = []uint32{1, 2, 3, 4, 50, 60}
	if n, _ := byParts(t, open(t), "crowd", p); n < crowd-region {
		t.Errorf("%d spilled", n)
	}
}

// An image with wide rows, whose pairs and operators are rows and ids, in many rounds.
func TestPartsOfImages(t *testing.T) {
	dev := open(t)
	for seed := range int64(2) {
		r := rand.New(rand.NewSource(seed))
		g := egraph.New()
		a, b := g.MustAdd("a"), g.MustAdd("b")
		ids := []egraph.ID{a, b}
		for range 15 {
			x, _ := g.AddNode("f", a)
			y, _ := g.AddNode("f", b)
			a, b = x, y
			ids = append(ids, x, y)
		}
		for range 300 {
			kids := make([]egraph.ID, 2+r.Intn(5))
			for i := range kids {
				kids[i] = ids[r.Intn(len(ids))]
			}
			id, err := g.AddNode(fmt.Sprint("g", len(kids)), kids...)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		m, err := g.Image()
		if err != nil {
			t.Fatal(err)
		}
		unions := []image.Pair{{Left: uint32(ids[0]), Right: uint32(ids[1])}}
		n, err := size(m, unions)
		if err != nil {
			t.Fatal(err)
		}
		if _, rounds := byParts(t, dev, "image", packWith(m, n, unions, 20, seed%2 == 1)); rounds < 15 {
			t.Errorf("%d rounds for a chain of 15", rounds)
		}
	}
}

// A plan has room for its rows, in numbers that the kernels' words hold.
func TestPartitionSizes(t *testing.T) {
	for _, rows := range []int{0, 1, 3072, 3073, 1 << 20, largeRows, 100_000_000, mostRows} {
		p := newPartition(rows)
		if p.slots()/4*3 < rows || p.bins > 512 || p.subs > 512 || p.slots() > 1<<30 {
			t.Errorf("%d rows: %+v", rows, p)
		}
		if p.bins*p.room < rows || p.bins*p.room > 1<<32-1 || p.parts()*partRoom+p.spill >= 1<<31 {
			t.Errorf("%d rows: %+v", rows, p)
		}
	}
}
