package kernel

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// TestAppendJSON compares what is written here with what encoding/json writes.
func TestAppendJSON(t *testing.T) {
	odd := "a\"b\\c\n\u2028ä\xff<&>"
	for _, v := range []wire.PlainWriter{
		status{"busy"}, executeInput{"1+1", 3}, executeInput{odd, 3},
		executeResult{4, map[string]any{"text/plain": json.RawMessage(`"2"`)}, map[string]any{}},
		executeReply{Status: "ok", ExecutionCount: 7, UserExpressions: map[string]json.RawMessage{}, Payload: []json.RawMessage{}},
		replyMetadata{"2026-01-02T03:04:05.000006Z", "ok", true, odd},
		completeReply{Status: "ok", Matches: []string{}, CursorStart: 3, CursorEnd: 4, Metadata: completeMetadata{Types: []completionType{}}},
		completeReply{Status: "ok", Matches: []string{"a", odd}, Metadata: completeMetadata{Types: []completionType{{"a", "function", odd, 1, 2}, {}}}},
	} {
		got, ok := v.AppendJSON(nil)
		if !ok {
			t.Errorf("%#v: not written", v)
		}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		if string(got)+"\n" != want.String() {
			t.Errorf("%#v:\n got %s\nwant %s", v, got, &want)
		}
	}
}

// TestAppendJSONNot is what encoding/json writes.
func TestAppendJSONNot(t *testing.T) {
	for _, v := range []wire.PlainWriter{
		executeResult{1, map[string]any{"a": json.RawMessage("1"), "b": json.RawMessage("2")}, nil},
		executeResult{1, map[string]any{"a": json.RawMessage("{")}, nil},
		executeResult{1, map[string]any{"a": json.RawMessage("1")}, map[string]any{"a": 1}},
		executeReply{executeError: &executeError{}},
		executeReply{Payload: []json.RawMessage{json.RawMessage("1")}},
	} {
		if b, ok := v.AppendJSON(nil); ok {
			t.Errorf("%#v became %s", v, b)
		}
	}
}

// FuzzPlainRequests compares what is read here with what encoding/json reads.
func FuzzPlainRequests(f *testing.F) {
	for _, s := range []string{
		`{"code":"1+1","silent":false,"store_history":true,"user_expressions":{},"allow_stdin":true,"stop_on_error":true}`,
		`{"code": "x\n", "cursor_pos": 3}`, `{"code":"é","cursor_pos":12,"detail_level":1}`, `{}`, `{"cursor_pos":-1}`, `{"code":null}`, `{"Code":"a"}`,
		`{"cursor_pos":01}`, `{"cursor_pos":1.5}`, `{"cursor_pos":1e3}`, `{"silent":truex}`, `{"code":"a",}`, `{"code":"a"} `, ` { "code" : "a" } x`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		compareReading(t, raw, new(executeRequest), new(executeRequest))
		compareReading(t, raw, new(codeRequest), new(codeRequest))
		compareReading(t, raw, new(wire.Header), new(wire.Header))
	})
}

func compareReading(t *testing.T, raw []byte, got, want any) {
	m := wire.Message{Content: append([]byte{}, raw...)}
	if len(bytes.TrimSpace(raw)) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		return // an absent content is an empty one
	}
	err, wanted := m.Decode(got), json.Unmarshal(raw, want)
	if (err == nil) != (wanted == nil) || err == nil && !reflect.DeepEqual(normal(got), normal(want)) {
		t.Fatalf("%s: got %+v, %v, want %+v, %v", raw, got, err, want, wanted)
	}
}

// normal takes an empty map for none: both mean that nothing is asked.
func normal(v any) any {
	if q, ok := v.(*executeRequest); ok && len(q.UserExpressions) == 0 {
		q.UserExpressions = nil
	}
	return v
}
