package display

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

var regen = flag.Bool("regen", false, "rewrite the golden files")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *regen {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got+"\n" != string(want) {
		t.Errorf("%s differs (go test -regen rewrites it); got:\n%s\nwant:\n%s", name, got, want)
	}
}

type point struct{ X, Y int }
type temperature float64
type sample struct {
	Name  string
	Score float64
	Took  time.Duration
}
type base struct{ ID int }
type derived struct {
	base
	Name string
}
type Base struct{ ID int }
type embedding struct {
	Base
	Name   string
	hidden int
}
type quiet struct{ n int }

func (q quiet) String() string { return fmt.Sprintf("quiet %d", q.n) }

type onPointer struct{ n int }

// setter has a method on its pointer that has nothing to do with showing it.
type setter struct{ N int }

func (s *setter) Set(n int) { s.N = n }

func (p *onPointer) String() string { return fmt.Sprint("pointer ", p.n) }

type locked struct {
	mu sync.Mutex
	n  int
}

func (l *locked) String() string { l.mu.Lock(); return fmt.Sprint("locked ", l.n) }

type bomb struct{}

func (bomb) String() string { panic(errors.New("no text")) }
func (bomb) HTML() string   { panic("boom") }
func (bomb) Markdown() string {
	return "*fine*"
}

type evil struct{}

func (evil) Error() string { panic(evil{}) }

type goSpeaker struct{ a, b int }

func (goSpeaker) GoString() string { return "newGoSpeaker(1, 2)" }

type broken struct{}

func (broken) PNG() ([]byte, error) { return nil, errors.New("no canvas") }

func TestRenderText(t *testing.T) {
	cycle := map[string]any{}
	cycle["self"] = cycle
	type list struct {
		V    int
		Next *list
	}
	ring := &list{V: 1}
	ring.Next = ring
	var nilPoint *point
	var nilStringer *onPointer
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "nil"}, {2, "2"}, {2.5, "2.5"}, {float32(0.1), "0.1"}, {true, "true"}, {1 + 2i, "(1+2i)"},
		{"a\tb", `"a\tb"`}, {"a\nb", "`a\nb`"}, {"a`\nb", `"a` + "`" + `\nb"`},
		{temperature(36.6), "temperature(36.6)"}, {time.Second, "1s"}, {time.Tuesday, "Tuesday"},
		{point{1, 2}, "point{X: 1, Y: 2}"}, {&point{1, 2}, "&point{X: 1, Y: 2}"}, {nilPoint, "(*point)(nil)"},
		{nilStringer, "(*onPointer)(nil)"},
		{[]any{1, "a", nil, point{}, []int{1}}, `[]any{1, "a", nil, point{X: 0, Y: 0}, []int{1}}`},
		{[]int(nil), "[]int(nil)"}, {map[string]int(nil), "map[string]int(nil)"}, {(func())(nil), "(func())(nil)"},
		{map[string]int{"b": 1, "a": 2}, `map[string]int{"a": 2, "b": 1}`},
		{map[point]int{{2, 1}: 1, {1, 2}: 2}, `map[point]int{{X: 1, Y: 2}: 2, {X: 2, Y: 1}: 1}`},
		{cycle, "map[string]any{\"self\": (map[string]any from above)}"},
		{ring, "&list{V: 1, Next: (*list from above)}"},
		{[]byte("héllo"), `[]byte("héllo")`}, {[]byte{0, 255}, "[]byte{0, 255}"},
		{errors.New("bad"), "bad"}, {quiet{3}, "quiet 3"}, {[]quiet{{1}, {2}}, "[]quiet{quiet 1, quiet 2}"},
		{setter{3}, "setter{N: 3}"}, {&setter{3}, "&setter{N: 3}"},
		{onPointer{4}, "pointer 4"}, {&onPointer{4}, "pointer 4"}, {goSpeaker{1, 2}, "newGoSpeaker(1, 2)"},
		{bomb{}, "bomb.HTML panicked: boom"}, {evil{}, "evil.Error panicked: a value whose own text panics"},
		{broken{}, "broken.PNG failed: no canvas"},
		{make(chan int, 3), "chan int (0 of 3 buffered)"}, {strings.ToUpper, "func(string) string"},
		{[2][]int{{1}, nil}, "[2][]int{{1}, nil}"}, {struct{ A any }{3}, "struct { A any }{A: 3}"},
		{derived{base{1}, "x"}, `derived{Name: "x", …}`}, {&sync.Mutex{}, "&sync.Mutex{…}"},
		{struct{ X, y int }{1, 2}, "struct { X int; y int }{X: 1, …}"},
		{reflect.TypeFor[point](), "display.point"},
	} {
		got := strings.ReplaceAll(fmt.Sprint(Render(c.value).Data[TypeText]), "display.", "")
		if want := strings.ReplaceAll(c.want, "display.", ""); got != want {
			t.Errorf("%T: got %s, want %s", c.value, got, want)
		}
	}
}

