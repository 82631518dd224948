package dag

// Distances in CSS pixels.
const (
	boxHeight = 40
	rowGap    = 36
	boxGap    = 18
	bendWidth = 6
	minBox    = 72
	maxBox    = 240
	edgeSpace = 20 // around the picture
)

// place finds x for every step: by turns each row moves to where its neighbours above or below want
// it, as near as order and widths allow.
func (l *layout) place() {
	for _, row := range l.rows {
		x := 0.0
		for i, s := range row {
			if i > 0 {
				x += l.apart(row[i-1], s)
			}
			l.steps[s].x = x
		}
	}
	for i := range 16 {
		if i%2 == 0 {
			for row := 1; row < len(l.rows); row++ {
				l.settle(row, func(s *step) []int { return s.up })
			}
		} else {
			for row := len(l.rows) - 2; row >= 0; row-- {
				l.settle(row, func(s *step) []int { return s.down })
			}
		}
	}
	l.shift()
}

// apart is the least distance of the centres of two neighbours.
func (l *layout) apart(a, b int) float64 { return (l.steps[a].width+l.steps[b].width)/2 + boxGap }

// A block is a run of steps that touch and move as one.
type block struct {
	first, count int
	sum, weight  float64 // of wishes, less the offsets in the row
}

func (b block) at() float64 { return b.sum / b.weight }

// settle moves a row to where the squares of the distances from the wishes are least while the
// order is
// kept: after taking out the widths that is isotonic regression, solved by pooling adjacent
// violators (Ayer et al. 1955).
func (l *layout) settle(row int, neighbours func(*step) []int) {
	steps := l.rows[row]
	var blocks []block
	offset := 0.0
	offsets := make([]float64, len(steps))
	for i, s := range steps {
		if i > 0 {
			offset += l.apart(steps[i-1], s)
		}
		offsets[i] = offset
		wish, weight := l.wish(s, neighbours(&l.steps[s]))
		if l.alone(s) {
			wish, weight = l.company(steps, i), 1e-6
		}
		blocks = append(blocks, block{first: i, count: 1, sum: (wish - offset) * weight, weight: weight})
		for n := len(blocks); n > 1 && blocks[n-2].at() >= blocks[n-1].at(); n = len(blocks) {
			a, b := blocks[n-2], blocks[n-1]
			blocks = append(blocks[:n-2], block{first: a.first, count: a.count + b.count, sum: a.sum + b.sum, weight: a.weight +
				b.weight})
		}
	}
	for _, b := range blocks {
		for i := b.first; i < b.first+b.count; i++ {
			l.steps[steps[i]].x = b.at() + offsets[i]
		}
	}
}

// wish is where a step would stand, and how much it wants to: bends most, so that long edges are
// straight.
func (l *layout) wish(s int, neighbours []int) (x, weight float64) {
	if len(neighbours) == 0 {
		return l.steps[s].x, 0.1
	}
	for _, n := range neighbours {
		x += l.steps[n].x
	}
	weight = 1
	if l.steps[s].node < 0 {
		weight = 4
	}
	return x / float64(len(neighbours)), weight
}

// alone reports whether no edge holds a step anywhere.
func (l *layout) alone(s int) bool { return len(l.steps[s].up) == 0 && len(l.steps[s].down) == 0 }

// company is where the nearest step of the row stands that an edge holds: without it, boxes with no
// edges would be left behind when the others move.
func (l *layout) company(row []int, i int) float64 {
	for d := 1; d < len(row); d++ {
		for _, j := range []int{i - d, i + d} {
			if j >= 0 && j < len(row) && !l.alone(row[j]) {
				return l.steps[row[j]].x
			}
		}
	}
	return l.steps[row[i]].x
}

// shift puts the leftmost box at the edge.
func (l *layout) shift() {
	left := 0.0
	for i, s := range l.steps {
		if edge := s.x - s.width/2; i == 0 || edge < left {
			left = edge
		}
	}
	for i := range l.steps {
		l.steps[i].x += edgeSpace - left
	}
}
