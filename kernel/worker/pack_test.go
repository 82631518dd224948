package worker

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// packings are values with a packed form, and how one is read again.
var packings = []struct {
	name   string
	value  packer
	reread func(frame) (any, error)
}{
	{"cell", ExecuteRequest{Number: 7, MessageID: "id", Source: "x := \"ä\"\n", StoreHistory: true}, reread[ExecuteRequest]},
	{"cell with input", ExecuteRequest{Silent: true, AllowStdin: true}, reread[ExecuteRequest]},
	{"no result", executeReplyWire{}, reread[executeReplyWire]},
	{"result", executeReplyWire{Result: &bundleWire{Data: map[string]json.RawMessage{"text/plain": []byte(`"2"`), "text/html": []byte(`"<b>2</b>"`)}}}, reread[executeReplyWire]},
	{"question", CompleteRequest{Source: "strings.To", Cursor: 10}, reread[CompleteRequest]},
	{"completions", CompleteReply{Start: 8, End: 10, Matches: []Completion{{"ToLower", "function", "func(s string) string"}, {"b", "", ""}}}, reread[CompleteReply]},
	{"no completions", CompleteReply{Start: 1, End: 1}, reread[CompleteReply]},
}

func reread[T any](f frame) (any, error) { return decode[T](f) }

func TestPack(t *testing.T) {
	for _, c := range packings {
		t.Run(c.name, func(t *testing.T) {
			head, err := encode(c.value)
			if err != nil || head[0] != packed {
				t.Fatalf("head %q, error %v", head, err)
			}
			got, err := c.reread(frame{head: head})
			if err != nil || !reflect.DeepEqual(got, c.value) {
				t.Errorf("got %#v, error %v, want %#v", got, err, c.value)
			}
			for n := 1; n < len(head); n++ {
				if _, err := c.reread(frame{head: head[:n]}); err == nil {
					t.Errorf("%d of %d bytes were taken for all", n, len(head))
				}
			}
			if _, err := c.reread(frame{head: append(bytes.Clone(head), 0)}); err == nil {
				t.Error("a byte too many was not noticed")
			}
		})
	}
}

// TestPackNot is what goes as JSON.
func TestPackNot(t *testing.T) {
	for name, value := range map[string]packer{
		"an error":         executeReplyWire{Error: &CellError{Name: "Panic"}},
		"metadata":         executeReplyWire{Result: &bundleWire{Data: map[string]json.RawMessage{}, Metadata: map[string]any{"width": 1.0}}},
		"user expressions": ExecuteRequest{UserExpressions: map[string]string{"a": "1"}},
		"no place":         CompleteReply{Start: -1},
	} {
		head, err := encode(value)
		if err != nil || head[0] != '{' {
			t.Errorf("%s: head %q, error %v", name, head, err)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for i, c := range packings {
		head, _ := encode(c.value)
		f.Add(i, head[1:])
	}
	f.Fuzz(func(t *testing.T, i int, head []byte) {
		c := packings[uint(i)%uint(len(packings))]
		head = append([]byte{packed}, head...)
		v, err := c.reread(frame{head: head})
		if err != nil {
			return
		}
		again, err := encode(v)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := c.reread(frame{head: again}); err != nil || !reflect.DeepEqual(back, v) {
			t.Fatalf("%#v became %#v, error %v", v, back, err)
		}
	})
}