func TestRenderDoesNotCopyLocks(t *testing.T) {
	l := &locked{n: 1}
	l.mu.Lock()
	v := reflect.ValueOf(l).Elem().Interface() // a locked copy, as a cell's value would be
	got := fmt.Sprint(Render(v).Data[TypeText])
	if !strings.HasPrefix(got, "display.locked{") {
		t.Errorf("got %q", got)
	}
}

func TestRenderIsBounded(t *testing.T) {
	deep := any(1)
	for range 10_000 {
		deep = []any{deep, deep}
	}
	wide := map[int][]int{}
	for i := range 5000 {
		wide[i] = make([]int, 5000)
	}
	for name, v := range map[string]any{"deep": deep, "wide": wide, "string": strings.Repeat("é", 1_000_000),
		"ints":    make([]int, 1_000_000),
		"structs": make([]sample, 100_000), "matrix": make([][20]int, 100_000)} {
		b := Render(v)
		for mime, data := range b.Data {
			if n := len(data.(string)); n > 100_000 {
				t.Errorf("%s: %s has %d bytes", name, mime, n)
			}
		}
	}
	if got := Render(make([]int, 1000)).Data[TypeText].(string); !strings.Contains(got, "… 900 more") {
		t.Errorf("nothing tells what was left out: %s", got)
	}
	if got := Render(make([]sample, 1000)).Data[TypeText].(string); !strings.Contains(got, "… 940 rows left out") {
		t.Errorf("nothing tells what was left out: %s", got)
	}
}

func TestRenderTables(t *testing.T) {
	for name, v := range map[string]any{
		"structs":  []sample{{"a", 1, time.Second}, {"日本", 2.25, 1500 * time.Nanosecond}},
		"pointers": []*sample{{"a", 1, time.Second}, nil},
		"embedded": []embedding{{Base{1}, "x", 2}, {Base{2}, "y", 3}},
		"records":  []map[string]any{{"a": 1, "b": "x"}, {"b": "y", "c": 2.5}},
		"byname":   map[string]sample{"one": {"a", 1, 0}, "two": {"b", 2, 1}},
		"card":     sample{"a", 1, time.Second},
		"matrix":   [][]float64{{1, 2.5}, {3}},
	} {
		b := Render(v)
		html, _ := b.Data[TypeHTML].(string)
		golden(t, name+".txt", fmt.Sprint(b.Data[TypeText])+"\n\n"+
			strings.ReplaceAll(strings.Replace(html, tableStyle, "<style/>", 1), "</tr>", "</tr>\n"))
	}
}

type many struct{}

func (many) HTML() string  { return "<b>x</b>" }
func (many) SVG() string   { return "<svg/>" }
func (many) LaTeX() string { return "$x$" }
func (many) JSON() any     { return map[string]int{"x": 1} }
func (many) Table() Table  { return *NewTable("t", Column{Title: "a"}).Add(1) }

type bundler struct{ b Bundle }

func (b bundler) MIMEBundle() Bundle { return b.b }

func TestRenderShapes(t *testing.T) {
	b := Render(many{})
	for _, mime := range []string{TypeText, TypeHTML, TypeSVG, TypeLaTeX, TypeJSON} {
		if b.Data[mime] == nil {
			t.Errorf("no %s in %v", mime, b.Data)
		}
	}
	if b.Data[TypeHTML] != "<b>x</b>" {
		t.Errorf("a value's own HTML is replaced by its table's: %s", b.Data[TypeHTML])
	}
	own := Bundle{Data: map[string]any{TypeHTML: "<i>"}}
	if got := Render(bundler{own}).Data[TypeText]; got != "<display.bundler>" {
		t.Errorf("completed with %q", got)
	}
	if len(own.Data) != 1 {
		t.Error("the value's own map was written to")
	}
	if got := Render(bundler{}).Data[TypeText]; got == nil {
		t.Error("an empty bundle has no text")
	}
	img := Render(image.NewGray(image.Rect(0, 0, 4, 3)))
	if data, _ := img.Data[TypePNG].([]byte); !bytes.HasPrefix(data, []byte("\x89PNG")) {
		t.Error("an image has no PNG")
	}
	if got := img.Metadata[TypePNG]; got != (ImageSize{4, 3}) {
		t.Errorf("size %v", got)
	}
	if got := Render(image.NewGray(image.Rectangle{})).Data[TypeText]; got != "*image.Gray, 0×0 pixels" {
		t.Errorf("an empty image: %v", got)
	}
}

