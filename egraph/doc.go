// Package egraph is equality saturation: terms, e-classes, congruence closure, rewriting,
// extraction and explanations.
//
//	g := egraph.New()
//	root := g.MustAdd("(/ (* a 2) 2)")
//	report := g.Run(egraph.MustParseRules(`
//	    assoc:  (/ (* ?x ?y) ?z) => (* ?x (/ ?y ?z))
//	    cancel: (/ ?x ?x) => 1 if (nonzero ?x)
//	    one:    (* ?x 1) => ?x`, egraph.Where("nonzero", notZero)), egraph.Iterations(30))
//	g.MustExtract(root, egraph.ASTSize) // a
//
// An e-graph is kept as columns, not as objects: a table for each operator holds the children of
// its rows (e-nodes) side by side and the class of each row, so the collector has nothing to follow
// and an image of the graph for a device is a copy. Equal rows are found through an open-addressed
// index of 64-bit words (32 bits of hash, 32 bits of row).
//
// The way of the data; files of a family begin with its name:
//
//   - text becomes terms: package term;
//   - terms become rows: unionfind.go, table.go (one operator), egraph.go (the graph) and graph_*:
//     many rows in one call, whose the graph is, classes and rows read back, push and pop, what
//     follows from nodes, pruning, and the laws, which every test checks (graph_invariant.go);
//   - unions become congruence: rebuild_*, whole tables, few dirty rows, or by threads;
//   - rules become matches: rule_* (patterns, text), match_*: rules that share their prefixes become
//     a program (match_program.go, match_compile.go) over partial matches as columns (match.go);
//     what cannot be new is not searched again (match_ages.go, match_seminaive.go);
//   - matches become rows: apply_*, right sides instantiated in blocks, immediately, in windows or
//     under a scheduler;
//   - all of it becomes a run: run_*, with its limits, interrupts, scheduler and report; a run may
//     go elsewhere: run_accelerate.go says what an accelerator is and who decides, run_job.go makes
//     plain columns of the graph and the compiled rules for it, and takes its outcome back;
//   - a graph becomes an answer: extract_* (trees, DAGs, k best), proof_* (what is remembered,
//     explained, why two classes are apart; proof_check.go shares nothing with the rest);
//   - a graph becomes a file or a picture: io_*.
//
// The method is that of Willsey et al., "egg: Fast and Extensible Equality Saturation" (POPL 2021),
// with the relational matching of Zhang et al. (POPL 2022) as far as columns go.
//
// A graph and everything made from it belong to one goroutine at a time: a call that comes while
// another one is under way is refused with a *BusyError (graph_owner.go). A function that a call
// asks, a condition or a cost, may use the graph.
package egraph
