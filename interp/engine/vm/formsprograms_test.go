package vm_test

import (
	"fmt"
	"slices"
	"strings"
)

// A kind of values that forms are written for, with what its values are and which operators it has.
type formKind struct {
	name, values string
	operators    []string
	ordered      bool
	constants    []string // operands
	other, more  string   // expressions of a and b that are computed in their users
}

var (
	signed   = []string{"+", "-", "*", "/", "%", "&", "|", "^", "&^"}
	floating = []string{"+", "-", "*", "/"}
)

func formKinds() (all []formKind) {
	for bits, name := range map[int]string{8: "int8", 16: "int16", 32: "int32", 64: "int64", 0: "int"} {
		w := bits
		if w == 0 {
			w = 64
		}
		all = append(all, formKind{name, fmt.Sprintf("0, 1, -1, 3, -7, 100, %d, %d", int64(1)<<(w-1)-1, -int64(1)<<(w-1)),
			signed, true, []string{"1", "3", "-5", "8"}, "(a ^ b)", "(b ^ 1)"})
	}
	for bits, name := range map[int]string{8: "uint8", 16: "uint16", 32: "uint32", 64: "uint64", 0: "uint", 1: "uintptr"} {
		w := bits
		if w < 8 {
			w = 64
		}
		values := fmt.Sprintf("0, 1, 3, 7, 100, %d", ^uint64(0)>>(64-w))
		all = append(all, formKind{name, values, signed, true, []string{"1", "3", "8"}, "(a ^ b)", "(b ^ 1)"})
	}
	for _, name := range []string{"float32", "float64"} {
		values := "0, 1, -1.5, 3, 1e30, nan[" + name + "](), " + name + "(math.Inf(1)), -0.25"
		all = append(all, formKind{name, values, floating, true,
			[]string{"1", "2.5", "-3"}, "(a - b)", "(b - 1)"})
	}
	all = append(all,
		formKind{"complex64", "0, 1+2i, -1i", floating, false, []string{"2i"}, "(a - b)", "(b - 1)"},
		formKind{"complex128", "0, 1+2i, -1i", floating, false, []string{"2i"}, "(a - b)", "(b - 1)"},
		formKind{"string", `"", "a", "ab", "b"`, []string{"+"}, true, []string{`"a"`, `""`}, "(a + b)", "(b + b)"},
		formKind{"bool", "true, false", nil, false, []string{"true", "false"}, "(a == b)", "(b == true)"},
		formKind{"*int", "nil, &ints[0], &ints[1]", nil, false, []string{"nil"}, "*hold(&a)", "*hold(&b)"},
	)
	slices.SortFunc(all, func(x, y formKind) int { return strings.Compare(x.name, y.name) })
	return all
}

// A writer of a program: its functions, and the calls of them.
type formWriter struct {
	funcs, calls strings.Builder
	n            int
}

// pair writes a function of two values of type t, with T for it, and calls it with all pairs of them.
func (w *formWriter) pair(k formKind, results, body string) {
	w.n++
	body = strings.ReplaceAll(body, "$T", k.name)
	results = strings.ReplaceAll(results, "$T", k.name)
	fmt.Fprintf(&w.funcs, "func f%d(a, b %s) (%s) { %s }\n", w.n, k.name, results, body)
	inner := fmt.Sprintf("f%d(a, b)", w.n)
	fmt.Fprintf(&w.calls, "\tpairs(%q, func(a, b %s) []any { return of(%s) })\n", oneLine(body), k.name, inner)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (w *formWriter) program(k formKind) string {
	return fmt.Sprintf(`package main

import ("fmt"; "hash/fnv"; "math"; "unsafe")

var _ = math.Inf
var _ unsafe.Pointer
var ints = []int{1, 2, 3}
var values = []%[1]s{%[2]s}

func nan[F float32 | float64]() F { return F(math.NaN()) }
func hold(p **int) **int { return p }
func of(list ...any) []any { return list }
func text(x any) string {
	switch x := x.(type) {
	case *int:
		for i := range ints { if x == &ints[i] { return fmt.Sprint("&ints", i) } }
	case []%[1]s:
		t := ""
		for _, y := range x { t += text(y) }
		return t
	case []record2:
		t := ""
		for _, y := range x { t += text(y.f) + text(y.n) }
		return t
	}
	return fmt.Sprintf("%%T %%v", x, x)
}
func pairs(name string, f func(a, b %[1]s) []any) {
	h := fnv.New64()
	try := func(a, b %[1]s) {
		defer func() { if e := recover(); e != nil { fmt.Fprint(h, "panic: ", e) } }()
		for _, x := range f(a, b) { fmt.Fprint(h, text(x), ";") }
	}
	for i, a := range values { for _, j := range []int{0, 1, 3} { try(a, values[(i+j) %% len(values)]) } }
	fmt.Println(name, h.Sum64())
}
%[3]s
func main() {
%[4]s}
`, k.name, k.values, w.funcs.String(), w.calls.String())
}

// formsOf is the program of all forms of a kind.
func formsOf(k formKind) string {
	var w formWriter
	w.operators(k)
	w.comparisons(k)
	w.updates(k)
	w.memory(k)
	w.conversions(k)
	w.shifts(k)
	w.results(k)
	w.branches(k)
	if k.name == "int" {
		w.loops()
		w.assertions(k)
		w.indexes()
	}
	if k.name == "float64" {
		for _, f := range []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc"} {
			w.pair(k, "$T", "return math."+f+"(a)")
			w.pair(k, "$T, $T", "r := math."+f+"(a - b); return r, r")
			w.pair(k, "$T", "return b + math."+f+"(a - b)")
		}
	}
	return w.program(k)
}

