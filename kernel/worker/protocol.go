package worker

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// protocolVersion changes whenever a frame's meaning does. Both ends must be the same.
const protocolVersion = 3

// A kind says what a frame is.
type kind uint8

// The frames from the kernel to the worker, then those from the worker to the kernel. hello is both.
const (
	kindHello kind = iota + 1
	kindExecute
	kindComplete
	kindInspect
	kindIsComplete
	kindComm
	kindInterrupt
	kindInputReply
	kindCredit
	kindLasts
	kindShutdown

	kindReady
	kindOpenFailed
	kindExecuteReply
	kindReply
	kindStdout
	kindStderr
	kindDisplay
	kindClearOutput
	kindInput
	kindInputCancel
	kindCommOut
	kindCommDone

	kindEnd
)

// hello opens a connection on both ends.
type hello struct {
	Version int
	Cookie  string
	PID     int
}

// inputQuestion asks for a line; Serial tells one question of a request from the next.
type inputQuestion struct {
	Serial   uint64
	Prompt   string
	Password bool
}

// inputAnswer answers the question with the same Serial. Refused is an error text.
type inputAnswer struct {
	Serial  uint64
	Line    string
	Refused string
	// NotAllowed says that Refused is ErrStdinNotAllowed.
	NotAllowed bool
}

// credit gives back part of the output window.
type credit struct{ Bytes int }

// openFailed says why there is no session.
type openFailed struct{ Reason string }

// clearOutput is Host.ClearOutput.
type clearOutput struct{ Wait bool }

// bundleWire is a display.Bundle with its data as a front end takes it: textual types as JSON
// strings, binary ones as base64, JSON types as they are.
type bundleWire struct {
	Data     map[string]json.RawMessage
	Metadata map[string]any
}

// displayWire is a Display.
type displayWire struct {
	Bundle bundleWire
	ID     string
	Update bool
}

// executeReplyWire is an ExecuteReply.
type executeReplyWire struct {
	Result          *bundleWire
	Error           *CellError
	UserExpressions map[string]json.RawMessage
	Payload         []json.RawMessage
}

// inspectReplyWire is an InspectReply.
type inspectReplyWire struct {
	Found  bool
	Bundle bundleWire
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

// encodeBundle encodes each representation. Those that cannot be are left out and returned as
// errors, so that the others still show.
func encodeBundle(b display.Bundle) (bundleWire, []*EncodingError) {
	w := bundleWire{Data: make(map[string]json.RawMessage, len(b.Data)), Metadata: b.Metadata}
	var errs []*EncodingError
	for _, mime := range sortedKeys(b.Data) {
		raw, err := encode(b.Data[mime])
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

// decode gives the bundle back, its values ready to be encoded again as they are.
func (w bundleWire) decode() display.Bundle {
	b := display.Bundle{Data: make(map[string]any, len(w.Data)), Metadata: w.Metadata}
	for mime, raw := range w.Data {
		b.Data[mime] = raw
	}
	return b
}

func (e CommEvent) frame(k kind, request uint64) (frame, error) {
	body, lengths := joinBuffers(e.Buffers)
	head, err := encode(commWire{e.Kind, e.ID, e.Target, e.Data, e.Metadata, lengths})
	if err != nil {
		return frame{}, fmt.Errorf("comm %s %s: %w", e.Kind, e.ID, err)
	}
	return frame{kind: k, request: request, head: head, body: body}, nil
}

func decodeComm(f frame) (CommEvent, error) {
	var w commWire
	if err := json.Unmarshal(f.head, &w); err != nil {
		return CommEvent{}, err
	}
	buffers, err := splitBuffers(f.body, w.Buffers)
	if err != nil {
		return CommEvent{}, err
	}
	return CommEvent{w.Kind, w.ID, w.Target, w.Data, w.Metadata, buffers}, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
