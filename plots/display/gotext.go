package display

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The bounds of a value's text: what is longer says how much was left out.
const (
	maxItems  = 100   // elements of one slice or map
	maxNodes  = 2000  // values in one text
	maxString = 10000 // bytes of one string
	maxDepth  = 12
	lineWidth = 100
)

// goText is a value in Go's syntax, of bounded size.
func goText(v any) string {
	p := printer{left: maxNodes}
	return p.top(reflect.ValueOf(v)).layout("", lineWidth)
}

// goTextBounded is goText in one line of at most n bytes.
func goTextBounded(v any, n int) string {
	p := printer{left: 100}
	return cutString(p.top(reflect.ValueOf(v)).flat(), n)
}

func cutString(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

var mainPackage = regexp.MustCompile(`\bmain\.`)

// usual names types as people write them.
var usual = strings.NewReplacer("interface {}", "any", "[]uint8", "[]byte")

// typeName is a type as a cell writes it: without the package that all cells are in.
func typeName(t reflect.Type) string {
	if t == nil {
		return "nil"
	}
	return usual.Replace(mainPackage.ReplaceAllString(t.String(), ""))
}

// A node is a piece of text: a leaf, or a list between braces.
type node struct {
	text  string // the leaf, or what stands before the list
	list  bool
	items []node
}

// flat is the node in one line.
func (n node) flat() string {
	if !n.list {
		return n.text
	}
	parts := make([]string, len(n.items))
	for i, item := range n.items {
		parts[i] = item.flat()
	}
	return n.text + "{" + strings.Join(parts, ", ") + "}"
}

// layout is the node in one line where it fits, else a line for each item; leaves of a plain list
// share lines.
func (n node) layout(indent string, width int) string {
	flat := n.flat()
	if !n.list || len(indent)+utf8.RuneCountInString(flat) <= width && !strings.Contains(flat, "\n") {
		return flat
	}
	inner := indent + "    "
	var b strings.Builder
	b.WriteString(n.text + "{\n")
	used := 0
	for i, item := range n.items {
		s := item.layout(inner, width) + ","
		if fits := len(inner)+used+1+utf8.RuneCountInString(s) <= width; i > 0 && n.scalars() && fits {
			b.WriteString(" " + s)
			used += 1 + utf8.RuneCountInString(s)
			continue
		}
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(inner + s)
		used = utf8.RuneCountInString(s)
	}
	b.WriteString("\n" + indent + "}")
	return b.String()
}

// scalars reports whether the items are short leaves without names.
func (n node) scalars() bool {
	for _, item := range n.items {
		if item.list || len(item.text) > 24 {
			return false
		}
	}
	return true
}

// A printer turns a value into nodes, at most left of them.
type printer struct {
	left  int
	depth int
	above []uintptr // the pointers, maps and slices that are being printed
}

func leaf(s string) node { return node{text: s} }

// top prints a value that stands alone: there a named scalar shows its type.
func (p *printer) top(v reflect.Value) node {
	n := p.value(v, true)
	if v.IsValid() && isScalar(v.Kind()) && v.Type().PkgPath() != "" {
		if _, own := p.own(v); !own {
			return leaf(typeName(v.Type()) + "(" + n.text + ")")
		}
	}
	return n
}

func isScalar(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

// own is the text that a nested value has for itself, if its methods may be called.
func (p *printer) own(v reflect.Value) (string, bool) {
	if !v.CanInterface() || p.depth == 0 && v.Kind() != reflect.Pointer && !isScalar(v.Kind()) {
		return "", false
	}
	s, ok := ownText(v.Interface())
	return cutString(s, 200), ok && !strings.Contains(s, "\n")
}

// value prints v; typed says that its composite literal needs its type.
func (p *printer) value(v reflect.Value, typed bool) node {
	if !v.IsValid() {
		return leaf("nil")
	}
	if p.left--; p.left < 0 || p.depth > maxDepth {
		return leaf("…")
	}
	if s, ok := p.own(v); ok && p.depth > 0 {
		return leaf(s)
	}
	p.depth++
	defer func() { p.depth-- }()
	if f := printers[v.Kind()]; f != nil {
		return f(p, v, typed)
	}
	return leaf(scalarText(v))
}

// printers holds what is not a scalar. It is filled by init because its functions refer to it.
var printers map[reflect.Kind]func(p *printer, v reflect.Value, typed bool) node

func init() {
	printers = map[reflect.Kind]func(*printer, reflect.Value, bool) node{
		reflect.Struct: (*printer).structure, reflect.Slice: (*printer).slice, reflect.Array: (*printer).list,
		reflect.Map: (*printer).mapping, reflect.Pointer: (*printer).pointer, reflect.Interface: (*printer).iface,
		reflect.Func: (*printer).function, reflect.Chan: (*printer).channel,
		reflect.UnsafePointer: func(_ *printer, v reflect.Value, _ bool) node {
			return leaf(fmt.Sprintf("0x%x", v.Pointer()))
		},
	}
}

func scalarText(v reflect.Value) string {
	switch k := v.Kind(); {
	case k == reflect.String:
		return quote(v.String())
	case k == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case k == reflect.Float32:
		return strconv.FormatFloat(v.Float(), 'g', -1, 32)
	case k == reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case k == reflect.Complex64:
		return strconv.FormatComplex(v.Complex(), 'g', -1, 64)
	default:
		return strconv.FormatComplex(v.Complex(), 'g', -1, 128)
	}
}

// quote is a Go string literal: raw where there are lines to be read.
func quote(s string) string {
	rest := ""
	if len(s) > maxString {
		rest = fmt.Sprintf(" /* %s bytes more */", group(strconv.Itoa(len(s)-maxString)))
		s = strings.TrimSuffix(cutString(s, maxString), "…")
	}
	if strings.Contains(s, "\n") && strconv.CanBackquote(strings.ReplaceAll(s, "\n", "")) {
		return "`" + s + "`" + rest
	}
	return strconv.Quote(s) + rest
}

// prefix is the type of a composite literal, where it is needed.
func prefix(v reflect.Value, typed bool) string {
	if typed {
		return typeName(v.Type())
	}
	return ""
}

func (p *printer) structure(v reflect.Value, typed bool) node {
	n := node{text: prefix(v, typed), list: true}
	hidden := false
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if hides(f) {
			hidden = true
			continue
		}
		item := p.value(v.Field(i), true)
		item.text = f.Name + ": " + item.text
		n.items = append(n.items, item)
	}
	if hidden {
		n.items = append(n.items, leaf("…"))
	}
	return n
}

// hides reports whether a field is another package's own affair. Its value says little to who did
// not write that package, and a goroutine of the package may be changing it: a map that is read
// meanwhile ends the process.
func hides(f reflect.StructField) bool { return f.PkgPath != "" && f.PkgPath != "main" }

func (p *printer) slice(v reflect.Value, typed bool) node {
	if v.IsNil() {
		return leaf(nilOf(v, typed))
	}
	if v.Type().Elem().Kind() == reflect.Uint8 && utf8.Valid(v.Bytes()) && printable(string(v.Bytes())) && v.Len() > 0 {
		return leaf(typeName(v.Type()) + "(" + quote(string(v.Bytes())) + ")")
	}
	return p.under(v, v.Pointer(), func() node { return p.list(v, typed) })
}

func printable(s string) bool {
	for _, r := range s {
		if !strconv.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			return false
		}
	}
	return true
}

