package progen

import "fmt"

// guarded runs a risky statement under a recover of its own, among others.
func (g *gen) guarded() {
	results, loops := g.results, g.loops
	g.results, g.loops = nil, nil
	g.p("func() {")
	g.inside(func() {
		again := ""
		if g.n(6) == 0 {
			again = fmt.Sprintf("; if fuel > 0 { defer func() { fmt.Println(\"inner\", recover()) }(); panic(%s) }",
				g.panicValue())
		}
		g.p("defer func() { r := recover(); fmt.Printf(\"%%T %%v\\n\", r, r)%s }()", again)
		if g.n(3) == 0 {
			g.p("defer fmt.Println(%q, %s)", "deferred", g.varying(g.data(), 2))
		}
		if g.n(3) == 0 {
			g.p("for i := range 3 { defer func() { fmt.Print(i, %s, \" \") }() }", g.expr(stringType, 1))
		}
		g.statements(2)
		g.risky()
		g.statements(2)
	})
	g.p("}()")
	g.results, g.loops = results, loops
}

func (g *gen) panicValue() string {
	switch g.n(6) {
	case 0:
		return "&fault{" + g.expr(intType, 1) + "}"
	case 1:
		return "errors.New(" + g.expr(stringType, 1) + ")"
	case 2:
		return fmt.Sprintf("fmt.Errorf(\"wrapped: %%w\", &fault{%s})", g.expr(intType, 0))
	}
	t := pick(g, basics)
	return t.name + "(" + g.expr(t, 1) + ")"
}

// risky is one operation that may panic, on variables.
func (g *gen) risky() {
	kinds := []func() bool{g.riskyIndex, g.riskySlice, g.riskyDivision, g.riskyPointer, g.riskyMap, g.riskyAssertion,
		g.riskyMisc, g.riskyMisc}
	for range 10 {
		if pick(g, kinds)() {
			return
		}
	}
	g.p("if %s { panic(%s) }", g.varying(boolType, 1), g.panicValue())
}

func (g *gen) of(k kind) []variable { return g.where(func(v variable) bool { return v.typ.kind == k }) }

// small makes an integer variable, now and then out of range.
func (g *gen) small() string {
	v := g.fresh("ix")
	t := basicType(pickString(g, "int", "int8", "uint8", "uint64", "int64", "uint"))
	n := g.n(7)
	if t.kind == signed {
		n -= 2
	}
	g.p("%s := id(%s(%d))", v, t.name, n)
	return v
}

func (g *gen) riskyIndex() bool {
	vs := append(g.of(slice), g.of(array)...)
	if vs = append(vs, g.of(text)...); len(vs) == 0 {
		return false
	}
	v, i := pick(g, vs), g.small()
	if v.typ.kind == text || !v.typ.elem.printable() || g.n(2) == 0 && v.typ.kind == array && !v.set {
		g.p("fmt.Printf(\"%%T\\n\", %s[%s])", v.name, i)
		return true
	}
	if g.n(2) == 0 && v.set {
		g.p("%s[%s] = %s", v.name, i, pickVariableOr(g, v.typ.elem))
		return true
	}
	g.p("fmt.Println(%s[%s])", v.name, i)
	return true
}

func pickVariableOr(g *gen, t *typ) string {
	if vs := g.variables(t, false); len(vs) > 0 {
		return pick(g, vs).name
	}
	return g.literal(t, 0)
}

func (g *gen) riskySlice() bool {
	vs := append(g.of(slice), g.of(text)...)
	if len(vs) == 0 {
		return false
	}
	v := pick(g, vs)
	i, j := g.small(), g.small()
	form := pickString(g, "%s[%s:%s]", "%s[%[2]s:]", "%s[:%[3]s]", "%s[%s:%s:%[4]s]")
	if v.typ.kind == text && form == "%s[%s:%s:%[4]s]" {
		form = "%s[%s:%s]"
	}
	k := j
	if form == "%s[%s:%s:%[4]s]" {
		k = g.small()
	}
	n := g.fresh("v")
	text := fmt.Sprintf(form+"%.0[2]s%.0[3]s%.0[4]s", v.name, i, j, k)
	g.p("%s := %s", n, text)
	g.p("_, _ = %s, %s", i, j)
	g.add(n, v.typ)
	g.p("fmt.Println(len(%s))", n)
	if v.typ.kind == slice && v.typ.elem.printable() {
		g.p("%s = append(%s, %s)", n, n, g.expr(v.typ.elem, 1))
		g.p("fmt.Println(%s, %s)", n, v.name)
	}
	return true
}

func (g *gen) riskyDivision() bool {
	vs := g.where(func(v variable) bool { return v.typ.integer() })
	if len(vs) == 0 {
		return false
	}
	v := pick(g, vs)
	d := g.fresh("v")
	g.p("%s := %s", d, g.varying(v.typ, 1))
	if g.n(2) == 0 {
		g.p("%s &= 3", d)
	}
	g.p("fmt.Println(%s %s %s)", v.name, pickString(g, "/", "%"), d)
	return true
}

func (g *gen) riskyPointer() bool {
	vs := g.of(pointer)
	if len(vs) == 0 {
		return false
	}
	v := pick(g, vs)
	if v.typ.elem.kind == structure {
		f := pick(g, v.typ.elem.fields)
		if g.n(2) == 0 {
			g.p("%s.%s = %s", v.name, f.name, pickVariableOr(g, f.typ))
		} else if f.typ.printable() {
			g.p("fmt.Println(%s.%s)", v.name, f.name)
		}
	}
	g.p("*%s = %s", v.name, pickVariableOr(g, v.typ.elem))
	return true
}

