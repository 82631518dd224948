package plots

import "math"

// decimate chooses the places of a series to draw: of each column of the picture the first, last,
// least and greatest value and every gap's edge, so that a curve of a million points looks as if
// all were drawn.
func decimate(values []float64, columns int) []int {
	if columns < 1 || len(values) <= 4*columns {
		out := make([]int, len(values))
		for i := range out {
			out[i] = i
		}
		return out
	}
	var out []int
	for c := range columns {
		from, to := c*len(values)/columns, (c+1)*len(values)/columns
		least, most, gap := -1, -1, -1
		for i := from; i < to; i++ {
			switch v := values[i]; {
			case math.IsNaN(v):
				gap = i
			case least < 0:
				least, most = i, i
			case v < values[least]:
				least = i
			case v > values[most]:
				most = i
			}
		}
		out = appendOrdered(out, from, least, most, gap, to-1)
	}
	return out
}

// appendOrdered appends places in ascending order, each once, none below 0.
func appendOrdered(out []int, first, a, b, c, last int) []int {
	list := [5]int{first, a, b, c, last}
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j-1] > list[j]; j-- {
			list[j-1], list[j] = list[j], list[j-1]
		}
	}
	before := -1
	if len(out) > 0 {
		before = out[len(out)-1]
	}
	for _, at := range list {
		if at > before {
			out = append(out, at)
			before = at
		}
	}
	return out
}

// runs cuts places at gaps (NaN).
func runs(places []int, values []float64) [][]int {
	var out [][]int
	var run []int
	for _, at := range places {
		if math.IsNaN(values[at]) {
			if len(run) > 0 {
				out = append(out, run)
			}
			run = nil
			continue
		}
		run = append(run, at)
	}
	if len(run) > 0 {
		out = append(out, run)
	}
	return out
}
