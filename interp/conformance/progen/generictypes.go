package progen

// genericTypes declares a generic type with methods, one that embeds it, and functions that look at
// type parameters' types. Their names are numbered as the program's others.
func (g *gen) genericTypes() {
	if g.n(3) == 0 {
		return
	}
	s, w, k := g.fresh("Stack"), g.fresh("Wrap"), g.fresh("kindOf")
	g.decl("type %s[T any] struct {\n\titems []T\n\tonPush func(T)\n}\n", s)
	g.decl("func (s *%s[T]) Push(x T) *%s[T] {\n\ts.items = append(s.items, x)\n\tif s.onPush != nil "+
		"{\n\t\ts.onPush(x)\n\t}\n\treturn s\n}\n", s, s)
	g.decl("func (s %s[T]) Each(f func(T) T) (out %s[T]) {\n\tfor _, x := range s.items "+
		"{\n\t\tout.Push(f(x))\n\t}\n\treturn out\n}\n", s, s)
	g.decl("func (s %s[T]) All() iter.Seq2[int, T] { return slices.All(s.items) }\n", s)
	g.decl("func (s %s[T]) Len() int { return len(s.items) }\n", s)
	if g.n(2) == 0 {
		g.decl("func (s %s[T]) String() string { return fmt.Sprintf(%q, *new(T), s.items) }\n", s, s+"[%T]%v")
	}
	g.decl("type %s[K comparable, V any] struct {\n\t%s[V]\n\tby map[K]V\n}\n", w, s)
	g.decl("func (w *%s[K, V]) Put(k K, v V) { if w.by == nil { w.by = map[K]V{} }; w.by[k] = v; w.Push(v) }\n", w)
	g.decl("func %s[T any](x T) string {\n\tswitch v := any(x).(type) {\n\tcase int:\n\t\treturn fmt.Sprint(\"int "+
		"\", v)\n\tcase []T:\n\t\treturn \"slice of itself\"\n"+
		"\tcase interface{ Len() int }:\n\t\treturn fmt.Sprint(\"len \", v.Len())\n\tcase error:\n\t\treturn \"error \" "+
		"+ v.Error()\n\tcase fmt.Stringer:\n\t\treturn \"Stringer \" + v.String()\n"+
		"\tcase *T, map[string]T, func() T:\n\t\treturn \"of itself\"\n\t}\n\tvar list []T\n\treturn "+
		"fmt.Sprintf(\"other %%T %%T\", x, list)\n}\n", k)
	g.generics = append(g.generics, genericType{s, w, k})
}

// A genericType is the names of one of the program's: a stack, what wraps it, and the function that
// tells types apart.
type genericType struct{ stack, wrap, kindOf string }

// instances uses them with types of the program.
func (g *gen) instances() {
	if len(g.generics) == 0 {
		g.callables()
		return
	}
	x := pick(g, g.generics)
	t, k := g.data(), g.key()
	v := g.fresh("v")
	switch g.n(4) {
	case 0:
		g.p("%s := new(%s[%s]).Push(%s).Push(%s)", v, x.stack, t.name, g.expr(t, 1), g.expr(t, 2))
		g.p("%s.onPush = func(x %s) { fmt.Println(\"pushed\", x) }", v, t.name)
		push, each := g.fresh("mv"), g.fresh("mv")
		g.p("%s, %s := %s.Push, %s[%s].Each", push, each, v, x.stack, t.name)
		g.p("%s(%s)", push, g.expr(t, 1))
		g.p("fmt.Println(%s(*%s, func(x %s) %s { _ = x; return %s }).Len())", each, v, t.name, t.name, g.pureExpr("x", t, t))
		g.p("for i, x := range %s.All() { fmt.Println(i, x) }", v)
	case 1:
		g.p("var %s %s[%s, %s]", v, x.wrap, k.name, t.name)
		g.p("%s.Put(%s, %s)", v, g.expr(k, 1), g.expr(t, 1))
		g.p("(*%s[%s, %s]).Put(&%s, %s, %s)", x.wrap, k.name, t.name, v, g.expr(k, 1), g.expr(t, 1))
		g.p("fmt.Println(%s.Len(), %s.by, %s.items)", v, v, v)
		g.p("fmt.Printf(\"%%T\\n\", %s)", v)
	case 2:
		g.p("fmt.Println(%s(%s), %s(%s{}), %s(errors.New(\"e\")))", x.kindOf, g.ofType(t, 2), x.kindOf, x.stack+"["+t.name+
			"]", x.kindOf)
	default:
		g.p("var %s interface { Len() int; All() iter.Seq2[int, %s] } = new(%s[%s, %s])", v, t.name, x.wrap, k.name, t.name)
		g.p("%s.(*%s[%s, %s]).Put(%s, %s)", v, x.wrap, k.name, t.name, g.expr(k, 1), g.expr(t, 1))
		other := g.fresh("ok")
		g.p("_, %s := %s.(interface { All() iter.Seq2[int, struct{}] })", other, v)
		g.p("fmt.Println(%s.Len(), %s)", v, other)
	}
}
