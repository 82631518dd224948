package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

// A host is the Host of one request in the worker process.
type host struct {
	s          *server
	request    uint64
	allowStdin bool
}

var _ worker.Host = (*host)(nil)

func (h *host) Display(d worker.Display) {
	bundle, errs := protocol.EncodeBundle(d.Bundle)
	h.report(errs)
	h.output(protocol.KindDisplay, protocol.Display{Bundle: bundle, ID: d.ID, Update: d.Update})
}

func (h *host) ClearOutput(wait bool) {
	h.output(protocol.KindClearOutput, protocol.ClearOutput{Wait: wait})
}

// Flush passes on all that was written to the process's standard output and standard error before.
// Sessions that keep the order of the two use it through an assertion.
func (h *host) Flush() { h.s.drain() }

// Claim does the same, and has what is written to the two from now on be this request's output:
// sessions that run several cells at a time know whose goroutine writes.
func (h *host) Claim() {
	h.s.drain()
	h.s.mu.Lock()
	h.s.current = h.request
	h.s.mu.Unlock()
}

func (h *host) Comm(e worker.CommEvent) {
	h.s.drain()
	f, err := protocol.CommFrame(e, protocol.KindCommOut, h.request)
	if err == nil {
		err = h.s.output(f)
	}
	if err != nil {
		h.note(err)
	}
}

// WriteStream sends text as if the cell had written it to stdout or stderr. Sessions that run in
// the kernel's own process, where no descriptor is captured, use it through an assertion.
func (h *host) WriteStream(stderr bool, p []byte) {
	k := protocol.KindStdout
	if stderr {
		k = protocol.KindStderr
	}
	h.s.emit(k, h.request, p)
}

// stdinPause is the time between two looks whether a cell waits for descriptor 0.
const stdinPause = 100 * time.Millisecond

func (h *host) Input(ctx context.Context, prompt string, password bool) (string, error) {
	if !h.allowStdin {
		return "", worker.ErrStdinNotAllowed
	}
	if err := ctx.Err(); err != nil { // a cell that is over, or interrupted, shows no question
		return "", err
	}
	h.s.drain()
	serial, answer := h.s.ask()
	defer h.s.forget(serial)
	q := protocol.InputQuestion{Serial: serial, Prompt: prompt, Password: password}
	if err := h.s.out.SendHead(protocol.KindInput, h.request, q); err != nil {
		return "", err
	}
	select {
	case a := <-answer:
		return answered(a)
	case <-ctx.Done():
		_ = h.s.out.SendHead(protocol.KindInputCancel, h.request, q) // the kernel may be gone: so is the question
		return "", ctx.Err()
	}
}

// endOfInput is what clients answer for Ctrl-D (jupyter_console and ipykernel agree on it).
const endOfInput = "\x04"

func answered(a protocol.InputAnswer) (string, error) {
	switch {
	case a.NotAllowed:
		return "", worker.ErrStdinNotAllowed
	case a.Refused != "":
		return "", errors.New(a.Refused)
	case a.Line == endOfInput:
		return "", io.EOF
	}
	return a.Line, nil
}

// output sends a frame with head v, after all that was written to stdout and stderr before.
func (h *host) output(k protocol.Kind, v any) {
	h.s.drain()
	head, err := protocol.Encode(v)
	if err == nil {
		err = h.s.output(protocol.Frame{Kind: k, Request: h.request, Head: head})
	}
	if err != nil {
		h.note(err)
	}
}

// report tells the person what an output lost.
func (h *host) report(errs []*protocol.EncodingError) {
	for _, err := range errs {
		h.note(err)
	}
}

func (h *host) note(err error) {
	h.s.emit(protocol.KindStderr, h.request, fmt.Appendf(nil, "vyre-kernel: %v\n", err))
}

// wire encodes a reply. What cannot be encoded is reported on stderr and left out.
func (h *host) wire(r worker.ExecuteReply) protocol.ExecuteReply {
	w := protocol.ExecuteReply{Error: r.Error, UserExpressions: map[string]json.RawMessage{}}
	if r.Result != nil {
		b, errs := protocol.EncodeBundle(*r.Result)
		h.report(errs)
		w.Result = &b
	}
	for name, raw := range r.UserExpressions {
		if json.Valid(raw) {
			w.UserExpressions[name] = raw
		} else {
			h.note(fmt.Errorf("user expression %q did not give JSON", name))
		}
	}
	for _, raw := range r.Payload {
		if json.Valid(raw) {
			w.Payload = append(w.Payload, raw)
		} else {
			h.note(errors.New("a payload of the reply is not JSON"))
		}
	}
	return w
}
