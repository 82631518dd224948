package raster

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/plots/dag"
)

const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" viewBox="0 0 40 30">`

// draw gives the pixels of an SVG of 40x30.
func draw(t testing.TB, inner string) image.Image {
	t.Helper()
	b, w, h, err := PNG(frame + inner + "</svg>")
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if w != 40 || h != 30 || img.Bounds().Dx() != 80 || img.Bounds().Dy() != 60 {
		t.Fatalf("%dx%d, %v", w, h, img.Bounds())
	}
	return img
}

// Each element is where SVG has it: y goes down, and there are two pixels for each of the
// picture's.
func TestElements(t *testing.T) {
	red, none := color.NRGBA{0xff, 0, 0, 0xff}, color.NRGBA{}
	for name, c := range map[string]struct {
		svg     string
		in, out image.Point // CSS pixels that are red, and that are not drawn
	}{
		"a rectangle": {`<rect x="4" y="6" width="10" height="8" fill="#f00"/>`, image.Pt(12, 8), image.Pt(12, 20)},
		"a round rectangle": {`<rect x="4" y="6" width="20" height="20" rx="8" fill="#ff0000"/>`, image.Pt(14, 8),
			image.Pt(5, 7)},
		"a circle": {`<circle cx="10" cy="6" r="4" fill="#f00f"/>`, image.Pt(10, 6), image.Pt(13, 9)},
		"a line": {`<path d="M5 5H30" fill="none" stroke="#f00" stroke-width="4"/>`, image.Pt(20, 5),
			image.Pt(20, 12)},
		"dashes": {`<path d="M0 5H40" fill="none" stroke="#f00" stroke-width="4" stroke-dasharray="10 10"/>`,
			image.Pt(4, 5), image.Pt(15, 5)},
		"points behind M": {`<path d="M5 5 30 5 30 20 5 20Z" fill="#f00"/>`, image.Pt(20, 10), image.Pt(20, 25)},
		"a curve":         {`<path d="M0 0C0 20 40 20 40 0Z" fill="#f00"/>`, image.Pt(20, 10), image.Pt(20, 20)},
		"what is inherited": {`<g fill="#f00"><g><rect x="4" y="6" width="10" height="8"/></g></g>`,
			image.Pt(12, 8), image.Pt(12, 20)},
		"a marker": {`<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" ` +
			`markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#f00"/></marker></defs>` +
			`<path d="M20 2V28" fill="none" stroke="#00f" marker-end="url(#a)"/>`,
			image.Pt(18, 21), image.Pt(17, 26)},
	} {
		img := draw(t, c.svg)
		if got := color.NRGBAModel.Convert(img.At(2*c.in.X, 2*c.in.Y)); got != red {
			t.Errorf("%s: %v at %v, want red", name, got, c.in)
		}
		if got := color.NRGBAModel.Convert(img.At(2*c.out.X, 2*c.out.Y)); got != none {
			t.Errorf("%s: %v at %v, want nothing", name, got, c.out)
		}
	}
}

// Letters stand on their base line, at the side of the point that the anchor says.
func TestText(t *testing.T) {
	for anchor, want := range map[string][2]int{"start": {20, 45}, "middle": {7, 33}, "end": {0, 20}} {
		img := draw(t, `<text x="20" y="20" font-size="10" text-anchor="`+anchor+`">mmm</text>`)
		b := image.Rectangle{Min: image.Pt(80, 60)}
		for y := range 60 {
			for x := range 80 {
				if _, _, _, a := img.At(x, y).RGBA(); a > 0x8000 {
					b.Min.X, b.Min.Y = min(b.Min.X, x/2), min(b.Min.Y, y/2)
					b.Max.X, b.Max.Y = max(b.Max.X, x/2), max(b.Max.Y, y/2)
				}
			}
		}
		if b.Min.X < want[0] || b.Max.X > want[1] || b.Max.Y > 20 || b.Min.Y < 12 || b.Dx() < 15 {
			t.Errorf("%s: letters in %v", anchor, b)
		}
	}
}

// What is not known is refused by name; nothing is left out of a picture.
func TestRefused(t *testing.T) {
	for _, svg := range []string{
		"", "no picture", `<html/>`, frame, `<svg/>`, `<svg width="1e5" height="10"/>`, `<svg width="NaN" height="10"/>`,
		`<svg width="10" height="10" viewBox="1 0 10 10"/>`,
		frame + `<ellipse/></svg>`, frame + `<rect transform="scale(2)" width="2" height="2"/></svg>`,
		frame + `<rect fill="red"/></svg>`,
		frame + `<path d="M0 0A1 1 0 0 0 1 1"/></svg>`, frame + `<path d="M0"/></svg>`, frame + `<path d="Z1"/></svg>`,
		frame + `<path d="M0 0m1 1"/></svg>`, frame + `<path d="M0 0L1 1" marker-end="url(#none)"/></svg>`,
		frame + `<text x="1">` + "\u4e2d" + `</text></svg>`, frame + `<text x="1">a<tspan>b</tspan></text></svg>`,
		frame + `<style>rect { fill: red }</style></svg>`, frame + `</svg><svg/>`, frame + `<rect opacity="0.5"/></svg>`,
	} {
		if b, _, _, err := PNG(svg); err == nil || b != nil {
			t.Errorf("%s: %d bytes, %v", svg, len(b), err)
		}
	}
	var unsupported *UnsupportedError
	_, _, _, err := PNG(frame + `<ellipse/></svg>`)
	if !errors.As(err, &unsupported) || unsupported.What != "the element ellipse" {
		t.Errorf("%v", err)
	}
}

func graph() dag.Graph {
	return dag.Graph{Title: "A graph", Nodes: []dag.Node{{Label: "upload x", Kind: "memcpy", Detail: "4 KB"},
		{Label: "saxpy<391, 256>", Kind: "kernel"}, {Label: "download y", Kind: "memcpy"}}, Edges: [][2]int{{0, 1},
		{1, 2}, {0, 2}}}
}

// Graphs as package dag draws them are in the subset. With VYRE_LOOK=file the twin is written there
// to be looked at.
func TestGraph(t *testing.T) {
	b, w, h, err := PNG(graph().SVG())
	if err != nil || w < 100 || h < 100 || len(b) < 1000 {
		t.Fatalf("%d bytes, %dx%d, %v", len(b), w, h, err)
	}
	if file := os.Getenv("VYRE_LOOK"); file != "" {
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Error(err)
		}
	}
}

func FuzzPNG(f *testing.F) {
	f.Add(graph().SVG())
	f.Add(frame + `<g><circle cx="1" cy="2" r="3"/><text>a</text></g></svg>`)
	f.Fuzz(func(t *testing.T, svg string) {
		if b, w, h, err := PNG(svg); err == nil && (len(b) == 0 || w < 1 || h < 1) {
			t.Errorf("%d bytes, %dx%d", len(b), w, h)
		}
	})
}

func BenchmarkPNG(b *testing.B) {
	svg := graph().SVG()
	for b.Loop() {
		if _, _, _, err := PNG(svg); err != nil {
			b.Fatal(err)
		}
	}
}
