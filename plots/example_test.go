package plots_test

import (
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots"
	"github.com/vyre-kernel/vyre-kernel/plots/dag"
)

// Series over iterations; in a cell the plot shows itself, and its text is the figures.
func ExampleGrowth() {
	p := plots.Growth(map[string][]float64{"nodes": {3, 8, 20, 90, 400}, "classes": {3, 7, 12, 40, 100}},
		plots.Title("Saturation"))
	fmt.Println(p)
	// Output:
	// Saturation
	// series   iterations  first  last  min  max
	// ───────  ──────────  ─────  ────  ───  ───
	// classes           5      3   100    3  100
	// nodes             5      3   400    3  400
}

// A graph in layers.
func ExampleDAG() {
	p := plots.DAG(dag.Graph{Nodes: []dag.Node{{Label: "fill"}, {Label: "saxpy", Detail: "3.4 µs"}, {Label: "read"}},
		Edges: [][2]int{{0, 1}, {1, 2}}})
	fmt.Println(strings.Count(p.SVG(), "<rect"), "rectangles,", strings.Count(p.SVG(), "marker-end"), "arrows")
	fmt.Println(plots.DAG(dag.Graph{Nodes: make([]dag.Node, 2), Edges: [][2]int{{0, 1}, {1, 0}}}))
	// Output:
	// 4 rectangles, 2 arrows
	// dag: the graph has a cycle: 0 -> 1 -> 0
}
