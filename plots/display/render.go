package display

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// Render gives a value the representations it has: those its methods offer (shapes.go), what
// Register taught for its type, a picture for an image.Image, a table for what is tabular; and
// always text/plain. It never panics: a method that does becomes text saying so.
func Render(v any) Bundle {
	b := Bundle{Data: map[string]any{}}
	if problem := try(v, "Render", func() { b = render(v) }); problem != "" {
		b = Bundle{Data: map[string]any{TypeText: problem}}
	}
	return b
}

// TextOf returns v's text/plain without rendering its other representations.
func TextOf(v any) string {
	if v != nil && !isNilPointer(v) {
		switch seen := withPointerMethods(v).(type) {
		case MIMEBundler, SVGer, PNGer:
			if text, ok := ownText(seen); ok {
				return text
			}
		}
	}
	text, _ := Render(v).Data[TypeText].(string)
	return text
}

// LineOf is the text of a value in one line of at most n characters, for lists of values: the first
// line of a text of its own, else Go's syntax.
func LineOf(v any, n int) string {
	line := ""
	if problem := try(v, "Render", func() { line = lineOf(v) }); problem != "" {
		line = problem
	}
	r := []rune(line)
	switch {
	case len(r) <= n:
		return line
	case n < 1:
		return ""
	}
	return string(r[:n-1]) + "…"
}

func lineOf(v any) string {
	if v == nil || isNilPointer(v) {
		return goTextBounded(v, maxLine)
	}
	seen := withPointerMethods(v)
	text, own := ownText(seen)
	switch seen.(type) {
	case MIMEBundler, Tabler:
		if !own {
			text, own = TextOf(v), true
		}
	}
	if !own {
		return strings.Join(strings.Fields(goTextBounded(v, maxLine)), " ")
	}
	if line, _, more := strings.Cut(strings.TrimSpace(text), "\n"); more {
		return strings.TrimSpace(line) + " …"
	}
	return text
}

// maxLine bounds the bytes that a line is made of.
const maxLine = 1000

func render(v any) Bundle {
	if v == nil || isNilPointer(v) {
		return textBundle(goText(v))
	}
	switch x := v.(type) {
	case Bundle:
		return complete(x, v, v)
	case *Bundle:
		return complete(*x, v, v)
	}
	if b, ok := registered(v); ok {
		return complete(b, v, v)
	}
	switch v.(type) { // what has no methods, and nothing but a text
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, float32, float64, complex64,
		complex128:
		return textBundle(goText(v))
	}
	seen := withPointerMethods(v)
	if x, ok := seen.(MIMEBundler); ok {
		var b Bundle
		if problem := try(v, "MIMEBundle", func() { b = x.MIMEBundle() }); problem != "" {
			return textBundle(problem)
		}
		return complete(b, v, v)
	}
	b := Bundle{Data: map[string]any{}}
	shapes(seen, &b)
	if len(b.Data) == 0 {
		builtin(v, seen, &b)
	}
	return complete(b, v, seen)
}

func textBundle(s string) Bundle { return Bundle{Data: map[string]any{TypeText: s}} }

// complete returns a copy of b (its maps belong to who made it) that has a text/plain. seen is v,
// or a pointer to it where that has more methods.
func complete(b Bundle, v, seen any) Bundle {
	out := Bundle{Data: map[string]any{}, Metadata: maps.Clone(b.Metadata)}
	maps.Copy(out.Data, b.Data)
	problems := normalize(&out)
	addTwin(&out)
	text, ok := out.Data[TypeText].(string)
	if !ok || text == "" {
		if text, ok = ownText(seen); !ok {
			text = fallbackText(v, seen, len(out.Data) > 0)
		}
	}
	out.Data[TypeText] = strings.Join(append([]string{text}, problems...), "\n")
	return out
}

// fallbackText is the text of a value without one of its own. Where something richer is shown the
// name of the type says enough.
func fallbackText(v, seen any, rich bool) string {
	if x, ok := seen.(fmt.GoStringer); ok {
		return guarded(v, "GoString", x.GoString)
	}
	if rich {
		return "<" + typeName(reflect.TypeOf(v)) + ">"
	}
	return goText(v)
}

// A shape puts one representation of v into b, if v has it.
type shape struct {
	method string
	put    func(v any, b *Bundle) error
}

// shapesInOrder lists the methods other than MIMEBundle; a value may have several. Tables hold
// values with shapes: init sets it.
var shapesInOrder []shape

func init() {
	shapesInOrder = []shape{
		own("Table", func(x Tabler, b *Bundle) {
			t := x.Table()
			b.Data[TypeText], b.Data[TypeHTML] = t.Text(), t.HTML()
		}),
		own("HTML", func(x HTMLer, b *Bundle) { b.Data[TypeHTML] = x.HTML() }),
		own("Markdown", func(x Markdowner, b *Bundle) { b.Data[TypeMarkdown] = x.Markdown() }),
		own("LaTeX", func(x LaTeXer, b *Bundle) { b.Data[TypeLaTeX] = x.LaTeX() }),
		own("SVG", func(x SVGer, b *Bundle) { b.Data[TypeSVG] = x.SVG() }),
		{"PNG", putPNG},
		own("JSON", func(x JSONer, b *Bundle) { b.Data[TypeJSON] = x.JSON() }),
	}
}

