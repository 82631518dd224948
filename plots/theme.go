package plots

import (
	"image/color"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The picture stands on a card of its own: a front end shows an SVG as an image, which cannot
// follow the page's theme, and no ink reads well on white and on near black. On the card all text
// has a contrast of at least 5:1, curves of at least 3:1 (WCAG 2.2, 1.4.3 and 1.4.11).
var (
	card   = color.NRGBA{0xfc, 0xfc, 0xfd, 0xff}
	border = color.NRGBA{0xd0, 0xd7, 0xde, 0xff}
	grid   = color.NRGBA{0xe6, 0xea, 0xef, 0xff}
	ink    = color.NRGBA{0x1f, 0x23, 0x28, 0xff}
	faint  = color.NRGBA{0x57, 0x60, 0x6a, 0xff}
	bars   = color.NRGBA{0x54, 0x8f, 0xd6, 0xff}
)

// palette colours series, in order; also told apart by dashes once the colours repeat.
var palette = []color.NRGBA{
	{0x0b, 0x63, 0xc5, 0xff}, {0xb3, 0x4d, 0x00, 0xff}, {0x1a, 0x7f, 0x37, 0xff},
	{0x82, 0x50, 0xdf, 0xff}, {0xcf, 0x22, 0x2e, 0xff}, {0x0e, 0x74, 0x90, 0xff},
}

// The default size of a picture in CSS pixels.
const (
	defaultWidth  = 640
	defaultHeight = 320
)

// px is a length in CSS pixels, of which an inch has 96 and vg's point 72.
func px(n float64) vg.Length { return vg.Length(n * 72 / 96) }

// sans is Liberation Sans, which has the widths of Arial, so that an SVG looks the same where a
// reader's machine has only that.
func sans(size float64, bold bool) font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: px(size)}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return f
}

func style(size float64, bold bool, c color.Color) text.Style {
	return text.Style{Color: c, Font: sans(size, bold), Handler: plot.DefaultTextHandler}
}

// newPlot is a gonum plot in our looks; it stands on the card, not on a white of its own.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text, p.Title.Padding = title, px(8)
	p.Title.TextStyle = style(15, true, ink)
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	for _, a := range []struct {
		axis  *plot.Axis
		label string
	}{{&p.X, x}, {&p.Y, y}} {
		a.axis.Label.Text = a.label
		align := a.axis.Label.TextStyle
		a.axis.Label.TextStyle = style(12, false, faint)
		a.axis.Label.TextStyle.XAlign, a.axis.Label.TextStyle.YAlign = align.XAlign, align.YAlign
		a.axis.Label.TextStyle.Rotation = align.Rotation
		mark := a.axis.Tick.Label
		a.axis.Tick.Label = style(11, false, faint)
		a.axis.Tick.Label.XAlign, a.axis.Tick.Label.YAlign = mark.XAlign, mark.YAlign
		a.axis.LineStyle = draw.LineStyle{Color: faint, Width: px(1)}
		a.axis.Tick.LineStyle = draw.LineStyle{Color: faint, Width: px(1)}
		a.axis.Tick.Length = px(5)
	}
	return p
}
