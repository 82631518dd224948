package wire

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// ProtocolVersion is the version of the messaging protocol spoken here.
const ProtocolVersion = "5.5"

// A Header says who sent a message, when, and what it is.
type Header struct {
	MsgID    string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	MsgType  string `json:"msg_type"`
	Version  string `json:"version"`
	// SubshellID names the subshell that is to handle the message; nil is the main one.
	SubshellID *string `json:"subshell_id,omitempty"`
}

// A Message is one message of the protocol. JSON parts are kept as they came, so that a parent
// header goes back to its sender unchanged.
type Message struct {
	// Identities are what a ROUTER routes by; a topic for what is published.
	Identities [][]byte
	Header     Header
	// RawHeader is the header as it was received, nil in a message that is to be sent.
	RawHeader json.RawMessage
	// Parent is the header of the message that this one answers; nil is written as {}.
	Parent   json.RawMessage
	Metadata json.RawMessage
	Content  json.RawMessage
	Buffers  [][]byte
}

var emptyObject = json.RawMessage("{}")

// dateLayout has microseconds, always, as the protocol's examples do.
const dateLayout = "2006-01-02T15:04:05.000000Z"

// FormatDate gives t as ISO 8601 in UTC with microseconds.
func FormatDate(t time.Time) string { return t.UTC().Format(dateLayout) }

// NewHeader makes the header of a new message.
func NewHeader(session, username, msgType string) Header {
	return Header{
		MsgID: uuid.NewString(), Session: session, Username: username,
		Date: FormatDate(time.Now()), MsgType: msgType, Version: ProtocolVersion,
	}
}

// HeaderJSON gives the header as it goes on the wire, or into the parent of an answer.
func (m *Message) HeaderJSON() (json.RawMessage, error) {
	if m.RawHeader != nil {
		return m.RawHeader, nil
	}
	return Encode(m.Header)
}

// ParentHeader reads the parent header; the zero Header where there is none.
func (m *Message) ParentHeader() (Header, error) {
	var h Header
	if isNothing(m.Parent) {
		return h, nil
	}
	err := json.Unmarshal(m.Parent, &h)
	return h, err
}

// Decode reads the content into v. An absent or null content is an empty object.
func (m *Message) Decode(v any) error {
	if isNothing(m.Content) {
		return json.Unmarshal(emptyObject, v)
	}
	return json.Unmarshal(m.Content, v)
}

// isNothing tells what some clients send for an empty object.
func isNothing(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}

// Encode gives v as JSON, without the escaping of <, > and & that only pages need.
func Encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
