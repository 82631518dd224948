package display

import (
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// SideBySide is what a cell of several values shows: their texts in one line and, where one of them
// is more than a text or the card of a struct, all of them as HTML beside each other.
func SideBySide(values []any) Bundle {
	var texts, parts []string
	rich := false
	for _, v := range values {
		text, part := piece(v)
		rich = rich || part != ""
		if part == "" {
			part = `<pre style="margin:0">` + html.EscapeString(clean(text)) + "</pre>"
		}
		texts, parts = append(texts, text), append(parts, part)
	}
	b := textBundle(strings.Join(texts, ", "))
	if rich {
		b.Data[TypeHTML] = row(parts, "")
	}
	return b
}

// piece is a value's text and, where it is more than that, a fragment of HTML.
func piece(v any) (text, part string) {
	if !drawn(v) && !isList(v) {
		return TextOf(v), ""
	}
	b := Render(v)
	text, _ = b.Data[TypeText].(string)
	return text, b.fragment()
}

// isList reports whether a value is of a kind of which tables are made; cards of structs say no
// more than their text.
func isList(v any) bool {
	t := reflect.TypeOf(v)
	if t == nil {
		return false
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map
}

// drawn reports whether a value is taught, a picture, or has a fragment of its own. One that
// answers for itself in full and has a text, as what only a front end can show, is seen by its
// text.
func drawn(v any) bool {
	if v == nil || isNilPointer(v) {
		return false
	}
	if taught(reflect.TypeOf(v)) {
		return true
	}
	seen := withPointerMethods(v)
	switch seen.(type) {
	case image.Image, HTMLer, SVGer, PNGer, Tabler:
		return true
	case fmt.Stringer, error:
		return false
	case MIMEBundler:
		return true
	}
	return false
}

func taught(t reflect.Type) bool {
	extra.RLock()
	defer extra.RUnlock()
	return extra.byType[t] != nil
}

// fragment is the form of a bundle that can stand in a page among others; nothing where it has
// none.
func (b Bundle) fragment() string {
	if text, ok := b.Data[TypeHTML].(string); ok {
		return text
	}
	if text, ok := b.Data[TypeSVG].(string); ok {
		return imgTag(TypeSVG, []byte(text), 0)
	}
	for _, mime := range []string{TypePNG, TypeJPEG} {
		if data, ok := b.Data[mime].([]byte); ok {
			size, _ := b.Metadata[mime].(ImageSize)
			return imgTag(mime, data, size.Width)
		}
	}
	return ""
}

// imgTag is a picture that its surroundings may make smaller. width is in CSS pixels; 0 leaves it
// to the picture.
func imgTag(mime string, data []byte, width int) string {
	attribute := ""
	if width > 0 {
		attribute = fmt.Sprintf(` width="%d"`, width)
	}
	return fmt.Sprintf(`<img alt=""%s style="max-width:100%%;height:auto" src="data:%s;base64,%s">`, attribute, mime,
		base64.StdEncoding.EncodeToString(data))
}

// row puts fragments beside each other; those that have no room go below.
func row(parts []string, note string) string {
	var b strings.Builder
	b.WriteString(`<div style="display:flex;flex-wrap:wrap;align-items:flex-start;gap:1em">`)
	for _, p := range parts {
		b.WriteString(`<div style="max-width:100%">` + p + "</div>")
	}
	b.WriteString("</div>")
	if note != "" {
		b.WriteString("<div>" + html.EscapeString(note) + "</div>")
	}
	return b.String()
}

// Pictures in lists and tables: how many, and of how many pixels each.
const (
	maxGallery     = 30
	maxPiecePixels = 1 << 22
)

// gallery shows a list whose elements are drawn as their pictures in a row, and names them in its
// text.
func gallery(v any) (text, fragment string, ok bool) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Slice && r.Kind() != reflect.Array || r.Len() == 0 || !r.CanInterface() {
		return "", "", false
	}
	elem := r.Type().Elem()
	if k := elem.Kind(); k != reflect.Interface && elem.NumMethod() == 0 && reflect.PointerTo(elem).NumMethod() == 0 &&
		!taught(elem) {
		return "", "", false // as of most lists
	}
	var shown []any
	for i := range min(r.Len(), maxGallery) {
		shown = append(shown, cellOf(r.Index(i)))
	}
	if !slices.ContainsFunc(shown, drawn) {
		return "", "", false
	}
	var texts, parts []string
	found := false
	for _, x := range shown {
		part, is := pieceHTML(x)
		if is && len(fields(reflect.TypeOf(x))) > 0 && !pictured(x) {
			return "", "", false // a table of their fields says more
		}
		text := LineOf(x, maxLine)
		if is {
			text = Column{}.cellText(x)
		} else {
			part = `<pre style="margin:0">` + html.EscapeString(clean(text)) + "</pre>"
		}
		found = found || is
		texts, parts = append(texts, text), append(parts, part)
	}
	note := ""
	if left := r.Len() - len(parts); left > 0 {
		note = fmt.Sprintf("… %s more", group(strconv.Itoa(left)))
		texts = append(texts, note)
	}
	return typeName(r.Type()) + "{" + strings.Join(texts, ", ") + "}", row(parts, note), found
}

// pictured reports whether a value is seen as a picture although it has fields.
func pictured(v any) bool {
	_, ok := v.(image.Image)
	return ok || taught(reflect.TypeOf(v))
}

// pieceHTML is a value inside a list or table that is drawn as a fragment.
func pieceHTML(v any) (string, bool) {
	if !drawn(v) {
		return "", false
	}
	if img, ok := v.(image.Image); ok && !taught(reflect.TypeOf(v)) {
		if r, problem := imageBounds(img); problem != "" || r.Empty() || r.Dx() > maxPiecePixels/r.Dy() {
			return "", false
		}
	}
	part := Render(v).fragment()
	return part, part != ""
}

// imageBounds asks a picture for its size.
func imageBounds(img image.Image) (r image.Rectangle, problem string) {
	problem = try(img, "Bounds", func() { r = img.Bounds() })
	return r, problem
}

// imageText is what is said of a picture.
func imageText(img image.Image) string {
	r, problem := imageBounds(img)
	if problem != "" {
		return problem
	}
	return fmt.Sprintf("%s, %d×%d pixels", typeName(reflect.TypeOf(img)), r.Dx(), r.Dy())
}
