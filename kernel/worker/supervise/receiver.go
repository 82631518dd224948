package supervise

import (
	"context"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A Receiver takes what cells send outside of replies. Its methods are called in the order in which
// the worker sent; while one waits the worker may fill the window, then it waits too. Tags are what
// the request came with; nil for what belongs to none (output while the session opens). Input alone
// is called on a goroutine of its own, and may wait until its context is done.
//
// Data values of bundles are json.RawMessage, each as a front end takes it.
type Receiver interface {
	// Sent tells that the worker has been given a cell: what was to be said first can be said while
	// it runs.
	Sent(tag any)
	Stream(tag any, stderr bool, text []byte) // text is valid during the call only
	Display(tag any, d worker.Display)
	ClearOutput(tag any, wait bool)
	Comm(tag any, e worker.CommEvent)
	Input(ctx context.Context, tag any, prompt string, password bool) (string, error)
	// Died tells that a worker ended that was not asked to; what it knew is lost.
	Died(err *DeathError)
}
