package progen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program returns the program of a seed: package main, with no imports but of the standard library.
// The same seed gives the same program.
func Program(seed uint64) string {
	g := &gen{r: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), byName: map[string]*typ{}}
	g.constants()
	g.universe()
	g.genericTypes()
	g.genericFunctions()
	g.globals()
	g.initialised()
	for range 2 + g.n(4) {
		g.function()
	}
	g.mainFunction()
	return "package main\n" + imports + prelude + g.decls.String()
}

type variable struct {
	name string
	typ  *typ
	set  bool // may be assigned
}

// A gen is the state of one program's making.
type gen struct {
	r       *rand.Rand
	types   []*typ
	byName  map[string]*typ
	decls   strings.Builder
	out     strings.Builder // the statements of the function being written
	indent  int
	names   map[string]int
	scope   []variable
	fns     []fn
	insts   []instance // that do not print
	pures   []instance // generic functions, which may print
	nest    int        // of statements
	loops   []string
	generic bool // in a generic function, whose composites stay its own
	results []*typ
	leaf    bool // no calls of functions that print or change globals

	consts   []constantName
	shows    []string // calls that print constants
	generics []genericType
	told     bool // initialisers write a log
}

// n is a number below k.
func (g *gen) n(k int) int { return g.r.IntN(k) }

func pick[T any](g *gen, s []T) T { return s[g.n(len(s))] }

func pickString(g *gen, s ...string) string { return pick(g, s) }

func (g *gen) fresh(prefix string) string {
	if g.names == nil {
		g.names = map[string]int{}
	}
	g.names[prefix]++
	return fmt.Sprintf("%s%d", prefix, g.names[prefix])
}

func (g *gen) decl(format string, args ...any) { fmt.Fprintf(&g.decls, format, args...) }

// p writes a line of the function's body.
func (g *gen) p(format string, args ...any) {
	g.out.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

// block writes head { ... }, with its own scope.
func (g *gen) block(head string, body func()) {
	g.p("%s {", head)
	g.inside(body)
	g.p("}")
}

func (g *gen) inside(body func()) {
	mark := len(g.scope)
	g.indent++
	g.nest++
	body()
	g.nest--
	g.indent--
	g.scope = g.scope[:mark]
}

func (g *gen) add(name string, t *typ) {
	g.scope = append(g.scope, variable{name, t, true})
	g.p("_ = %s", name)
}

// within is an expression over vars alone.
func (g *gen) within(vars []variable, t *typ, depth int) string {
	old := g.scope
	g.scope = vars
	defer func() { g.scope = old }()
	return g.expr(t, depth)
}

// variables are those in scope of type t; settable ones if set.
func (g *gen) variables(t *typ, set bool) (vs []variable) {
	for _, v := range g.scope {
		if v.typ == t && (v.set || !set) {
			vs = append(vs, v)
		}
	}
	return vs
}

// where are the variables in scope that ok accepts.
func (g *gen) where(ok func(variable) bool) (vs []variable) {
	for _, v := range g.scope {
		if ok(v) {
			vs = append(vs, v)
		}
	}
	return vs
}

func (g *gen) globals() {
	for range 2 + g.n(4) {
		t := g.data()
		name := g.fresh("global")
		g.decl("var %s %s = %s\n", name, t.name, g.within(nil, t, 1))
		g.scope = append(g.scope, variable{name, t, true})
	}
}

func (g *gen) mainFunction() {
	g.out.Reset()
	g.indent = 1
	if g.told {
		g.p("fmt.Println(log)")
	}
	for i := range 4 + g.n(5) {
		g.p("try(%d, func() {", i)
		g.inside(func() {
			for range 4 + g.n(7) {
				g.statement()
			}
		})
		g.p("})")
	}
	for _, v := range g.scope {
		if v.typ.printable() {
			g.p("fmt.Println(%q, %s)", v.name, v.name)
		}
	}
	if g.n(4) == 0 {
		g.p("fuel = 100")
		g.statement()
		g.risky()
		if g.n(2) == 0 {
			g.p("panic(%s)", g.panicValue())
		}
	}
	g.decl("func main() {\n%s}\n", g.out.String())
}

const imports = `
import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"
)
`

const prelude = `
var _ = errors.New
var _ = slices.Sort[[]int]
var _ = sort.Ints
var _ = strconv.Itoa
var _ = strings.ToUpper
var _ sync.Mutex
var _ iter.Seq[int]
var _ = runtime.Goexit
var _ atomic.Int64
var _ = utf8.RuneLen
var _ unsafe.Pointer

var fuel = 3000

func burn() bool { fuel--; return fuel >= 0 }

func try(n int, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("body %d: %T %v\n", n, r, r)
		}
	}()
	f()
}

func id[T any](x T) T { return x }

func cond[T any](b bool, x, y T) T {
	if b {
		return x
	}
	return y
}

func at[T any](s []T, i int) (z T) {
	if len(s) == 0 {
		return z
	}
	return s[int(uint(i)%uint(len(s)))]
}

func sub(s string, i, j uint8) string {
	a, b := int(i)%(len(s)+1), int(j)%(len(s)+1)
	return s[min(a, b):max(a, b)]
}

func clip[T any](s []T) []T { return s[:min(len(s), 12)] }

func clipText(s string) string { return s[:min(len(s), 40)] }

func deref[T any](p *T) (z T) {
	if p == nil {
		return z
	}
	return *p
}

func ref[T any](x T) *T { return &x }

func whole(f float64) int64 {
	if f > -1e15 && f < 1e15 {
		return int64(f)
	}
	return 77
}

type ints interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

type pair[A, B any] struct {
	a A
	b B
}

func (p pair[A, B]) swap() pair[B, A] { return pair[B, A]{p.b, p.a} }

func (p *pair[A, B]) put(a A) { p.a = a }

type list[T any] struct {
	next *list[T]
	v    T
}

func (l *list[T]) push(v T) *list[T] { return &list[T]{l, v} }

func (l *list[T]) all() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for ; l != nil; l = l.next {
			if !yield(i, l.v) {
				return
			}
			i++
		}
	}
}

func upto(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer func() { fuel -= 2 }()
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

type fault struct{ code int }

func (f *fault) Error() string { return "fault " + strconv.Itoa(f.code) }

`
