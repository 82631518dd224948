package worker

import (
	"bytes"
	"encoding/json"
)

// encode encodes without the escaping of <, > and & that pages need and notebooks do not.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decode reads the head of a frame.
func decode[T any](f frame) (v T, err error) {
	err = json.Unmarshal(f.head, &v)
	return v, err
}
