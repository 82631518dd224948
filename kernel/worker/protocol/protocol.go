package protocol

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// protocolVersion changes whenever a frame's meaning does. Both ends must be the same.
const protocolVersion = 3

// A Kind says what a frame is.
type Kind uint8

// The frames from the kernel to the worker, then those from the worker to the kernel. hello is
// both.
const (
	KindHello Kind = iota + 1
	KindExecute
	KindComplete
	KindInspect
	KindIsComplete
	KindComm
	KindInterrupt
	KindInputReply
	KindCredit
	KindLongRunning
	KindShutdown

	KindReady
	KindOpenFailed
	KindExecuteReply
	KindReply
	KindStdout
	KindStderr
	KindDisplay
	KindClearOutput
	KindInput
	KindInputCancel
	KindCommOut
	KindCommDone

	KindEnd
)

// hello opens a connection on both ends.
type hello struct {
	Version int
	Cookie  string
	PID     int
}

// InputQuestion asks for a line; Serial tells one question of a request from the next.
type InputQuestion struct {
	Serial   uint64
	Prompt   string
	Password bool
}

// InputAnswer answers the question with the same Serial. Refused is an error text.
type InputAnswer struct {
	Serial  uint64
	Line    string
	Refused string
	// NotAllowed says that Refused is ErrStdinNotAllowed.
	NotAllowed bool
}

// Credit gives back part of the output window.
type Credit struct{ Bytes int }

// FailedReply is what comes instead of a reply when the session panicked.
type FailedReply struct{ Failure string }

// OpenFailed says why there is no session.
type OpenFailed struct{ Reason string }

// ClearOutput is Host.ClearOutput.
type ClearOutput struct{ Wait bool }

// Bundle is a display.Bundle with its data as a front end takes it: textual types as JSON
// strings, binary ones as base64, JSON types as they are.
type Bundle struct {
	Data     map[string]json.RawMessage
	Metadata map[string]any
}

// Display is a worker.Display.
type Display struct {
	Bundle Bundle
	ID     string
	Update bool
}

// ExecuteReply is a worker.ExecuteReply.
type ExecuteReply struct {
	Result          *Bundle
	Error           *worker.CellError
	UserExpressions map[string]json.RawMessage
	Payload         []json.RawMessage
}

// InspectReply is a worker.InspectReply.
type InspectReply struct {
	Found  bool
	Bundle Bundle
}

// commWire is a CommEvent whose buffers are the frame's body.
type commWire struct {
	Kind, ID, Target string
	Data, Metadata   json.RawMessage
	Buffers          []int
}

// An EncodingError names the representations of an output that JSON cannot hold.
type EncodingError struct {
	Type string // MIME type
	Err  error
}

func (e *EncodingError) Error() string {
	return fmt.Sprintf("the %s form of an output cannot be encoded: %v", e.Type, e.Err)
}

func (e *EncodingError) Unwrap() error { return e.Err }

// EncodeBundle encodes each representation. Those that cannot be are left out and returned as
// errors, so that the others still show.
func EncodeBundle(b display.Bundle) (Bundle, []*EncodingError) {
	w := Bundle{Data: make(map[string]json.RawMessage, len(b.Data)), Metadata: b.Metadata}
	var errs []*EncodingError
	for _, mime := range sortedKeys(b.Data) {
		raw, err := Encode(b.Data[mime])
		if err != nil {
			errs = append(errs, &EncodingError{Type: mime, Err: err})
			continue
		}
		w.Data[mime] = raw
	}
	if w.Metadata == nil {
		return w, errs
	}
	if _, err := json.Marshal(w.Metadata); err != nil {
		errs = append(errs, &EncodingError{Type: "metadata", Err: err})
		w.Metadata = nil
	}
	return w, errs
}

// Decode gives the bundle back, its values ready to be encoded again as they are.
func (w Bundle) Decode() display.Bundle {
	b := display.Bundle{Data: make(map[string]any, len(w.Data)), Metadata: w.Metadata}
	for mime, raw := range w.Data {
		b.Data[mime] = raw
	}
	return b
}

// CommFrame encodes an event; its buffers are the body.
func CommFrame(e worker.CommEvent, k Kind, request uint64) (Frame, error) {
	body, lengths := joinBuffers(e.Buffers)
	head, err := Encode(commWire{e.Kind, e.ID, e.Target, e.Data, e.Metadata, lengths})
	if err != nil {
		return Frame{}, fmt.Errorf("comm %s %s: %w", e.Kind, e.ID, err)
	}
	return Frame{Kind: k, Request: request, Head: head, Body: body}, nil
}

func DecodeComm(f Frame) (worker.CommEvent, error) {
	var w commWire
	if err := json.Unmarshal(f.Head, &w); err != nil {
		return worker.CommEvent{}, err
	}
	buffers, err := splitBuffers(f.Body, w.Buffers)
	if err != nil {
		return worker.CommEvent{}, err
	}
	return worker.CommEvent{
		Kind: w.Kind, ID: w.ID, Target: w.Target, Data: w.Data, Metadata: w.Metadata, Buffers: buffers,
	}, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
