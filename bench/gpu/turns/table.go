package main

import (
	"fmt"
	"io"
	"slices"
)

// A key is one call of one peer.
type key struct{ peer, call string }

// A table is the nanoseconds of each call, round by round.
type table struct {
	order []key
	ns    map[key][]float64
}

func newTable() *table { return &table{ns: map[key][]float64{}} }

func (t *table) add(k key, ns float64) {
	if t.ns[k] == nil {
		t.order = append(t.order, k)
	}
	t.ns[k] = append(t.ns[k], ns)
}

// A ratio is what the figures of enqueueing are about: one call beside another of the same round.
type ratio struct {
	what string
	a, b key
	want string
}

var ratios = []ratio{
	{"launch, Go / C", key{"Go", "launch"}, key{"C", "launch"}, "at most 1.1"},
	{"launch prepared, Go / C", key{"Go", "launch, prepared"}, key{"C", "launch"}, ""},
	{"graph launch, Go / C", key{"Go", "graph launch"}, key{"C", "graph launch"}, "at most 1.1"},
	{"cuda.Graph.Launch / C", key{"Go", "cuda.Graph.Launch"}, key{"C", "graph launch"}, "at most 1.1"},
	{"launch from a cell / CuPy", key{"cell", "launch"}, key{"CuPy", "launch"}, "under 1"},
	{"graph launch from a cell / CuPy", key{"cell", "graph launch"}, key{"CuPy", "graph launch"}, "under 1"},
	{"graph launch from a cell / C", key{"cell", "graph launch"}, key{"C", "graph launch"}, ""},
	{"graph launch, CuPy / C", key{"CuPy", "graph launch"}, key{"C", "graph launch"}, ""},
	{"resident dispatch, Go / launch, C", key{"Go", "resident dispatch"}, key{"C", "launch"}, "under 1.5"},
	{"one parameter set and launch / launch of a graph, Go", key{"Go", "graph launch, one parameter set"},
		key{"Go", "cuda.Graph.Launch"}, "under 2"},
	{"one parameter set and launch, Go / launch of a graph, C", key{"Go", "graph launch, one parameter set"},
		key{"C", "graph launch"}, ""},
	{"one parameter set and launch / launch of a graph, C", key{"C", "graph launch, one parameter set"},
		key{"C", "graph launch"}, ""},
	{"sequence of ten launches, Go / ten launches, C", key{"Go", "sequence of ten launches"}, key{"C", "ten launches"},
		""},
}

// print writes each call's median with its quartiles and least, and each ratio's.
func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "%-7s %-34s %9s  %9s %9s %9s\n", "", "nanoseconds a call", "median", "1st qu.", "3rd qu.", "least")
	for _, k := range t.order {
		q := quantiles(t.ns[k])
		fmt.Fprintf(w, "%-7s %-34s %9.1f  %9.1f %9.1f %9.1f\n", k.peer, k.call, q[2], q[1], q[3], q[0])
	}
	fmt.Fprintf(w, "%-60s %6s  %6s %6s\n", "ratio of two turns of a round", "median", "1st", "3rd")
	for _, r := range ratios {
		of := t.paired(r.a, r.b)
		if len(of) == 0 {
			continue // a peer that takes no part has said so
		}
		q := quantiles(of)
		fmt.Fprintf(w, "%-60s %6.3f  %6.3f %6.3f", r.what, q[2], q[1], q[3])
		if r.want != "" {
			fmt.Fprintf(w, "  wanted: %s", r.want)
		}
		fmt.Fprintln(w)
	}
}

// paired divides the turns of two calls, round by round.
func (t *table) paired(a, b key) []float64 {
	x, y := t.ns[a], t.ns[b]
	of := make([]float64, min(len(x), len(y)))
	for i := range of {
		of[i] = x[i] / y[i]
	}
	return of
}

// quantiles gives the least, the quartiles and the most.
func quantiles(of []float64) [5]float64 {
	of = slices.Sorted(slices.Values(of))
	var q [5]float64
	for i := range q {
		q[i] = of[(len(of)-1)*i/4]
	}
	return q
}
