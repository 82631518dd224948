package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// username is what headers of this side carry.
const username = "kernel"

// A request is a message that waits for its reply.
type request struct {
	*wire.Message
	channel connection.Channel
	header  json.RawMessage // of the message: the parent of all that answers it
	arrived time.Time
	// aborted says that a cell before it failed: it is answered, not run.
	aborted bool
	// cancel interrupts a cell that runs, from before the engine has it.
	cancel  context.CancelFunc
	running context.Context // done when the cell was interrupted or is over
	over    atomic.Bool     // the cell is over; goroutines it left may still publish

	begun sync.Once     // busy is said
	input *executeInput // said after it
	said  bool          // busy was said; guarded by Kernel.states
}

// An ordering says how a request is handled on the shell channel.
type ordering int

const (
	serial     ordering = iota // after those before it in its lane
	concurrent                 // while a cell runs
)

// A handler answers one type of message. A nil reply is for messages that have none.
type handler struct {
	ordering ordering
	control  bool // may come on the control channel
	shell    bool // may come on the shell channel
	late     bool // busy is said once the engine has been asked: it need not wait for that
	run      func(k *Kernel, ctx context.Context, r *request) (any, error)
}

// handlers is the table of all message types.
var handlers map[string]handler

func init() {
	handlers = map[string]handler{
		"execute_request":         {ordering: serial, shell: true, late: true, run: (*Kernel).execute},
		"complete_request":        {ordering: concurrent, shell: true, control: true, late: true, run: (*Kernel).complete},
		"inspect_request":         {ordering: concurrent, shell: true, control: true, run: (*Kernel).inspect},
		"is_complete_request":     {ordering: concurrent, shell: true, control: true, run: (*Kernel).isComplete},
		"history_request":         {ordering: serial, shell: true, run: (*Kernel).historyRequest},
		"kernel_info_request":     {ordering: concurrent, shell: true, control: true, run: (*Kernel).kernelInfo},
		"comm_info_request":       {ordering: serial, shell: true, control: true, run: (*Kernel).commInfo},
		"comm_open":               {ordering: serial, shell: true, run: (*Kernel).commOpen},
		"comm_msg":                {ordering: serial, shell: true, run: (*Kernel).commMsg},
		"comm_close":              {ordering: serial, shell: true, run: (*Kernel).commClose},
		"connect_request":         {ordering: concurrent, shell: true, control: true, run: (*Kernel).connect},
		"interrupt_request":       {ordering: concurrent, control: true, shell: true, run: (*Kernel).interrupt},
		"shutdown_request":        {ordering: concurrent, control: true, shell: true, run: (*Kernel).shutdown},
		"debug_request":           {ordering: concurrent, control: true, run: (*Kernel).debug},
		"usage_request":           {ordering: concurrent, control: true, run: (*Kernel).usage},
		"create_subshell_request": {ordering: concurrent, control: true, run: (*Kernel).createSubshell},
		"delete_subshell_request": {ordering: concurrent, control: true, run: (*Kernel).deleteSubshell},
		"list_subshell_request":   {ordering: concurrent, control: true, run: (*Kernel).listSubshells},
	}
}

// dispatch answers one request: busy, the handler, its reply, idle. All that the request published
// comes before idle; its end is written with idle, at once after the reply.
func (k *Kernel) dispatch(r *request) {
	started := time.Now()
	if !handlers[r.Header.MsgType].late {
		k.begin(r)
	}
	reply, err := k.answer(r)
	k.begin(r)
	if err != nil {
		reply = k.errorReply(r, err)
	}
	if replyType, ok := replyType(r.Header.MsgType); ok && reply != nil {
		k.reply(r, replyType, reply, started)
	}
	k.idle(r)
	k.log.Debug("request", "type", r.Header.MsgType, "channel", r.channel, "id", r.Header.MsgID, "took",
		time.Since(started), "waited", started.Sub(r.arrived))
	if last, ok := reply.(interface{ after() }); ok {
		last.after()
	}
}

// begin says, once, that a request has begun: before anything else is published for it.
func (k *Kernel) begin(r *request) {
	r.begun.Do(func() {
		k.states.Lock()
		k.busy(r)
		r.said = true
		k.states.Unlock()
		if r.input != nil { // with busy, at once: who listens reads them while the worker is at it
			_ = k.iopub.publish(r, "execute_input", *r.input, nil) // strings always encode
		}
	})
}

