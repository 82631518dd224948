package vm

// group is a set of lanes that wait to run at the same basic block.
type group struct {
	pc   int
	bits laneBits
	// since counts schedulings; the group that waits longest is served when the
	// others spin.
	since uint64
}

// A group that runs while others wait gives way after patience basic blocks, so
// that a lane which spins for another lane of its warp does not starve it; the
// other then runs for boostRun blocks.
const (
	patience = 4096
	boostRun = 512
)

// addGroup lets lanes wait at pc, together with those already there.
func (b *block) addGroup(pc int, s *laneBits) {
	i := 0
	for i < len(b.groups) && b.groups[i].pc < pc {
		i++
	}
	if i < len(b.groups) && b.groups[i].pc == pc {
		b.groups[i].bits.union(s)
		return
	}
	b.clock++
	b.groups = append(b.groups, group{})
	copy(b.groups[i+1:], b.groups[i:])
	b.groups[i] = group{pc, *s, b.clock}
}

// take makes group i the active lanes.
func (b *block) take(i int) {
	g := b.groups[i]
	b.groups = append(b.groups[:i], b.groups[i+1:]...)
	b.pc = g.pc
	b.setActive(&g.bits)
}

// next makes the group with the lowest pc active. Where none waits it reports
// whether the block goes on: lanes that wait for what cannot come any more are a
// fault.
func (b *block) next() bool {
	if len(b.groups) > 0 {
		b.take(0)
		return true
	}
	if b.live.empty() || len(b.cluster.waits) > 0 {
		return false
	}
	b.stuck()
	return false
}

// schedule lets a lower or equal group in before the active lanes go on.
func (b *block) schedule() {
	if b.boost > 0 {
		b.boost--
		b.meet()
		return
	}
	if b.streak++; b.streak > patience {
		b.rotate()
		return
	}
	if g := &b.groups[0]; g.pc < b.pc {
		cur := b.bits
		pc := b.pc
		b.take(0)
		b.addGroup(pc, &cur)
		b.streak = 0
		return
	}
	b.meet()
}

// meet joins the group that waits where the active lanes have come to.
func (b *block) meet() {
	for i := range b.groups {
		if b.groups[i].pc == b.pc {
			joined := b.bits
			joined.union(&b.groups[i].bits)
			b.groups = append(b.groups[:i], b.groups[i+1:]...)
			b.setActive(&joined)
			return
		}
	}
}

// rotate serves the group that has waited longest.
func (b *block) rotate() {
	oldest := 0
	for i := range b.groups {
		if b.groups[i].since < b.groups[oldest].since {
			oldest = i
		}
	}
	g := b.groups[oldest]
	b.groups = append(b.groups[:oldest], b.groups[oldest+1:]...)
	b.addGroup(b.pc, &b.bits)
	b.pc = g.pc
	b.setActive(&g.bits)
	b.streak, b.boost = 0, boostRun
	b.meet()
}
