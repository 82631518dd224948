package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"testing"
	"time"
	"unicode/utf8"
)

func signer(t testing.TB, key string) *Signer {
	t.Helper()
	s, err := NewSigner(SchemeHMACSHA256, []byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sample() *Message {
	return &Message{
		Identities: [][]byte{[]byte("id")}, Header: NewHeader("s", "u", "execute_request"),
		Content: json.RawMessage(`{"code":"1 < 2"}`), Buffers: [][]byte{{0, 1}, nil, {0xff}},
	}
}

func TestRoundTrip(t *testing.T) {
	for _, key := range []string{"", "secret"} {
		s := signer(t, key)
		m := sample()
		frames, err := s.Frames(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Parse(frames, new(ReplayGuard))
		if err != nil {
			t.Fatal(err)
		}
		if got.Header != m.Header || !bytes.Equal(got.Content, m.Content) || len(got.Buffers) != 3 ||
			string(got.Identities[0]) != "id" {
			t.Errorf("%+v", got)
		}
		if string(got.Parent) != "{}" || string(got.Metadata) != "{}" {
			t.Errorf("absent parts: %s %s", got.Parent, got.Metadata)
		}
	}
}

// The vector is computed with Python's hmac module over the same four parts.
func TestSignatureVector(t *testing.T) {
	got := signer(t, "key").Sign([]byte(`{"a":1}`), []byte("{}"), []byte("{}"), []byte(`{"b":2}`))
	if want := "0206f42f4ae2a48f6054ab91271f90c100f7022f55fb1f23de6377624d533752"; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestRefusals(t *testing.T) {
	s := signer(t, "secret")
	good, err := s.Frames(sample())
	if err != nil {
		t.Fatal(err)
	}
	change := func(i int, b string) [][]byte {
		f := append([][]byte(nil), good...)
		f[i] = []byte(b)
		return f
	}
	signed := func(parts ...string) [][]byte {
		raw := make([][]byte, len(parts))
		for i, p := range parts {
			raw[i] = []byte(p)
		}
		return append([][]byte{delimiter, s.Sign(raw...)}, raw...)
	}
	var format *FormatError
	for name, c := range map[string]struct {
		frames [][]byte
		part   string // of a FormatError; empty: ErrSignature
	}{
		"none":                  {nil, "delimiter"},
		"no delimiter":          {change(1, "x"), "delimiter"},
		"truncated":             {good[:6], "frames"},
		"unsigned":              {change(2, ""), ""},
		"signature not hex":     {change(2, string(bytes.Repeat([]byte("z"), 64))), ""},
		"signature in capitals": {change(2, string(bytes.ToUpper(good[2]))), ""},
		"signature cut":         {change(2, string(good[2][:63])), ""},
		"signature and more":    {change(2, string(good[2])+"0"), ""},
		"header not UTF-8":      {signed("{\"msg_type\":\"x\",\"username\":\"\xff\"}", "{}", "{}", "{}"), "header"},
		"session no text, not UTF-8": {signed("{\"msg_type\":\"x\",\"session\":5,\"username\":\"\xff\"}", "{}", "{}", "{}"),
			"header"},
		"content changed":    {change(6, `{"code":"2"}`), ""},
		"header not JSON":    {signed("x", "{}", "{}", "{}"), "header"},
		"header of no type":  {signed("{}", "{}", "{}", "{}"), "header"},
		"content not object": {signed(`{"msg_type":"x"}`, "{}", "{}", "[1]"), "content"},
		"metadata not JSON":  {signed(`{"msg_type":"x"}`, "{}", "{", "{}"), "metadata"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := s.Parse(c.frames, nil)
			if c.part == "" && !errors.Is(err, ErrSignature) {
				t.Errorf("%v", err)
			}
			if c.part != "" && (!errors.As(err, &format) || format.Part != c.part) {
				t.Errorf("%v", err)
			}
			if m != nil && m.Header.MsgType != "" && !utf8.Valid(m.RawHeader) {
				t.Error("a header that clients cannot read comes back to be answered")
			}
		})
	}
	if _, err := s.Parse(signed(`{"msg_type":"x"}`, "null", "", "null"), nil); err != nil {
		t.Errorf("null parts are empty objects: %v", err)
	}
	guard := new(ReplayGuard)
	for i, want := range []error{nil, ErrReplay, ErrReplay} {
		if _, err := s.Parse(good, guard); !errors.Is(err, want) {
			t.Errorf("time %d: %v", i, err)
		}
	}
}

func TestScheme(t *testing.T) {
	var scheme *SchemeError
	if _, err := NewSigner("hmac-md5", []byte("k")); !errors.As(err, &scheme) {
		t.Errorf("%v", err)
	}
	// Computed with Python's hmac.new(b"key", b"message", HASH).
	for name, want := range map[string]string{
		"hmac-sha224": "a0b5eecae3f74f05", "hmac-sha256": "6e9ef29b75fffc5b", "hmac-sha384": "0fd3ae3237be98c6",
		"hmac-sha512":   "e477384d7ca229dd",
		"hmac-sha3_256": "0f43852a24d5597a", "hmac-sha3_384": "be48b7a82bf3dda2", "hmac-sha3_512": "4b733ae1713d83ed",
	} {
		s, err := NewSigner(name, []byte("key"))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Sign([]byte("mess"), []byte("age")); string(got[:16]) != want || !s.Verify(got, []byte("message")) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if len(Schemes()) != 7 {
		t.Errorf("schemes that are not tested: %v", Schemes())
	}
}

func TestDate(t *testing.T) {
	if got := FormatDate(time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)); got != "2026-01-02T03:04:05.000006Z" {
		t.Error(got)
	}
	if d := NewHeader("", "", "x").Date; !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`).MatchString(d) {
		t.Error(d)
	}
}

// FuzzParse: any frames give a message or an error; a message can be written again and is the same.
func FuzzParse(f *testing.F) {
	s := signer(f, "")
	frames, err := s.Frames(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.Join(frames, []byte{0}))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := s.Parse(bytes.Split(b, []byte{0}), nil)
		if err != nil {
			return
		}
		frames, err := s.Frames(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := s.Parse(frames, nil)
		if err != nil || again.Header.MsgType != m.Header.MsgType || !bytes.Equal(again.Content, m.Content) {
			t.Errorf("%v: %+v became %+v", err, m, again)
		}
		if _, err := m.ParentHeader(); err != nil && json.Valid(m.Parent) {
			var h Header
			if json.Unmarshal(m.Parent, &h) == nil {
				t.Error(err)
			}
		}
	})
}

// FuzzSignature: no signature verifies but the one that Sign gives.
func FuzzSignature(f *testing.F) {
	s := signer(f, "key")
	f.Add([]byte("0123"), []byte("{}"), []byte("{}"))
	f.Add(s.Sign([]byte("{}"), nil), []byte("{}"), []byte(nil))
	f.Add(bytes.ToUpper(s.Sign([]byte("{}"), nil)), []byte("{}"), []byte(nil))
	f.Fuzz(func(t *testing.T, signature, header, content []byte) {
		right := s.Sign(header, content)
		if s.Verify(signature, header, content) != bytes.Equal(signature, right) {
			t.Errorf("%q for %q", signature, right)
		}
		if !s.Verify(right, header, content) {
			t.Errorf("%q does not verify", right)
		}
	})
}
