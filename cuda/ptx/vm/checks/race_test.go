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
	warps   [2][maxWarps]uint32
	shadow  *Shadow
	own     *Block // of block 0 alone; nil where the shadow is asked
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
		N: w.n, Base: w.base[block], Warps: &w.warps[block], Order: w}
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

// access lets lanes of a block from lane on access elements, each its own address.
// It reports a race as the memory tells it, and as the pairs do.
func (w *world) access(block, lane uint32, addrs []uint64, size uint64, write bool) (told, is bool) {
	info := MakeInfo(1, map[uint64]int{1: 0, 2: 1, 4: 2, 8: 3, 16: 4}[size], 0)
	for i := range addrs {
		is = is || w.races(w.observer(block, lane+uint32(i), write, info), addrs[i], size)
		w.seen = append(w.seen, seen{w.observer(block, lane+uint32(i), write, info).Epoch, write, addrs[i], size})
	}
	for i := 0; i < len(addrs); {
		o := w.observer(block, lane+uint32(i), write, info)
		if !w.general {
			if n := w.take(o, addrs, i, lane, size); n > 0 {
				i += n
				continue
			}
		}
		var bad bool
		if w.own != nil {
			_, bad = w.own.Observe(addrs[i], size, o)
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

func (w *world) take(o *Observer, addrs []uint64, i int, lane uint32, size uint64) int {
	if size < 4 && w.own == nil {
		return 0
	}
	rest := uint64(0)
	for rest < uint64(len(addrs)-i) && addrs[uint64(i)+rest] == addrs[i]+rest*size {
		rest++
	}
	if bytes := rest * size &^ (ChunkBytes - 1); w.own == nil && addrs[i]%ChunkBytes == 0 &&
		bytes > 0 {
		shift := map[uint64]int{4: 0, 8: 1, 16: 2}[size]
		if n := w.shadow.Linear(addrs[i], bytes, shift, o); n > 0 {
			return int(n / size)
		}
	}
	l := &Lanes{Addrs: addrs[i:], Limit: worldBytes - size, Size: size, Lo: int(lane) + i}
	if w.own != nil {
		return w.own.Lanes(l, o)
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

// pattern gives the offsets of n accesses: strided, in rows, or any. It reports false where they do not fit, and for
// most writes to one place, which end a program.
func pattern(rng *rand.Rand, n int, size uint64, few, write bool) ([]uint64, bool) {
	stride := []uint64{size, size, size, 0, 2 * size}[rng.IntN(5)]
	off := uint64(rng.IntN(4)) * 64
	if rng.IntN(2) == 0 {
		off = uint64(rng.IntN(64)) * size % 256
	}
	if few {
		off = uint64(rng.IntN(3)) * size
	}
	row, pitch := n, uint64(0)
	if rng.IntN(4) == 0 {
		row, pitch = 1+rng.IntN(16), uint64(rng.IntN(5))*size*4
	}
	at := make([]uint64, n)
	for i := range at {
		at[i] = off + uint64(i%row)*stride + uint64(i/row)*pitch
		if n <= 16 && row < 4 {
			at[i] = off + uint64(rng.IntN(16))*size
		}
		if at[i]+size > worldBytes {
			return nil, false
		}
	}
	return at, !write || stride != 0 || n == 1 || rng.IntN(50) == 0
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
		few := rng.IntN(3) == 0
		if rng.IntN(3) == 0 {
			w.own, blocks = NewBlock(worldBytes), 1
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
			switch {
			case rng.IntN(3) == 0:
				lane, count = 0, w.n
			case few:
				lane = uint32([]int{0, 1, 28, 31}[rng.IntN(4)])
				count = min(1+uint32(rng.IntN(8)), w.n-lane)
			}
			write := rng.IntN(4) == 0
			addrs, ok := pattern(rng, int(count), size, few, write)
			if !ok {
				continue
			}
			told, is := w.access(uint32(block), lane, addrs, size, write)
			if told != is {
				t.Fatalf("seed %d, step %d: block %d, lanes from %d on, offsets %d, size %d, write %v: told %v, is %v",
					seed, step, block, lane, addrs, size, write, told, is)
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

// A word that all lanes of two warps read keeps a reader of each, however many at once are taken in: a barrier of one
// warp lets its lanes know its own readers alone.
func TestReadersOfTwoWarps(t *testing.T) {
	for _, own := range []bool{false, true} {
		w := newWorld(t, 64)
		if own {
			w.own = NewBlock(worldBytes)
		}
		same := make([]uint64, 64)
		if told, is := w.access(0, 0, same, 4, false); told || is {
			t.Fatalf("reads race: told %v, is %v", told, is)
		}
		w.warp(0, 0)
		if told, is := w.access(0, 0, same[:1], 4, true); !told || !is {
			t.Errorf("own %v: told %v, is %v", own, told, is)
		}
	}
}
