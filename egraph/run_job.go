package egraph

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

// offloads reports whether the next iteration is for an accelerator.
func (r *runner) offloads() bool {
	a := &r.away
	if a.told || a.why != "" {
		return a.to != nil && a.why == ""
	}
	if a.to == nil {
		a.from = offloadFrom
	}
	if r.g.nodes() < a.from {
		return false
	}
	if a.to == nil {
		registered.Lock()
		find := registered.find
		registered.Unlock()
		if find != nil {
			a.to = find()
		}
		if a.to == nil {
			a.why = "there is no accelerator"
			return false
		}
	}
	if a.why = r.unfit(); a.why != "" {
		return false
	}
	return true
}

// unfit says what of a run only the host can do, "" where there is nothing.
func (r *runner) unfit() string {
	g := r.g
	switch _, ok := r.scheduler.(simple); {
	case !ok:
		return "its scheduler decides on the host"
	case len(g.analyses) > 0:
		return "analyses are computed on the host: " + g.analyses[0].Name
	case g.proofs != nil:
		return "proofs are kept on the host"
	case r.goal != nil:
		return "its goal is a function of the host"
	case r.limits.bytes < math.MaxInt:
		return "MaxBytes bounds memory of the host"
	}
	for _, t := range g.tables {
		if t.hiding > 0 {
			return "rows are pruned"
		}
	}
	for _, c := range r.p.rules {
		switch {
		case c.apply != nil:
			return "the right side of rule " + c.name + " is a function"
		case len(c.conds) > 0:
			return "rule " + c.name + " has a condition"
		case c.cycle:
			return "rule " + c.name + " asks for a node that is a child of its own class"
		}
	}
	return ""
}

// runOffloaded runs the iterations that are left on the accelerator, or one where the host wants to look
// in between.
func (r *runner) runOffloaded() error {
	start := time.Now()
	if reason := r.unfit(); reason != "" {
		return &accel.UnfitError{Where: r.away.to.String(), Reason: reason}
	}
	ctx, release := r.cancellable()
	defer release()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	j := r.job(ctx)
	var called error // by OnIteration
	if r.progress != nil {
		before := len(r.report.Iterations)
		j.Each = func(done accel.Iteration) {
			before++
			if called == nil {
				i := iterationThere(done, before, r.away.to.String())
				called = r.g.guard("OnIteration", func() { r.g.ask(func() { r.progress(i) }) })
			}
			if called != nil {
				cancel()
			}
		}
	}
	prepared := time.Since(start)
	out, err := r.away.to.Saturate(j)
	var unfit *accel.UnfitError
	if !r.away.told && errors.As(err, &unfit) {
		r.away.why = unfit.Reason
		return nil
	}
	if err != nil {
		return err
	}
	adopt := time.Now()
	r.g.adoptOutcome(out)
	r.report.Offload.Upload += prepared + out.Upload
	r.report.Offload.Device += out.Device
	r.report.Offload.Download += out.Download
	r.report.Offload.Adopt += time.Since(adopt)
	r.report.Where = r.away.to.String()
	for i, s := range out.Rules {
		c := r.p.rules[i].stats
		c.Matches, c.Applied, c.Nodes, c.Unions = c.Matches+s.Matches, c.Applied+s.Matches, c.Nodes+s.Nodes, c.Unions+s.Unions
	}
	for _, done := range out.Iterations {
		i := iterationThere(done, len(r.report.Iterations)+1, r.report.Where)
		r.report.Iterations = append(r.report.Iterations, i)
	}
	if called != nil {
		return called
	}
	if out.Stop != "" && out.Stop != accel.IterationLimit {
		r.stop(StopReason(out.Stop), "%s", out.Detail)
	}
	return nil
}

// iterationThere is an iteration on an accelerator as reports have it.
func iterationThere(d accel.Iteration, number int, where string) Iteration {
	return Iteration{Number: number, Matches: d.Matches, Applied: d.Matches, Unions: d.Unions, Nodes: d.Nodes,
		Classes: d.Classes, Prepare: d.Prepare, Match: d.Match, Rebuild: d.Rebuild, Where: where}
}

// job makes plain columns of the graph and the program.
func (r *runner) job(ctx context.Context) *accel.Job {
	g := r.g
	j := &accel.Job{Context: ctx, Parents: g.uf.parent, Atoms: g.leaves.atoms, Leaves: g.leaves.class,
		Nodes:      r.limits.nodes,
		Iterations: r.limits.iterations - len(r.report.Iterations), Rules: make([]accel.Rule, len(r.p.rules))}
	if r.limits.time < math.MaxInt64 {
		left := r.limits.time - time.Since(r.start)
		j.Deadline = time.Now().Add(left)
	}
	for i, t := range g.tables {
		j.Ops = append(j.Ops, accel.Op{Name: g.ops[i].name, Arity: t.arity})
		j.Rows = append(j.Rows, accel.Rows{Children: t.kids, Classes: t.class})
	}
	for _, gr := range r.p.grounds {
		j.Grounds = append(j.Grounds, gr.term)
	}
	for _, s := range r.p.roots {
		addRules(j, s, nil)
	}
	return j
}

// addRules makes a chain of steps of each way from a first step to a rule that ends.
func addRules(j *accel.Job, s *step, before []accel.Step) {
	st := accel.Step{Kind: accel.StepKind(s.kind), On: s.on, Ground: s.ground, Class: s.classReg}
	if s.table != nil {
		st.Op = int(s.table.op)
	}
	for _, c := range s.checks {
		st.Checks = append(st.Checks, accel.Check{Child: c.kid, With: accel.CheckKind(c.with), Arg: c.arg})
	}
	for _, b := range s.binds {
		st.Binds = append(st.Binds, accel.Bind{Child: b.kid, Reg: b.reg})
	}
	steps := append(before[:len(before):len(before)], st)
	for _, c := range s.ends {
		rule := accel.Rule{Name: c.name, Steps: steps, Root: c.root,
			Result: accel.Operand{From: accel.OperandKind(c.result.from),
				Arg: c.result.arg}}
		for _, in := range c.right {
			node := accel.Node{Op: int(in.table.op)}
			for _, a := range in.args {
				node.Args = append(node.Args, accel.Operand{From: accel.OperandKind(a.from), Arg: a.arg})
			}
			rule.Right = append(rule.Right, node)
		}
		j.Rules[c.number] = rule
	}
	for _, child := range s.children {
		addRules(j, child, steps)
	}
}

// adoptOutcome makes the graph what an accelerator left.
func (g *EGraph) adoptOutcome(out *accel.Outcome) {
	g.moves++
	g.uf.parent, g.uf.unions = out.Parents, 0
	for id, p := range out.Parents {
		if p != uint32(id) {
			g.uf.unions++
		}
	}
	g.closedUnions, g.losers = g.uf.unions, nil
	for i, a := range out.Atoms {
		if i < len(g.leaves.atoms) {
			continue
		}
		g.leaves.index[a] = uint32(i)
		g.leaves.atoms = append(g.leaves.atoms, a)
	}
	g.leaves.class = out.Leaves
	g.forgetSearches()
	for i, rows := range out.Rows {
		t := g.tables[i]
		t.kids, t.class, t.dead, t.tried, t.added, t.age = rows.Children, rows.Classes, 0, 0, 0, nil
		size := indexSize(minSlots, len(t.class))
		if g.splits(t) {
			t.resize(size)
			g.reinsertParallel(t)
		} else {
			t.reindex(size)
		}
	}
	if out.Open {
		g.closedUnions = -1
		g.mustRebuild()
	}
	g.version++
}
