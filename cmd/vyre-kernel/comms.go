package main

import (
	"fmt"
	"os"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/widgets"
	"github.com/vyre-kernel/vyre-kernel/widgets/comm"
)

// A commLink carries comm events of cells and their widgets on the host of the last cell.
type commLink struct {
	host   worker.Host
	parent string
}

func (l commLink) Send(e comm.Event) { l.host.Comm(worker.CommEvent(e)) }
func (l commLink) Parent() string    { return l.parent }

func connectComms(h worker.Host, req worker.ExecuteRequest) {
	comm.Connect(commLink{h, req.MessageID})
}

// deliverComm hands an event of the front end over. That a comm is closed, or that nobody knows its
// target, the front end is told in the protocol's way; a message to nobody the person is told.
func deliverComm(e worker.CommEvent, h worker.Host) {
	defer widgets.Flush() // before the request is answered
	answers := commLink{host: h}
	if l := comm.Connected(); l != nil {
		answers.parent = l.Parent()
	}
	if err := comm.Deliver(comm.Event(e), answers); err != nil && e.Kind == "msg" {
		fmt.Fprintf(os.Stderr, "%v: what it belongs to went with an earlier session; run its cell again\n", err)
	}
}
