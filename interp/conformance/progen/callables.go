package progen

// callables are func values, variadic calls, methods by way of embedded things, and what defers
// see.
func (g *gen) callables() {
	pick(g, []func(){g.variadic, g.tuple, g.funcTable, g.embeddedInterface, g.embeddedPointer, g.deferred, g.goexit,
		g.counter, g.localTypes, g.shadows})()
}

func (g *gen) variadic() {
	t := g.data()
	f, s := g.fresh("clo"), g.fresh("s")
	g.p("%s := func(head string, xs ...%s) (int, []%s) { if len(xs) > 1 { xs[0] = xs[1] }; return len(head) + "+
		"len(xs), xs }", f, t.name, t.name)
	g.p("%s := []%s{%s, %s}", s, t.name, g.expr(t, 1), g.expr(t, 1))
	g.p("fmt.Println(%s(%s))", f, g.expr(stringType, 1))
	g.p("fmt.Println(%s(\"b\", %s, %s, %s))", f, g.expr(t, 1), g.expr(t, 1), g.expr(t, 2))
	g.p("fmt.Println(%s(\"c\", %s...))", f, s)
	g.p("fmt.Println(%s)", s)
}

// tuple passes several results on.
func (g *gen) tuple() {
	a, b := g.data(), g.data()
	two, use := g.fresh("clo"), g.fresh("clo")
	g.p("%s := func() (%s, %s) { return %s, %s }", two, a.name, b.name, g.expr(a, 1), g.expr(b, 1))
	g.p("%s := func(x %s, y %s) (r string, n int) { r = fmt.Sprint(x, y); defer func() { n = len(r); r += \"!\" }(); "+
		"return r + \"?\", 7 }", use, a.name, b.name)
	g.p("fmt.Println(%s(%s()))", use, two)
	g.p("fmt.Println(%s())", two)
}

func (g *gen) funcTable() {
	t := g.data()
	m := g.fresh("table")
	g.p("%s := map[string]func(%s) %s{", m, t.name, t.name)
	for _, name := range []string{"a", "b", "c"} {
		g.p("\t%q: func(x %s) %s { _ = x; return %s },", name, t.name, t.name, g.pureExpr("x", t, t))
	}
	g.p("}")
	g.p("for _, k := range []string{\"c\", \"a\", \"none\", \"b\"} { if f, ok := %s[k]; ok { fmt.Println(k, f(%s)) } "+
		"else { fmt.Println(k, f == nil) } }", m, g.expr(t, 1))
}

// embeddedInterface calls a method that a struct has by an interface inside it.
func (g *gen) embeddedInterface() {
	var it *typ
	for _, t := range g.types {
		if t.kind == iface && t != anyType && len(t.impls) > 0 {
			it = t
		}
	}
	if it == nil {
		g.variadic()
		return
	}
	v, m := g.fresh("v"), it.methods[0].name
	g.p("%s := struct { %s; more int }{%s, %s}", v, it.name, g.boxed(it, 2), g.expr(intType, 1))
	g.p("fmt.Println(%s.%s(), %s.more)", v, m, v)
	g.p("var %sI %s = %s", v, it.name, v)
	g.p("%s.%s = %s", v, it.name, g.boxed(it, 2))
	g.p("fmt.Println(%sI.%s(), %s.%s(), %s.%s(%sI))", v, m, v, m, it.name, m, v)
	if g.n(3) == 0 {
		g.p("if _, ok := any(%s).(interface { %s; fmt.Stringer }); ok { fmt.Println(\"both\") }", v, it.name)
	}
}

// embeddedPointer reaches fields and methods through two levels, one a pointer.
func (g *gen) embeddedPointer() {
	var declared []*typ
	for _, t := range g.types {
		if t.kind == structure && t.setter != "" {
			declared = append(declared, t)
		}
	}
	if len(declared) == 0 {
		g.variadic()
		return
	}
	t := pick(g, declared)
	f := t.fields[0]
	in, out, set := g.fresh("v"), g.fresh("v"), g.fresh("mv")
	g.p("%s := %s", in, g.expr(t, 2))
	g.p("type inner%s struct { *%s; tag string }", out, t.name)
	g.p("type outer%s struct { inner%s; n int }", out, out)
	g.p("%s := outer%s{inner%s{&%s, \"tag\"}, 1}", out, out, out, in)
	g.p("%s := %s.%s", set, out, t.setter)
	g.p("%s(%s)", set, g.expr(f.typ, 1))
	g.p("%s.%s(%s)", out, t.setter, g.expr(f.typ, 1))
	g.p("outer%s.%s(%s, %s)", out, t.setter, out, g.expr(f.typ, 1))
	if t.printable() {
		g.p("fmt.Println(%s, *%s.%s, %s.tag)", in, out, t.name, out)
	}
	if f.typ.printable() {
		g.p("fmt.Println(%s.%s)", out, f.name)
	}
}

