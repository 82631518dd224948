// Command egraph (bench) runs the benchmarks of the e-graph room on egraph itself, a line of
// figures each, in the form of the peers' (peers/src/bin):
//
//	egraph math RULES TERMS ITERATIONS [THREADS]
//	egraph growth RULES TERMS
//	egraph closure LEAVES TERMS UNIONS LAYERED
//	egraph reach NODES EDGES [full]
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/egraph/closures"
	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// benchmarks are by name, with how many arguments each takes.
var benchmarks = map[string]struct {
	least, most int
	run         func(args []string) error
}{
	"math": {3, 4, math}, "growth": {2, 2, growth}, "closure": {4, 4, closure}, "reach": {2, 3, reach},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 {
		if b, n := benchmarks[args[0]], len(args)-1; b.run != nil && b.least <= n && n <= b.most {
			return b.run(args[1:])
		}
	}
	return fmt.Errorf("usage: %s math RULES TERMS ITERATIONS [THREADS] | growth RULES TERMS | closure LEAVES TERMS "+
		"UNIONS LAYERED | reach NODES EDGES [full]", os.Args[0])
}

// peakMB is the peak resident memory of this process; 0 where the system does not tell.
func peakMB() int {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmHWM:" {
			kb, _ := strconv.Atoi(fields[1])
			return kb / 1024
		}
	}
	return 0
}

// start makes the graph and the rules of a math run from their files.
func start(rulesFile, termsFile string) (*egraph.EGraph, *egraph.Rules, error) {
	text, err := os.ReadFile(rulesFile)
	if err != nil {
		return nil, nil, err
	}
	rules, err := egraph.ParseRules(string(text))
	if err != nil {
		return nil, nil, err
	}
	terms, err := os.ReadFile(termsFile)
	if err != nil {
		return nil, nil, err
	}
	g := egraph.New()
	for _, line := range strings.Split(strings.TrimSpace(string(terms)), "\n") {
		if _, err := g.Add(line); err != nil {
			return nil, nil, err
		}
	}
	return g, rules, nil
}

const unbounded = 1<<31 - 1

func math(args []string) error {
	g, rules, err := start(args[0], args[1])
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	threads := runtime.GOMAXPROCS(0)
	if len(args) > 3 {
		if threads, err = strconv.Atoi(args[3]); err != nil {
			return err
		}
	}
	r := g.Run(rules, egraph.Iterations(n), egraph.MaxNodes(unbounded), egraph.Threads(threads))
	last := r.Iterations[len(r.Iterations)-1]
	fmt.Printf("egraph math%d last iteration: prepare %d ms, match %d, apply %d, rebuild %d\n", n,
		last.Prepare.Milliseconds(), last.Match.Milliseconds(), last.Apply.Milliseconds(), last.Rebuild.Milliseconds())
	fmt.Printf("egraph math%d threads %d seconds %.4f nodes %d classes %d peakMB %d\n", n, threads, r.Time.Seconds(),
		r.Nodes, r.Classes, peakMB())
	return r.Err
}

// growth reports whether the time of a node depends on the size of the graph: the math run, stopped
// at more and more nodes.
func growth(args []string) error {
	least, most := 0.0, 0.0
	for _, nodes := range []int{100_000, 300_000, 1_000_000, 3_000_000, 10_000_000} {
		best := 0.0
		var r *egraph.Report
		for range max(1, 1_000_000/nodes) {
			g, rules, err := start(args[0], args[1])
			if err != nil {
				return err
			}
			runtime.GC()
			r = g.Run(rules, egraph.MaxNodes(nodes), egraph.Threads(1))
			if r.Err != nil {
				return r.Err
			}
			// A rebuild merges rows, so what was made is what the run stopped at.
			if t := r.Time.Seconds() * 1e9 / float64(nodes); best == 0 || t < best {
				best = t
			}
		}
		fmt.Printf("egraph growth nodes %d after rebuilding %d ns/node %.0f\n", nodes, r.Nodes, best)
		if least == 0 || best < least {
			least = best
		}
		most = max(most, best)
	}
	fmt.Printf("egraph growth largest/smallest ns/node %.2f\n", most/least)
	return nil
}