// own is the shape of values that have a method which cannot fail.
func own[I any](method string, put func(I, *Bundle)) shape {
	return shape{method, func(v any, b *Bundle) error {
		if x, ok := v.(I); ok {
			put(x, b)
		}
		return nil
	}}
}

func putPNG(v any, b *Bundle) error {
	x, ok := v.(PNGer)
	if !ok {
		return nil
	}
	data, err := x.PNG()
	if err == nil {
		b.Data[TypePNG] = data
	}
	return err
}

// shapes collects the representations that v's methods offer. One that fails is told in text/plain
// and does not keep the others from being shown.
func shapes(v any, b *Bundle) {
	var problems []string
	for _, s := range shapesInOrder {
		var err error
		problem := try(v, s.method, func() { err = s.put(v, b) })
		if err != nil {
			problem = fmt.Sprintf("%s.%s failed: %s", typeName(reflect.TypeOf(v)), s.method, panicText(err))
		}
		if problem != "" {
			problems = append(problems, problem)
		}
	}
	for _, p := range problems {
		if text, ok := b.Data[TypeText].(string); ok {
			p = text + "\n" + p
		}
		b.Data[TypeText] = p
	}
}

// builtin renders what has no shape: images, texts, tables.
func builtin(v, seen any, b *Bundle) {
	if img, ok := seen.(image.Image); ok {
		imageBundle(img, b)
		return
	}
	if err, ok := seen.(error); ok {
		errorBundle(err, b)
		return
	}
	if raw, ok := v.(json.RawMessage); ok && json.Valid(raw) {
		b.Data[TypeJSON], b.Data[TypeText] = raw, bound(string(raw))
		return
	}
	if text, ok := ownText(seen); ok {
		b.Data[TypeText] = text
		return
	}
	if _, ok := seen.(fmt.GoStringer); ok {
		return
	}
	if text, fragment, ok := gallery(v); ok {
		b.Data[TypeText], b.Data[TypeHTML] = text, fragment
		return
	}
	if t, asText, ok := tabular(v); ok {
		b.Data[TypeHTML] = t.HTML()
		if asText {
			b.Data[TypeText] = t.Text()
		} else {
			b.Data[TypeText] = goText(v)
		}
	}
}

// maxPixels bounds the pictures that are encoded: more is no picture to look at, and image.Uniform
// has no end.
const maxPixels = 1 << 25

// imageBundle encodes a picture.
func imageBundle(img image.Image, b *Bundle) {
	r := img.Bounds()
	text := imageText(img)
	if r.Empty() {
		b.Data[TypeText] = text
		return
	}
	if r.Dx() <= 0 || r.Dy() <= 0 || r.Dx() > maxPixels/r.Dy() { // a width that overflows is negative
		b.Data[TypeText] = fmt.Sprintf("%s: not drawn, more than %s", text, group(strconv.Itoa(maxPixels)))
		return
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		text += ": " + err.Error()
	} else {
		b.Data[TypePNG] = buf.Bytes()
		b.Metadata = map[string]any{TypePNG: ImageSize{Width: r.Dx(), Height: r.Dy()}}
	}
	b.Data[TypeText] = text
}

// ImageSize is the metadata of an image: its size in CSS pixels. An image with twice as many pixels
// of its own is sharp on a HiDPI screen.
type ImageSize struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// withPointerMethods gives a value that has methods on its pointer only an address, so that they
// are found. What holds a lock is not copied.
func withPointerMethods(v any) any {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface || t.NumMethod() == reflect.PointerTo(t).NumMethod() ||
		holdsLock(t, 0) {
		return v
	}
	p := reflect.New(t)
	p.Elem().Set(reflect.ValueOf(v))
	return p.Interface()
}

// holdsLock reports whether a value of t contains a type of package sync or sync/atomic.
func holdsLock(t reflect.Type, depth int) bool {
	if t.PkgPath() == "sync" || t.PkgPath() == "sync/atomic" || depth > 16 {
		return true
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsLock(t.Field(i).Type, depth+1) {
				return true
			}
		}
	case reflect.Array:
		return holdsLock(t.Elem(), depth+1)
	}
	return false
}

var extra struct {
	sync.RWMutex
	byType map[reflect.Type]func(any) Bundle
}

// Register teaches Render a type that belongs to somebody else (a plot of another package, say).
// A later call for the same type replaces the earlier one.
func Register[T any](f func(T) Bundle) {
	if f == nil {
		panic(&ArgumentError{Call: "display.Register", Want: "a function", Got: "nil"})
	}
	RegisterType(reflect.TypeFor[T](), func(v any) Bundle { return f(v.(T)) })
}

// RegisterType is Register where the type is a value: cells cannot instantiate generic functions of
// compiled packages.
func RegisterType(t reflect.Type, f func(any) Bundle) {
	if t == nil || f == nil {
		panic(&ArgumentError{Call: "display.RegisterType", Want: "a type and a function", Got: "nil"})
	}
	extra.Lock()
	defer extra.Unlock()
	if extra.byType == nil {
		extra.byType = map[reflect.Type]func(any) Bundle{}
	}
	extra.byType[t] = f
}

func registered(v any) (Bundle, bool) {
	extra.RLock()
	f := extra.byType[reflect.TypeOf(v)]
	extra.RUnlock()
	if f == nil {
		return Bundle{}, false
	}
	var b Bundle
	if problem := try(v, "Render", func() { b = f(v) }); problem != "" {
		return textBundle(problem), true
	}
	return b, true
}
