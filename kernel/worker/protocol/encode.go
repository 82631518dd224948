package protocol

import (
	"bytes"
	"encoding/json"
)

// Encode encodes without the escaping of <, > and & that pages need and notebooks do not.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Decode reads the head of a frame.
func Decode[T any](f Frame) (v T, err error) {
	err = json.Unmarshal(f.Head, &v)
	return v, err
}
