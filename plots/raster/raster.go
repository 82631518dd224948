package raster

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// An UnsupportedError names what of a picture is not drawn here.
type UnsupportedError struct{ What string }

func (e *UnsupportedError) Error() string { return "raster: " + e.What + " is not drawn here" }

// scale is how many pixels a CSS pixel has each way.
const scale = 2

// most bounds a picture's width and height in CSS pixels: the image has 4 bytes for each of 4
// pixels.
const most = 8192

// An element is one of the SVG's, with its attributes and what is in it.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

// A drawing is a picture that is being drawn.
type drawing struct {
	canvas  *vgimg.Canvas
	height  float64
	markers map[string]element
}

// PNG draws an SVG with two pixels for each of its own, and gives its size in CSS pixels. Errors:
// *UnsupportedError, and those of package xml.
func PNG(svg string) (image []byte, width, height int, err error) {
	var root element
	d := xml.NewDecoder(strings.NewReader(svg))
	if err := d.Decode(&root); err != nil {
		return nil, 0, 0, fmt.Errorf("raster: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, 0, 0, &UnsupportedError{"what follows the svg element"}
	}
	w, h, err := root.size()
	if err != nil {
		return nil, 0, 0, err
	}
	c := vgimg.NewWith(vgimg.UseWH(px(w), px(h)), vgimg.UseDPI(scale*96), vgimg.UseBackgroundColor(color.Transparent))
	p := &drawing{canvas: c, height: h, markers: map[string]element{}}
	if err := p.group(root, initial); err != nil {
		return nil, 0, 0, err
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, c.Image())
	return b.Bytes(), int(w), int(h), err
}

// px is a length in CSS pixels, of which an inch has 96 and vg's point 72.
func px(n float64) vg.Length { return vg.Length(n * 72 / 96) }

// point is a place of the SVG, whose y goes down, on the canvas, whose y goes up.
func (p *drawing) point(x, y float64) vg.Point { return vg.Point{X: px(x), Y: px(p.height - y)} }

// size is the svg element's, in CSS pixels.
func (e element) size() (w, h float64, err error) {
	if e.XMLName.Local != "svg" {
		return 0, 0, &UnsupportedError{"the element " + e.XMLName.Local + " around a picture"}
	}
	if w, err = e.number("width", 0); err != nil {
		return 0, 0, err
	}
	if h, err = e.number("height", 0); err != nil {
		return 0, 0, err
	}
	if !(w >= 1 && h >= 1 && w <= most && h <= most) {
		return 0, 0, &UnsupportedError{fmt.Sprintf("a picture of %gx%g pixels", w, h)}
	}
	if box, ok := e.attr("viewBox"); ok && box != fmt.Sprintf("0 0 %s %s", e.must("width"), e.must("height")) {
		return 0, 0, &UnsupportedError{"the viewBox " + box}
	}
	return w, h, nil
}

// draws has the elements, and how each is drawn.
var draws map[string]func(*drawing, element, style) error

func init() {
	draws = map[string]func(*drawing, element, style) error{
		"g": (*drawing).group, "defs": (*drawing).defs, "rect": (*drawing).rect, "circle": (*drawing).circle,
		"path": (*drawing).path, "text": (*drawing).text,
		"title": func(*drawing, element, style) error { return nil },
	}
}

// group draws what is in an element.
func (p *drawing) group(e element, inherited style) error {
	s, err := inherited.with(e)
	if err != nil {
		return err
	}
	for _, child := range e.Children {
		draw, ok := draws[child.XMLName.Local]
		if !ok {
			return &UnsupportedError{"the element " + child.XMLName.Local}
		}
		if err := draw(p, child, s); err != nil {
			return err
		}
	}
	return nil
}

// defs keeps markers for the paths that end in them.
func (p *drawing) defs(e element, _ style) error {
	for _, child := range e.Children {
		if child.XMLName.Local != "marker" {
			return &UnsupportedError{"the element " + child.XMLName.Local + " in defs"}
		}
		p.markers["url(#"+child.must("id")+")"] = child
	}
	return nil
}
