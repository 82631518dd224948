package display

import "sync/atomic"

// A Rasterizer makes the PNG of an SVG, with its size in CSS pixels.
type Rasterizer func(svg string) (image []byte, size ImageSize, err error)

var rasterizer atomic.Pointer[Rasterizer]

// RegisterRasterizer chooses what makes the PNG twin of an SVG that comes without one. This package
// is a leaf and draws nothing itself; package plots registers its own.
func RegisterRasterizer(r Rasterizer) {
	if r == nil {
		panic(&ArgumentError{Call: "display.RegisterRasterizer", Want: "a function", Got: "nil"})
	}
	rasterizer.Store(&r)
}

// addTwin gives an SVG a PNG beside it, where nobody made one: front ends do not show the SVG of a
// notebook that is not trusted. An SVG that the rasterizer does not know whole stays alone.
func addTwin(b *Bundle) {
	svg, ok := b.Data[TypeSVG].(string)
	draw := rasterizer.Load()
	if _, has := b.Data[TypePNG]; !ok || has || draw == nil {
		return
	}
	image, size, err := (*draw)(svg)
	if err != nil {
		return
	}
	if b.Metadata == nil {
		b.Metadata = map[string]any{}
	}
	b.Data[TypePNG], b.Metadata[TypePNG] = image, size
}
