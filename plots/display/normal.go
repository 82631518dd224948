package display

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// normalize makes a bundle's values what Bundle promises, so that whoever sends it on cannot fail:
// text is a string, binary types are []byte, everything else is JSON already encoded. What cannot
// be is left out and told.
func normalize(b *Bundle) (problems []string) {
	for _, mime := range slices.Sorted(maps.Keys(b.Data)) {
		v, err := normalValue(mime, b.Data[mime])
		if err != "" {
			problems = append(problems, mime+" is left out: "+err)
			delete(b.Data, mime)
			continue
		}
		b.Data[mime] = v
	}
	for _, mime := range slices.Sorted(maps.Keys(b.Metadata)) {
		if _, err := encode(b.Metadata[mime]); err != "" {
			problems = append(problems, "the metadata of "+mime+" is left out: "+err)
			delete(b.Metadata, mime)
		}
	}
	return problems
}

// isJSON tells the MIME types whose values are JSON.
func isJSON(mime string) bool {
	return mime == TypeJSON || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == TypeSVG || mime == "application/javascript"
}

func normalValue(mime string, v any) (out any, problem string) {
	if isJSON(mime) {
		return encode(v)
	}
	r := reflect.ValueOf(v)
	switch {
	case r.Kind() == reflect.String:
		return r.String(), ""
	case r.Kind() == reflect.Slice && r.Type().Elem().Kind() == reflect.Uint8 && isText(mime):
		return string(r.Bytes()), ""
	case r.Kind() == reflect.Slice && r.Type().Elem().Kind() == reflect.Uint8:
		return r.Bytes(), ""
	case isText(mime):
		return nil, fmt.Sprintf("its value is %s, not text", typeName(reflect.TypeOf(v)))
	}
	return encode(v)
}

// encode is a value as JSON; a json.RawMessage stays if it is valid.
func encode(v any) (raw json.RawMessage, problem string) {
	var err error
	if problem = try(v, "MarshalJSON", func() { raw, err = json.Marshal(v) }); problem != "" {
		return nil, problem
	}
	if err != nil {
		return nil, err.Error()
	}
	return raw, ""
}
