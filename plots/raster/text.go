package raster

import (
	"sync"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// fonts are read when the first text is drawn.
var fonts = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })

// text draws one line of letters on its base line.
func (p *drawing) text(e element, inherited style) error {
	s, err := inherited.with(e)
	if err != nil {
		return err
	}
	if len(e.Children) > 0 {
		return &UnsupportedError{"the element " + e.Children[0].XMLName.Local + " in a text"}
	}
	at, err := e.numbers("x", "y")
	if err != nil {
		return err
	}
	face := s.face()
	if err := check(face, e.Text); err != nil {
		return err
	}
	place := p.point(at[0], at[1])
	switch s.anchor {
	case "middle":
		place.X -= face.Width(e.Text) / 2
	case "end":
		place.X -= face.Width(e.Text)
	}
	p.canvas.SetColor(s.fill)
	p.canvas.FillString(face, place, e.Text)
	return nil
}

func (s style) face() font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if s.mono {
		f.Variant = "Mono"
	}
	if s.bold {
		f.Weight = xfont.WeightBold
	}
	return fonts().Lookup(f, px(s.size))
}

// check refuses letters that the font does not have: they would be boxes.
func check(face font.Face, text string) error {
	var buffer sfnt.Buffer
	for _, r := range text {
		if i, err := face.Face.GlyphIndex(&buffer, r); err != nil || i == 0 {
			return &UnsupportedError{"the letter " + string(r)}
		}
	}
	return nil
}
