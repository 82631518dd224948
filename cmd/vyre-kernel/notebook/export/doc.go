// Package export reads notebooks, writes them back as Jupyter does, and turns one into a single
// HTML page that needs nothing else.
//
// The way of a notebook: Read (read.go) refuses what is not an nbformat 4 document and gives a
// Notebook (notebook.go); whoever executes it fills the outputs of its cells; Write (write.go) lays
// it down with the keys, the indentation and the line lists that nbformat's own writer uses, so
// that a diff shows what changed; HTML (html.go) makes the page: prose by goldmark (markdown.go),
// code by chroma (highlight.go, with the rules of lexers.go), outputs in their richest form
// (outputs.go), text as a terminal would show it (overwrite.go) and with its colours (ansi.go).
package export
