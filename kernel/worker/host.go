package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// A host is the Host of one request in the worker process.
type host struct {
	s          *server
	request    uint64
	allowStdin bool
}

var _ Host = (*host)(nil)

func (h *host) Display(d Display) {
	bundle, errs := encodeBundle(d.Bundle)
	h.report(errs)
	h.output(kindDisplay, displayWire{Bundle: bundle, ID: d.ID, Update: d.Update})
}

func (h *host) ClearOutput(wait bool) { h.output(kindClearOutput, clearOutput{Wait: wait}) }

// Flush passes on all that was written to the process's standard output and standard error before. Sessions that keep the
// order of the two use it through an assertion.
func (h *host) Flush() { h.s.drain() }

func (h *host) Comm(e CommEvent) {
	h.s.drain()
	f, err := e.frame(kindCommOut, h.request)
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
	k := kindStdout
	if stderr {
		k = kindStderr
	}
	h.s.emit(k, h.request, p)
}

const (
	// lasting is how long a cell runs before anybody looks whether it waits for descriptor 0, stdinPause how long
	// until the next look.
	lasting    = 60 * time.Millisecond
	stdinPause = 100 * time.Millisecond
)

func (h *host) Input(ctx context.Context, prompt string, password bool) (string, error) {
	if !h.allowStdin {
		return "", ErrStdinNotAllowed
	}
	if err := ctx.Err(); err != nil { // a cell that is over, or interrupted, shows no question
		return "", err
	}
	h.s.drain()
	serial, answer := h.s.ask()
	defer h.s.forget(serial)
	q := inputQuestion{Serial: serial, Prompt: prompt, Password: password}
	if err := h.s.out.sendHead(kindInput, h.request, q); err != nil {
		return "", err
	}
	select {
	case a := <-answer:
		return a.result()
	case <-ctx.Done():
		_ = h.s.out.sendHead(kindInputCancel, h.request, q) // the kernel may be gone: so is the question
		return "", ctx.Err()
	}
}

// endOfInput is what clients answer for Ctrl-D (jupyter_console and ipykernel agree on it).
const endOfInput = "\x04"

func (a inputAnswer) result() (string, error) {
	switch {
	case a.NotAllowed:
		return "", ErrStdinNotAllowed
	case a.Refused != "":
		return "", errors.New(a.Refused)
	case a.Line == endOfInput:
		return "", io.EOF
	}
	return a.Line, nil
}

// output sends a frame with head v, after all that was written to stdout and stderr before.
func (h *host) output(k kind, v any) {
	h.s.drain()
	head, err := encode(v)
	if err == nil {
		err = h.s.output(frame{kind: k, request: h.request, head: head})
	}
	if err != nil {
		h.note(err)
	}
}

// report tells the person what an output lost.
func (h *host) report(errs []*EncodingError) {
	for _, err := range errs {
		h.note(err)
	}
}

func (h *host) note(err error) {
	h.s.emit(kindStderr, h.request, fmt.Appendf(nil, "vyre-kernel: %v\n", err))
}

// wire encodes a reply. What cannot be encoded is reported on stderr and left out.
func (h *host) wire(r ExecuteReply) executeReplyWire {
	w := executeReplyWire{Error: r.Error, UserExpressions: map[string]json.RawMessage{}}
	if r.Result != nil {
		b, errs := encodeBundle(*r.Result)
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
