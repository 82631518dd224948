package progen

// aliasing is about what shares memory and what is copied.
func (g *gen) aliasing() {
	pick(g, []func(){g.threeIndices, g.overlap, g.shared, g.nested, g.swap, g.structsInMap, g.elided, g.arrays})()
}

// filled declares a slice of n elements of t and room for more, without an element that is
// another's.
func (g *gen) filled(t *typ, n, room int) string {
	s := g.fresh("s")
	g.p("%s := make([]%s, %d, %d)", s, t.name, n, n+room)
	g.p("for i := range %s { %s[i] = %s }", s, s, g.within([]variable{{"i", intType, false}}, t, 2))
	return s
}

// threeIndices appends inside a capacity and beyond it.
func (g *gen) threeIndices() {
	t := g.data()
	n, room := 2+g.n(4), g.n(3)
	s := g.filled(t, n, room)
	low := g.n(n + 1)
	high := low + g.n(n-low+1)
	limit := high + g.n(n+room-high+1)
	a, b := g.fresh("s"), g.fresh("s")
	g.p("%s := %s[%d:%d:%d]", a, s, low, high, limit)
	g.p("%s := append(%s, %s)", b, a, g.expr(t, 1))
	g.p("fmt.Println(len(%s), cap(%s), len(%s), %s, %s, %s)", a, a, b, s, a, b)
	g.p("%s[0] = %s", b, g.expr(t, 1))
	g.p("fmt.Println(%s, %s, %s)", s, a, b)
}

func (g *gen) overlap() {
	t := g.data()
	n := 3 + g.n(4)
	s := g.filled(t, n, 0)
	g.p("fmt.Println(copy(%s[%d:], %s[%d:]), %s)", s, g.n(n), s, g.n(n), s)
	g.p("%s = append(%s[:%d], %s[%d:]...)", s, s, g.n(n/2+1), s, n/2)
	g.p("%s = append(%s, %s...)", s, s, s)
	g.p("fmt.Println(len(%s), %s)", s, s)
	if t.ordered() && t.kind != float {
		g.p("sort.Slice(%s, func(i, j int) bool { return %s[i] < %s[j] })", s, s, s)
		g.p("fmt.Println(slices.Max(%s), slices.Compact(%s))", s, s)
	}
}

// shared is an array behind a slice, a pointer and a copy.
func (g *gen) shared() {
	t, n := g.data(), 2+g.n(3)
	a, s, p, c := g.fresh("arr"), g.fresh("s"), g.fresh("p"), g.fresh("arr")
	g.p("var %s [%d]%s", a, n, t.name)
	g.p("%s, %s, %s := %s[:], &%s, %s", s, p, c, a, a, a)
	g.p("%s[%d] = %s", s, g.n(n), g.expr(t, 2))
	g.p("%s[%d] = %s", p, g.n(n), g.expr(t, 2))
	g.p("fmt.Println(%s, %s, len(%s), *%s, %s)", a, s, p, p, c)
	g.p("for i, e := range %s { %s[len(%s)-1-i] = e }", a, s, a)
	g.p("for i := range %s { %s[i], %s[0] = %s[0], %s[i] }", p, p, p, p, p)
	g.p("fmt.Println(%s, (*[%d]%s)(%s)[0], [1]%s(%s))", a, 1+g.n(n), t.name, s, t.name, s)
	if t.comparable() {
		g.p("fmt.Println(%s == %s, *%s == %s, any(%s) == any(%s))", a, c, p, a, a, c)
	}
}

// nested are slices of slices, of which rows may be one.
func (g *gen) nested() {
	t := g.data()
	m, row := g.fresh("rows"), g.fresh("row")
	g.p("%s := []%s{%s, %s}", row, t.name, g.expr(t, 1), g.expr(t, 1))
	g.p("%s := [][]%s{%s, {%s}, nil, %s[:1]}", m, t.name, row, g.expr(t, 1), row)
	g.p("%s[%d][0] = %s", m, pick(g, []int{0, 1, 3}), g.expr(t, 2))
	g.p("%s[2] = append(%s[2], %s...)", m, m, row)
	g.p("%s[3] = append(%s[3], %s)", m, m, g.expr(t, 1))
	g.p("fmt.Println(%s, %s)", m, row)
	g.p("for i, r := range %s { for j := range r { if j > 0 { %s[i][j], r[0] = r[0], r[j] } } }", m, m)
	g.p("fmt.Println(%s, %s)", m, row)
}

