// Package magic is the table of commands that a cell can start with: %name for one line, %%name for
// the whole cell, !command for the shell. They are registered by name, so that the packages they
// drive need not be known here.
//
// The way of a cell: Split (split.go) takes the commands off the front of the text; Run (table.go)
// looks them up, and names a near one where there is none; builtin.go has those that need a session
// and nothing else, test.go runs the tests of cells, shell.go those that need a shell; not.go says
// which lines that start with ! are Go.
package magic
