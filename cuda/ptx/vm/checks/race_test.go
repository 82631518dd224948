package checks

import (
	"math/rand/v2"
	"testing"
)

// A world is two blocks of threads whose accesses are judged by a shadow, and by looking at every pair.
type world struct {
	t       *testing.T
	n       uint32
	now     [2]uint32
	base    [2]uint32
	warps   [2][2]uint32
	shadow  *Shadow
	cells   *Cells // of block 0 alone; nil where the shadow is asked
	seen    []seen
	general bool // no Linear and no Lanes
}

type seen struct {
	Epoch
	write bool
	off   uint64
	size  uint64
}

const worldBytes = 1024

func newWorld(t *testing.T, n uint32) *world {
	s := NewShadow(worldBytes)
	return &world{t: t, n: n, now: [2]uint32{1, 1}, base: [2]uint32{1, 1}, shadow: s}
}

func (w *world) Ordered(uint32, uint32, bool) bool     { return false }
func (w *world) Equal(off uint64, n int, _ Epoch) bool { return false }

func (w *world) observer(block, lane uint32, write bool, info Info) *Observer {
	o := &Observer{Epoch: Epoch{block*w.n + lane + 1, w.now[block], info}, Write: write, First: block*w.n + 1,
		N: w.n, Base: w.base[block], Order: w}
	o.WarpFirst, o.WarpTime = o.First+lane&^31, w.warps[block][lane/32]
	return o
}

// races reports whether an access races with any before it, pair by pair.
func (w *world) races(o *Observer, off, size uint64) bool {
	for _, x := range w.seen {
		if x.off < off+size && off < x.off+x.size && (x.write || o.Write) && !o.knows(&x.Epoch) {
			return true
		}
	}
	return false
}

// access lets count lanes of a block from lane on access consecutive elements, or with spread apart ones.
// It reports a race as the memory tells it, and as the pairs do.
func (w *world) access(block, lane, count uint32, off, size uint64, stride uint64, write bool) (told, is bool) {
	info := MakeInfo(1, map[uint64]int{1: 0, 2: 1, 4: 2, 8: 3, 16: 4}[size], 0)
	addrs := make([]uint64, count)
	for i := range addrs {
		addrs[i] = off + uint64(i)*stride
		is = is || w.races(w.observer(block, lane+uint32(i), write, info), addrs[i], size)
		w.seen = append(w.seen, seen{w.observer(block, lane+uint32(i), write, info).Epoch, write, addrs[i], size})
	}
	for i := 0; i < len(addrs); {
		o := w.observer(block, lane+uint32(i), write, info)
		if !w.general {
			if n := w.take(o, addrs, i, lane, size, stride); n > 0 {
				i += n
				continue
			}
		}
		var bad bool
		if w.cells != nil {
			_, bad = w.cells.Observe(addrs[i], size, o)
		} else {
			_, bad = w.shadow.Observe(addrs[i], size, o)
		}
		if bad {
			return true, is
		}
		i++
	}
	return false, is
}

func (w *world) take(o *Observer, addrs []uint64, i int, lane uint32, size, stride uint64) int {
	if size < 4 {
		return 0
	}
	rest := uint64(len(addrs) - i)
	if bytes := rest * size &^ (ChunkBytes - 1); w.cells == nil && stride == size && addrs[i]%ChunkBytes == 0 &&
		bytes > 0 {
		shift := map[uint64]int{4: 0, 8: 1, 16: 2}[size]
		if n := w.shadow.Linear(addrs[i], bytes, shift, o); n > 0 {
			return int(n / size)
		}
	}
	l := &Lanes{Addrs: addrs[i:], Limit: worldBytes - size, Size: size, Lo: int(lane) + i}
	if w.cells != nil {
		return w.cells.Lanes(l, o)
	}
	return w.shadow.Lanes(l, o)
}

func (w *world) barrier(block int) {
	w.now[block]++
	w.base[block] = w.now[block]
}

func (w *world) warp(block, warp int) {
	w.now[block]++
	w.warps[block][warp] = w.now[block]
}

// The shadow finds a race at the very access at which the pairs do, whatever the accesses: with chunks and
// many lanes at once, and word by word; in an allocation, and in a block's shared memory.
func TestShadowAgainstPairs(t *testing.T) {
	races := 0
	for seed := range uint64(30000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		w := newWorld(t, []uint32{64, 48, 32}[rng.IntN(3)])
		blocks := 2
		w.general = rng.IntN(4) == 0
		if rng.IntN(3) == 0 {
			w.cells, blocks = NewCells(worldBytes), 1
		}
		sizes := []uint64{4, 4, 4, 8, 16}
		if rng.IntN(3) == 0 {
			sizes = []uint64{1, 2, 4, 4}
		}
		for step := range 40 {
			block := rng.IntN(blocks)
			switch rng.IntN(8) {
			case 0:
				w.barrier(block)
				continue
			case 1:
				w.warp(block, rng.IntN(int(w.n+31)/32))
				continue
			}
			size := sizes[rng.IntN(len(sizes))]
			lane := uint32(rng.IntN(int(w.n)))
			count := 1 + uint32(rng.IntN(int(w.n-lane)))
			if rng.IntN(3) == 0 {
				lane, count = 0, w.n
			}
			stride := []uint64{size, size, size, 0, 2 * size}[rng.IntN(5)]
			off := uint64(rng.IntN(4)) * 64
			if rng.IntN(2) == 0 {
				off = uint64(rng.IntN(64)) * size % 256
			}
			write := rng.IntN(4) == 0
			if off+uint64(count)*max(stride, size) > worldBytes || write && stride == 0 {
				continue
			}
			told, is := w.access(uint32(block), lane, count, off, size, stride, write)
			if told != is {
				t.Fatalf("seed %d, step %d: block %d, lanes %d+%d, offset %d, size %d, stride %d, write %v: told %v, is %v",
					seed, step, block, lane, count, off, size, stride, write, told, is)
			}
			if is {
				races++
				break
			}
		}
	}
	if races < 10000 {
		t.Errorf("%d races among the programs: too few to tell", races)
	}
}
