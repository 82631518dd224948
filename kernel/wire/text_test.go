package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// sameText is that texts are encoded as encoding/json does it, but for what is no UTF-8: Go 1.26 writes
// \ufffd for it, 1.27 the character.
func sameText(t *testing.T, text []byte) {
	t.Helper()
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	if err := e.Encode(string(text)); err != nil {
		t.Fatal(err)
	}
	got := AppendText(nil, text)
	if !utf8.Valid(text) {
		var a, b string
		if err := errors.Join(json.Unmarshal(got, &a), json.Unmarshal(want.Bytes(), &b)); err != nil || a != b {
			t.Errorf("%q: %s is %q, want %q: %v", text, got, a, b, err)
		}
		return
	}
	if w := bytes.TrimSuffix(want.Bytes(), []byte("\n")); !bytes.Equal(got, w) {
		t.Errorf("%q: %s, want %s", text, got, w)
	}
}

func TestText(t *testing.T) {
	for c := range 256 {
		for _, before := range []int{0, 1, 7, 8, 9, 15} {
			for _, after := range []int{0, 1, 8} {
				sameText(t, []byte(strings.Repeat("a", before)+string([]byte{byte(c)})+strings.Repeat("b", after)))
				sameText(t, []byte(strings.Repeat("é", before)+string([]byte{byte(c), byte(c)})+strings.Repeat("\x7f", after)))
			}
		}
	}
	for _, s := range []string{"", "<a href=\"x\">&</a>", "\u2028\u2029\u202a", "\U0001F600\xf0\x9f\x98",
		"line\r\n\ttab\x1b[31mred\x1b[0m"} {
		sameText(t, []byte(s))
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("a line\n\x00\xff\u2028"))
	f.Fuzz(func(t *testing.T, text []byte) { sameText(t, text) })
}

func BenchmarkText(b *testing.B) {
	text := bytes.Repeat([]byte(strings.Repeat("x", 1023)+"\n"), 512)
	b.SetBytes(int64(len(text)))
	buf := make([]byte, 0, 2*len(text))
	for b.Loop() {
		buf = AppendText(buf[:0], text)
	}
}
