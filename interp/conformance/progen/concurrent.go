package progen

// typeSwitch tells a value's dynamic type.
func (g *gen) typeSwitch() {
	x := g.fresh("x")
	vs := g.of(iface)
	if len(vs) > 0 && g.n(2) == 0 {
		g.p("%s := any(%s)", x, pick(g, vs).name)
	} else {
		g.p("%s := any(%s)", x, g.ofType(g.data(), 2))
	}
	y := g.fresh("y")
	g.p("switch %s := %s.(type) {", y, x)
	seen := map[string]bool{"uint8": true, "int32": true}
	for range 1 + g.n(4) {
		t := g.data()
		if seen[t.name] {
			continue
		}
		seen[t.name] = true
		g.p("case %s:", t.name)
		g.inside(func() { g.add(y, t); g.statements(2) })
	}
	g.p("case fmt.Stringer:")
	g.p("\tfmt.Println(%s.String())", y)
	g.p("case error, nil:")
	g.p("\tfmt.Println(\"error or nil\", %s)", y)
	g.p("default:")
	g.p("\tfmt.Printf(\"other %%T\\n\", %s)", y)
	g.p("}")
}

func (g *gen) assertion() {
	vs := g.of(iface)
	if len(vs) == 0 {
		v := g.fresh("v")
		g.p("var %s any = %s", v, g.ofType(g.data(), 2))
		g.add(v, anyType)
		return
	}
	v := pick(g, vs)
	if v.typ == anyType {
		e, ok := g.fresh("v"), g.fresh("ok")
		t := g.data()
		g.p("%s, %s := %s.(%s)", e, ok, v.name, t.name)
		g.add(e, t)
		g.add(ok, boolType)
		return
	}
	m := v.typ.methods[0]
	g.p("if %s != nil {", v.name)
	g.inside(func() {
		r := g.fresh("v")
		g.p("%s := %s.%s()", r, v.name, m.name)
		g.add(r, m.result)
		g.print()
	})
	g.p("}")
}

// concurrent starts goroutines whose results come back in an order that does not matter or is
// fixed.
func (g *gen) concurrent() {
	pick(g, []func(){g.workers, g.pipeline, g.waitGroup, g.selects, g.once})()
}

// pureBody is text for a goroutine: expressions over variables of its own.
func (g *gen) pureExpr(name string, from, to *typ) string {
	return g.within([]variable{{name, from, false}}, to, 3)
}

func (g *gen) workers() {
	t := pick(g, basics[:11])
	c, sum := g.fresh("ch"), g.fresh("v")
	g.p("%s := make(chan %s, %d)", c, t.name, g.n(3))
	n := 2 + g.n(3)
	g.p("for w := range %s(%d) { go func() { _ = w; %s <- %s }() }", t.name, n, c, g.pureExpr("w", t, t))
	g.p("var %s %s", sum, t.name)
	g.p("for range %d { %s += <-%s }", n, sum, c)
	g.add(sum, t)
}

func (g *gen) pipeline() {
	a, b := g.data(), g.data()
	in, out := g.fresh("ch"), g.fresh("ch")
	n := g.n(5)
	g.p("%s, %s := make(chan %s), make(chan %s, %d)", in, out, a.name, b.name, g.n(3))
	g.p("go func() { defer close(%s); for range %d { %s <- %s } }()", in, n, in, g.within(nil, a, 2))
	g.p("go func() { for x := range %s { _ = x; %s <- %s }; close(%s) }()", in, out, g.pureExpr("x", a, b), out)
	g.p("for r := range %s { fmt.Println(r) }", out)
}

func (g *gen) waitGroup() {
	t := g.data()
	res := g.fresh("res")
	n := 1 + g.n(4)
	g.p("%s := make([]%s, %d)", res, t.name, n)
	g.p("{")
	g.p("\tvar wg sync.WaitGroup")
	g.p("\tvar mu sync.Mutex")
	g.p("\ttotal := 0")
	g.p("\tfor i := range %d {", n)
	g.p("\t\twg.Add(1)")
	g.p("\t\tgo func() { defer wg.Done(); %s[i] = %s; mu.Lock(); defer mu.Unlock(); total += i }()", res,
		g.pureExpr("i", intType, t))
	g.p("\t}")
	g.p("\twg.Wait()")
	g.p("\tfmt.Println(total)")
	g.p("}")
	g.add(res, g.sliceOf(t))
}

func (g *gen) selects() {
	t := g.data()
	c, d := g.fresh("ch"), g.fresh("ch")
	g.p("%s, %s := make(chan %s, 2), make(chan struct{})", c, d, t.name)
	g.p("for i := range 4 {")
	g.inside(func() {
		g.p("select {")
		g.p("case %s <- %s: fmt.Println(\"sent\", i, len(%s))", c, g.within(nil, t, 2), c)
		g.p("default: fmt.Println(\"full\", i)")
		g.p("}")
	})
	g.p("}")
	g.p("go func() { defer close(%s); close(%s) }()", d, c)
	g.p("<-%s", d)
	g.p("for {")
	g.p("\tselect {")
	g.p("\tcase x, ok := <-%s: fmt.Println(x, ok); if ok { continue }", c)
	g.p("\t}")
	g.p("\tbreak")
	g.p("}")
}

// once hands a panic from a goroutine to its starter, and takes turns over an unbuffered channel.
func (g *gen) once() {
	c := g.fresh("ch")
	g.p("%s := make(chan any)", c)
	g.p("go func() { defer func() { %s <- recover() }(); var s []int; _ = s[id(%d)] }()", c, g.n(3))
	g.p("fmt.Println(<-%s)", c)
	x := g.fresh("v")
	g.p("%s := sync.OnceValue(func() %s { fmt.Println(\"once\"); return %s })", x, intType.name, g.within(nil, intType, 2))
	g.p("fmt.Println(%s() == %s())", x, x)
}
