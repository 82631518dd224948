package display

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"image"
	"image/color"
	"io"
	"io/fs"
	"math"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/template"
	"time"
	"unsafe"
)

// The types that these values have.
type (
	pair[K comparable, V any] struct {
		Key K
		Val V
	}
	tree[T any] struct {
		Value       T
		Left, Right *tree[T]
	}
	ringNode struct {
		Name string
		Next *ringNode
	}
	selfish   []selfish
	selfMap   map[string]selfMap
	animal    interface{ Sound() string }
	dog       struct{ Name string }
	weekdays  uint8
	accountID string
	inner     struct{ A, B int }
	outer     struct {
		Inner inner
		*inner
		Tags  map[string][]string
		Notes []string
		Err   error
		When  time.Time
		Do    func()
		Wait  chan int
		Any   any
	}
	private struct {
		Shown  int
		hidden map[string]int
		mu     sync.Mutex
	}
	quietNil   struct{ p *int }
	formatter  struct{ n int }
	failing    struct{ n int }
	endless    struct{}
	unwrapBomb struct{}
	wideStruct struct {
		A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, A18, A19, A20, A21, A22, A23, A24, A25,
		A26, A27, A28, A29, A30, A31, A32 int
	}
)

func (endless) Error() string                  { return "again" }
func (e endless) Unwrap() error                { return e }
func (unwrapBomb) Error() string               { return "outside" }
func (unwrapBomb) Unwrap() error               { panic("inside") }
func (d dog) Sound() string                    { return "wuff" }
func (f formatter) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "formatted") }
func (q *quietNil) String() string             { return fmt.Sprint(*q.p) }
func (failing) MarshalJSON() ([]byte, error)   { return nil, errors.New("no JSON") }

