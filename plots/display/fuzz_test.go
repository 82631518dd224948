package display

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var tags = regexp.MustCompile(`<[^>]*>`)

// Whatever stands in the cells: lines are aligned, nothing breaks out of a cell, and the HTML shows
// the same text.
func FuzzTable(f *testing.F) {
	f.Add("a", "<b>&\x00\x1b[31m")
	f.Add("日本\u0301", "x\ty\r\nz")
	f.Add("0"+strings.Repeat("\xff", 2*maxCell)+"\n0", strings.Repeat("é", maxCell))
	f.Fuzz(func(t *testing.T, a, b string) {
		shown := func(s string) string { return boundTo(s, maxCell) }
		table := NewTable("", Column{Title: "t"}, Column{Title: "u", Kind: Number}).Add(a, "end").Add(b, "end")
		text, page := table.Text(), strings.Replace(table.HTML(), tableStyle, "", 1)
		if utf8.ValidString(a) && utf8.ValidString(b) {
			lines := strings.Split(text, "\n")
			if want := 2 + strings.Count(shown(a), "\n") + strings.Count(shown(b), "\n") + 2; len(lines) != want {
				t.Errorf("%d lines, want %d:\n%q", len(lines), want, text)
			}
		}
		for _, control := range []string{"\x1b", "\x00", "\r"} {
			if strings.Contains(text, control) || strings.Contains(page, control) {
				t.Errorf("%q stands in the table", control)
			}
		}
		if n := strings.Count(page, "<td"); n != 4 {
			t.Errorf("%d cells: %s", n, page)
		}
		want := html.UnescapeString(html.EscapeString(clean(shown(a))))
		if got := html.UnescapeString(tags.ReplaceAllString(page, "")); !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	})
}

// Every value that JSON can say renders, with a text, in bounded size.
func FuzzRender(f *testing.F) {
	f.Add([]byte(`[{"a":1,"b":[null,"x"]},{"c":{}}]`))
	f.Add([]byte(`{"a":[[1,2],[3]],"b":"\u0000"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		var records []map[string]any
		var matrix [][]float64
		for _, into := range []any{&v, &records, &matrix} {
			if json.Unmarshal(data, into) != nil {
				continue
			}
			b := Render(into)
			if text, ok := b.Data[TypeText].(string); !ok || text == "" || len(text) > 20*len(data)+200_000 {
				t.Errorf("text of %d bytes for %q", len(text), data)
			}
		}
	})
}
