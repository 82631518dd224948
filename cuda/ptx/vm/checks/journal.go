package checks

import "slices"

// journal has accesses to a block's memory since its last barrier that are not in words and cells
// yet: none of them races with any other, as far as the bytes between the least and the greatest
// tell. Most are forgotten at the next barrier, and were never looked at one by one.
type journal struct {
	base    uint32 // the barrier's time
	records []record
	offs    []uint32 // of records that have them
	reads   hull     // of records
	writes  hull
	direct  hull // what is in words and cells since the barrier
	// vain counts barriers behind each of which the journal had to be written out; so long it
	// rests.
	vain, rest int
}

// maxWarps is the number of warps of the largest block.
const maxWarps = 32

const (
	maxRecords = 512
	maxOffs    = 32 << 10
	maxRest    = 64
	minLanes   = 8 // what few lanes do is quicker looked at than noted
)

// record is one instruction of some lanes.
type record struct {
	hull
	Epoch           // of the first
	write  bool     // it is one
	size   uint64   // of one access
	n      int      // accesses, by threads that follow each other
	at     uint64   // offset of the first
	stride int64    // between two
	offs   []uint32 // or each offset
}

// hull is the words [lo, hi) between the least and the greatest byte of accesses.
type hull struct{ lo, hi uint64 }

func hullOf(lo, hi uint64) hull { return hull{lo &^ 3, (hi + 3) &^ 3} }

func (h hull) meets(g hull) bool { return h.lo < g.hi && g.lo < h.hi }

func (h *hull) add(g hull) {
	if h.hi == 0 {
		*h = g
		return
	}
	h.lo, h.hi = min(h.lo, g.lo), max(h.hi, g.hi)
}

// begin forgets what came before the block's last barrier.
func (j *journal) begin(base uint32) {
	if j.base == base {
		return
	}
	if len(j.records) > 0 {
		j.vain = 0
	}
	j.rest = max(j.rest-1, 0)
	j.base, j.records, j.offs = base, j.records[:0], j.offs[:0]
	j.reads, j.writes, j.direct = hull{}, hull{}, hull{}
}

// note takes in accesses that race with nothing in the block, and says where they lie. Where it
// does not, they are for words and cells.
func (j *journal) note(l *Lanes, o *Observer) (where hull, ok bool) {
	if len(j.records) >= maxRecords || len(j.offs)+len(l.Addrs) > maxOffs || l.Index != nil {
		return hull{0, ^uint64(0)}, false
	}
	r := record{Epoch: o.Epoch, write: o.Write, size: l.Size, n: len(l.Addrs)}
	r.Thread = l.thread(0, o)
	offs := len(j.offs)
	if !j.shape(&r, l) {
		return hull{0, ^uint64(0)}, false
	}
	if !j.fits(&r) {
		j.offs = j.offs[:offs]
		return r.hull, false
	}
	if j.records = append(j.records, r); r.write {
		j.writes.add(r.hull)
	} else {
		j.reads.add(r.hull)
	}
	return r.hull, true
}

// shape finds where accesses lie; it reports false for those that are out of bounds or not aligned.
func (j *journal) shape(r *record, l *Lanes) bool {
	first, last := l.Addrs[0]-l.Start, l.Addrs[r.n-1]-l.Start
	if r.at = first; r.n > 1 {
		r.stride = int64(l.Addrs[1] - l.Addrs[0])
	}
	if last == first+uint64(r.n-1)*uint64(r.stride) && strided(l.Addrs, uint64(r.stride)) {
		lo, hi := min(first, last), max(first, last)
		r.hull = hullOf(lo, hi+l.Size)
		return hi <= l.Limit && uint64(max(r.stride, -r.stride)) <= l.Limit && (first|uint64(r.stride))&(l.Size-1) == 0
	}
	at := len(j.offs)
	j.offs = slices.Grow(j.offs, r.n)[:at+r.n]
	r.offs = j.offs[at:]
	lo, hi, all := first, first, uint64(0)
	for i, addr := range l.Addrs {
		off := addr - l.Start
		r.offs[i] = uint32(off)
		lo, hi, all = min(lo, off), max(hi, off), all|off
	}
	r.hull = hullOf(lo, hi+l.Size)
	return hi <= l.Limit && all&(l.Size-1) == 0
}

func strided(addrs []uint64, stride uint64) bool {
	want := addrs[0]
	var off uint64
	for _, x := range addrs {
		off |= x ^ want
		want += stride
	}
	return off == 0
}

// fits reports whether a new record races with nothing in the block.
func (j *journal) fits(r *record) bool {
	if r.n < minLanes || r.meets(j.direct) || r.write && !r.apart() {
		return false
	}
	if !r.meets(j.writes) && !(r.write && r.meets(j.reads)) {
		return true
	}
	for i := range j.records {
		x := &j.records[i]
		if (x.write || r.write) && x.meets(r.hull) && !x.alike(r) {
			return false
		}
	}
	return true
}

// apart reports whether no two of the accesses have a byte in common.
func (r *record) apart() bool {
	return r.n == 1 || r.offs == nil && max(r.stride, -r.stride) >= int64(r.size)
}

// alike reports whether no thread of one record accesses what another of the other does.
func (r *record) alike(x *record) bool {
	if r.n == 1 && x.n == 1 {
		return r.Thread == x.Thread
	}
	return r.apart() && x.apart() && r.size == x.size && r.stride == x.stride &&
		int64(r.at)-r.stride*int64(r.Thread) == int64(x.at)-x.stride*int64(x.Thread)
}

// offset gives where the i-th access is.
func (r *record) offset(i int) uint64 {
	if r.offs != nil {
		return uint64(r.offs[i])
	}
	return r.at + uint64(i)*uint64(r.stride)
}