// values are what people end cells with, by name: the golden file holds what is shown of each.
func values() []pair[string, any] {
	ring := &ringNode{Name: "a"}
	ring.Next = &ringNode{Name: "b", Next: ring}
	selfSlice := selfish{nil}
	selfSlice[0] = selfSlice
	var selfAny any
	selfAny = &selfAny
	self := selfMap{}
	self["again"] = self
	grey := image.NewGray(image.Rect(0, 0, 2, 2))
	grey.SetGray(1, 1, color.Gray{Y: 200})
	when := time.Date(2026, 11, 21, 10, 30, 0, 5000, time.UTC)
	address, _ := url.Parse("https://user:pw@example.org:8080/a%20b?q=<x>&r=1#top")
	wrapped := fmt.Errorf("load %q: %w", "a<b>.txt", fmt.Errorf("read: %w", fs.ErrNotExist))
	counter, once := new(atomic.Int64), new(sync.Once)
	counter.Store(7)
	once.Do(func() {})
	var group sync.WaitGroup
	var table sync.Map
	table.Store("a", 1)
	buffered := make(chan string, 2)
	buffered <- "x"
	half, _ := new(big.Float).SetString("0.5")
	wide := make([][]float64, 3)
	for i := range wide {
		wide[i] = make([]float64, 200)
		wide[i][199] = float64(i)
	}
	tall := make([][]float64, 500)
	records := make([]pair[string, int], 1000)
	for i := range tall {
		tall[i] = []float64{float64(i), math.Sqrt(float64(i))}
	}
	for i := range records {
		records[i] = pair[string, int]{fmt.Sprint("k", i), i}
	}
	manyKeys := map[int]string{}
	for i := range 300 {
		manyKeys[i] = strings.Repeat("v", i%4)
	}
	four := 4
	to4 := &four
	return []pair[string, any]{
		{"nil", nil}, {"nil error in an interface", error(nil)}, {"nil pointer", (*dog)(nil)}, {"nil slice", []string(nil)},
		{"nil map", map[string]int(nil)},
		{"nil channel", (chan int)(nil)}, {"nil function", (func(int) error)(nil)}, {"nil Stringer", (*big.Int)(nil)},
		{"pointer to nil", new(*int)},
		{"interface with nil inside", []animal{nil, (*dog)(nil), dog{"rex"}}},
		{"int", 1 << 40}, {"uint8", uint8(200)}, {"rune", 'ä'}, {"negative zero", math.Copysign(0, -1)},
		{"infinity", math.Inf(-1)}, {"NaN", math.NaN()},
		{"float32", float32(1) / 3}, {"tiny", 5e-324}, {"complex", complex(1, -2.5)}, {"complex64", complex64(complex(0, 1))},
		{"uintptr", uintptr(255)},
		{"unsafe pointer", unsafe.Pointer(nil)},
		{"named integer", weekdays(3)}, {"named string", accountID("a-1")}, {"bool", false},
		{"string with HTML", "<script>alert(1)</script> & more"}, {"string not UTF-8", "a\xffb"},
		{"string with quotes", "`\"'"}, {"empty string", ""},
		{"lines", "first\nsecond\n"}, {"terminal colours", "\x1b[31mred\x1b[0m"},
		{"bytes of text", []byte("text <b>")}, {"bytes", []byte{0, 1, 254, 255}}, {"many bytes", make([]byte, 5000)},
		{"byte array", [4]byte{1, 2, 3, 4}},
		{"raw JSON", json.RawMessage(`{"a":[1,2],"b":"<i>"}`)}, {"raw JSON that is none", json.RawMessage("\xff\x00")},
		{"json.Number", json.Number("12.50")},
		{"big.Int", big.NewInt(1).Lsh(big.NewInt(1), 100)}, {"big.Int value", *big.NewInt(42)},
		{"big.Rat", big.NewRat(22, 7)}, {"big.Float", half}, {"huge big.Int", new(big.Int).Lsh(big.NewInt(1), 100_000)},
		{"list of big.Int", []*big.Int{big.NewInt(1), nil, big.NewInt(3)}},
		{"time", when}, {"pointer to time", &when}, {"duration", 90 * time.Second},
		{"durations", []time.Duration{time.Millisecond, time.Hour}}, {"month", time.March}, {"zone", time.UTC},
		{"times", []time.Time{when, {}}}, {"map of durations",
			map[string]time.Duration{"a": 1500 * time.Microsecond, "b": time.Hour}},
		{"url", address}, {"url value", *address}, {"IP", net.ParseIP("192.0.2.1")},
		{"netip", netip.MustParsePrefix("2001:db8::/32")}, {"MAC", net.HardwareAddr{1, 2, 3, 4, 5, 6}},
		{"IPNet", net.IPNet{IP: net.IPv4(10, 0, 0, 0), Mask: net.CIDRMask(8, 32)}},
		{"header", http.Header{"Accept": {"text/html", "*/*"}, "X-<b>": {"&"}}}, {"regexp", regexp.MustCompile(`^a<b>+`)},
		{"file mode", fs.FileMode(0o755 | fs.ModeDir)},
		{"error", errors.New("it failed: <b>")}, {"wrapped error", wrapped},
		{"joined errors", errors.Join(errors.New("one"), wrapped)},
		{"path error", &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}},
		{"error without end", endless{}}, {"error whose Unwrap panics", unwrapBomb{}},
		{"list of errors", []error{errors.New("one"), nil, wrapped}},
		{"map of errors", map[string]error{"a": nil, "b": wrapped}},
		{"channel", buffered}, {"receive only", (<-chan string)(buffered)}, {"function", strings.ToUpper},
		{"method", when.Format}, {"closure", func() int { return four }}, {"list of functions", []func(){nil, func() {}}},
		{"pointer to int", to4}, {"pointer to pointer", &to4}, {"pointer to slice", &[]int{1, 2}},
		{"pointer to map", &map[string]int{"a": 1}},
		{"cyclic pointers", ring}, {"slice in itself", selfSlice}, {"map in itself", self}, {"interface in itself", selfAny},
		{"struct", dog{"rex <3"}}, {"empty struct", struct{}{}}, {"anonymous struct", struct {
			X int `json:"x"`
			Y string
		}{1, "two"}},
		{"nested struct", outer{Inner: inner{1, 2}, Tags: map[string][]string{"a": {"b"}}, Err: io.EOF, When: when, Any: 3}},
		{"struct with a lock", &private{Shown: 1, hidden: map[string]int{"a": 1}, mu: sync.Mutex{}}},
		{"generic struct", pair[string, []int]{"a", []int{1}}},
		{"generic tree", &tree[int]{Value: 2, Left: &tree[int]{Value: 1}, Right: &tree[int]{Value: 3}}},
		{"list of structs", []dog{{"rex"}, {"<b>"}}}, {"list of generic structs",
			[]pair[string, float64]{{"a", 0.1}, {"b", 1e9}}}, {"list of pointers to structs", []*inner{{1, 2}, nil}},
		{"list of nested structs", []struct {
			ID  int
			In  inner
			Tag []string
		}{{1, inner{1, 2}, []string{"a"}}, {2, inner{}, nil}}},
		{"array of structs", [2]inner{{1, 2}, {3, 4}}}, {"map of structs", map[int]inner{2: {3, 4}, 1: {1, 2}}},
		{"map of maps", map[string]map[string]int{"a": {"x": 1, "y": 2}, "b": {"y": 3}}},
		{"map of lists", map[string][]int{"a": {1, 2}, "b": nil}}, {"map with struct keys", map[inner]string{{1, 2}: "a"}},
		{"map with mixed keys", map[any]any{1: "a", "b": 2, nil: 3}},
		{"map with NaN keys", map[float64]int{math.NaN(): 1, 2: 2}},
		{"records", []map[string]any{{"name": "a", "n": 1, "deep": map[string]int{"x": 1}}, {"name": nil, "other": "<td>"}}},
		{"decoded records", []any{map[string]any{"name": "a", "n": 1.5}, map[string]any{"name": "b"}}},
		{"decoded lists", []any{[]any{"x", 1.0, nil}, []any{"y", 2.5}}},
		{"decoded mixture", []any{map[string]any{"a": 1.0}, 2.0}},
		{"decoded JSON", map[string]any{"a": []any{1.0, "x", nil, map[string]any{"b": true}}}},
		{"table of text", [][]string{{"a", "<b>"}, {"c"}}}, {"matrix", [][]float64{{1, 0.5}, {math.Pi, math.NaN()}}},
		{"array matrix", [2][2]int{{1, 2}, {3, 4}}}, {"three dimensions", [][][]int{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}},
		{"ragged", [][]int{{1}, nil, {1, 2, 3}}},
		{"wide matrix", wide}, {"tall matrix", tall}, {"wide structs", []wideStruct{{A1: 1, A32: 2}}},
		{"many structs", records}, {"map of many", manyKeys}, {"long list", make([]int, 1000)},
		{"long string", strings.Repeat("long ", 5000)}, {"empty lists", [][]float64{}},
		{"matrix of nothing", [][]int{{}, {}}},
		{"grey image", grey}, {"empty image", image.NewRGBA(image.Rectangle{})},
		{"uniform image", image.NewUniform(color.White)}, {"colour", color.RGBA{1, 2, 3, 4}},
		{"rectangle", image.Rect(1, 2, 3, 4)},
		{"Stringer that panics", bomb{}}, {"error that panics", evil{}}, {"nil inside a Stringer", &quietNil{}},
		{"list of those that panic", []evil{{}, {}}}, {"map with those that panic", map[string]evil{"a": {}}},
		{"Formatter", formatter{1}}, {"Marshaler that fails", JSON{failing{1}}},
		{"mutex", &sync.Mutex{}}, {"atomic", counter}, {"once", once}, {"wait group", &group}, {"sync.Map", &table},
		{"pool", &sync.Pool{}},
		{"context", context.Background()}, {"cancelled context", cancelled()}, {"type", reflect.TypeFor[pair[string, int]]()},
		{"reflect.Value", reflect.ValueOf(map[string]int{"a": 1})}, {"token", token.ADD},
		{"template", template.Must(template.New("t").Parse("{{.}}"))}, {"file", os.Stdin},
		{"reader", strings.NewReader("abc")}, {"builder", builder("so far")},
	}
}

