// Package execute runs the code cells of a notebook on a live kernel and fills in their outputs, as
// nbclient does for Python.
//
// The way of a cell: Notebook (execute.go) sends its source through kernel/client; a collector
// (collect.go) turns each published message into outputs of the notebook format, merging streams,
// updating displays wherever they stand, and clearing when asked.
package execute