// operands are the pairs of where operands come from, with statements before them.
func (k formKind) operands(each func(before, x, y string)) {
	each("", "a", "b")
	each("", "a", k.other)
	each("", k.other, "b")
	each("", k.other, k.more)
	each("", k.more, k.other)
	for _, c := range k.constants {
		each("", "a", c)
		each("", c, "b")
		each("", c, k.other)
		each("", k.other, c)
		if k.name != "*int" {
			each("x, y := $T("+c+"), $T("+k.constants[0]+");", "x", "y")
		}
	}
}

func (w *formWriter) operators(k formKind) {
	for _, op := range k.operators {
		k.operands(func(before, x, y string) {
			if (op == "/" || op == "%") && y == "0" {
				return
			}
			e := x + " " + op + " " + y
			w.pair(k, "$T", before+"return "+e)
			w.pair(k, "$T, $T", before+"r := "+e+"; return r, r")
			if op != "/" && op != "%" || y != "b" && y != k.other {
				w.pair(k, "$T", before+"return "+k.other+" + ("+e+")")
			}
		})
		for _, c := range k.constants {
			w.pair(k, "$T", "for i := 0; i < 3; i++ { a = a "+op+" "+c+" }; return a")
			w.pair(k, "$T", "for i := 0; i < 3; i++ { b, a = a, b "+op+" "+c+" }; return a")
		}
	}
	if len(k.operators) > 1 {
		w.pair(k, "$T", "return -a")
	}
	if slices.Contains(k.operators, "^") {
		w.pair(k, "$T", "return ^a")
		w.pair(k, "$T", "return ^(a ^ b)")
	}
	if k.ordered {
		for _, f := range []string{"min", "max"} {
			k.operands(func(before, x, y string) {
				w.pair(k, "$T", before+"return "+f+"("+x+", "+y+")")
				w.pair(k, "$T, $T", before+"r := "+f+"("+x+", "+y+"); return r, r")
			})
			w.pair(k, "$T", "return "+f+"(a, b, "+k.constants[0]+")")
		}
	}
}

func (w *formWriter) comparisons(k formKind) {
	ops := []string{"==", "!="}
	if k.ordered {
		ops = append(ops, "<", "<=", ">", ">=")
	}
	for _, op := range ops {
		k.operands(func(before, x, y string) {
			if x == "nil" && y == "nil" {
				return
			}
			e := x + " " + op + " " + y
			w.pair(k, "bool", before+"return "+e)
			w.pair(k, "bool, bool", before+"r := "+e+"; return r, !r")
			w.pair(k, "int", before+"if "+e+" { return 1 }; return 2")
			w.pair(k, "int", before+"z := 5; if "+e+" { z = 7 }; return z")
			w.pair(k, "int", before+"n := 0; for "+e+" { n++; if n > 3 { break } }; return n")
			w.pair(k, "int", before+"if !("+e+") { return 1 }; return 2")
		})
	}
}