func closure(args []string) error {
	var n [3]uint64
	for i := range n {
		v, err := strconv.ParseUint(args[i], 10, 32)
		if err != nil {
			return err
		}
		n[i] = v
	}
	leaves, terms, unions, layered := n[0], n[1], n[2], args[3] == "true"
	g := egraph.New()
	ids := make([]egraph.ID, leaves, leaves+terms)
	for i := range ids {
		id, err := g.AddLeaf(term.Int(int64(i)))
		if err != nil {
			return err
		}
		ids[i] = id
	}
	x := closures.Random(closures.Seed)
	start := time.Now()
	if err := buildTerms(g, &x, ids, terms, layered); err != nil {
		return err
	}
	build := time.Since(start)
	g.Rebuild()
	for range unions {
		if _, err := g.Union(ids[x.Next()%leaves], ids[x.Next()%leaves]); err != nil {
			return err
		}
	}
	start = time.Now()
	g.Rebuild()
	fmt.Printf("egraph closure/%d/%d/%d/%v seconds %.4f classes %d adds/s %.0f peakMB %d\n", leaves, terms, unions,
		layered,
		time.Since(start).Seconds(), g.Classes(), float64(terms)/build.Seconds(), peakMB())
	return nil
}

const paths = `step: ?t = (edge ?a ?b) => ?t = (path ?a ?b)
far: ?t = (path ?a ?b), ?t = (edge ?b ?c) => ?t = (path ?a ?c)`

// reach is transitive closure: the edges of a graph are rows of one class, and so are its paths.
// EDGES 0 is a chain, else so many are random. The run goes on until nothing changes, then it is
// run once more.
func reach(args []string) error {
	var n [2]uint64
	for i := range n {
		v, err := strconv.ParseUint(args[i], 10, 32)
		if err != nil {
			return err
		}
		n[i] = v
	}
	options := []egraph.RunOption{egraph.Iterations(unbounded), egraph.MaxNodes(unbounded), egraph.Threads(1)}
	how := "semi-naive"
	if len(args) > 2 {
		options, how = append(options, egraph.FullSearch()), "full"
	}
	g, err := edges(n[0], n[1])
	if err != nil {
		return err
	}
	rules := egraph.MustParseRules(paths)
	r := g.Run(rules, options...)
	again := g.Run(rules, options...)
	fmt.Printf("egraph reach/%d/%d %s seconds %.4f iterations %d nodes %d again %.6f peakMB %d\n", n[0], n[1], how,
		r.Time.Seconds(), len(r.Iterations), r.Nodes, again.Time.Seconds(), peakMB())
	return errors.Join(r.Err, again.Err)
}

// edges makes the graph.
func edges(nodes, random uint64) (*egraph.EGraph, error) {
	g := egraph.New()
	x := closures.Random(closures.Seed)
	yes := g.MustAdd("yes")
	for i := range max(random, nodes-1) {
		from, to := i, i+1
		if random > 0 {
			from, to = x.Next()%nodes, x.Next()%nodes
		}
		a, err := g.AddLeaf(term.Int(int64(from)))
		if err != nil {
			return nil, err
		}
		b, err := g.AddLeaf(term.Int(int64(to)))
		if err != nil {
			return nil, err
		}
		edge, err := g.AddNode("edge", a, b)
		if err != nil {
			return nil, err
		}
		if _, err := g.Union(edge, yes); err != nil {
			return nil, err
		}
	}
	g.Rebuild()
	return g, nil
}

// buildTerms adds the terms: through a Bulk where they stand on each other, else as columns.
func buildTerms(g *egraph.EGraph, x *closures.Random, ids []egraph.ID, terms uint64, layered bool) error {
	m := uint64(len(ids))
	ops := [2]string{"f", "g"}
	if layered {
		bulk := g.Bulk()
		refs := make([]egraph.Ref, len(ids), uint64(len(ids))+terms)
		for i, id := range ids {
			ref, err := bulk.Of(id)
			if err != nil {
				return err
			}
			refs[i] = ref
		}
		for range terms {
			a, b := refs[x.Next()%m], refs[x.Next()%m]
			ref, err := bulk.Node(ops[x.Next()%2], a, b)
			if err != nil {
				return err
			}
			refs = append(refs, ref)
			m++
		}
		return bulk.Flush()
	}
	const block = 1 << 14
	var left, right [2][]egraph.ID
	for done := uint64(0); done < terms; done += block {
		for op := range left {
			left[op], right[op] = left[op][:0], right[op][:0]
		}
		for range min(block, terms-done) {
			a, b := ids[x.Next()%m], ids[x.Next()%m]
			op := x.Next() % 2
			left[op], right[op] = append(left[op], a), append(right[op], b)
		}
		for op, name := range ops {
			if _, err := g.AddNodes(name, left[op], right[op]); err != nil {
				return err
			}
		}
	}
	return nil
}
