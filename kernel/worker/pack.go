package worker

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// What short cells and completions send is packed, not JSON: lengths before bytes, which takes no reflection and little
// code. A packed head begins with a byte that no JSON begins with; what has no packed form goes as JSON.
const packed = 1

// A packer appends its packed form, or says that it has none.
type packer interface {
	pack(b []byte) ([]byte, bool)
}

// An unpacker reads what its packer wrote.
type unpacker interface {
	unpack(r *unpacking)
}

// encode gives v as the head of a frame.
func encode(v any) ([]byte, error) {
	if p, ok := v.(packer); ok {
		if b, ok := p.pack([]byte{packed}); ok {
			return b, nil
		}
	}
	return encodeJSON(v)
}

// decode reads a frame's head.
func decode[T any](f frame) (T, error) {
	var v T
	if len(f.head) > 0 && f.head[0] == packed {
		u, ok := any(&v).(unpacker)
		if !ok {
			return v, fmt.Errorf("worker: a packed %T", v)
		}
		r := &unpacking{left: f.head[1:]}
		u.unpack(r)
		return v, r.end()
	}
	err := json.Unmarshal(f.head, &v)
	return v, err
}

// errPacked is what a packed form ends with that is cut off, too long, or says what cannot be.
var errPacked = errors.New("worker: a packed head is malformed")

// An unpacking reads parts off the front of a packed form. After an error all parts are empty.
type unpacking struct {
	left []byte
	bad  bool
}

func (r *unpacking) end() error {
	if r.bad || len(r.left) > 0 {
		return errPacked
	}
	return nil
}

// number reads a number of at most most.
func (r *unpacking) number(most uint64) int {
	n, size := binary.Uvarint(r.left)
	if r.bad || size <= 0 || n > most {
		r.bad, r.left = true, nil
		return 0
	}
	r.left = r.left[size:]
	return int(n)
}

func (r *unpacking) bytes() []byte {
	n := r.number(uint64(len(r.left)))
	if n > len(r.left) { // its own length is off the front now
		r.bad, r.left = true, nil
		return nil
	}
	b := r.left[:n:n]
	r.left = r.left[n:]
	return b
}

func (r *unpacking) text() string { return string(r.bytes()) }

func (r *unpacking) flags() byte {
	return byte(r.number(255))
}

// json reads JSON, and sees that it is.
func (r *unpacking) json() json.RawMessage {
	raw := r.bytes()
	if !json.Valid(raw) {
		r.bad, r.left = true, nil
		return nil
	}
	return raw
}

func packNumber(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

func packText[T string | json.RawMessage](b []byte, s T) []byte {
	return append(packNumber(b, len(s)), s...)
}

// flag is bit i of what flags reads.
func flag(on bool, i int) byte {
	if on {
		return 1 << i
	}
	return 0
}

func (q ExecuteRequest) pack(b []byte) ([]byte, bool) {
	if len(q.UserExpressions) > 0 || q.Number < 0 {
		return nil, false
	}
	b = packNumber(b, q.Number)
	b = packText(packText(b, q.MessageID), q.Source)
	return packNumber(b, int(flag(q.Silent, 0)|flag(q.StoreHistory, 1)|flag(q.AllowStdin, 2))), true
}

func (q *ExecuteRequest) unpack(r *unpacking) {
	q.Number, q.MessageID, q.Source = r.number(1<<62), r.text(), r.text()
	f := r.flags()
	q.Silent, q.StoreHistory, q.AllowStdin = f&1 != 0, f&2 != 0, f&4 != 0
}

// pack has a form for cells that ended well with plain results, or none.
func (w executeReplyWire) pack(b []byte) ([]byte, bool) {
	if w.Error != nil || len(w.UserExpressions) > 0 || len(w.Payload) > 0 || w.Result != nil && len(w.Result.Metadata) > 0 {
		return nil, false
	}
	if w.Result == nil {
		return packNumber(b, 0), true
	}
	b = packNumber(packNumber(b, 1), len(w.Result.Data))
	for mime, raw := range w.Result.Data {
		b = packText(packText(b, mime), raw)
	}
	return b, true
}

func (w *executeReplyWire) unpack(r *unpacking) {
	if r.flags() == 0 {
		return
	}
	w.Result = &bundleWire{Data: map[string]json.RawMessage{}}
	for range r.number(uint64(len(r.left))) {
		mime := r.text()
		w.Result.Data[mime] = r.json()
	}
}

func (q CompleteRequest) pack(b []byte) ([]byte, bool) {
	return packNumber(packText(b, q.Source), max(q.Cursor, 0)), true
}

func (q *CompleteRequest) unpack(r *unpacking) {
	q.Source, q.Cursor = r.text(), r.number(1<<62)
}

func (c CompleteReply) pack(b []byte) ([]byte, bool) {
	if c.Start < 0 || c.End < 0 {
		return nil, false
	}
	b = packNumber(packNumber(packNumber(b, c.Start), c.End), len(c.Matches))
	for _, m := range c.Matches {
		b = packText(packText(packText(b, m.Text), m.Kind), m.Signature)
	}
	return b, true
}

func (c *CompleteReply) unpack(r *unpacking) {
	c.Start, c.End = r.number(1<<62), r.number(1<<62)
	n := r.number(uint64(len(r.left)) / 3) // each takes three bytes at least
	c.Matches = slices.Grow(c.Matches, n)
	for range n {
		c.Matches = append(c.Matches, Completion{r.text(), r.text(), r.text()})
	}
}