func nilOf(v reflect.Value, typed bool) string {
	if !typed {
		return "nil"
	}
	name := typeName(v.Type())
	if strings.HasPrefix(name, "*") || strings.HasPrefix(name, "func") || strings.HasPrefix(name, "<-") {
		name = "(" + name + ")"
	}
	return name + "(nil)"
}

func (p *printer) list(v reflect.Value, typed bool) node {
	n := node{text: prefix(v, typed), list: true}
	elem := v.Type().Elem().Kind() == reflect.Interface
	for i := range v.Len() {
		if i == maxItems || p.left <= 0 {
			n.items = append(n.items, more(v.Len()-i))
			break
		}
		n.items = append(n.items, p.value(v.Index(i), elem))
	}
	return n
}

func more(n int) node { return leaf(fmt.Sprintf("… %s more", group(strconv.Itoa(n)))) }

func (p *printer) mapping(v reflect.Value, typed bool) node {
	if v.IsNil() {
		return leaf(nilOf(v, typed))
	}
	return p.under(v, v.Pointer(), func() node {
		n := node{text: prefix(v, typed), list: true}
		for _, e := range entries(v) {
			if len(n.items) == maxItems || p.left <= 0 {
				break
			}
			item := p.value(e.value, v.Type().Elem().Kind() == reflect.Interface)
			item.text = p.value(e.key, false).flat() + ": " + item.text
			n.items = append(n.items, item)
		}
		if left := v.Len() - len(n.items); left > 0 {
			n.items = append(n.items, more(left))
		}
		return n
	})
}

func (p *printer) pointer(v reflect.Value, typed bool) node {
	if v.IsNil() {
		return leaf(nilOf(v, typed))
	}
	return p.under(v, v.Pointer(), func() node {
		n := p.value(v.Elem(), true)
		if !n.list {
			return leaf("&" + typeName(v.Type().Elem()) + "(" + n.text + ")")
		}
		n.text = "&" + n.text
		return n
	})
}

func (p *printer) iface(v reflect.Value, _ bool) node {
	if v.IsNil() {
		return leaf("nil")
	}
	return p.value(v.Elem(), true)
}

func (p *printer) function(v reflect.Value, typed bool) node {
	if v.IsNil() {
		return leaf(nilOf(v, typed))
	}
	return leaf(typeName(v.Type()))
}

func (p *printer) channel(v reflect.Value, typed bool) node {
	if v.IsNil() {
		return leaf(nilOf(v, typed))
	}
	return leaf(fmt.Sprintf("%s (%d of %d buffered)", typeName(v.Type()), v.Len(), v.Cap()))
}

// under prints what is behind a reference, unless it is being printed already: then it says so.
func (p *printer) under(v reflect.Value, address uintptr, print func() node) node {
	for _, a := range p.above {
		if a == address && v.Kind() != reflect.Slice {
			return leaf("(" + typeName(v.Type()) + " from above)")
		}
	}
	p.above = append(p.above, address)
	defer func() { p.above = p.above[:len(p.above)-1] }()
	return print()
}
