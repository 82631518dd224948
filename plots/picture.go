package plots

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
	"github.com/vyre-kernel/vyre-kernel/plots/raster"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

func init() {
	// Whoever draws with gonum by hand sees the plot too, by the same encoders.
	display.Register(func(p *plot.Plot) display.Bundle {
		pic := Picture{width: defaultWidth, height: 400, alt: "plot " + p.Title.Text, plot: p}
		return pic.MIMEBundle()
	})
	display.RegisterRasterizer(func(svg string) ([]byte, display.ImageSize, error) {
		image, width, height, err := raster.PNG(svg)
		return image, display.ImageSize{Width: width, Height: height}, err
	})
}

// A Picture is a plot of a size. It renders when it is shown.
type Picture struct {
	width, height int // CSS pixels
	alt           string
	plot          *plot.Plot
	framed        bool
	err           error
}

// A PlotOption changes how a plot looks.
type PlotOption interface{ setPlot(*options) }

// A GraphOption changes how the picture of a graph looks.
type GraphOption interface{ setGraph(*options) }

// A TitleOption replaces a title. It is for plots and for graphs.
type TitleOption struct{ title string }

func (t TitleOption) setPlot(o *options)  { o.title = t.title }
func (t TitleOption) setGraph(o *options) { o.title = t.title }

type plotOption func(*options)

func (set plotOption) setPlot(o *options) { set(o) }

type options struct {
	title         string
	width, height int
	log           *bool
}

// Title replaces the picture's title; "" removes it.
func Title(title string) TitleOption { return TitleOption{title} }

// Size sets width and height in CSS pixels, each from 160 to 4096; others are a *SizeError of the
// picture.
func Size(width, height int) PlotOption {
	return plotOption(func(o *options) { o.width, o.height = width, height })
}

// Log reports whether the axis that may be logarithmic is; without it, it is where that helps.
func Log(on bool) PlotOption { return plotOption(func(o *options) { o.log = &on }) }

// collect gives a plot of a source that has a name that title, before the options change it.
// Errors: *SizeError, *SourceError.
func collect(plot string, source any, list []PlotOption) (options, error) {
	o := options{title: nameOf(source, plot), width: defaultWidth, height: defaultHeight}
	for _, option := range list {
		if option == nil {
			return o, &SourceError{Plot: plot, Found: "a nil option", Want: "one made by Title, Size or Log"}
		}
		option.setPlot(&o)
	}
	if min(o.width, o.height) < leastSize || max(o.width, o.height) > mostSize {
		return o, &SizeError{Plot: plot, Width: o.width, Height: o.height}
	}
	return o, nil
}

// nameOf is what a source calls itself, or another title.
func nameOf(source any, title string) string {
	if n, ok := source.(interface{ Name() string }); ok && n.Name() != "" {
		return n.Name()
	}
	return title
}

// Err says why there is no picture; nil if there is one.
func (p *Picture) Err() error {
	switch {
	case p == nil:
		return &SourceError{Plot: "Picture", Found: "a nil picture", Want: madeHere}
	case p.err == nil && p.plot == nil:
		return &SourceError{Plot: "Picture", Found: "a zero picture", Want: madeHere}
	}
	return p.err
}

const madeHere = "one that Timing, Growth or DAG made"

// margin is the space between the card's border and the plot.
const margin = 12

func (p *Picture) drawOn(c vg.CanvasSizer) {
	dc := draw.New(c)
	if p.framed {
		p.card(dc)
	}
	p.plot.Draw(draw.Crop(dc, px(margin), -px(margin+4), px(margin), -px(margin)))
}

// card fills a rectangle with round corners.
func (p *Picture) card(c draw.Canvas) {
	r, inset := px(8), px(0.5)
	min, max := vg.Point{X: inset, Y: inset}, vg.Point{X: px(float64(p.width)) - inset, Y: px(float64(p.height)) - inset}
	var path vg.Path
	path.Move(vg.Point{X: min.X + r, Y: min.Y})
	for _, corner := range []struct{ to, control, end vg.Point }{
		{vg.Point{X: max.X - r, Y: min.Y}, vg.Point{X: max.X, Y: min.Y}, vg.Point{X: max.X, Y: min.Y + r}},
		{vg.Point{X: max.X, Y: max.Y - r}, vg.Point{X: max.X, Y: max.Y}, vg.Point{X: max.X - r, Y: max.Y}},
		{vg.Point{X: min.X + r, Y: max.Y}, vg.Point{X: min.X, Y: max.Y}, vg.Point{X: min.X, Y: max.Y - r}},
		{vg.Point{X: min.X, Y: min.Y + r}, vg.Point{X: min.X, Y: min.Y}, vg.Point{X: min.X + r, Y: min.Y}},
	} {
		path.Line(corner.to)
		path.QuadTo(corner.control, corner.end)
	}
	path.Close()
	c.SetColor(card)
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: border, Width: px(1)})
	c.Stroke(path)
}

// families gives browsers something to draw with where the fonts of the layout are not installed;
// Arial and Helvetica have the same widths.
var families = strings.NewReplacer(
	"font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;",
	"font-family:Liberation Serif;", "font-family:'Liberation Serif','Times New Roman',Times,serif;",
	"font-family:Liberation Mono;", "font-family:'Liberation Mono','Courier New',monospace;",
)

// SVG is the picture as an svg element; "" where there is none.
func (p *Picture) SVG() string {
	if p.Err() != nil {
		return ""
	}
	c := vgsvg.New(px(float64(p.width)), px(float64(p.height)))
	p.drawOn(c)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "" // a bytes.Buffer does not fail
	}
	text := families.Replace(b.String())
	if i := strings.Index(text, "<svg"); i > 0 {
		text = text[i:] // no XML declaration inside an HTML page
	}
	return text
}

// PNG is the picture with two pixels a CSS pixel each way.
func (p *Picture) PNG() ([]byte, error) {
	if err := p.Err(); err != nil {
		return nil, err
	}
	background := color.Color(color.Transparent)
	if !p.framed && p.plot.BackgroundColor != nil {
		background = p.plot.BackgroundColor
	}
	c := vgimg.NewWith(vgimg.UseWH(px(float64(p.width)), px(float64(p.height))), vgimg.UseDPI(2*96),
		vgimg.UseBackgroundColor(background))
	p.drawOn(c)
	// Plain areas compress as well quickly as slowly: 6 % more bytes in two thirds of the time.
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, c.Image())
	return b.Bytes(), err
}

// MIMEBundle gives SVG, PNG and text; where there is no picture, the reason as text.
func (p *Picture) MIMEBundle() display.Bundle {
	if err := p.Err(); err != nil {
		return display.Bundle{Data: map[string]any{display.TypeText: err.Error()}}
	}
	pixels, err := p.PNG()
	if err != nil {
		return display.Bundle{Data: map[string]any{display.TypeText: p.alt + "\n" + err.Error()}}
	}
	size := display.ImageSize{Width: p.width, Height: p.height}
	return display.Bundle{
		Data:     map[string]any{display.TypeText: p.alt, display.TypeSVG: p.SVG(), display.TypePNG: pixels},
		Metadata: map[string]any{display.TypePNG: size},
	}
}

// String is the picture's figures as text, or why there is none.
func (p *Picture) String() string {
	if err := p.Err(); err != nil {
		return err.Error()
	}
	return p.alt
}
