package progen

// yields are ranges over functions that leave in all ways, defer in the body, pull, and go wrong.
func (g *gen) yields() {
	pick(g, []func(){g.leaving, g.deferInBody, g.pulled, g.misused, g.chained})()
}

// leaving nests ranges over functions and leaves both from inside.
func (g *gen) leaving() {
	f, l := g.fresh("clo"), g.fresh("L")
	t := g.data()
	g.p("%s := func(n int) (r %s) {", f, t.name)
	g.inside(func() {
		g.p("defer func() { fmt.Println(%q, n) }()", f)
		g.p("%s:", l)
		g.p("for i := range upto(n) {")
		g.p("\tfor j, x := range slices.All([]%s{%s, %s, %s}) {", t.name, g.expr(t, 1), g.expr(t, 1), g.expr(t, 1))
		g.p("\t\tif !burn() { return x }")
		g.p("\t\tswitch (i + j) %% %d {", 3+g.n(3))
		for k, way := range []string{"continue " + l, "break " + l, "return x", "continue", "break", "r = x"} {
			if k == 0 || g.n(3) > 0 {
				g.p("\t\tcase %d: %s", k, way)
			}
		}
		g.p("\t\t}")
		g.p("\t\tfmt.Print(i, j, \" \")")
		g.p("\t}")
		g.p("}")
		g.p("return r")
	})
	g.p("}")
	g.p("fmt.Println(%s(%d), %s(%d))", f, g.n(5), f, g.n(3))
}

// deferInBody defers to the end of the function around, and recovers there.
func (g *gen) deferInBody() {
	f := g.fresh("clo")
	g.p("%s := func() (n int, err error) {", f)
	g.p("\tdefer func() { if r := recover(); r != nil { err = fmt.Errorf(\"%%v\", r) } }()")
	g.p("\tfor i := range upto(%d) {", 1+g.n(4))
	g.p("\t\tdefer func() { n = n*10 + i; fmt.Print(\"d\", i, \" \") }()")
	g.p("\t\tif i == %d { %s }", g.n(4), pickString(g, "panic("+g.panicValue()+")", "return i, errors.New(\"out\")",
		"break", "continue"))
	g.p("\t\tn++")
	g.p("\t}")
	g.p("\tfmt.Print(\"over \")")
	g.p("\treturn n, err")
	g.p("}")
	g.p("fmt.Println(%s())", f)
}

func (g *gen) pulled() {
	t := g.data()
	l, next, stop := g.fresh("l"), g.fresh("next"), g.fresh("stop")
	g.p("var %s *list[%s]", l, t.name)
	for range 1 + g.n(3) {
		g.p("%s = %s.push(%s)", l, l, g.expr(t, 1))
	}
	g.p("%s, %s := iter.Pull2(%s.all())", next, stop, l)
	g.p("for range %d { i, x, ok := %s(); fmt.Println(i, x, ok) }", 1+g.n(4), next)
	g.p("%s()", stop)
	g.p("fmt.Println(%s())", next)
}

// misused is an iterator that goes on after it was told not to, or keeps yield.
func (g *gen) misused() {
	kept := g.fresh("kept")
	g.p("func() {")
	g.p("\tdefer func() { fmt.Println(\"misused\", recover()) }()")
	g.p("\tvar %s func(int) bool", kept)
	g.p("\tfor x := range func(yield func(int) bool) { %s = yield; yield(1); %s } { fmt.Println(x); %s }", kept,
		pickString(g, "yield(2)", "_ = yield(2) && yield(3)",
			"func() { defer func() { fmt.Println(recover()) }(); yield(2) }()"),
		pickString(g, "break", "continue", "if x > 1 { panic(\"body\") }"))
	g.p("\t%s(9)", kept)
	g.p("}()")
}

// chained are iterators made of iterators.
func (g *gen) chained() {
	t, u := g.data(), g.data()
	f := g.fresh("clo")
	g.p("%s := func(s iter.Seq[%s]) iter.Seq2[%s, %s] { return func(yield func(%s, %s) bool) { for x := range s { if "+
		"!yield(x, %s) { return } } } }", f,
		t.name, t.name, u.name, t.name, u.name, g.pureExpr("x", t, u))
	g.p("for a, b := range %s(slices.Values([]%s{%s, %s, %s})) { fmt.Println(a, b); if !burn() { break } }", f, t.name,
		g.expr(t, 1), g.expr(t, 1), g.expr(t, 1))
}
