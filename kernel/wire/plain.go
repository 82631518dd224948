package wire

import (
	"encoding/json"
	"unicode/utf8"
)

// Most of what clients send are objects of strings, numbers and truth values without an escape. These are read here, in
// one pass without reflection; encoding/json reads all others, and knows what is wrong with them.

// A PlainReader takes the fields of such an object. It returns false for one that it does not take in this form:
// then encoding/json reads the whole object into it.
type PlainReader interface {
	PlainField(key []byte, v Plain) bool
}

// A PlainWriter appends its JSON, or says that encoding/json is to write it.
type PlainWriter interface {
	AppendJSON(b []byte) ([]byte, bool)
}

// A Plain is a value that is valid JSON: a string without an escape, a number of digits, true, false, null or {}.
type Plain []byte

// String gives a string.
func (v Plain) String(s *string) bool {
	if v[0] != '"' {
		return false
	}
	*s = string(v[1 : len(v)-1])
	return true
}

// Bool gives true or false.
func (v Plain) Bool(b *bool) bool {
	*b = v[0] == 't'
	return *b || v[0] == 'f'
}

// Int gives a number of up to 15 digits.
func (v Plain) Int(n *int) bool {
	if v[0] < '0' || v[0] > '9' || len(v) > 15 {
		return false
	}
	*n = 0
	for _, c := range v {
		*n = *n*10 + int(c-'0')
	}
	return true
}

// Empty tells whether it is {}.
func (v Plain) Empty() bool { return v[0] == '{' }

// readPlain hands the fields of an object to v. False: encoding/json is to read it.
func readPlain(raw []byte, v PlainReader) bool {
	s := plainScan{raw: raw}
	if !s.take('{') {
		return false
	}
	if s.take('}') {
		return s.atEnd()
	}
	for {
		key, ok := s.value()
		if !ok || key[0] != '"' || !s.take(':') {
			return false
		}
		value, ok := s.value()
		if !ok || !v.PlainField(key[1:len(key)-1], value) {
			return false
		}
		if s.take('}') {
			return s.atEnd()
		}
		if !s.take(',') {
			return false
		}
	}
}

// A plainScan reads an object from its front.
type plainScan struct {
	raw []byte
	at  int
}

func (s *plainScan) space() {
	for s.at < len(s.raw) && (s.raw[s.at] == ' ' || s.raw[s.at] == '\n' || s.raw[s.at] == '\t' || s.raw[s.at] == '\r') {
		s.at++
	}
}

func (s *plainScan) atEnd() bool {
	s.space()
	return s.at == len(s.raw)
}

func (s *plainScan) take(c byte) bool {
	s.space()
	if s.at < len(s.raw) && s.raw[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *plainScan) word(w string) (Plain, bool) {
	if end := s.at + len(w); end <= len(s.raw) && string(s.raw[s.at:end]) == w {
		v := s.raw[s.at:end]
		s.at = end
		return v, true
	}
	return nil, false
}

func (s *plainScan) value() (Plain, bool) {
	s.space()
	if s.at == len(s.raw) {
		return nil, false
	}
	switch c := s.raw[s.at]; {
	case c == '"':
		return s.text()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	case c == '{':
		return s.word("{}")
	case c >= '0' && c <= '9':
		return s.digits()
	}
	return nil, false
}

// digits reads a number without sign, fraction and exponent: what follows one of these is no delimiter.
func (s *plainScan) digits() (Plain, bool) {
	from := s.at
	for s.at < len(s.raw) && s.raw[s.at] >= '0' && s.raw[s.at] <= '9' {
		s.at++
	}
	v := s.raw[from:s.at]
	return v, len(v) == 1 || v[0] != '0'
}

// text reads a string that stands for itself.
func (s *plainScan) text() (Plain, bool) {
	ascii := true
	for i := s.at + 1; i < len(s.raw); i++ {
		switch c := s.raw[i]; {
		case c == '"':
			v := s.raw[s.at : i+1]
			s.at = i + 1
			return v, ascii || utf8.Valid(v)
		case c < ' ' || c == '\\':
			return nil, false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, false
}

// decode reads an object into v.
func decode(raw json.RawMessage, v any) error {
	if p, ok := v.(PlainReader); ok && readPlain(raw, p) {
		return nil
	}
	return json.Unmarshal(raw, v)
}

// PlainField takes a field of a header.
func (h *Header) PlainField(key []byte, v Plain) bool {
	switch string(key) {
	case "msg_id":
		return v.String(&h.MsgID)
	case "session":
		return v.String(&h.Session)
	case "username":
		return v.String(&h.Username)
	case "date":
		return v.String(&h.Date)
	case "msg_type":
		return v.String(&h.MsgType)
	case "version":
		return v.String(&h.Version)
	}
	return false
}

// isEmptyObject tells of the text that most metadata and parent headers are.
func isEmptyObject(raw []byte) bool { return len(raw) == 2 && raw[0] == '{' && raw[1] == '}' }
