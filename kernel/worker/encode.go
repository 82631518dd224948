package worker

import (
	"bytes"
	"encoding/json"
)

// encodeJSON encodes without the escaping of <, > and & that pages need and notebooks do not.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