func builder(s string) *strings.Builder {
	b := new(strings.Builder)
	b.WriteString(s)
	return b
}

func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestValues compares what is shown of each with testdata/values.txt.
func TestValues(t *testing.T) {
	var all strings.Builder
	for _, v := range values() {
		fmt.Fprintf(&all, "-- %s --\n", v.Key)
		b := Render(v.Val)
		if text, ok := b.Data[TypeText].(string); !ok || text == "" {
			t.Errorf("%s: no text", v.Key)
		}
		for _, mime := range []string{TypeText, TypeHTML, TypePNG, TypeJSON} {
			data, ok := b.Data[mime]
			if !ok {
				continue
			}
			text, ok := data.(string)
			if !ok {
				text = fmt.Sprintf("%T", data)
			}
			if mime == TypeHTML {
				text = strings.ReplaceAll(strings.Replace(text, tableStyle, "<style/>", 1), "</tr>", "</tr>\n")
				if strings.Contains(text, "<script") || strings.Contains(text, "<b>") || strings.Contains(text, "<i>") {
					t.Errorf("%s: text of the value is HTML in the page", v.Key)
				}
			}
			if len(text) > 100_000 {
				t.Errorf("%s: %d bytes of %s", v.Key, len(text), mime)
			}
			fmt.Fprintf(&all, "%s: %s\n", mime, shortened(text))
		}
	}
	golden(t, "values.txt", all.String())
}

// shortened keeps the beginning and the end of what is long.
func shortened(s string) string {
	const keep = 700
	if len(s) <= 2*keep {
		return s
	}
	return strings.ToValidUTF8(s[:keep], "") + fmt.Sprintf("\n[... %d bytes ...]\n", len(s)-2*keep) +
		strings.ToValidUTF8(s[len(s)-keep:], "")
}

// TestLargeMap is a map whose keys are not put in order: its text is bounded, and tells how much is
// left out.
func TestLargeMap(t *testing.T) {
	large := map[int]bool{}
	for i := range maxSorted + 1 {
		large[i] = true
	}
	b := Render(large)
	if text := b.Data[TypeText].(string); !strings.Contains(text, "… 99,901 more") {
		t.Errorf("nothing tells what was left out: %s", text)
	}
	if html := b.Data[TypeHTML].(string); !strings.Contains(html, "… 99,941 rows left out") {
		t.Errorf("nothing tells what was left out: %s", html)
	}
}

// TestRegisterType is how a cell teaches a type of somebody else's.
func TestRegisterType(t *testing.T) {
	RegisterType(reflect.TypeFor[netip.AddrPort](), func(v any) Bundle {
		return Bundle{Data: map[string]any{TypeHTML: "<code>" + v.(netip.AddrPort).String() + "</code>"}}
	})
	b := Render(netip.MustParseAddrPort("192.0.2.1:80"))
	if b.Data[TypeHTML] != "<code>192.0.2.1:80</code>" || b.Data[TypeText] != "192.0.2.1:80" {
		t.Errorf("%v", b.Data)
	}
}
