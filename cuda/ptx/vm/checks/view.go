package checks

import "maps"

// A View is what a thread knows of others beyond its own block's and warp's last barriers: of each
// block, up to which time. Views are shared and never change.
type View struct{ of []known }

// known is what is known of one block, which the views list in ascending order.
type known struct {
	block, base uint32
	fine        *fine // of some warps and lanes later times; nil for none
}

type fine struct {
	warps [32]uint32
	lanes map[uint32]uint32
}

// Knows reports whether the view has what a lane of a block did at a time.
func (v *View) Knows(block, lane, time uint32) bool {
	k := v.find(block)
	if k == nil {
		return false
	}
	if time < k.base || k.fine == nil {
		return time < k.base
	}
	return time < k.fine.warps[lane/32] || time < k.fine.lanes[lane]
}

// KnowsAll reports whether the view has what all lanes of a block did at a time.
func (v *View) KnowsAll(block, time uint32) bool {
	k := v.find(block)
	return k != nil && time < k.base
}

func (v *View) find(block uint32) *known {
	if v == nil {
		return nil
	}
	lo, hi := 0, len(v.of)
	for lo < hi {
		if mid := (lo + hi) / 2; v.of[mid].block < block {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(v.of) && v.of[lo].block == block {
		return &v.of[lo]
	}
	return nil
}

// Join gives what either view knows.
func (v *View) Join(w *View) *View {
	switch {
	case v == w || w == nil:
		return v
	case v == nil:
		return w
	}
	out := make([]known, 0, max(len(v.of), len(w.of)))
	a, b := v.of, w.of
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].block < b[0].block:
			out, a = append(out, a[0]), a[1:]
		case b[0].block < a[0].block:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0].join(b[0])), a[1:], b[1:]
		}
	}
	return &View{append(append(out, a...), b...)}
}

func (k known) join(l known) known {
	if l.fine != nil && k.fine == nil || k.base < l.base && (l.fine == nil) == (k.fine == nil) {
		k, l = l, k
	}
	k.base = max(k.base, l.base)
	if l.fine == nil || l.fine == k.fine {
		return k
	}
	f := &fine{warps: k.fine.warps, lanes: maps.Clone(k.fine.lanes)}
	for i, t := range l.fine.warps {
		f.warps[i] = max(f.warps[i], t)
	}
	for lane, t := range l.fine.lanes {
		f.add(lane, t)
	}
	k.fine = f
	return k
}

func (f *fine) add(lane, time uint32) {
	if f.lanes == nil {
		f.lanes = map[uint32]uint32{}
	}
	f.lanes[lane] = max(f.lanes[lane], time)
}

// A Notice makes a view of one block, and of what its threads know of others.
type Notice struct {
	k    known
	more *View
}

// NewNotice begins with what all threads of a block did before a time.
func NewNotice(block, base uint32) *Notice { return &Notice{k: known{block: block, base: base}} }

func (n *Notice) fine() *fine {
	if n.k.fine == nil {
		n.k.fine = &fine{}
	}
	return n.k.fine
}

// Warp adds what the threads of a warp did before a time, Lane one thread.
func (n *Notice) Warp(w int, time uint32) {
	if f := n.fine(); f.warps[w] < time {
		f.warps[w] = time
	}
}

// Lane adds what one thread did before a time.
func (n *Notice) Lane(lane int, time uint32) { n.fine().add(uint32(lane), time) }

// Join adds what a view knows.
func (n *Notice) Join(v *View) { n.more = n.more.Join(v) }

// View gives it all.
func (n *Notice) View() *View { return (&View{[]known{n.k}}).Join(n.more) }
