// Package newest passes on what changes often: the first state of a thing at once, of those that
// come faster than a person sees or a front end draws only the newest, in the order in which the
// things began to wait.
//
// A loop that moves a progress bar 10,000 times is then as fast as its work, and the last state
// always arrives: whoever ends something (a cell, an answer) calls Flush. sender.go is all there
// is.
package newest
