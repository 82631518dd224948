package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// targets are how many times faster than plain yaegi a program is to be; of all others: not slower.
var targets = map[string]float64{"fib32": 40, "loop1e7": 6, "matmul256": 4, "mapinsert": 2, "mapinsert1e6": 2,
	"sortslice": 15, "methods": 40}

// nativeTarget is how many times native Go's time the median of all programs may take.
const nativeTarget = 25

type key struct{ program, engine string }

// A table collects samples.
type table struct {
	names   []string
	samples map[key][]sample
}

func newTable(names []string) *table { return &table{names, map[key][]sample{}} }

func (t *table) add(program, engine string, s sample) {
	k := key{program, engine}
	t.samples[k] = append(t.samples[k], s)
}

// spent is the time that the engine took with the program so far.
func (t *table) spent(program, engine string) (d time.Duration) {
	for _, s := range t.samples[key{program, engine}] {
		d += s.cpu * time.Duration(s.calls)
	}
	return d
}

// median is the middle sample; 0 where the engine failed.
func (t *table) median(program, engine string) time.Duration {
	var all []time.Duration
	for _, s := range t.samples[key{program, engine}] {
		if strings.HasPrefix(s.result, "error") {
			return 0
		}
		all = append(all, s.cpu)
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)/2]
}

func (t *table) result(program, engine string) string {
	return t.samples[key{program, engine}][0].result
}

// wrong is the error that a program's result on the vm is not native Go's.
func (t *table) wrong() error {
	for _, n := range t.names {
		if got, want := t.result(n, "vm"), t.result(n, "native"); got != want {
			return fmt.Errorf("%s: the vm's result is %s, native Go's %s", n, got, want)
		}
	}
	return nil
}

func (t *table) print(w io.Writer, markdown bool) {
	row := func(cells ...any) { fmt.Fprintf(w, "%-14s %10v %10v %10v %10v %10v  %v\n", cells...) }
	if markdown {
		row = func(cells ...any) { fmt.Fprintf(w, "| %v | %v | %v | %v | %v | %v | %v |\n", cells...) }
	}
	row("program", "native ms", "vm ms", "yaegi ms", "vm/native", "yaegi/vm", "target")
	if markdown {
		fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	}
	var ratios []float64
	for _, n := range t.names {
		native, vm := t.median(n, "native"), t.median(n, "vm")
		ratio := float64(vm) / float64(native)
		ratios = append(ratios, ratio)
		row(n, milliseconds(native), milliseconds(vm), t.yaegiTime(n), fmt.Sprintf("%.1f", ratio), t.yaegiRatio(n, vm),
			t.verdict(n, vm))
	}
	slices.Sort(ratios)
	fmt.Fprintf(w, "\nvm/native, median of %d programs: %.1f (target %d)\n\n", len(ratios), ratios[len(ratios)/2],
		nativeTarget)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.3f", float64(d)/1e6) }

// yaegiTime is a dash where yaegi fails, and marked where its result is wrong.
func (t *table) yaegiTime(n string) string {
	d := t.median(n, "yaegi")
	switch {
	case d == 0:
		return "fails"
	case t.result(n, "yaegi") != t.result(n, "native"):
		return milliseconds(d) + " (wrong)"
	}
	return milliseconds(d)
}

func (t *table) yaegiRatio(n string, vm time.Duration) string {
	if d := t.median(n, "yaegi"); d > 0 && vm > 0 {
		return fmt.Sprintf("%.1f", float64(d)/float64(vm))
	}
	return "-"
}

// verdict reports whether the program meets its target against yaegi, a dash where yaegi has no
// time to compare with.
func (t *table) verdict(n string, vm time.Duration) string {
	want := targets[n]
	if want == 0 {
		want = 1
	}
	d := t.median(n, "yaegi")
	switch {
	case d == 0 || d < vm && t.result(n, "yaegi") != t.result(n, "native"): // an engine that gives up is quick
		return "-"
	case float64(d) >= want*float64(vm):
		return fmt.Sprintf("%.0f: met", want)
	}
	return fmt.Sprintf("%.0f: missed", want)
}