// places are those of a variable of the kind: how it is declared and named.
var places = []struct{ before, name string }{
	{"", "global"},
	{"p := &global;", "*p"},
	{"p := new($T); *p = b;", "*p"},
	{"p := &record{}; p.f = b;", "p.f"},
	{"p := &record{}; p.in.f = b;", "p.in.f"},
	{"var p *record; if a == a || b == b { p = nil };", "p.f"},
	{"var r record; r.f = b; q := &r; q.n++;", "r.f"},
	{"var r [4]$T; r[1] = b; q := &r; q[2] = a;", "r[1]"},
	{"var r [4]$T; r[1] = b; i := index(1);", "r[i]"},
	{"var r [4]$T; r[1] = b; i := index(0);", "r[i+1]"},
	{"var r [4]$T; i := index(4);", "r[i]"},
	{"p := &[4]$T{b, a, b, a}; i := index(1);", "p[i]"},
	{"p := &[4]$T{b, a, b, a}; i := index(1);", "p[i+1]"},
	{"p := &[4]$T{b, a, b, a};", "p[3]"},
	{"var p *[4]$T; i := index(1);", "p[i]"},
	{"s := []$T{a, b, a}; i := index(1);", "s[i]"},
	{"s := []$T{a, b, a}; i := index(1);", "s[i+1]"},
	{"s := []$T{a, b, a};", "s[1]"},
	{"s := []$T{a, b, a}; i := index(3);", "s[i]"},
	{"s := []$T{a, b, a}; i := index(2);", "s[i+1]"},
	{"s := []$T{a, b, a}; i := uint8(index(1));", "s[i]"},
	{"s := []$T{a, b, a}; i := uint64(index(1));", "s[i]"},
	{"s := []$T{a, b, a}; i := int16(-index(1));", "s[i]"},
	{"s := []record{{f: a}, {f: b}}; i := index(1);", "s[i].f"},
	{"s := []record{{f: a}, {f: b}}; i := index(0);", "s[i+1].f"},
	{"s := []record{{f: a}, {f: b}}; i := index(0);", "s[i].arr[i+1]"},
	{"s := []record{{f: a}, {f: b}}; i := index(1);", "s[i].arr[i]"},
	{"s := [][]$T{{a}, {b, a}}; i := index(1);", "s[i][i]"},
	{"s := [][]$T{{a}, {b, a}}; i := index(1);", "s[i][i-1]"},
	{"s := [][]$T{{a}, {b, a}}; i := index(0);", "s[i+1][i]"},
	{"s := [][]$T{{a}, {b, a}}; i := index(2);", "s[i][i]"},
	{"list = []$T{a, b}; i := index(1);", "list[i]"},
	{"list = []$T{a, b}; i := index(1);", "list[i-1]"},
	{"p := &record{list: []$T{a, b}}; i := index(1);", "p.list[i]"},
	{"p := &record{list: []$T{a, b}}; i := index(1);", "p.list[i-1]"},
	{"p := &record{}; i := index(1);", "p.arr[i]"},
	{"p := &record{}; i := index(1);", "p.arr[i+1]"},
	{"var r record; q := &r; q.n++; i := index(1);", "r.in.arr[i]"},
	{"i := index(1); global2[1] = a;", "global2[i]"},
	{"i := index(1); global2[1] = a;", "global2[i-1]"},
	{"pp := &record{}; q := &pp; i := index(1);", "(*q).arr[i]"},
	{"m := map[int]$T{1: a}; i := index(1);", "m[i]"},
	{"m := map[int]$T{1: a}; i := index(1);", "m[i+1]"},
	{"m := map[string]$T{\"x\": a};", "m[\"x\"]"},
	{"m := map[[2]int]$T{{1, 2}: a}; i := index(1);", "m[[2]int{i, 2}]"},
	{"m := map[int32]$T{1: a}; i := int32(index(1));", "m[i]"},
	{"m := map[uint64]$T{1: a}; i := uint64(index(1));", "m[i^2]"},
	{"m := map[any]$T{1: a};", "m[\"no\"]"},
	{"var m map[int]$T; i := index(1);", "m[i]"},
	{"var m map[int]$T; i := index(1);", "m[i-1]"},
	{"var m map[string]$T;", "m[\"a\"]"},
	{"var m map[[1]int]$T;", "m[[1]int{}]"},
	{"var r record; r.f = b; r.in.arr[1] = a;", "r.f"},
	{"var r record; r.f = b; r.in.arr[1] = a;", "r.in.arr[1]"},
	{"var r record; r.f = b; r.in.arr[1] = a; i := index(2);", "r.in.arr[i]"},
	{"var r record; r.f = b; r.in.arr[1] = a; i := index(2);", "r.in.arr[i-1]"},
	{"var r record; i := index(3);", "r.in.arr[i]"},
	{"var r record; i := index(3);", "r.in.arr[i+1]"},
	{"p := &record{}; i := index(4);", "p.arr[i]"},
	{"p := &record{}; i := index(4);", "p.arr[i+1]"},
	{"pp := &record{}; q := &pp; i := index(4);", "(*q).arr[i]"},
	{"pp := &record{}; q := &pp; i := index(4);", "(*q).arr[i+1]"},
	{"var pp *record; q := &pp;", "(*q).f"},
	{"var pp *record; q := &pp; i := index(1);", "(*q).arr[i]"},
	{"i := index(3);", "global2[i]"},
	{"i := index(3);", "global2[i+1]"},
	{"list = []$T{a, b}; i := index(2);", "list[i]"},
	{"list = []$T{a, b}; i := index(2);", "list[i+1]"},
	{"s := []record{{f: a}, {f: b}}; i := index(2);", "s[i].f"},
	{"s := []record{{f: a}, {f: b}}; i := index(2);", "s[i+1].f"},
	{"s := [][4]$T{{a}, {b, a}}; i := index(1);", "s[i][i]"},
	{"s := [][4]$T{{a}, {b, a}}; i := index(4);", "s[1][i]"},
	{"p := new([2][4]$T); i := index(1);", "p[i][i]"},
	{"p := new([2][4]$T); i := index(4);", "p[1][i]"},
	{"p := new([2][4]$T); i := index(1);", "p[i][i+3]"},
}

