package progen

import (
	"fmt"
	"strings"
)

// local is a type for a variable: any of the program's.
func (g *gen) local() *typ {
	if g.generic {
		for _, v := range g.scope {
			if v.typ.param && g.n(2) == 0 {
				return v.typ
			}
		}
		return pick(g, basics)
	}
	if g.n(10) == 0 {
		return anyType
	}
	return pick(g, g.types)
}

// statement writes one of all kinds of statement.
func (g *gen) statement() {
	kinds := []func(){g.declare, g.declare, g.assign, g.assign, g.assign, g.update, g.print, g.print}
	if g.nest < 4 {
		kinds = append(kinds, g.branch, g.branch, g.loop, g.loop, g.choose, g.closure, g.scoped)
	}
	if !g.generic {
		kinds = append(kinds, g.effect, g.effect, g.call, g.call, g.method)
		if g.nest < 3 {
			kinds = append(kinds, g.guarded, g.typeSwitch, g.assertion, g.jump, g.aliasing, g.aliasing, g.forms, g.yields,
				g.instances)
		}
		if !g.leaf && g.nest < 3 {
			kinds = append(kinds, g.concurrent, g.callables, g.callables)
		}
	}
	pick(g, kinds)()
}

func (g *gen) statements(n int) {
	for range 1 + g.n(max(1, n-g.nest/2)) {
		g.statement()
	}
}

func (g *gen) declare() {
	t := g.local()
	v := g.fresh("v")
	switch g.n(4) {
	case 0:
		g.p("var %s %s", v, t.name)
	case 1:
		g.p("var %s %s = %s", v, t.name, g.expr(t, 3))
	default:
		g.p("%s := %s", v, g.ofType(t, 3))
	}
	g.add(v, t)
}

// target is something to assign a t to that does not panic.
func (g *gen) target(t *typ) string {
	var found []string
	for _, v := range g.scope {
		if v.typ == t && v.set {
			found = append(found, v.name)
		}
		if v.typ.kind == structure && v.set {
			for _, f := range v.typ.fields {
				if f.typ == t {
					found = append(found, v.name+"."+f.name)
				}
			}
		}
		if v.typ.kind == array && v.set && v.typ.elem == t {
			found = append(found, fmt.Sprintf("%s[%d]", v.name, g.n(v.typ.length)))
		}
	}
	if len(found) == 0 {
		return ""
	}
	return pick(g, found)
}

func (g *gen) settable() []variable { return g.where(func(v variable) bool { return v.set }) }

func (g *gen) assign() {
	vs := g.settable()
	if len(vs) == 0 {
		g.declare()
		return
	}
	v := pick(g, vs)
	t := v.typ
	if t.kind == structure && g.n(2) == 0 {
		t = pick(g, t.fields).typ
	} else if t.kind == array && g.n(2) == 0 {
		t = t.elem
	}
	to := g.target(t)
	if other := g.target(t); g.n(5) == 0 && other != to {
		g.p("%s, %s = %s, %s", to, other, g.expr(t, 1), g.expr(t, 1))
		return
	}
	g.p("%s = %s", to, g.expr(t, 3))
}

// update is x op= y, or x++.
func (g *gen) update() {
	vs := g.where(func(v variable) bool { return v.set && (v.typ.number() || v.typ.kind == text) })
	if len(vs) == 0 {
		g.declare()
		return
	}
	v := pick(g, vs)
	switch {
	case v.typ.kind == text:
		g.p("%s += %s", v.name, g.expr(v.typ, 1))
		g.p("%s = %s[:min(len(%s), 40)]", v.name, v.name, v.name)
	case g.n(4) == 0:
		g.p("%s%s", v.name, pickString(g, "++", "--"))
	case v.typ.integer() && g.n(3) == 0:
		g.p("%s %s= uint16(%s)", v.name, pickString(g, "<<", ">>"), g.expr(basicType("uint16"), 1))
	case v.typ.integer() && g.n(2) == 0:
		g.p("%s %s= %s", v.name, pickString(g, "&", "|", "^", "&^"), g.expr(v.typ, 2))
	default:
		g.p("%s %s= %s", v.name, pickString(g, "+", "-", "*"), g.expr(v.typ, 2))
	}
}

func (g *gen) print() {
	vs := g.where(func(v variable) bool { return v.typ.printable() })
	if len(vs) == 0 {
		g.p("fmt.Println(fuel >= 0)")
		return
	}
	v := pick(g, vs)
	switch g.n(5) {
	case 0:
		g.p("fmt.Printf(\"%%T %%v\\n\", %s, %s)", v.name, v.name)
	case 1:
		g.p("fmt.Printf(\"%%+v %%q\\n\", %s, fmt.Sprint(%s))", v.name, pick(g, vs).name)
	case 2:
		g.p("fmt.Printf(\"%%#v\\n\", %s)", v.name)
	case 3:
		t := g.data()
		g.p("fmt.Println(%q, %s)", v.name, g.expr(t, 3))
	default:
		g.p("fmt.Println(%q, %s, %s)", v.name, v.name, pick(g, vs).name)
	}
}

