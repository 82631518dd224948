package kernel

import (
	"encoding/json"
	"strconv"

	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// The contents of what every cell and every completion costs, written and read without reflection. Where a
// content has anything else in it, encoding/json does it.

// PlainField takes a field of an execute_request.
func (q *executeRequest) PlainField(key []byte, v wire.Plain) bool {
	switch string(key) {
	case "code":
		return v.String(&q.Code)
	case "silent":
		return v.Bool(&q.Silent)
	case "store_history":
		return plainFlag(&q.StoreHistory, v)
	case "allow_stdin":
		return plainFlag(&q.AllowStdin, v)
	case "stop_on_error":
		return plainFlag(&q.StopOnError, v)
	case "user_expressions":
		return v.Empty()
	}
	return false
}

func plainFlag(to **bool, v wire.Plain) bool {
	*to = new(bool)
	return v.Bool(*to)
}

// PlainField takes a field of a complete_request or inspect_request.
func (q *codeRequest) PlainField(key []byte, v wire.Plain) bool {
	switch string(key) {
	case "code":
		return v.String(&q.Code)
	case "cursor_pos":
		q.CursorPos = new(int)
		return v.Int(q.CursorPos)
	case "detail_level":
		return v.Int(&q.Detail)
	}
	return false
}

// AppendJSON writes the content of a status message.
func (s status) AppendJSON(b []byte) ([]byte, bool) {
	return append(wire.AppendString(append(b, `{"execution_state":`...), s.State), '}'), true
}

// AppendJSON writes the content of an execute_input message.
func (i executeInput) AppendJSON(b []byte) ([]byte, bool) {
	b = wire.AppendString(append(b, `{"code":`...), i.Code)
	b = strconv.AppendInt(append(b, `,"execution_count":`...), i.ExecutionCount, 10)
	return append(b, '}'), true
}

// AppendJSON writes the content of an execute_result with one form.
func (r executeResult) AppendJSON(b []byte) ([]byte, bool) {
	if len(r.Data) != 1 || len(r.Metadata) > 0 {
		return nil, false
	}
	b = strconv.AppendInt(append(b, `{"execution_count":`...), r.ExecutionCount, 10)
	b = append(b, `,"data":{`...)
	for mime, v := range r.Data {
		raw, ok := v.(json.RawMessage)
		if !ok || !json.Valid(raw) {
			return nil, false
		}
		b = append(append(wire.AppendString(b, mime), ':'), raw...)
	}
	return append(b, `},"metadata":{}}`...), true
}

// AppendJSON writes the content of a reply to a cell that ended well.
func (r executeReply) AppendJSON(b []byte) ([]byte, bool) {
	if r.executeError != nil || len(r.UserExpressions) > 0 || len(r.Payload) > 0 {
		return nil, false
	}
	b = wire.AppendString(append(b, `{"status":`...), r.Status)
	b = strconv.AppendInt(append(b, `,"execution_count":`...), r.ExecutionCount, 10)
	return append(b, `,"user_expressions":{},"payload":[]}`...), true
}

// AppendJSON writes the metadata of a reply.
func (m replyMetadata) AppendJSON(b []byte) ([]byte, bool) {
	b = wire.AppendString(append(b, `{"started":`...), m.Started)
	b = wire.AppendString(append(b, `,"status":`...), m.Status)
	b = strconv.AppendBool(append(b, `,"dependencies_met":`...), m.DependenciesMet)
	return append(wire.AppendString(append(b, `,"engine":`...), m.Engine), '}'), true
}

// AppendJSON writes the content of a complete_reply.
func (r completeReply) AppendJSON(b []byte) ([]byte, bool) {
	b = wire.AppendString(append(b, `{"status":`...), r.Status)
	b = append(b, `,"matches":[`...)
	for i, m := range r.Matches {
		b = wire.AppendString(comma(b, i), m)
	}
	b = strconv.AppendInt(append(b, `],"cursor_start":`...), int64(r.CursorStart), 10)
	b = strconv.AppendInt(append(b, `,"cursor_end":`...), int64(r.CursorEnd), 10)
	b = append(b, `,"metadata":{"_jupyter_types_experimental":[`...)
	for i, t := range r.Metadata.Types {
		b = t.appendJSON(comma(b, i))
	}
	return append(b, `]}}`...), true
}

func (t completionType) appendJSON(b []byte) []byte {
	b = wire.AppendString(append(b, `{"text":`...), t.Text)
	b = wire.AppendString(append(b, `,"type":`...), t.Type)
	b = wire.AppendString(append(b, `,"signature":`...), t.Signature)
	b = strconv.AppendInt(append(b, `,"start":`...), int64(t.Start), 10)
	b = strconv.AppendInt(append(b, `,"end":`...), int64(t.End), 10)
	return append(b, '}')
}

// comma stands before all elements of a list but the first.
func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}