// busy begins a request. It goes with what follows, or soon.
func (k *Kernel) busy(r *request) {
	_ = k.iopub.hold(r, "status", status{"busy"}) // a status always encodes
}

// idle ends a request. Front ends take the last status for the state of the kernel: while a cell
// runs that is busy.
func (k *Kernel) idle(r *request) {
	k.states.Lock()
	defer k.states.Unlock()
	_ = k.iopub.publish(r, "status", status{"idle"}, nil)
	k.iopub.bucket.fill()
	k.iopub.meter.fill()
	for _, cell := range k.running.all() {
		if cell != r && cell.said { // else it is about to be
			k.busy(cell)
			return
		}
	}
}

type status struct {
	State string `json:"execution_state"`
}

// replyType is the type of the answer: x_reply to x_request, none to others.
func replyType(msgType string) (string, bool) {
	stem, ok := strings.CutSuffix(msgType, "_request")
	return stem + "_reply", ok
}

// answer finds and calls the handler. A panic of it is an error.
func (k *Kernel) answer(r *request) (reply any, err error) {
	h, ok := handlers[r.Header.MsgType]
	if !ok {
		k.log.Warn("unknown message", "type", r.Header.MsgType, "channel", r.channel)
		return nil, &RequestError{Name: "UnknownRequest",
			Value: fmt.Sprintf("messages of type %q are not known to this kernel (protocol %s)", r.Header.MsgType,
				wire.ProtocolVersion)}
	}
	if r.channel == connection.Control && !h.control || r.channel == connection.Shell && !h.shell {
		return nil, &RequestError{Name: "WrongChannel", Value: fmt.Sprintf("%s is not answered on the %s channel",
			r.Header.MsgType, r.channel)}
	}
	defer func() {
		if p := recover(); p != nil {
			k.log.Error("a handler panicked", "type", r.Header.MsgType, "panic", p, "stack", string(debug.Stack()))
			err = &RequestError{Name: "InternalError", Value: fmt.Sprintf("%s: %v (the log has the stack)", r.Header.MsgType, p)}
		}
	}()
	return h.run(k, k.stopping, r)
}

// errorContent is the content of any reply that reports a failure.
type errorContent struct {
	Status    string   `json:"status"`
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
	// ExecutionCount is in execute_reply alone.
	ExecutionCount *int64 `json:"execution_count,omitempty"`
}

func (k *Kernel) errorReply(r *request, err error) any {
	e := errorContent{Status: "error", Name: "Error", Value: err.Error(), Traceback: []string{}}
	var known *RequestError
	if errors.As(err, &known) {
		e.Name, e.Value = known.Name, known.Value
	}
	if r.Header.MsgType == "execute_request" {
		n := k.count.Load()
		e.ExecutionCount = &n
	}
	if _, ok := replyType(r.Header.MsgType); !ok {
		k.log.Warn("a message without a reply failed", "type", r.Header.MsgType, "error", err)
		return nil
	}
	return e
}

// replyMetadata says when a request began, which front ends show, and how it ended.
type replyMetadata struct {
	Started         string `json:"started"`
	Status          string `json:"status"`
	DependenciesMet bool   `json:"dependencies_met"`
	Engine          string `json:"engine"`
}

// statusOf is the status that a reply begins with; those of debug_request have none, and are fine.
func statusOf(body json.RawMessage) string {
	if rest, ok := bytes.CutPrefix(body, []byte(`{"status":"`)); ok {
		if n := bytes.IndexByte(rest, '"'); n >= 0 {
			return string(rest[:n])
		}
	}
	return "ok"
}

func (k *Kernel) reply(r *request, msgType string, content any, started time.Time) {
	body, err := wire.Encode(content)
	if err != nil {
		k.log.Error("reply not encoded", "type", msgType, "error", err)
		if body, err = wire.Encode(k.errorReply(r, err)); err != nil {
			return
		}
	}
	metadata, err := wire.Encode(replyMetadata{wire.FormatDate(started), statusOf(body), true, k.session})
	if err != nil {
		k.log.Error("metadata not encoded", "error", err)
	}
	h := wire.NewHeader(k.session, username, msgType)
	h.SubshellID = r.Header.SubshellID
	k.send(r.channel, &wire.Message{
		Identities: r.Identities, Header: h, Parent: r.header, Metadata: metadata, Content: body,
	})
}