func (w *formWriter) updates(k formKind) {
	if w.n > 0 {
		w.funcs.WriteString(strings.ReplaceAll(`
type inner struct { n int; f $T; arr [3]$T }
type record struct { n int; f $T; in inner; arr [4]$T; list []$T }
var global $T
var global2 [3]$T
var list []$T
//go:noinline
func index(i int) int { return i }
`, "$T", k.name))
	}
	for _, p := range places {
		for _, op := range k.operators {
			ys := []string{"a", k.other, k.constants[len(k.constants)-1]}
			if strings.Contains(p.name, "[i]") {
				ys = append(ys, "a + b")
			}
			for _, y := range ys {
				w.pair(k, "$T, $T", p.before+p.name+" "+op+"= "+y+"; return "+p.name+", global")
			}
		}
	}
}

func (w *formWriter) memory(k formKind) {
	for _, p := range places {
		w.pair(k, "$T", p.before+"return "+p.name)
		w.pair(k, "$T, $T", p.before+"x := "+p.name+"; return x, x")
		w.pair(k, "bool", p.before+"return "+p.name+" == b")
		for _, v := range append([]string{"a", k.other}, k.constants...) {
			w.pair(k, "$T, $T", p.before+p.name+" = "+v+"; return "+p.name+", global")
		}
		if !strings.Contains(p.name, "m[") {
			w.pair(k, "$T", p.before+"at := &"+p.name+"; *at = a; return *at")
		} else {
			w.pair(k, "$T, bool, int", p.before+"x, ok := "+p.name+"; delete(m, m0(m)); return x, ok, len(m)")
		}
	}
	fmt.Fprintf(&w.funcs, "func m0[K comparable](m map[K]%s) (k K) { for k = range m { }; return k }\n", k.name)
	for _, v := range append([]string{"a", k.other}, k.constants...) {
		w.pair(k, "[]$T, int", "var s []$T; for i := 0; i < 5; i++ { s = append(s, "+v+") }; return s, len(s)")
		w.pair(k, "[]$T, []$T", "s := make([]$T, 1, 2); t := append(s, "+v+"); u := append(t, b); return u, append(t, a)")
	}
	w.pair(k, "[]record2, int",
		"var s []record2; for i := 0; i < 3; i++ { s = append(s, record2{a, i}) }; return s, len(s)")
	fmt.Fprintf(&w.funcs, "type record2 struct { f %s; n int }\n", k.name)
	w.pair(k, "any, bool", "var x any = a; y, ok := x.($T); return y, ok && x == any(b)")
}

