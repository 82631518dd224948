package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// delimiter stands between the routing identities and the message.
var delimiter = []byte("<IDS|MSG>")

// The frames after the delimiter: signature, header, parent header, metadata, content.
const fixedFrames = 5

// ErrSignature is returned for a message that is not signed, or not with our key.
var ErrSignature = errors.New(
	"wire: the signature does not verify: the sender does not have the key of this connection")

// ErrReplay is returned for a message that came before.
var ErrReplay = errors.New("wire: the message was received before")

// A FormatError tells what is wrong with the frames of a message.
type FormatError struct {
	Part string // delimiter, frames, header, parent_header, metadata, content
	Err  error  // may be nil
}

func (e *FormatError) Error() string {
	if e.Err == nil {
		return "wire: malformed message: " + e.Part
	}
	return fmt.Sprintf("wire: malformed message: %s: %v", e.Part, e.Err)
}

func (e *FormatError) Unwrap() error { return e.Err }

// Frames gives m as the frames of a multipart message, signed.
func (s *Signer) Frames(m *Message) ([][]byte, error) {
	header, err := m.HeaderJSON()
	if err != nil {
		return nil, err
	}
	parent, metadata, content := orEmpty(m.Parent), orEmpty(m.Metadata), orEmpty(m.Content)
	frames := make([][]byte, 0, len(m.Identities)+1+fixedFrames+len(m.Buffers))
	frames = append(frames, m.Identities...)
	frames = append(frames, delimiter, s.Sign(header, parent, metadata, content), header, parent, metadata, content)
	return append(frames, m.Buffers...), nil
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if isNothing(raw) {
		return emptyObject
	}
	return raw
}

// Parse reads the frames of a multipart message. The signature is verified before any JSON is
// looked at, and the header before all else; guard, where not nil, refuses replays. Errors:
// *FormatError, ErrSignature, ErrReplay. The message keeps the frames' memory, and comes with the
// error where its header could be read.
func (s *Signer) Parse(frames [][]byte, guard *ReplayGuard) (*Message, error) {
	at := -1
	for i, f := range frames {
		if bytes.Equal(f, delimiter) {
			at = i
			break
		}
	}
	if at < 0 {
		return nil, &FormatError{Part: "delimiter", Err: fmt.Errorf("none of %d frames is %s", len(frames), delimiter)}
	}
	rest := frames[at+1:]
	if len(rest) < fixedFrames {
		return nil, &FormatError{Part: "frames", Err: fmt.Errorf("%d after the delimiter, want at least %d", len(rest),
			fixedFrames)}
	}
	signature, parts := rest[0], rest[1:fixedFrames]
	if !s.Verify(signature, parts...) {
		return nil, ErrSignature
	}
	m := &Message{
		Identities: frames[:at:at], RawHeader: parts[0], Parent: orEmpty(parts[1]),
		Metadata: orEmpty(parts[2]), Content: orEmpty(parts[3]), Buffers: rest[fixedFrames:],
	}
	headless := m.readHeader()
	if s.keyed && guard != nil && !guard.Fresh(signature) {
		return nil, ErrReplay
	}
	if headless != nil {
		return m, headless
	}
	return m, m.check()
}

// readHeader reads the header. It goes back to all clients as it came: what those could not read is
// refused.
func (m *Message) readHeader() error {
	err := json.Unmarshal(m.RawHeader, &m.Header)
	if !utf8.Valid(m.RawHeader) {
		m.Header.MsgType, err = "", errors.New("not UTF-8")
	}
	if err == nil && m.Header.MsgType == "" {
		err = errors.New("msg_type is missing")
	}
	if err != nil {
		return &FormatError{Part: "header", Err: err}
	}
	return nil
}

// check sees that the parts after the header are JSON objects.
func (m *Message) check() error {
	for _, p := range []struct {
		name string
		raw  json.RawMessage
	}{{"parent_header", m.Parent}, {"metadata", m.Metadata}, {"content", m.Content}} {
		if string(p.raw) == "{}" {
			continue
		}
		if !json.Valid(p.raw) {
			return &FormatError{Part: p.name, Err: errors.New("not JSON")}
		}
		if t := bytes.TrimLeft(p.raw, " \t\r\n"); t[0] != '{' {
			return &FormatError{Part: p.name, Err: errors.New("not an object")}
		}
	}
	return nil
}
