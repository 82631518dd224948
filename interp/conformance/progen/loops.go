package progen

import "fmt"

// loop is one of the forms of for, each burning fuel as it turns.
func (g *gen) loop() {
	forms := []func(label string){g.counted, g.counted, g.rangeInt, g.rangeSlice, g.rangeText}
	if !g.generic {
		forms = append(forms, g.rangeMap, g.rangeFunc, g.rangeList, g.perIteration)
	}
	label := ""
	if g.n(3) == 0 {
		label = g.fresh("L")
	}
	pick(g, forms)(label)
}

// turn writes the loop's head and body, with breaks and continues.
func (g *gen) turn(label, head string, vars []variable) {
	if label != "" {
		g.p("%s:", label)
	}
	loops := g.loops
	g.loops = append(append([]string{}, loops...), label)
	g.block(head, func() {
		g.p("if !burn() {")
		if label != "" {
			g.p("\tbreak %s", label)
		} else {
			g.p("\tbreak")
		}
		g.p("}")
		for _, v := range vars {
			g.add(v.name, v.typ)
		}
		g.statements(3)
		if g.n(3) == 0 {
			g.p("if %s { %s }", g.varying(boolType, 1), g.leave())
		}
		if g.nest < 4 {
			g.statements(1)
		}
	})
	g.loops = loops
}

// leave is a break, continue or return.
func (g *gen) leave() string {
	if g.results != nil && g.n(4) == 0 {
		return "return " + g.resultList(g.results, 1)
	}
	word := pickString(g, "break", "continue")
	if label := pick(g, g.loops); label != "" {
		return word + " " + label
	}
	return word
}

func (g *gen) counted(label string) {
	i := g.fresh("i")
	step := pickString(g, "++", "+= 2", "+= 3")
	g.turn(label, fmt.Sprintf("for %s := %d; %s < %d; %s %s", i, g.n(4)-2, i, 2+g.n(6), i, step),
		[]variable{{i, intType, false}})
}

func (g *gen) rangeInt(label string) {
	i := g.fresh("i")
	t := basicType(pickString(g, "int", "int8", "uint16", "int64"))
	head := fmt.Sprintf("for %s := range %s(%d)", i, t.name, g.n(6))
	if g.n(4) == 0 {
		head = fmt.Sprintf("for %s := range %s(%s) %% 5", i, t.name, g.varying(t, 1))
	}
	g.turn(label, head, []variable{{i, t, true}})
}

func (g *gen) rangeSlice(label string) {
	vs := g.where(func(v variable) bool { return v.typ.kind == slice || v.typ.kind == array })
	if len(vs) == 0 {
		g.counted(label)
		return
	}
	v := pick(g, vs)
	i, e := g.fresh("i"), g.fresh("e")
	over := v.name
	if v.typ.kind == array && v.set && g.n(2) == 0 {
		over = "&" + over
	}
	g.turn(label, fmt.Sprintf("for %s, %s := range %s", i, e, over), []variable{{i, intType, true}, {e, v.typ.elem, true}})
}

func (g *gen) rangeText(label string) {
	i, c := g.fresh("i"), g.fresh("c")
	g.turn(label, fmt.Sprintf("for %s, %s := range %s", i, c, g.varying(stringType, 2)),
		[]variable{{i, intType, true}, {c, basicType("int32"), true}})
}

// rangeMap sums up what does not depend on order.
func (g *gen) rangeMap(string) {
	vs := g.where(func(v variable) bool { return v.typ.kind == mapping })
	if len(vs) == 0 {
		g.effect()
		return
	}
	v := pick(g, vs)
	n := g.fresh("v")
	g.p("%s := 0", n)
	g.p("for k, e := range %s {", v.name)
	g.p("\t%s += len(fmt.Sprint(k, e))", n)
	if g.n(3) == 0 {
		g.p("\tdelete(%s, k)", v.name)
	}
	g.p("}")
	g.add(n, intType)
}

func (g *gen) rangeFunc(label string) {
	i := g.fresh("i")
	g.turn(label, fmt.Sprintf("for %s := range upto(%d)", i, g.n(6)), []variable{{i, intType, true}})
}

func (g *gen) rangeList(label string) {
	l, i, e := g.fresh("l"), g.fresh("i"), g.fresh("e")
	t := g.data()
	g.p("var %s *list[%s]", l, t.name)
	for range g.n(4) {
		g.p("%s = %s.push(%s)", l, l, g.expr(t, 1))
	}
	g.turn(label, fmt.Sprintf("for %s, %s := range %s.all()", i, e, l), []variable{{i, intType, true}, {e, t, true}})
}

// perIteration keeps closures over the loop's variable.
func (g *gen) perIteration(string) {
	fs, i := g.fresh("fs"), g.fresh("i")
	t := g.data()
	g.p("var %s []func() %s", fs, t.name)
	g.p("for %s := %d; %s < 4; %s++ {", i, g.n(3), i, i)
	g.inside(func() {
		g.scope = append(g.scope, variable{i, intType, false})
		v := g.fresh("v")
		g.p("%s := %s", v, g.ofType(t, 2))
		g.scope = append(g.scope, variable{v, t, true})
		g.p("%s = append(%s, func() %s { fmt.Print(%s, \" \"); %s = %s; return %s })", fs, fs, t.name, i, v, g.expr(t, 2), v)
		if g.n(3) == 0 {
			g.p("%s++", i)
		}
	})
	g.p("}")
	g.p("for _, f := range %s { fmt.Println(f(), f()) }", fs)
}

// jump is a loop made of labels and goto, in a function of its own, since goto may not jump over
// declarations.
func (g *gen) jump() {
	l := g.fresh("L")
	v := g.fresh("v")
	results, loops := g.results, g.loops
	g.results, g.loops = nil, nil
	g.p("%s := 0", v)
	g.p("func() {")
	g.inside(func() {
		g.p("%s:", l)
		g.p("%s++", v)
		g.p("if %s < %d && %s {", v, 2+g.n(4), g.varying(boolType, 1))
		g.inside(func() {
			g.block("", func() { g.statements(2) })
			g.p("if burn() { goto %s }", l)
		})
		g.p("}")
	})
	g.p("}()")
	g.results, g.loops = results, loops
	g.add(v, intType)
}