// deferred calls have the arguments and receivers of when they were deferred, and change results
// after.
func (g *gen) deferred() {
	t := g.data()
	f := g.fresh("clo")
	g.p("%s := func(x %s) (r %s, err error) {", f, t.name, t.name)
	g.p("\tdefer func() { if e := recover(); e != nil { err = fmt.Errorf(\"caught %%v, r %%v\", e, r); r = x } }()")
	g.p("\tfor i := range 2 { defer func(n int) { if n == %d { r = %s } }(i) }", g.n(3), g.pureExpr("x", t, t))
	g.p("\tdefer fmt.Println(\"deferred\", x)")
	g.p("\tx = %s", g.expr(t, 2))
	g.p("\tr = x")
	switch g.n(4) {
	case 0:
		g.p("\tpanic(%s)", g.panicValue())
	case 1:
		g.p("\tdefer panic(%s)", g.panicValue())
		g.p("\treturn %s, nil", g.expr(t, 1))
	case 2:
		g.p("\tdefer func() { fmt.Println(\"first\", recover()); panic(fmt.Sprint(\"again \", recover())) }()")
		g.p("\tpanic(%s)", g.panicValue())
	default:
		g.p("\treturn %s, errors.New(\"e\")", g.expr(t, 1))
	}
	g.p("}")
	g.p("fmt.Println(%s(%s))", f, g.expr(t, 1))
}

// goexit ends a goroutine from below, its deferred calls run; recover sees nothing.
func (g *gen) goexit() {
	c := g.fresh("ch")
	g.p("%s := make(chan string, 4)", c)
	g.p("go func() {")
	g.p("\tdefer close(%s)", c)
	g.p("\tdefer func() { %s <- fmt.Sprint(\"deferred \", recover()) }()", c)
	g.p("\tfunc() { defer func() { %s <- %s }(); if %s { runtime.Goexit() }; %s <- \"after\" }()", c,
		g.within(nil, stringType, 1), g.within(nil, boolType, 2), c)
	g.p("}()")
	g.p("for x := range %s { fmt.Println(x) }", c)
}

// counter shares state among goroutines under locks, and waits by a condition.
func (g *gen) counter() {
	n, k := 2+g.n(3), g.n(20)
	mu, total, seen := g.fresh("mu"), g.fresh("v"), g.fresh("seen")
	g.p("var %s sync.RWMutex", mu)
	g.p("%s, %s := %s, map[int]int{}", total, seen, g.varying(basicType("int64"), 1))
	g.p("{")
	g.p("\tcond, ready, wg := sync.NewCond(&%s), 0, sync.WaitGroup{}", mu)
	g.p("\tvar hits atomic.Int64")
	g.p("\tfor i := range %d { wg.Go(func() { %s.Lock(); defer %s.Unlock(); for ready == 0 { cond.Wait() }; %s += "+
		"int64(i * %d); %s[i]++; hits.Add(int64(i)) }) }", n, mu, mu, total, k, seen)
	g.p("\t%s.Lock(); ready = 1; %s.Unlock(); cond.Broadcast()", mu, mu)
	g.p("\twg.Wait()")
	g.p("\t%s.RLock(); fmt.Println(%s, hits.Load(), len(%s)); %s.RUnlock()", mu, seen, seen, mu)
	g.p("}")
	g.add(total, basicType("int64"))
}

// localTypes are two of one name.
func (g *gen) localTypes() {
	t, u := g.data(), g.data()
	g.p("{")
	g.p("\ttype local struct { A %s }", t.name)
	g.p("\tvar x any = local{%s}", g.expr(t, 1))
	g.p("\t{")
	g.p("\t\ttype local struct { A %s }", u.name)
	g.p("\t\ty, ok := x.(local)")
	g.p("\t\tfmt.Printf(\"%%T %%v %%v\\n\", y, y, ok)")
	g.p("\t}")
	g.p("\ty, ok := x.(local)")
	g.p("\tfmt.Printf(\"%%T %%v %%v\\n\", y, y, ok)")
	g.p("}")
}

// shadows hides predeclared names and packages.
func (g *gen) shadows() {
	v := g.fresh("v")
	g.p("%s := func() string {", v)
	g.p("\tlen, nil, strconv := func(x ...int) int { return %d }, \"nil\", struct{ Itoa string }{%s}", g.n(9),
		g.expr(stringType, 1))
	g.p("\ttrue := len(1, 2) %s %d", pickString(g, "==", "<", ">"), g.n(9))
	g.p("\treturn fmt.Sprint(true, nil, strconv.Itoa)")
	g.p("}()")
	g.add(v, stringType)
}
