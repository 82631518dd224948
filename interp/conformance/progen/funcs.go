package progen

import (
	"fmt"
	"strings"
)

// A fn is a function of the program that statements may call.
type fn struct {
	name            string
	params, results []*typ
}

// An instance is a pure generic function's instance: func(T, T) T.
type instance struct {
	name string
	typ  *typ
}

// genericFunctions declares functions over integers of any type, and over anything.
func (g *gen) genericFunctions() {
	for range 1 + g.n(3) {
		p := &typ{kind: signed, name: "T", bits: 7, param: true}
		name := g.fresh("gen")
		g.generic, g.leaf = true, true
		body := g.body([]variable{{"a", p, true}, {"b", p, true}}, 2+g.n(4), []*typ{p})
		g.generic, g.leaf = false, false
		local := ""
		if g.n(2) == 0 {
			local = "\ttype local struct{ v, w T }\n\tif fuel > 2900 {\n\t\tfmt.Printf(\"%T %v\\n\", local{a, b}, local{b, " +
				"a})\n\t}\n"
		}
		g.decl("func %s[T ints](a, b T) T {\n%s%s}\n", name, local, body)
		for range 4 {
			if t := pick(g, g.types); t.integer() && t.name != "uintptr" && (t.basic == nil || t.basic.name != "uintptr") {
				g.insts = append(g.insts, instance{pickString(g, name, name+"["+t.name+"]"), t})
			}
		}
	}
	// these print: they are called by statements
	g.pures, g.insts = g.insts, nil
}

// body writes statements and a return of results over vars, and returns their text.
func (g *gen) body(vars []variable, n int, results []*typ) string {
	outer, scope, indent, nest, loops := g.out.String(), g.scope, g.indent, g.nest, g.loops
	g.out.Reset()
	g.scope, g.indent, g.nest, g.loops = append(append([]variable{}, scope...), vars...), 1, 1, nil
	if g.generic {
		g.scope = vars
	}
	old := g.results
	g.results = results
	g.block("if !burn()", func() { g.p("return %s", g.resultList(results, 0)) })
	for range n {
		g.statement()
	}
	g.p("return %s", g.resultList(results, 2))
	text := g.out.String()
	g.out.Reset()
	g.out.WriteString(outer)
	g.scope, g.indent, g.nest, g.loops, g.results = scope, indent, nest, loops, old
	return text
}

func (g *gen) resultList(ts []*typ, depth int) string {
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = g.expr(t, depth)
	}
	return strings.Join(parts, ", ")
}

// function declares a function; those before it may be called from it, and it may call itself, one
// lower.
func (g *gen) function() {
	f := fn{name: g.fresh("fun")}
	var vars []variable
	var params []string
	for i := range 1 + g.n(3) {
		t := g.local()
		f.params = append(f.params, t)
		vars = append(vars, variable{fmt.Sprintf("a%d", i), t, true})
		params = append(params, fmt.Sprintf("a%d %s", i, t.name))
	}
	var results []string
	named := g.n(3) == 0
	for i := range 1 + g.n(2) {
		t := g.local()
		f.results = append(f.results, t)
		name := ""
		if named {
			name = fmt.Sprintf("out%d ", i)
			vars = append(vars, variable{fmt.Sprintf("out%d", i), t, true})
		}
		results = append(results, name+t.name)
	}
	deferred := ""
	if named && g.n(2) == 0 {
		deferred = fmt.Sprintf("\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tfmt.Println(%q, "+
			"r)\n\t\t\tout0 = %s\n\t\t}\n\t}()\n",
			f.name+" recovered", g.within(vars, f.results[0], 1))
	}
	body := g.body(vars, 3+g.n(5), f.results)
	g.decl("func %s(%s) (%s) {\n%s%s}\n", f.name, strings.Join(params, ", "), strings.Join(results, ", "), deferred, body)
	g.fns = append(g.fns, f)
}

// call calls a function, or an instance of a generic one, as a statement of its own, into new
// variables.
func (g *gen) call() {
	if g.leaf {
		g.declare()
		return
	}
	if len(g.pures) > 0 && (len(g.fns) == 0 || g.n(3) == 0) {
		i := pick(g, g.pures)
		v := g.fresh("v")
		g.p("%s := %s(%s, %s)", v, i.name, g.varying(i.typ, 1), g.varying(i.typ, 1))
		g.add(v, i.typ)
		return
	}
	if len(g.fns) == 0 {
		g.declare()
		return
	}
	f := pick(g, g.fns)
	var args, vs []string
	for _, t := range f.params {
		args = append(args, g.expr(t, 1))
	}
	for range f.results {
		vs = append(vs, g.fresh("v"))
	}
	g.p("%s := %s(%s)", strings.Join(vs, ", "), f.name, strings.Join(args, ", "))
	for i, t := range f.results {
		g.add(vs[i], t)
	}
}
