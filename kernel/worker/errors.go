package worker

import "errors"

// ErrStdinNotAllowed is returned by Host.Input where the front end did not allow input
// (allow_stdin was false) or where there is no cell to ask for.
var ErrStdinNotAllowed = errors.New("worker: input was asked for, but the front end does not allow it here: run " +
	"the cell where a person can answer")
