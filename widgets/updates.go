package widgets

import (
	"errors"
	"maps"

	"github.com/vyre-kernel/vyre-kernel/plots/display/newest"
	"github.com/vyre-kernel/vyre-kernel/widgets/comm"
)

// A delta is traits of a model on their way to the front end.
type delta struct {
	name   string // the widget's
	comm   *comm.Comm
	traits map[string]any
}

// updates are the changes of Go's side. Of those that come faster than a page draws, the newest
// values are sent.
var updates = newest.Sender[*model, delta]{
	Send: func(_ *model, d delta) {
		err := d.comm.Send(update{Method: "update", State: d.traits, BufferPaths: noPaths})
		var closed *comm.ClosedError
		if !errors.As(err, &closed) { // nobody misses what a closed widget shows
			tell(d.name, err)
		}
	},
	Merge: func(before, now delta) delta {
		maps.Copy(before.traits, now.traits)
		return before
	},
}

// Flush sends what waits to be sent. The kernel calls it when a cell and when a callback is over.
func Flush() { updates.Flush() }