func (g *gen) branch() {
	if g.n(3) == 0 {
		v, t := g.fresh("v"), g.local()
		g.p("if %s := id(%s); (%s) {", v, g.ofType(t, 2), g.expr(boolType, 2))
		g.inside(func() { g.add(v, t); g.statements(3) })
	} else {
		g.p("if %s {", g.varying(boolType, 3))
		g.inside(func() { g.statements(3) })
	}
	if g.n(2) == 0 {
		g.p("} else if %s {", g.varying(boolType, 2))
		g.inside(func() { g.statements(2) })
	}
	if g.n(2) == 0 {
		g.p("} else {")
		g.inside(func() { g.statements(2) })
	}
	g.p("}")
}

// scoped is a block, often with a variable that hides another.
func (g *gen) scoped() {
	g.block("", func() {
		if vs := g.settable(); len(vs) > 0 {
			v := pick(g, vs)
			g.p("%s := %s", v.name, v.name)
			g.add(v.name, v.typ)
		}
		g.statements(4)
	})
}

// choose is a switch over values, or over conditions, sometimes falling through.
func (g *gen) choose() {
	t := pickString(g, "int", "uint8", "string", "int64")
	values := map[string][]string{"string": {`"a"`, `"go"`, `""`, `"héllo"`}}[t]
	if values == nil {
		values = []string{"0", "1", "5", "7", "100"}
	}
	head := fmt.Sprintf("switch %s", g.varying(basicType(t), 2))
	if g.n(3) == 0 {
		head, values = "switch", nil
		for range 3 {
			values = append(values, g.varying(boolType, 2))
		}
	}
	g.p("%s {", head)
	at := g.n(len(values) + 1)
	for i := range len(values) + 1 {
		if i == at {
			g.p("default:")
		} else {
			k := i
			if i > at {
				k--
			}
			g.p("case %s:", values[k])
		}
		g.inside(func() {
			g.statements(2)
			if i < len(values) && g.n(4) == 0 {
				g.p("fallthrough")
			}
		})
	}
	g.p("}")
}

// closure declares a func that captures and changes, and calls it, later or by defer.
func (g *gen) closure() {
	t := g.local()
	f, v, param, res := g.fresh("clo"), g.fresh("v"), g.fresh("p"), g.fresh("res")
	old, loops := g.results, g.loops
	g.results, g.loops = []*typ{t}, nil
	g.p("%s := func(%s %s) (%s %s) {", f, param, t.name, res, t.name)
	g.inside(func() {
		g.scope = append(g.scope, variable{param, t, true}, variable{res, t, true})
		g.p("if !burn() { return %s }", param)
		if g.n(3) == 0 && !g.generic {
			g.p("defer func() { %s = %s }()", res, g.expr(t, 2))
		}
		g.statements(3)
		g.p("return %s", g.expr(t, 2))
	})
	g.p("}")
	g.results, g.loops = old, loops
	g.p("%s := %s(%s)", v, f, g.expr(t, 1))
	g.add(v, t)
	if g.n(2) == 0 {
		g.p("%s = %s(%s)", v, f, v)
	}
}

// method calls through method values and expressions, interfaces and setters.
func (g *gen) method() {
	vs := g.where(func(v variable) bool { return v.set && v.typ.setter != "" })
	if len(vs) == 0 {
		g.declare()
		return
	}
	v := pick(g, vs)
	arg := g.expr(v.typ.fields[0].typ, 2)
	switch g.n(3) {
	case 0:
		g.p("%s.%s(%s)", v.name, v.typ.setter, arg)
	case 1:
		m := g.fresh("mv")
		g.p("%s := %s.%s", m, v.name, v.typ.setter)
		g.assign()
		g.p("%s(%s)", m, arg)
	case 2:
		g.p("(*%s).%s(&%s, %s)", v.typ.name, v.typ.setter, v.name, arg)
	}
	if len(v.typ.methods) > 0 {
		m := pick(g, v.typ.methods)
		bound := g.fresh("mv")
		g.p("%s := %s.%s", bound, v.name, m.name)
		g.assign()
		var args []string
		if m.param != nil {
			args = append(args, g.expr(m.param, 1))
		}
		g.p("fmt.Println(%s(%s), len(fmt.Sprintf(\"%%T\", %s)))", bound, strings.Join(args, ", "), bound)
	}
}
