// Package dag draws directed acyclic graphs as SVG, in layers from top to bottom. It uses the
// standard library and package display only, so that whoever has a graph (a captured CUDA graph, a
// fusion plan) can answer with a picture without a plotting library.
//
// The way of a graph: check (graph.go) refuses edges to nowhere and cycles; layers (layers.go)
// gives every node a row and cuts long edges into steps; order (order.go) moves nodes in their rows
// so that few edges cross; place (place.go) finds coordinates; SVG (svg.go) draws, with widths of
// text from metrics.go. The method is that of Sugiyama, Tagawa and Toda, "Methods for visual
// understanding of hierarchical system structures" (1981).
package dag
