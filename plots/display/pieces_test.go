package display

import (
	"image"
	"image/color"
	"strings"
	"testing"
)

type warm float64

func (w warm) HTML() string   { return "<meter></meter>" }
func (w warm) String() string { return "warm" }

type chart struct{ n int }

// framed is what only a front end can show: it answers for itself, and has a text.
type framed struct{}

func (framed) MIMEBundle() Bundle { panic("asked") }
func (framed) String() string     { return "framed" }

type failingImage struct{ image.Gray }

func (*failingImage) Bounds() image.Rectangle { panic("no bounds") }

// TestPieces: what is drawn is drawn beside others, in lists and in tables as well.
func TestPieces(t *testing.T) {
	Register(func(c *chart) Bundle { return Render(*c) })
	Register(func(c chart) Bundle {
		return Bundle{Data: map[string]any{TypeSVG: "<svg id='c'/>", TypePNG: []byte("png")}}
	})
	pixel := image.NewGray(image.Rect(0, 0, 3, 2))
	large := image.NewUniform(color.White)
	const png, svg = `width="3" style="max-width:100%;height:auto" src="data:image/png;base64,`,
		`src="data:image/svg+xml;base64,PHN2ZyBpZD0nYycvPg=="`
	for _, c := range []struct {
		name       string
		b          Bundle
		text, html string // parts of them; no html where it is empty
		times      int
	}{
		{"two pictures", SideBySide([]any{pixel, pixel}), "*image.Gray, 3×2 pixels, *image.Gray, 3×2 pixels", png, 2},
		{"a plot and a number", SideBySide([]any{chart{1}, 5}), "<display.chart>, 5", svg, 1},
		{"a table and a text", SideBySide([]any{[]pair[string, int]{{"a", 1}}, "<b>"}), ", \"<b>\"", "&lt;b&gt;", 1},
		{"texts", SideBySide([]any{1, "a", nil}), `1, "a", nil`, "", 0},
		{"cards", SideBySide([]any{pair[string, int]{"a", 1}, pair[string, int]{}}), `pair[string,int]{Key: "a", `, "", 0},
		{"a widget", SideBySide([]any{framed{}, 1}), "framed, 1", "", 0},
		{"methods", SideBySide([]any{warm(1), warm(2)}), "warm, warm", "<meter></meter>", 2},
		{"list of pictures", Render([]image.Image{pixel, nil, pixel}),
			"[]image.Image{*image.Gray, 3×2 pixels, nil, *image.Gray, 3×2 pixels}", png, 2},
		{"list of pointers to pictures", Render([]*image.Gray{pixel, nil}), "[]*image.Gray{", png, 1},
		{"list of plots", Render([]chart{{1}, {2}}), "[]display.chart{<display.chart>, <display.chart>}", svg, 2},
		{"list of anything", Render([]any{1, pixel, "x<"}), "[]any{1, *image.Gray, 3×2 pixels, \"x<\"}", png, 1},
		{"table without a plot", Render([]pair[string, *chart]{{"a", nil}}), "(*display.chart)(nil)", "(*display.chart)(nil)",
			1},
		{"long list", Render(make([]chart, maxGallery+5)), "[]display.chart{", "… 5 more", 1},
		{"list of methods", Render([]warm{1}), "[]display.warm{warm}", "<meter></meter>", 1},
		{"table with a picture", Render([]pair[string, image.Image]{{"a", pixel}, {"b", nil}}), "*image.Gray, 3×2 pixels",
			png, 1},
		{"table with a plot", Render(map[string]chart{"a": {1}}), `map[string]display.chart{"a": `, svg, 1},
		{"card with a picture", Render(pair[string, *image.Gray]{"a", pixel}), "Key: \"a\"", png, 1},
		{"endless picture in a table", Render([]pair[string, image.Image]{{"a", large}}), "pixels",
			"*image.Uniform, 2000000000×2000000000 pixels", 1},
		{"picture that fails in a table", Render([]pair[string, image.Image]{{"a", &failingImage{}}}),
			"Bounds panicked: no bounds", "Bounds panicked: no bounds", 1},
		{"list of pictures that fail", Render([]image.Image{&failingImage{}}), "[]image.Image{", "", 0},
	} {
		text, html := c.b.Data[TypeText].(string), ""
		if h, ok := c.b.Data[TypeHTML]; ok {
			html = h.(string)
		}
		if !strings.Contains(text, c.text) {
			t.Errorf("%s: text %q, want %q in it", c.name, text, c.text)
		}
		if (html == "") != (c.html == "") || c.html != "" && strings.Count(html, c.html) != c.times {
			t.Errorf("%s: HTML %q, want %q %d times", c.name, html, c.html, c.times)
		}
	}
}

// TestLongCell: a text without a space does not make the table as wide as itself, nor is a megabyte
// of it shown.
func TestLongCell(t *testing.T) {
	b := Render([]pair[string, string]{{strings.Repeat("x", 1_000_000), strings.Repeat("y ", 50)}})
	html, text := b.Data[TypeHTML].(string), b.Data[TypeText].(string)
	if len(html) > 20_000 || !strings.Contains(html, "… 999,000 bytes more") ||
		strings.Count(html, "overflow-wrap:anywhere") != 1 {
		t.Errorf("%d bytes: %.3000s", len(html), html)
	}
	if len(text) > 25_000 {
		t.Errorf("%d bytes of text", len(text))
	}
}
