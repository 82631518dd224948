package dag

import (
	"cmp"
	"slices"
)

// sweeps is how often rows are put in order, down and up in turn; more seldom helps.
const sweeps = 12

// order sorts each row by the mean place of its neighbours in the row before (the barycentre
// heuristic), and keeps the order with the fewest crossings.
func (l *layout) order() {
	best, least := l.copyRows(), l.crossings()
	for i := 0; i < sweeps && least > 0; i++ {
		if i%2 == 0 {
			for row := 1; row < len(l.rows); row++ {
				l.sortRow(row, func(s *step) []int { return s.up })
			}
		} else {
			for row := len(l.rows) - 2; row >= 0; row-- {
				l.sortRow(row, func(s *step) []int { return s.down })
			}
		}
		if n := l.crossings(); n < least {
			best, least = l.copyRows(), n
		}
	}
	l.rows = best
}

func (l *layout) copyRows() [][]int {
	out := make([][]int, len(l.rows))
	for i, row := range l.rows {
		out[i] = slices.Clone(row)
	}
	return out
}

// places gives each step its place in its row.
func (l *layout) places() []int {
	at := make([]int, len(l.steps))
	for _, row := range l.rows {
		for i, s := range row {
			at[s] = i
		}
	}
	return at
}

func (l *layout) sortRow(row int, neighbours func(*step) []int) {
	at := l.places()
	mean := make(map[int]float64, len(l.rows[row]))
	for i, s := range l.rows[row] {
		list := neighbours(&l.steps[s])
		mean[s] = float64(i) // nobody to stand by: stay
		sum := 0
		for _, n := range list {
			sum += at[n]
		}
		if len(list) > 0 {
			mean[s] = float64(sum) / float64(len(list))
		}
	}
	slices.SortStableFunc(l.rows[row], func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
}

// crossings counts the pairs of edges between adjacent rows that cross: the inversions among the
// lower ends, taken by upper end (Barth, Mutzel and Jünger 2004), in n log n.
func (l *layout) crossings() int {
	at, total := l.places(), 0
	for _, row := range l.rows {
		var ends []int
		for _, s := range row {
			from := len(ends)
			for _, d := range l.steps[s].down {
				ends = append(ends, at[d])
			}
			slices.Sort(ends[from:])
		}
		total += inversions(ends)
	}
	return total
}

// inversions counts pairs out of order, with a tree of counts (Fenwick 1994).
func inversions(list []int) int {
	if len(list) == 0 {
		return 0
	}
	tree := make([]int, slices.Max(list)+2)
	total := 0
	for seen, v := range list {
		notGreater := 0
		for i := v + 1; i > 0; i -= i & -i {
			notGreater += tree[i]
		}
		total += seen - notGreater
		for i := v + 1; i < len(tree); i += i & -i {
			tree[i]++
		}
	}
	return total
}
