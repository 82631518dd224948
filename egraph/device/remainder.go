package device

import (
	"errors"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
)

// A deep graph needs a round for each of its levels, and a round on a device costs the whole graph however little it
// merges. So rounds are launched a few at a time, twice as many each time, and once they have taken as long as the host
// would for all that is left, the host does it: there a level costs what changed. The whole is at most about twice the
// better of the two.

// firstRounds is how many rounds the first launch has: more than a graph that is not deep needs, except where a round
// is dear, as on the emulated device.
func (r *Resident) firstRounds() int {
	if r.dev.Emulated() {
		return 4
	}
	return 32
}

// hostCost guesses how long the host would take for what is left: it reads and indexes all rows.
func (r *Resident) hostCost() time.Duration {
	return 200*time.Microsecond + time.Duration(r.rows)*150 + time.Duration(r.ids)*10
}

// close runs rounds to the fixpoint, on the device and, where that is the shorter way, on the host.
func (r *Resident) close() (took time.Duration, rounds int, err error) {
	for most, pairs := r.firstRounds(), r.pairs; ; most, pairs = 2*most, 0 {
		t, n, err := r.fixpoint(pairs, most)
		took, rounds = took+t, rounds+n
		if err != nil || !r.open {
			return took, rounds, err
		}
		if took > r.hostCost() {
			start := time.Now()
			n, err = r.closeOnHost()
			return took + time.Since(start), rounds + n, err
		}
	}
}

// closeOnHost closes what the device left, and brings it back to the device.
func (r *Resident) closeOnHost() (rounds int, err error) {
	x := &remainder{width: r.width}
	if x.keys, err = cuda.Slice[uint64](r.keys); err == nil {
		x.classes, err = cuda.Slice[uint32](r.classes)
	}
	if err == nil {
		x.parent, err = cuda.Slice[uint32](r.parent)
	}
	if err != nil {
		return 0, err
	}
	x.keys, x.classes = x.keys[:r.rows], x.classes[:r.rows]
	rounds = x.close()
	return rounds, errors.Join(fill(r.keys, x.keys), fill(r.parent, x.parent))
}

// A remainder is a packing on the host: congruence closure by a worklist (Downey, Sethi and Tarjan 1980).
type remainder struct {
	width   int
	keys    []uint64
	classes []uint32
	parent  []uint32

	rows    map[uint64]uint32 // by canonical key
	offsets []uint32          // by id: its part of over
	over    []uint32          // rows that have the id among their children
	next    []uint32          // by id: the next of its class, none at the end
	last    []uint32          // by root: the last id of its class
	merged  []uint32          // ids that are roots no more
}

// close runs to the fixpoint and answers in how many rounds, of which the last merged nothing.
func (x *remainder) close() (rounds int) {
	for id, p := range x.parent {
		x.parent[id] = x.parent[p]
	}
	for row, key := range x.keys {
		x.keys[row] = x.canonical(key)
	}
	x.index()
	x.rows = make(map[uint64]uint32, len(x.keys))
	for row := range x.keys {
		x.place(uint32(row))
	}
	for rounds = 1; len(x.merged) > 0; rounds++ {
		merged := x.merged
		x.merged = nil
		for _, id := range merged {
			x.revisit(id)
		}
	}
	for id, p := range x.parent {
		x.parent[id] = x.parent[p]
	}
	return rounds
}

func (x *remainder) root(id uint32) uint32 {
	for x.parent[id] != id {
		x.parent[id] = x.parent[x.parent[id]]
		id = x.parent[id]
	}
	return id
}

func (x *remainder) sides(key uint64) (left, right uint32) {
	low := uint64(1)<<x.width - 1
	return uint32(key >> x.width & low), uint32(key & low)
}

func (x *remainder) canonical(key uint64) uint64 {
	left, right := x.sides(key)
	return key>>(2*x.width)<<(2*x.width) | uint64(x.root(left))<<x.width | uint64(x.root(right))
}

// index lists the rows over each id.
func (x *remainder) index() {
	n := len(x.parent)
	x.offsets, x.over = make([]uint32, n+1), make([]uint32, 2*len(x.keys))
	for _, key := range x.keys {
		left, right := x.sides(key)
		x.offsets[left]++
		x.offsets[right]++
	}
	sum := uint32(0)
	for i, count := range x.offsets {
		sum, x.offsets[i] = sum+count, sum
	}
	for row, key := range x.keys {
		left, right := x.sides(key)
		for _, id := range [2]uint32{left, right} {
			x.over[x.offsets[id]] = uint32(row)
			x.offsets[id]++
		}
	}
	copy(x.offsets[1:], x.offsets)
	x.offsets[0] = 0
	x.next, x.last = make([]uint32, n), make([]uint32, n)
	for i := range x.next {
		x.next[i], x.last[i] = none, uint32(i)
	}
}

// place finds the row that one is equal to, and merges their classes.
func (x *remainder) place(row uint32) {
	other, there := x.rows[x.keys[row]]
	if !there {
		x.rows[x.keys[row]] = row
		return
	}
	a, b := x.root(x.classes[row]), x.root(x.classes[other])
	if a == b {
		return
	}
	x.parent[max(a, b)] = min(a, b)
	x.merged = append(x.merged, max(a, b))
}

// revisit places the rows over an id, and those that came to it before, anew.
func (x *remainder) revisit(id uint32) {
	for i, end := id, x.last[id]; ; i = x.next[i] {
		for _, row := range x.over[x.offsets[i]:x.offsets[i+1]] {
			if key := x.canonical(x.keys[row]); key != x.keys[row] {
				x.keys[row] = key
				x.place(row)
			}
		}
		if i == end {
			break
		}
	}
	to := x.root(id)
	x.next[x.last[to]], x.last[to] = id, x.last[id]
}

// release gives back what something holds. A device whose wait was interrupted may be busy still: then that
// is done when it no longer is, and the caller, who has waited once, does not wait again.
func release(err error, free func() error) error {
	var interrupted *cuda.InterruptedError
	if !errors.As(err, &interrupted) {
		return errors.Join(err, free())
	}
	go func() {
		for errors.As(free(), &interrupted) { // by an interrupt of others
			time.Sleep(time.Millisecond)
		}
	}()
	return err
}
