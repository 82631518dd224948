package raster

import (
	"image/color"
	"strconv"
	"strings"
)

// A style is what elements inherit.
type style struct {
	fill, stroke color.NRGBA // transparent where there is none
	width        float64
	dashes       []float64
	size         float64
	bold, mono   bool
	anchor       string
}

// initial is the style of an SVG that says nothing.
var initial = style{fill: color.NRGBA{A: 0xff}, width: 1, size: 16, anchor: "start"}

// plain are the attributes that say nothing about looks, or that an element reads itself.
var plain = map[string]bool{
	"width": true, "height": true, "viewBox": true, "role": true, "id": true, "xmlns": true, "x": true,
	"y": true, "rx": true, "cx": true, "cy": true, "r": true, "d": true, "marker-end": true, "refX": true,
	"refY": true, "markerWidth": true,
	"markerHeight": true, "orient": true, "aria-label": true,
}

// styles has the attributes that are inherited.
var styles = map[string]func(s *style, value string) error{
	"fill":             func(s *style, v string) (err error) { s.fill, err = parseColor(v); return },
	"stroke":           func(s *style, v string) (err error) { s.stroke, err = parseColor(v); return },
	"stroke-width":     func(s *style, v string) (err error) { s.width, err = parseNumber(v); return },
	"stroke-dasharray": func(s *style, v string) (err error) { s.dashes, err = parseNumbers(v); return },
	"font-size":        func(s *style, v string) (err error) { s.size, err = parseNumber(v); return },
	"font-family":      func(s *style, v string) error { s.mono = strings.Contains(v, "mono"); return nil },
	"font-weight": func(s *style, v string) error {
		s.bold = v == "bold"
		return known("font-weight", v, "bold", "normal")
	},
	"text-anchor": func(s *style, v string) error {
		s.anchor = v
		return known("text-anchor", v, "start", "middle", "end")
	},
}

// with is the style of an element inside of one that has s.
func (s style) with(e element) (style, error) {
	for _, a := range e.Attrs {
		set, ok := styles[a.Name.Local]
		if !ok && !plain[a.Name.Local] {
			return s, &UnsupportedError{"the attribute " + a.Name.Local}
		}
		if ok {
			if err := set(&s, a.Value); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

func known(name, value string, values ...string) error {
	for _, v := range values {
		if v == value {
			return nil
		}
	}
	return &UnsupportedError{name + " " + value}
}

// parseColor reads #rgb, #rgba, #rrggbb and #rrggbbaa.
func parseColor(v string) (color.NRGBA, error) {
	if v == "none" {
		return color.NRGBA{}, nil
	}
	hex, ok := strings.CutPrefix(v, "#")
	if len(hex) == 3 || len(hex) == 4 {
		var wide strings.Builder
		for _, digit := range hex {
			wide.WriteRune(digit)
			wide.WriteRune(digit)
		}
		hex = wide.String()
	}
	if len(hex) == 6 {
		hex += "ff"
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if !ok || err != nil || len(hex) != 8 {
		return color.NRGBA{}, &UnsupportedError{"the colour " + v}
	}
	return color.NRGBA{R: uint8(n >> 24), G: uint8(n >> 16), B: uint8(n >> 8), A: uint8(n)}, nil
}

func parseNumber(v string) (float64, error) {
	n, err := strconv.ParseFloat(v, 64)
	if err != nil || n != n || n > 1e6 || n < -1e6 {
		return 0, &UnsupportedError{"the number " + v}
	}
	return n, nil
}

func parseNumbers(v string) ([]float64, error) {
	var out []float64
	for _, field := range strings.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, err := parseNumber(field)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func (e element) attr(name string) (string, bool) {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

// must is an attribute, "" where the element has none.
func (e element) must(name string) string {
	v, _ := e.attr(name)
	return v
}

// number is an attribute, or what stands for one that is not there.
func (e element) number(name string, absent float64) (float64, error) {
	v, ok := e.attr(name)
	if !ok {
		return absent, nil
	}
	return parseNumber(v)
}

// numbers are several attributes, 0 where there is none.
func (e element) numbers(names ...string) ([]float64, error) {
	out := make([]float64, len(names))
	for i, name := range names {
		var err error
		if out[i], err = e.number(name, 0); err != nil {
			return nil, err
		}
	}
	return out, nil
}
