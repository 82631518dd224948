package complete_test

import (
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
