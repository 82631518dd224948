package exportdata

import (
	"encoding/json"
	"strings"
)

// Docs are the comments of a package's exported names. The key of the package itself is "", that of
// a method or a field Type.Name.
type Docs map[string]string

// Add keeps the text of a name where there is any.
func (d Docs) Add(name, text string) {
	if text = strings.TrimSpace(text); text != "" {
		d[name] = text
	}
}

// EncodeDocs is the form in an archive: JSON, keys in order.
func EncodeDocs(d Docs) ([]byte, error) { return json.Marshal(d) }

func decodeDocs(data []byte) (Docs, error) {
	var d Docs
	err := json.Unmarshal(data, &d)
	return d, err
}
