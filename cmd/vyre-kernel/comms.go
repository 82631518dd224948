package main

import (
	"fmt"
	"os"

	"github.com/vyre-kernel/vyre-kernel/interp"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/widgets"
	"github.com/vyre-kernel/vyre-kernel/widgets/comm"
)

// A commLink carries comm events of the code of cells and their widgets, each for the cell of the
// goroutine that sends it.
type commLink struct{ interp.Front }

func (l commLink) Send(e comm.Event) { l.Comm(worker.CommEvent(e)) }
func (l commLink) Parent() string    { return l.MessageID() }

func connectComms(f interp.Front) { comm.Connect(commLink{f}) }

// An answerLink carries what is sent while an event of the front end is delivered.
type answerLink struct {
	host   worker.Host
	parent string
}

func (l answerLink) Send(e comm.Event) { l.host.Comm(worker.CommEvent(e)) }
func (l answerLink) Parent() string    { return l.parent }

// deliverComm hands an event of the front end over. That a comm is closed, or that nobody knows its
// target, the front end is told in the protocol's way; a message to nobody the person is told.
func deliverComm(e worker.CommEvent, h worker.Host) {
	defer widgets.Flush() // before the request is answered
	answers := answerLink{host: h}
	if l := comm.Connected(); l != nil {
		answers.parent = l.Parent()
	}
	if err := comm.Deliver(comm.Event(e), answers); err != nil && e.Kind == "msg" {
		fmt.Fprintf(os.Stderr, "%v: what it belongs to went with an earlier session; run its cell again\n", err)
	}
}
