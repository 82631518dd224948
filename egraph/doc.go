// Package egraph is equality saturation: terms, e-classes, congruence closure, rewriting,
// extraction and explanations.
//
//	g := egraph.New()
//	root := g.MustAdd("(/ (* a 2) 2)")
//	report := g.Run(egraph.MustRules(`
//	    assoc:  (/ (* ?x ?y) ?z) => (* ?x (/ ?y ?z))
//	    cancel: (/ ?x ?x) => 1 if (nonzero ?x)
//	    one:    (* ?x 1) => ?x`, egraph.Where("nonzero", notZero)), egraph.Iterations(30))
//	g.Extract(root)   // a
//
// An e-graph is kept as columns, not as objects: a table for each operator holds the children of its
// rows (e-nodes) side by side and the class of each row, so the collector has nothing to follow and an
// image of the graph for a device is a copy. Equal rows are found through an open-addressed index of
// 64-bit words (32 bits of hash, 32 bits of row).
//
// The way of the data, and the files in the order to read them:
//
//   - text becomes terms: sexpr.go reads S-expressions with positions, names.go says which names stand in quotes so
//     that what is printed reads back, atom.go holds leaves (symbols, exact integers and rationals), term.go holds
//     terms, term_parts.go walks them as the graphs that they are;
//   - terms become rows: unionfind.go, table.go (one operator), batch.go (many rows at once), bulk.go,
//     egraph.go (the graph), owner.go (whose it is), size.go, view.go (reading classes and rows back);
//   - unions become congruence: rebuild.go (whole tables), worklist.go (few dirty rows),
//     reinsert.go, rekey.go and compact.go (by threads, which threads.go starts);
//   - rules become matches: pattern.go, rule.go, ruletext.go (text), program.go (rules that share their
//     prefixes), compile.go, slab.go (their memory), match.go (partial matches as columns), ages.go and
//     seminaive.go (what cannot be new is not searched again), parallel.go, index.go (rows by class), keyindex.go
//     (rows by class and the children that are bound), apply.go, window.go, intern.go
//     (right sides instantiated in blocks), applystore.go (under a scheduler), query.go (one pattern in one class);
//   - matches become a run: runner.go, presize.go, limits.go, quota.go, cut.go, interrupt.go,
//     schedule.go, progress.go, report.go and table_view.go;
//     analysis.go and prune.go say what follows from nodes, snapshot.go is push and pop;
//   - a run may go elsewhere: accelerate.go says what an accelerator is and who decides, job.go makes plain columns of the
//     graph and the compiled rules for it, and takes its outcome back;
//   - a graph becomes an answer: extract.go and extract_settle.go (trees), extract_dag.go and dag_search.go,
//     extract_best.go (k best), proofs.go
//     (what is remembered), explain.go, checkproof.go (shares nothing with it), whynot.go;
//   - a graph becomes a file or a picture: json.go and json_load.go (egraph-serialize), binary.go, device_image.go
//     (package image, for devices), picture.go (SVG and DOT);
//   - invariant.go holds the laws, which every test checks.
//
// The method is that of Willsey et al., "egg: Fast and Extensible Equality Saturation" (POPL 2021),
// with the relational matching of Zhang et al. (POPL 2022) as far as columns go.
//
// A graph and everything made from it belong to one goroutine at a time: a call that comes while another one is under
// way is refused with a *BusyError (owner.go). A function that a call asks, a condition or a cost, may use the graph.
package egraph
