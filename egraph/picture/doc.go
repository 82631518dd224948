// Package picture draws e-classes and their e-nodes, as SVG for pages and as DOT for Graphviz.
//
//	p, err := g.Picture(root, 4) // of an egraph.EGraph
//	p.SVG()
//
// Classes name each other by number; those that are named and not in the picture have no box, and an
// edge to them ends in the air.
package picture