type badJSON struct{}

func (badJSON) JSON() any { return map[string]any{"f": func() {}} }

type panicJSON struct{}

func (panicJSON) MarshalJSON() ([]byte, error) { panic("boom") }

// Whatever a value says of itself, what Render gives can be sent on.
func TestRenderedBundlesCanBeEncoded(t *testing.T) {
	type words string
	for _, c := range []struct {
		value any
		mime  string
		want  any
		text  string
	}{
		{JSON{map[string]int{"a": 1}}, TypeJSON, json.RawMessage(`{"a":1}`), `map[string]int{"a": 1}`},
		{JSON{math.NaN()}, TypeJSON, nil, "application/json is left out: json: unsupported value: NaN"},
		{badJSON{}, TypeJSON, nil, "application/json is left out: json: unsupported type: func()"},
		{JSON{panicJSON{}}, TypeJSON, nil, "application/json is left out: display.panicJSON.MarshalJSON panicked: boom"},
		{Bundle{Data: map[string]any{TypeHTML: words("<b>")}}, TypeHTML, "<b>", ""},
		{Bundle{Data: map[string]any{TypeHTML: []byte("<b>")}}, TypeHTML, "<b>", ""},
		{Bundle{Data: map[string]any{TypeHTML: 3}}, TypeHTML, nil, "text/html is left out: its value is int, not text"},
		{Bundle{Data: map[string]any{TypePNG: PNG{1}}}, TypePNG, []byte{1}, ""},
		{Bundle{Data: map[string]any{"application/x+json": json.RawMessage("{")}}, "application/x+json", nil, "left out"},
		{Bundle{Metadata: map[string]any{TypePNG: func() {}}}, TypePNG, nil, "the metadata of image/png is left out"},
	} {
		b := Render(c.value)
		if got := b.Data[c.mime]; !reflect.DeepEqual(got, c.want) || !strings.Contains(fmt.Sprint(b.Data[TypeText]), c.text) {
			t.Errorf("%v: got %v and %v", c.value, got, b.Data[TypeText])
		}
		if _, err := json.Marshal(b); err != nil {
			t.Errorf("%v: %v", c.value, err)
		}
	}
}

type costly struct{ t *testing.T }

func (costly) String() string       { return "in short" }
func (c costly) MIMEBundle() Bundle { c.t.Error("a bundle was made for its text"); return Bundle{} }

func TestLineOf(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "nil"}, {3, "3"}, {"text", `"text"`}, {"\nfirst\n\tsecond", "` first second`"},
		{(*dog)(nil), "(*display.dog)(nil)"},
		{[]dog{{"rex"}, {"max"}}, "[]display.dog{{Name: \"rex\"}, {Name: \"ma…"}, {errors.New("one\ntwo"), "one …"},
		{make([]int, 500), "[]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …"}, {Markdown("**b**\nmore"), "**b** …"},
		{NewTable("Launches", Column{Title: "a"}).Add(1), "Launches …"}, {90 * time.Second, "1m30s"},
	} {
		if got := LineOf(c.v, 40); got != c.want {
			t.Errorf("%#v: %q, want %q", c.v, got, c.want)
		}
	}
}

func TestTextOf(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{{nil, "nil"}, {3, "3"}, {costly{t}, "in short"}, {(*costly)(nil), "(*display.costly)(nil)"},
		{errors.New("bad"), "bad"}, {HTML("<b>"), "<b>"}, {[]int{1}, "[]int{1}"}} {
		if got := TextOf(c.value); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestRegister(t *testing.T) {
	type foreign struct{ n int }
	Register(func(f foreign) Bundle {
		if f.n == 0 {
			panic("zero")
		}
		return Bundle{Data: map[string]any{TypeHTML: fmt.Sprint(f.n)}}
	})
	if got := Render(foreign{7}).Data[TypeHTML]; got != "7" {
		t.Errorf("got %v", got)
	}
	if got := Render(foreign{}).Data[TypeText]; got != "display.foreign.Render panicked: zero" {
		t.Errorf("got %v", got)
	}
}

func TestKinds(t *testing.T) {
	for mime, v := range map[string]any{TypeHTML: HTML("<b>"), TypeMarkdown: Markdown("*a*"), TypeLaTeX: LaTeX("$a$"),
		TypeSVG: SVG("<svg/>"),
		TypePNG: PNG{1}, TypeJPEG: JPEG{1}, TypeJSON: JSON{[]int{1}}} {
		b := Render(v)
		if b.Data[mime] == nil || b.Data[TypeText] == nil {
			t.Errorf("%T: %v", v, b)
		}
	}
}
