package raster

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
)

// An outline is a path as SVG writes it: commands with their coordinates, absolute.
type outline struct {
	path vg.Path
	// at is the current point; from is where the last segment came from, for the direction of a
	// marker.
	at, from, start [2]float64
	point           func(x, y float64) vg.Point
}

func (p *drawing) rect(e element, inherited style) error {
	s, err := inherited.with(e)
	if err != nil {
		return err
	}
	n, err := e.numbers("x", "y", "width", "height", "rx")
	if err != nil {
		return err
	}
	x, y, w, h, r := n[0], n[1], n[2], n[3], min(n[4], n[2]/2, n[3]/2)
	o := outline{point: p.point}
	o.move(x+r, y)
	for _, c := range [4][6]float64{
		{x + w - r, y, x + w, y, x + w, y + r}, {x + w, y + h - r, x + w, y + h, x + w - r, y + h},
		{x + r, y + h, x, y + h, x, y + h - r}, {x, y + r, x, y, x + r, y},
	} {
		o.line(c[0], c[1])
		o.corner(c[2], c[3], c[4], c[5])
	}
	o.close()
	p.paint(o.path, s)
	return nil
}

func (p *drawing) circle(e element, inherited style) error {
	s, err := inherited.with(e)
	if err != nil {
		return err
	}
	n, err := e.numbers("cx", "cy", "r")
	if err != nil {
		return err
	}
	var path vg.Path
	path.Move(p.point(n[0]+n[2], n[1]))
	path.Arc(p.point(n[0], n[1]), px(n[2]), 0, 2*math.Pi)
	path.Close()
	p.paint(path, s)
	return nil
}

func (p *drawing) path(e element, inherited style) error {
	s, err := inherited.with(e)
	if err != nil {
		return err
	}
	o := outline{point: p.point}
	if err := o.read(e.must("d")); err != nil {
		return err
	}
	p.paint(o.path, s)
	end, ok := e.attr("marker-end")
	if !ok {
		return nil
	}
	marker, ok := p.markers[end]
	if !ok {
		return &UnsupportedError{"the marker " + end}
	}
	return p.marker(marker, o, s)
}

// paint fills an outline and draws its line.
func (p *drawing) paint(path vg.Path, s style) {
	if s.fill.A > 0 {
		p.canvas.SetColor(s.fill)
		p.canvas.Fill(path)
	}
	if s.stroke.A == 0 || s.width == 0 {
		return
	}
	dashes := make([]vg.Length, len(s.dashes))
	for i, d := range s.dashes {
		dashes[i] = px(d)
	}
	p.canvas.SetColor(s.stroke)
	p.canvas.SetLineWidth(px(s.width))
	p.canvas.SetLineDash(dashes, 0)
	p.canvas.Stroke(path)
}

// marker draws a marker at the end of an outline, turned along it and scaled by the width of its
// line.
func (p *drawing) marker(m element, o outline, inherited style) error {
	n, err := m.numbers("refX", "refY", "markerWidth", "markerHeight")
	if err != nil {
		return err
	}
	box, err := parseNumbers(m.must("viewBox"))
	if err != nil {
		return err
	}
	if len(box) != 4 || box[0] != 0 || box[1] != 0 || box[2] <= 0 || m.must("orient") != "auto" {
		return &UnsupportedError{"a marker without viewBox and orient"}
	}
	grow := n[2] / box[2] * inherited.width
	dx, dy := o.at[0]-o.from[0], o.at[1]-o.from[1]
	length := math.Hypot(dx, dy)
	if length == 0 {
		dx, length = 1, 1
	}
	cos, sin := dx/length*grow, dy/length*grow
	at := o.at
	turned := func(x, y float64) vg.Point {
		x, y = x-n[0], y-n[1]
		return p.point(at[0]+x*cos-y*sin, at[1]+x*sin+y*cos)
	}
	for _, child := range m.Children {
		if child.XMLName.Local != "path" {
			return &UnsupportedError{"the element " + child.XMLName.Local + " in a marker"}
		}
		s, err := (style{fill: color.NRGBA{A: 0xff}, width: 1}).with(child)
		if err != nil {
			return err
		}
		head := outline{point: turned}
		if err := head.read(child.must("d")); err != nil {
			return err
		}
		p.paint(head.path, s)
	}
	return nil
}

// A command is a letter of a path: how many coordinates it takes, and what it does with them.
type command struct {
	takes int
	do    func(o *outline, n []float64)
}

var commands = map[byte]command{
	'M': {2, func(o *outline, n []float64) { o.move(n[0], n[1]) }},
	'L': {2, func(o *outline, n []float64) { o.line(n[0], n[1]) }},
	'H': {1, func(o *outline, n []float64) { o.line(n[0], o.at[1]) }},
	'V': {1, func(o *outline, n []float64) { o.line(o.at[0], n[0]) }},
	'Q': {4, func(o *outline, n []float64) { o.corner(n[0], n[1], n[2], n[3]) }},
	'C': {6, func(o *outline, n []float64) { o.curve([6]float64(n)) }},
	'Z': {0, func(o *outline, _ []float64) { o.close() }},
	'z': {0, func(o *outline, _ []float64) { o.close() }},
}

// read takes a path's text.
func (o *outline) read(d string) error {
	for d = strings.TrimSpace(d); d != ""; {
		c, ok := commands[d[0]]
		if !ok {
			return &UnsupportedError{"the command " + d[:1] + " of a path"}
		}
		rest := d[1:]
		end := strings.IndexFunc(rest,
			func(r rune) bool { return r != 'e' && (r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') })
		if end < 0 {
			end = len(rest)
		}
		n, err := parseNumbers(rest[:end])
		if err != nil {
			return err
		}
		if c.takes == 0 && len(n) > 0 || c.takes > 0 && (len(n) == 0 || len(n)%c.takes != 0) {
			return &UnsupportedError{"the path " + d[:end+1]}
		}
		c.do(o, n[:c.takes])
		if d[0] == 'M' {
			c = commands['L'] // as SVG has it for the points behind the first
		}
		for i := c.takes; i < len(n); i += c.takes {
			c.do(o, n[i:i+c.takes])
		}
		d = strings.TrimSpace(rest[end:])
	}
	return nil
}

func (o *outline) move(x, y float64) {
	o.at, o.start = [2]float64{x, y}, [2]float64{x, y}
	o.path.Move(o.point(x, y))
}

func (o *outline) line(x, y float64) {
	o.from, o.at = o.at, [2]float64{x, y}
	o.path.Line(o.point(x, y))
}

func (o *outline) corner(cx, cy, x, y float64) {
	o.from, o.at = [2]float64{cx, cy}, [2]float64{x, y}
	o.path.QuadTo(o.point(cx, cy), o.point(x, y))
}

func (o *outline) curve(n [6]float64) {
	o.from, o.at = [2]float64{n[2], n[3]}, [2]float64{n[4], n[5]}
	o.path.CubeTo(o.point(n[0], n[1]), o.point(n[2], n[3]), o.point(n[4], n[5]))
}

func (o *outline) close() {
	o.from, o.at = o.at, o.start
	o.path.Close()
}
