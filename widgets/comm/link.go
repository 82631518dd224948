package comm

import (
	"encoding/json"
	"fmt"
	"sync"
)

// An Event is a message as it crosses the link. Kind is open, msg or close.
type Event struct {
	Kind     string
	ID       string
	Target   string // of open
	Data     json.RawMessage
	Metadata json.RawMessage
	Buffers  [][]byte
}

// A Link carries events to the front end, in order. Its methods may be called by several goroutines
// at once.
type Link interface {
	Send(Event)
	// Parent is the msg_id of the request that what cells print now belongs to; "" where there is
	// none.
	Parent() string
}

var link struct {
	sync.RWMutex
	now Link
}

// Connect says who carries events from now on, and returns who did before. nil: nobody.
func Connect(l Link) (before Link) {
	link.Lock()
	defer link.Unlock()
	before, link.now = link.now, l
	return before
}

// Connected is who carries events; nil where there is nobody.
func Connected() Link {
	link.RLock()
	defer link.RUnlock()
	return link.now
}

// A NotConnectedError is a comm of a program that no front end looks at.
type NotConnectedError struct{ Target string }

func (e *NotConnectedError) Error() string {
	return fmt.Sprintf("comm %q: there is no front end: comms need a notebook", e.Target)
}

// A ClosedError is a message on a comm that either side closed.
type ClosedError struct{ Target, ID string }

func (e *ClosedError) Error() string { return fmt.Sprintf("comm %q (%s) is closed", e.Target, e.ID) }

// An EventError is an event of the front end that no comm here can take.
type EventError struct{ Kind, ID, Target, Reason string }

func (e *EventError) Error() string {
	return fmt.Sprintf("comm_%s %s %q: %s", e.Kind, e.ID, e.Target, e.Reason)
}