func (w *formWriter) conversions(k formKind) {
	if !k.ordered || k.name == "string" {
		return
	}
	for _, to := range formKinds() {
		if !to.ordered || to.name == "string" {
			continue
		}
		x, other := "a", k.other
		if strings.HasPrefix(k.name, "float") && !strings.HasPrefix(to.name, "float") {
			x, other = "small(a)", "(small(a) * 0.5)" // what does not fit is the machine's
		}
		w.pair(k, to.name, "x := "+x+"; return "+to.name+"(x)")
		w.pair(k, to.name+", "+to.name, "x := "+x+"; r := "+to.name+"(x); return r, r")
		w.pair(k, to.name, "return "+to.name+other)
		w.pair(k, to.name+", "+to.name, "r := "+to.name+other+"; return r, r")
		w.pair(k, to.name, "return "+to.name+"(1) + "+to.name+other)
		w.pair(k, "bool", "x := "+x+"; return "+to.name+"(x) < 3")
	}
	if strings.HasPrefix(k.name, "float") {
		fmt.Fprintf(&w.funcs, "func small(x %s) %[1]s { if x >= 0 && x < 100 { return x }; return 5 }\n", k.name)
	}
}

func (w *formWriter) shifts(k formKind) {
	if !slices.Contains(k.operators, "&^") {
		return
	}
	for _, op := range []string{"<<", ">>"} {
		for _, n := range []string{"0", "1", "7", "31", "63", "64", "200"} {
			w.pair(k, "$T", "return a "+op+" "+n)
			w.pair(k, "$T, $T", "r := a "+op+" "+n+"; return r, r")
			w.pair(k, "$T", "return (a ^ b) "+op+" "+n)
			w.pair(k, "$T, $T", "r := (a ^ b) "+op+" "+n+"; return r, r")
			w.pair(k, "$T", "n := uint16("+n+" + index(0)); return a "+op+" n")
		}
		w.pair(k, "$T", "return a "+op+" b")
		w.pair(k, "$T", "return a "+op+" index(-1)")
	}
}

func (w *formWriter) results(k formKind) {
	for _, v := range append([]string{"a", k.other}, k.constants...) {
		w.pair(k, "$T", "return "+v)
		w.pair(k, "$T, $T", "return "+v+", b")
		w.pair(k, "$T, int, $T", "return b, 3, "+v)
	}
	w.pair(k, "r $T", "defer func() { r = b }(); return a")
}

func (w *formWriter) branches(k formKind) {
	w.pair(k, "int", "c := a == b; if c { return 1 }; if !c { return 2 }; return 3")
	w.pair(k, "int, bool", "c := a == b; z := 1; if c { z = 2 } else { z = 3 }; return z, c")
	w.pair(k, "int, $T", "z, v := 1, a; if a != b { z, v = 2, b }; return z, v")
	w.pair(k, "$T, $T", "for i := 0; i < 3; i++ { a, b = b, a }; return a, b")
	w.pair(k, "$T, $T, $T", "c := a; for i := 0; i < 4; i++ { a, b, c = b, c, a }; return a, b, c")
	w.pair(k, "int", "n := 0; for { n++; if n > 4 && a == a { break } else if n > 6 { break } }; return n")
}

// loops are those whose counters are advanced and compared at their end.
func (w *formWriter) loops() {
	k := formKind{name: "int"}
	bounds := func(x string) string { return "x := min(max(" + x + ", -20), 20);" }
	for _, op := range []string{"<", "<=", ">", ">=", "!="} {
		from, step := "0", "i++"
		if op[0] == '>' {
			from, step = "10", "i--"
		}
		for _, limit := range []string{"5", "x", "len(s)"} {
			for _, by := range []string{step, strings.Replace(strings.Replace(step, "++", " += 3", 1), "--", " -= 3", 1)} {
				if op == "!=" && (strings.Contains(by, "3") || limit == "x") {
					continue
				}
				head := bounds("a") + " s := ints; n, t := 0, 0; _, _ = x, s;"
				for _, body := range bodies {
					w.loop(head, from, op, limit, by, body)
				}
			}
		}
	}
	w.pair(k, "int", bounds("a")+"n := 0; for i := range x { n += i }; for i, v := range ints { n += i * v }; return n")
	w.pair(k, "int", "n := 0; for range 7 { n++ }; return n")
}

