package progen

import (
	"fmt"
)

// A constant of the program, with a value from 0 to 100, so that each number type has it.
type constantName string

// constants declares some that are computed from each other, exactly and with numbers beyond all
// types.
func (g *gen) constants() {
	if g.n(3) == 0 {
		return
	}
	a, b, c, d := g.fresh("c"), g.fresh("c"), g.fresh("c"), g.fresh("c")
	g.decl("const (\n\t%s = iota + %d\n\t%s\n\t_\n\t%s = %s<<iota%%16 + %s/3\n)\n", a, 1+g.n(5), b, c, a, b)
	g.decl("const %sBig = 1<<%d + %s\n", d, 70+g.n(40), a)
	g.decl("const %s = %sBig>>%d%%%d\n", d, d, 60+g.n(10), 2+g.n(90))
	e, f := g.fresh("c"), g.fresh("c")
	g.decl("const %s %s = %s * %d\n", e, pickString(g, "int8", "uint16", "int64", "float32"), a, g.n(9))
	g.decl("const %s = %s * 1.0 / %d * %d\n", f, a, 3+g.n(4), 1+g.n(9))
	g.consts = append(g.consts, constantName(a), constantName(b), constantName(d))
	g.decl("var _, _ = %s, %s\n", c, f)
	g.decl("func show%s() { fmt.Println(%s, %s, %s, %s, %s, %s, 'a'+%s, len(\"%s\")<<%s) }\n", f, a, b, c, d, e, f, a,
		"text", a)
	g.shows = append(g.shows, "show"+f+"()")
}

// verbs are the ways of fmt to write kinds of values.
var verbs = map[kind][]string{
	signed:        {"%d", "%+d", "%x", "%X", "%o", "%b", "%08d", "%-6d|", "%+6d", "%#x", "%v", "% d"},
	unsigned:      {"%d", "%x", "%#o", "%b", "%6d", "%#v"},
	float:         {"%g", "%e", "%.3f", "%8.2f|", "%G", "%x", "%+.2e", "%06.1f", "%v"},
	complexNumber: {"%v", "%.2f", "%g", "%+.1e"},
	text:          {"%s", "%q", "%+q", "%x", "% X", "%10s|", "%-10s|", "%.3s", "%#q", "%v"}, boolean: {"%t", "%v", "%6t|"},
}

// forms prints one value in several ways, sizes, and constants.
func (g *gen) forms() {
	switch g.n(4) {
	case 0:
		t := g.data()
		v := g.fresh("v")
		g.p("var %s %s", v, t.name)
		g.p("fmt.Println(unsafe.Sizeof(%s), unsafe.Alignof(%s), unsafe.Sizeof([3]%s{}), unsafe.Sizeof(struct{ a bool; b "+
			"%s; c bool }{}))", v, v, t.name, t.name)
		g.add(v, t)
	case 1:
		if len(g.shows) > 0 {
			g.p("%s", pick(g, g.shows))
			break
		}
		g.runes()
	case 2:
		g.runes()
	default:
		t := pick(g, basics)
		vs := verbs[t.kind]
		g.p("fmt.Printf(\"%s %s %s\\n\", %s, %s, %s)", pick(g, vs), pick(g, vs), pick(g, vs), g.expr(t, 2), g.expr(t, 1),
			g.expr(t, 1))
	}
}

// runes takes strings apart that are not all UTF-8, and puts them together.
func (g *gen) runes() {
	s, n := g.fresh("str"), g.fresh("v")
	g.p("%s := %s + %q + %s", s, g.varying(stringType, 2),
		pickString(g, "\xff", "é\xc3", "\xe6\x97", "日\x80", "\U0001f600", "\xf0\x9f\x98"), g.expr(stringType, 1))
	g.p("%s := 0", n)
	g.p("for i, r := range %s { %s += i * int(r) %% 1000; if r == utf8.RuneError { fmt.Print(i, \" \") } }", s, n)
	g.p("fmt.Println(len(%s), %s, utf8.RuneCountInString(%s), utf8.ValidString(%s), []rune(%s), []byte(%s))", s, n, s, s,
		s, s)
	g.p("fmt.Printf(\"%%q %%x %%+q\\n\", string([]rune(%s)), strings.ToValidUTF8(%s, \"?\"), strings.Map(func(r "+
		"rune) rune { if r > 1000 { return -1 }; return r + 1 }, %s))", s, s, s)
	g.p("for i := range len(%s) { if i%%3 == 0 { fmt.Print(%s[i], \" \") } }", s, s)
	g.p("fmt.Println(%s[len(%s)/2:] < %s, strings.Compare(%s, %s))", s, s, s, s, g.expr(stringType, 1))
}

// initialised declares variables whose initialisers need later ones, and functions init.
func (g *gen) initialised() {
	if g.n(4) != 0 {
		return
	}
	a, b, c, f := g.fresh("ini"), g.fresh("ini"), g.fresh("ini"), g.fresh("need")
	g.told = true
	g.decl("var log []string\n") // many programs are in one binary, whose packages are all initialised
	g.decl("func told(name string, n int) int { log = append(log, fmt.Sprint(name, n)); return n }\n")
	g.decl("var %s = told(%q, %s+%s())\n", a, a, b, f)
	g.decl("var %s, %sToo = func() (int, int) { return told(%q, %s*2), 1 }()\n", b, b, b, c)
	g.decl("func %s() int { return %s + 1 }\n", f, c)
	g.decl("var %s = told(%q, %d)\n", c, c, g.n(10))
	g.decl("func init() { %s++; told(fmt.Sprint(%s, %s, %sToo), %s) }\n", c, a, b, b, c)
	g.decl("func init() { told(\"second\", %s) }\n", c)
}

// constantOf is a constant of the program as a t.
func (g *gen) constantOf(t *typ) string {
	return fmt.Sprintf("%s(%s%%100)", t.name, pick(g, g.consts))
}
