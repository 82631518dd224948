package complete_test

import (
	"slices"
	"strings"
	"testing"
)

// TestInspections: signature and documentation of what stands at a place.
func TestInspections(t *testing.T) {
	c := open(t)
	for _, r := range readTable(t, "testdata/inspections.txt") {
		want, doc, _ := strings.Cut(strings.Join(r.wants, "; "), " ;; ")
		got, ok := c.Inspect(r.text, r.cursor)
		marked := r.text[:r.cursor] + cursorMark + r.text[r.cursor:]
		switch {
		case ok != (want != ""):
			t.Errorf("line %d: %q: found %v %+v", r.line, marked, ok, got)
		case !ok:
		case !strings.HasPrefix(got.Signature, want) || !strings.HasPrefix(got.Doc, doc):
			t.Errorf("line %d: %q: %q %.60q, want %q %q", r.line, marked, got.Signature, got.Doc, want, doc)
		}
	}
}

// TestNamed: what %help finds, with what belongs to it.
func TestNamed(t *testing.T) {
	c := open(t)
	for _, r := range []struct{ name, signature, indexed string }{
		{"strings.Cut", "func strings.Cut(", ""},
		{"strings", "package strings // import \"strings\"",
			"func Cut(s string, sep string) (before string, after string, found bool)"},
		{"encoding/json", "package json // import \"encoding/json\"", "type Decoder"},
		{"json", "package json // import \"encoding/json\"", "func Marshal(v any) ([]byte, error)"},
		{"netip", "package netip // import \"net/netip\"", "type Addr"},
		{"strings.Builder", "type strings.Builder struct {\n\t// and unexported fields\n}",
			"func (*strings.Builder) WriteString(s string) (int, error)"},
		{"strings.Builder.Grow", "func (*strings.Builder).Grow(n int)", ""},
		{"http.Client.Timeout", "field Timeout time.Duration", ""},
		{"io.Reader", "type io.Reader interface{", "func (io.Reader) Read(p []byte) (n int, err error)"},
		{"Point", "type Point struct{X int; Y int; name string}", "func (Point) Norm() float64"},
		{"Point.Move", "func (*Point).Move(dx int)", ""},
		{"panic", "func panic(v any)", ""},
		{"strings.Cutt", "", ""}, {"strings.Builder.Gro", "", ""}, {"nobody.No", "", ""}, {"", "", ""}, {".", "", ""},
		{"a..b", "", ""},
	} {
		s, ok := c.Named(r.name)
		switch {
		case !ok && r.signature == "":
		case !ok || r.signature == "" || !strings.HasPrefix(s.Signature, r.signature):
			t.Errorf("%q: %v %+v, want %q", r.name, ok, s, r.signature)
		case r.indexed != "" && !slices.Contains(s.Index(), r.indexed):
			t.Errorf("%q: no %q in\n%s", r.name, r.indexed, strings.Join(s.Index(), "\n"))
		}
	}
	for name, want := range map[string]string{"strings.Cutt": "strings.Cut", "Point.Mov": "Point.Move", "totl": "total"} {
		if got := c.Neighbours(name); !slices.Contains(got, want) {
			t.Errorf("%s: %d names without %s", name, len(got), want)
		}
	}
}