var bodies = []string{"", "n++", "n++; t += i", "t ^= i * 3; n += 2; t++", "if t > 6 { continue }; t += i"}

// loop writes a loop in all the ways in which people do.
func (w *formWriter) loop(head, from, op, limit, by, body string) {
	k, ends := formKind{name: "int"}, strings.Replace(body, "continue", "break", 1)
	goesOn := "i " + op + " " + limit
	for _, text := range []string{
		"for i := " + from + "; " + goesOn + "; " + by + " { " + body + " }; return n, t",
		"i := " + from + "; for " + goesOn + " { " + ends + "; " + by + " }; return n + i, t",
		"i := " + from + "; for { if !(" + goesOn + ") { break }; " + ends + "; " + by + " }; return n + i, t",
		"i := " + from + "; for { " + ends + "; " + by + "; if !(" + goesOn + ") { break } }; return n + i, t",
		"i := " + from + "; for { " + ends + "; " + by + "; if " + opposite(op, "i", limit) + " { break } }; return n + i, t",
	} {
		w.pair(k, "int, int", head+" "+text)
	}
}

func opposite(op, x, y string) string {
	return x + " " + map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=="}[op] + " " + y
}

// indexes are of strings and arrays.
func (w *formWriter) indexes() {
	k := formKind{name: "int"}
	for _, i := range []string{"x", "x+1", "uint8(x)", "uint64(x)", "2", "7"} {
		before := "s := \"hello\"; t := [6]int8{1, 2, 3, 4, 5, 6}; x := a & 7; _, _, _ = s, x, t;"
		if i != "7" {
			w.pair(k, "int8", before+"return t["+i+"]")
			w.pair(k, "int8", before+"return pass(t)["+i+"]")
		}
		w.pair(k, "byte", before+"return s["+i+"]")
		w.pair(k, "byte, byte", before+"r := s["+i+"]; return r, r")
		w.pair(k, "int", before+"if s["+i+"] == 'l' { return 1 }; return 2")
	}
	fmt.Fprint(&w.funcs, "func pass(t [6]int8) [6]int8 { return t }\n")
	for _, i := range []string{"x", "x+1", "2"} {
		before := "s := \"hello\"; x := a & 7; _, _ = s, x;"
		w.pair(k, "byte", before+"return s["+i+"] + 1")
		w.pair(k, "byte", before+"return s["+i+"] ^ s[x&3]")
	}
	w.pair(k, "int, int", "m := make(map[int]int, a); m[b] = 1; return len(m), m[b]")
	w.pair(k, "int, int", "m := make(map[string]int, uint8(a)); m[\"x\"] = 1; return len(m), m[\"x\"]")
	w.pair(k, "int, int", "s := ints[:2]; if len(s) > a { return 1, len(s) }; return cap(s), len(\"abc\"[1:])")
}

// assertions are of types and interfaces, in conditions and not, from interfaces with methods and without.
func (w *formWriter) assertions(k formKind) {
	w.funcs.WriteString(`
type named struct { n int }
type namer interface { Name() string }
type other interface { Other() }
func (x named) Name() string { return fmt.Sprint("named ", x.n) }
func boxed(i int) any { return []any{nil, named{i}, "text", i, &ints[0]}[uint(i)%5] }
func naming(i int) namer { return []namer{nil, named{i}, &named{i}}[uint(i)%3] }
`)
	for x, types := range map[string]string{
		"boxed(a)": "int string named *int namer other any", "naming(a)": "named *named namer other any",
	} {
		for _, t := range strings.Fields(types) {
			w.pair(k, "any", "if y, ok := "+x+".("+t+"); ok { return fmt.Sprintf(\"%T\", y) }; return b")
			w.pair(k, "any", "y, ok := "+x+".("+t+"); if ok { b++ }; return fmt.Sprintf(\"%T %v\", y, b)")
			w.pair(k, "int", "if _, ok := "+x+".("+t+"); ok { return 1 }; return 2")
			w.pair(k, "any", "y := "+x+".("+t+"); return fmt.Sprintf(\"%T\", y)")
			w.pair(k, "bool", "_, ok := "+x+".("+t+"); return ok")
		}
	}
	w.pair(k, "int", "switch y := boxed(a).(type) { case nil: return 1; case int: return y; case namer: return 3 };"+
		" return b")
}