// swap assigns several at once: operands of indices and pointers are evaluated first.
func (g *gen) swap() {
	t := g.data()
	n := 3 + g.n(3)
	s := g.filled(t, n, 0)
	i, p := g.fresh("ix"), g.fresh("p")
	g.p("%s, %s := %d, &%s[%d]", i, p, g.n(n), s, g.n(n))
	g.p("%s, %s[%s] = %d, %s", i, s, i, g.n(n), g.expr(t, 1))
	g.p("%s[%s], %s[%d] = %s[%d], %s[%s]", s, i, s, g.n(n), s, g.n(n), s, i)
	g.p("%s[%s], *%s = *%s, %s[%s]", s, i, p, p, s, i)
	g.p("fmt.Println(%s, *%s, %s)", i, p, s)
}

func (g *gen) structsInMap() {
	k, t, u := g.key(), g.data(), g.data()
	m, x := g.fresh("m"), g.fresh("v")
	g.p("%s := map[%s]struct { A %s; B []%s }{}", m, k.name, t.name, u.name)
	g.p("for range 3 {")
	g.inside(func() {
		g.p("%s := %s[%s]", x, m, g.expr(k, 2))
		g.p("%s.A, %s.B = %s, append(%s.B, %s)", x, x, g.expr(t, 1), x, g.expr(u, 1))
		g.p("%s[%s] = %s", m, g.expr(k, 1), x)
	})
	g.p("}")
	g.p("fmt.Printf(\"%%d %%v %%+v\\n\", len(%s), %s, %s[%s].A)", m, m, m, g.expr(k, 1))
	g.p("clear(%s)", m)
	g.p("fmt.Println(%s, len(%s[%s].B))", m, m, g.expr(k, 1))
}

// key is a type for a map's key, which fmt can sort.
func (g *gen) key() *typ {
	for range 20 {
		if t := g.data(); t.comparable() && !t.inexact() {
			return t
		}
	}
	return intType
}

// inexact reports whether a value holds a number that may be no number, and so be unequal to
// itself.
func (t *typ) inexact() bool {
	switch t.kind {
	case float, complexNumber:
		return true
	case array:
		return t.elem.inexact()
	case structure:
		for _, f := range t.fields {
			if f.typ.inexact() {
				return true
			}
		}
	}
	return false
}

// elided are composite literals that leave the types of their parts out.
func (g *gen) elided() {
	t := g.data()
	v := g.fresh("v")
	e := func() string { return g.expr(t, 1) }
	switch g.n(4) {
	case 0:
		g.p("%s := [...]%s{%d: %s, %s, 1: %s}", v, t.name, 3+g.n(3), e(), e(), e())
		g.p("fmt.Println(len(%s), %s)", v, v)
	case 1:
		g.p("%s := []*struct{ X, Y %s }{{%s, %s}, {Y: %s}, nil}", v, t.name, e(), e(), e())
		g.p("%s[1].X, %s[0].Y = %s[0].Y, %s", v, v, v, e())
		g.p("fmt.Println(*%s[0], *%s[1], %s[2] == nil)", v, v, v)
	case 2:
		g.p("%s := map[string][]struct{ X %s }{\"a\": {{%s}, {}}, %q: nil}", v, t.name, e(), "b")
		g.p("%s[\"a\"][1].X = %s", v, e())
		g.p("%s[\"c\"] = append(%s[\"b\"], %s[\"a\"][1])", v, v, v)
		g.p("fmt.Printf(\"%%v %%T\\n\", %s, %s)", v, v)
	default:
		g.p("%s := [2][2]%s{{%s}, {%s, %s}}", v, t.name, e(), e(), e())
		g.p("%s[0], %s[1][0] = %s[1], %s", v, v, v, e())
		g.p("fmt.Println(%s)", v)
	}
}

// arrays are passed and ranged over as copies.
func (g *gen) arrays() {
	t, n := g.data(), 2+g.n(3)
	a, f := g.fresh("arr"), g.fresh("clo")
	g.p("%s := [%d]%s{%s}", a, n, t.name, g.expr(t, 2))
	g.p("%s := func(b [%d]%s, c *[%d]%s) [%d]%s { b[0], c[%d] = %s, b[0]; return b }", f, n, t.name, n, t.name, n, t.name,
		n-1, g.expr(t, 1))
	g.p("fmt.Println(%s(%s, &%s), %s)", f, a, a, a)
	g.p("for i, e := range %s { %s[%d-i] = e; fmt.Print(e, \" \") }", a, a, n-1)
	g.p("fmt.Println(%s)", a)
}