func (g *gen) riskyMap() bool {
	vs := g.where(func(v variable) bool { return v.typ.kind == mapping && v.set })
	if len(vs) == 0 {
		return false
	}
	v := pick(g, vs)
	if g.n(3) == 0 {
		g.p("%s = nil", v.name)
	}
	g.p("%s[%s] = %s", v.name, pickVariableOr(g, v.typ.key), pickVariableOr(g, v.typ.elem))
	return true
}

func (g *gen) riskyAssertion() bool {
	vs := g.of(iface)
	if len(vs) == 0 {
		return false
	}
	v := pick(g, vs)
	t := g.data()
	switch {
	case v.typ != anyType && g.n(2) == 0:
		t = pick(g, v.typ.impls)
	case v.typ != anyType || g.n(3) == 0:
		g.p("fmt.Println(%s.(%s) != nil)", v.name, pickString(g, "fmt.Stringer", "error", "interface{ Missing(int) }"))
		return true
	}
	g.p("fmt.Printf(\"%%v\\n\", %s.(%s))", v.name, t.name)
	return true
}

func (g *gen) riskyMisc() bool {
	switch g.n(8) {
	case 0:
		g.p("var nf func(int) int; fmt.Println(nf(1))")
	case 1:
		g.p("cc := make(chan int); close(cc); close(cc)")
	case 2:
		g.p("cc := make(chan int, 1); close(cc); cc <- 1")
	case 3:
		n := g.small()
		g.p("fmt.Println(len(make([]%s, %s)))", g.data().name, n)
	case 4:
		g.p("var ni interface{ Error() string }; fmt.Println(ni.Error())")
	case 5:
		x, y := g.fresh("v"), g.fresh("v")
		g.p("var %s, %s any = %s, %s", x, y, g.ofType(g.data(), 1), g.ofType(g.data(), 1))
		g.p("fmt.Println(%s == %s, %s == %s)", x, y, x, x)
	case 6:
		if vs := g.of(slice); len(vs) > 0 {
			v := pick(g, vs)
			g.p("fmt.Println(len([%d]%s(%s)))", g.n(4), v.typ.elem.name, v.name)
			break
		}
		return false
	default:
		g.p("panic(%s)", g.panicValue())
	}
	return true
}

// effect changes something inside a slice, a map or behind a pointer.
func (g *gen) effect() {
	vs := g.where(func(v variable) bool {
		return v.set && (v.typ.kind == slice || v.typ.kind == mapping || v.typ.kind == structure || v.typ.kind == array)
	})
	if len(vs) == 0 {
		g.newComposite()
		return
	}
	v := pick(g, vs)
	switch v.typ.kind {
	case slice:
		g.sliceEffect(v)
	case mapping:
		g.mapEffect(v)
	default:
		p := g.fresh("p")
		g.p("%s := &%s", p, v.name)
		g.p("*%s = %s", p, g.expr(v.typ, 2))
	}
}

func (g *gen) newComposite() {
	t := g.sliceOf(g.data())
	v := g.fresh("v")
	g.p("%s := %s", v, g.literal(t, 2))
	g.add(v, t)
}

func (g *gen) sliceEffect(v variable) {
	switch g.n(6) {
	case 0:
		g.p("if len(%s) > 0 { %s[len(%s)-1] = %s }", v.name, v.name, v.name, g.expr(v.typ.elem, 2))
	case 1:
		a := g.fresh("v")
		g.p("%s := append(%s[:len(%s)/2], %s)", a, v.name, v.name, g.expr(v.typ.elem, 2))
		g.add(a, v.typ)
	case 2:
		g.p("fmt.Println(copy(%s, %s))", v.name, g.varying(v.typ, 1))
	case 3:
		g.p("slices.Reverse(%s)", v.name)
	case 4:
		if v.typ.elem.ordered() && v.typ.elem.kind != float {
			g.p("slices.Sort(%s)", v.name)
			break
		}
		g.p("clear(%s)", v.name)
	default:
		g.p("%s = clip(append(%s, %s, %s))", v.name, v.name, g.expr(v.typ.elem, 2), g.expr(v.typ.elem, 1))
	}
}

func (g *gen) mapEffect(v variable) {
	switch g.n(4) {
	case 0:
		g.p("delete(%s, %s)", v.name, g.expr(v.typ.key, 1))
	case 1:
		e, ok := g.fresh("v"), g.fresh("ok")
		g.p("%s, %s := %s[%s]", e, ok, v.name, g.expr(v.typ.key, 1))
		g.add(e, v.typ.elem)
		g.add(ok, boolType)
	case 2:
		if v.typ.elem.number() {
			g.p("if %s != nil { %s[%s] += %s }", v.name, v.name, g.expr(v.typ.key, 0), g.expr(v.typ.elem, 1))
			break
		}
		g.p("if len(%s) > 6 { clear(%s) }", v.name, v.name)
	default:
		g.p("if %s != nil { %s[%s] = %s }", v.name, v.name, g.expr(v.typ.key, 2), g.expr(v.typ.elem, 2))
	}
}
