// Package plots draws what a notebook wants to see as a picture: times as a histogram with their
// percentiles, series that grow over iterations, directed graphs. It takes small interfaces and
// plain slices, so that it knows nothing of devices or e-graphs and they know nothing of it. A
// picture is a value: as the last expression of a cell it shows itself, as SVG and as PNG with
// twice the pixels (for HiDPI screens), with its figures as text.
//
// The way of a picture: samples.go reads what it was given and refuses what cannot be drawn
// (errors.go); distribution.go and histogram.go do the arithmetic of Timing (timing.go), growth.go
// that of Growth; ticks.go places the marks of axes; theme.go says what things look like;
// picture.go puts a gonum plot on a card and encodes it. Graphs are laid out and drawn by package
// dag, which needs no plotting library; DAG (graph.go) passes them on.
package plots
