package kernel

import (
	"context"
	"encoding/json"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

// A receiver publishes what cells send.
type receiver Kernel

var _ supervise.Receiver = (*receiver)(nil)

func (r *receiver) kernel() *Kernel { return (*Kernel)(r) }

// parent is the request that output belongs to: its own, else the last cell.
func (k *Kernel) parent(tag any) *request {
	if r, ok := tag.(*request); ok {
		k.begin(r)
		return r
	}
	return k.lastCell.Load()
}

// Sent says what is to be said of a cell before its output while it runs.
func (r *receiver) Sent(tag any) { r.kernel().parent(tag) }

// Stream publishes text. What is gathered of it counts as one message.
func (r *receiver) Stream(tag any, stderr bool, text []byte) {
	k := r.kernel()
	parent := k.parent(tag)
	k.iopub.throttle(parent, k.iopub.stream(parent, stderr, text))
}

type transient struct {
	DisplayID string `json:"display_id,omitempty"`
}

type displayContent struct {
	Data      map[string]any `json:"data"`
	Metadata  map[string]any `json:"metadata"`
	Transient transient      `json:"transient"`
}

func (r *receiver) Display(tag any, d worker.Display) {
	msgType := "display_data"
	if d.Update {
		msgType = "update_display_data"
	}
	r.publish(tag, msgType, displayContent{d.Bundle.Data, orEmpty(d.Bundle.Metadata), transient{d.ID}}, nil)
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func (r *receiver) ClearOutput(tag any, wait bool) {
	r.publish(tag, "clear_output", map[string]bool{"wait": wait}, nil)
}

// publish sends what a cell sent, at the pace of those who read.
func (r *receiver) publish(tag any, msgType string, content any, metadata json.RawMessage, buffers ...[]byte) {
	k := r.kernel()
	parent := k.parent(tag)
	messages, err := k.iopub.add(true, parent, msgType, content, metadata, buffers)
	if err != nil {
		k.log.Error("not published", "type", msgType, "error", err)
	}
	k.iopub.throttle(parent, messages)
}

func (r *receiver) Comm(tag any, e worker.CommEvent) {
	k := r.kernel()
	msgType, content := k.comms.outgoing(e)
	if msgType == "" {
		k.log.Error("a comm event of unknown kind", "kind", e.Kind)
		return
	}
	r.publish(tag, msgType, content, e.Metadata, e.Buffers...)
}

func (r *receiver) Input(ctx context.Context, tag any, prompt string, password bool) (string, error) {
	request, ok := tag.(*request)
	if !ok {
		return "", worker.ErrStdinNotAllowed
	}
	return r.kernel().ask(ctx, request, prompt, password)
}

// Died closes the comms that the worker had, and tells the person where no cell can.
func (r *receiver) Died(err *supervise.DeathError) {
	k := r.kernel()
	for id := range k.comms.clear() {
		r.publish(nil, "comm_close", commContent{ID: id, Data: json.RawMessage("{}")}, nil)
	}
	if len(k.running.all()) > 0 || k.lastCell.Load() == nil {
		return
	}
	text := err.CellError().Value + "\n"
	k.iopub.stream(k.lastCell.Load(), true, []byte(text))
	k.iopub.flush()
}
