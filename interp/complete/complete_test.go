package complete

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

const earlier = `type Point struct{ X, Y int; name string }
func (p Point) Norm() float64 { return 0 }
func (p *Point) Move(dx int) {}
type Line struct{ Point; Width int }
point := Point{}
total := 0
var lines []Line
var table map[string]Point
func compute(n int) (Point, error) { return Point{}, nil }
import "os"`

func checker(t testing.TB) *check.Checker {
	t.Helper()
	c, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := c.Check(1, earlier)
	if err != nil {
		t.Fatal(err)
	}
	c.Commit(k)
	return c
}

// The cursor stands at the bar. want are candidates that have to be there, and ones behind a minus
// that must not.
func TestAt(t *testing.T) {
	tests := []struct{ text, want string }{
		{"po|", "point"},
		{"tot|", "total"},
		{"point.|", "X Y name Norm Move"},
		{"point.N|", "Norm -Move"},
		{"point.n|", "name Norm"},
		{"x := point.|\ny := 2", "X Norm"},
		{"fmt.Println(point.|", "X Norm"},
		{"fmt.Println(point.|)", "X Norm"},
		{"if point.|", "X"},
		{"for _, l := range lines { l.| }", "Width Point X Norm"},
		{"for _, l := range lines { l.|", "Width Point X Norm"},
		{"strings.ToU|", "ToUpper ToUpperSpecial"},
		{"strings.|", "Builder Fields"},
		{"os.Ar|", "Args"},
		{"Point{|}", "X Y name"},
		{"Point{X: 1, |}", "Y"},
		{"Point{X: tot|}", "total -X"},
		{"&Line{W|", "Width"},
		{"fu|", "func"},
		{"app|", "append"},
		{"func f(alpha int) { al| }", "alpha"},
		{"func f(alpha int) { beta := alpha; be|", "beta"},
		{"func f() { if true { inner := 1; inn| } }", "inner"},
		{"func f() { lat|\n later := 1; _ = later }", "-later"},
		{"g := func(arg int) { ar| }", "arg"},
		{"compute(tot|", "total"},
		{"table[\"a\"].|", "X"},
		{"lines[0].|", "Width"},
		{"p, err := compute(1)\nerr.|", "Error"},
		{"p, err := compute(1)\np.|\nfmt.Println(p)", "X"},
		{"import \"enc|\"", "encoding/json"},
		{"import (\n\t\"net/h|\"\n)", "net/http"},
		{"s := \"po|\"", "-point"},
		{"// po|", "-point"},
		{"switch point.|", "X"},
		{"switch total { case tot|", "total"},
		{"go point.|", "Move"},
		{"defer point.|", "Move"},
		{"return tot|", "total"},
		{"var q Poi|", "Point"},
		{"x := []Poi|", "Point"},
		{"Point.|", "Norm -X"},
		{"jso|", "json"},
		{"json.Mar|", "Marshal"},
		{"(&point).Mo|", "Move"},
		{"äö := point; äö.|", "X"},
		{"äö := 1\nä|", "äö"},
		{"chan po|", ""},
		{"}|", ""},
		{"|", "point total Point"},
		{"nothing.|", ""},
		{"time.Now().Un|", "Unix"},
	}
	c := checker(t)
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			cursor := strings.IndexByte(test.text, '|')
			text := strings.Replace(test.text, "|", "", 1)
			start, end, list := At(c, text, cursor)
			if start > end || end > len(text) || start < 0 {
				t.Fatalf("replaces %d to %d of %d", start, end, len(text))
			}
			var names []string
			for _, x := range list {
				names = append(names, x.Text)
				if x.Kind == "" {
					t.Errorf("%s has no kind", x.Text)
				}
			}
			for _, w := range strings.Fields(test.want) {
				if not, minus := strings.CutPrefix(w, "-"); slices.Contains(names, not) == minus {
					t.Errorf("want %s in %v", w, names)
				}
			}
		})
	}
}

// TestEverywhere completes and inspects at every place of a text with everything in it.
func TestEverywhere(t *testing.T) {
	const text = "import \"fmt\"\ntype T[K comparable] struct{ m map[K]int }\nfunc (t *T[K]) Get(k K) int { if v, ok := t.m[k]; ok { return v }; return 0 }\n" +
		"t := &T[string]{m: map[string]int{\"a\": 1}}\nfor i, s := range []string{`x`, \"y\\\"z\"} {\n\tswitch { case i > 0: fmt.Println(s, 'c', t.Get(s)) // note\n\tdefault: L: for { break L } }\n}\nt.Get(\"ä\")"
	c := checker(t)
	for i := range len(text) + 1 {
		began := time.Now()
		At(c, text, i)
		At(c, text[:i], i)
		Inspect(c, text, i)
		if d := time.Since(began); d > 500*time.Millisecond {
			t.Errorf("at %d: %v", i, d)
		}
	}
}

func TestInspect(t *testing.T) {
	tests := []struct{ text, signature, doc string }{
		{"strings.To|Upper(\"a\")", "func strings.ToUpper(s string) string", "ToUpper returns s"},
		{"str|ings.ToUpper(\"a\")", "package strings // import \"strings\"", "Package strings implements"},
		{"point|", "var point Point", ""},
		{"point.No|rm()", "func (Point).Norm() float64", ""},
		{"compute|", "func compute(n int) (Point, error)", ""},
		{"var b strings.Builder\nb.Write|String(\"x\")", "func (*strings.Builder).WriteString(s string) (int, error)", "WriteString appends"},
		{"math.P|i", "const math.Pi untyped float", ""},
		{"os.Ar|gs", "var os.Args []string", "Args hold the command-line arguments"},
		{"time.Dura|tion(1)", "type time.Duration int64", "A Duration represents"},
		{"1 + |2", "", ""},
		{"   |", "", ""},
	}
	c := checker(t)
	for _, test := range tests {
		cursor := strings.IndexByte(test.text, '|')
		s, ok := Inspect(c, strings.Replace(test.text, "|", "", 1), cursor)
		if ok != (test.signature != "") {
			t.Errorf("%s: found %v %+v", test.text, ok, s)
			continue
		}
		if ok && (s.Signature != test.signature || !strings.HasPrefix(s.Doc, test.doc)) {
			t.Errorf("%s: %q %q, want %q %q", test.text, s.Signature, s.Doc, test.signature, test.doc)
		}
	}
}

func BenchmarkAt(b *testing.B) {
	c := checker(b)
	for b.Loop() {
		At(c, "x := 1\nfmt.Println(point.", len("x := 1\nfmt.Println(point."))
	}
}

func FuzzAt(f *testing.F) {
	f.Add("point.", 6)
	f.Add("Point{X: 1, ", 12)
	f.Add("func f() { \"a` // \n", 7)
	c := checker(f)
	f.Fuzz(func(t *testing.T, text string, cursor int) {
		At(c, text, cursor)
		Inspect(c, text, cursor)
	})
}
