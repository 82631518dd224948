package progen

import (
	"fmt"
	"strings"
)

// expr is an expression of type t that does not panic and has no side effect. It may be constant.
func (g *gen) expr(t *typ, depth int) string {
	if depth <= 0 {
		return g.leafExpr(t)
	}
	if g.n(5) == 0 {
		if s := g.derived(t, depth); s != "" {
			return s
		}
	}
	switch t.kind {
	case boolean:
		return g.condition(t, depth)
	case signed, unsigned, float, complexNumber:
		return g.arithmetic(t, depth)
	case text:
		return g.stringExpr(t, depth)
	}
	return g.compositeExpr(t, depth)
}

// leafExpr is a variable, a constant or a literal.
func (g *gen) leafExpr(t *typ) string {
	if vs := g.variables(t, false); len(vs) > 0 && g.n(4) > 0 {
		return pick(g, vs).name
	}
	return g.literal(t, 0)
}

// varying is an expression that is not constant.
func (g *gen) varying(t *typ, depth int) string {
	if vs := g.variables(t, false); len(vs) > 0 && (depth <= 0 || g.n(2) == 0) {
		return pick(g, vs).name
	}
	if depth <= 0 {
		return "id(" + g.literal(t, 0) + ")"
	}
	return "id(" + g.expr(t, depth-1) + ")"
}

// derived reaches for a t inside other things: a field, an element, a method's result, what a
// pointer points to.
func (g *gen) derived(t *typ, depth int) string {
	var found []string
	for _, v := range g.scope {
		found = append(found, g.parts(v, t, depth)...)
	}
	if vs := g.variables(t, false); len(vs) > 0 {
		found = append(found, fmt.Sprintf("cond(%s, %s, %s)", g.expr(boolType, depth-1), pick(g, vs).name,
			g.expr(t, depth-1)))
		found = append(found, fmt.Sprintf("func() %s { return %s }()", t.name, pick(g, vs).name))
		found = append(found, fmt.Sprintf("pair[%s, bool]{a: %s}.swap().b", t.name, pick(g, vs).name))
	}
	if len(found) == 0 {
		return ""
	}
	return pick(g, found)
}

func (g *gen) parts(v variable, t *typ, depth int) (found []string) {
	switch v.typ.kind {
	case structure:
		for _, f := range v.typ.fields {
			if f.typ == t {
				found = append(found, v.name+"."+f.name)
			}
		}
	case slice:
		if v.typ.elem == t {
			found = append(found, fmt.Sprintf("at(%s, %s)", v.name, g.expr(intType, depth-1)))
		}
	case array:
		if v.typ.elem == t {
			found = append(found, fmt.Sprintf("%s[uint(%s)%%%d]", v.name, g.varying(intType, 0), v.typ.length))
		}
	case mapping:
		if v.typ.elem == t {
			found = append(found, fmt.Sprintf("%s[%s]", v.name, g.expr(v.typ.key, depth-1)))
		}
	case pointer:
		if v.typ.elem == t {
			found = append(found, "deref("+v.name+")")
		}
	}
	if v.typ.kind == iface {
		return found
	}
	for _, m := range v.typ.methods {
		if m.result != t {
			continue
		}
		arg := ""
		if m.param != nil {
			arg = g.expr(m.param, depth-1)
		}
		found = append(found, fmt.Sprintf("%s.%s(%s)", v.name, m.name, arg))
		if arg != "" {
			arg = ", " + arg
		}
		found = append(found, fmt.Sprintf("%s.%s(%s%s)", v.typ.name, m.name, v.name, arg))
	}
	return found
}

func (g *gen) condition(t *typ, depth int) string {
	switch g.n(5) {
	case 0:
		return g.convert(t, fmt.Sprintf("(%s && %s)", g.varying(boolType, depth-1), g.expr(boolType, depth-1)))
	case 1:
		return g.convert(t, fmt.Sprintf("(%s || !%s)", g.varying(boolType, depth-1), g.varying(boolType, depth-1)))
	case 2:
		if u := pick(g, g.types); u.comparable() && !u.param {
			return g.convert(t, fmt.Sprintf("(%s %s %s)", g.varying(u, depth-1), pickString(g, "==", "!="),
				g.operand(u, depth-1)))
		}
	}
	u := pick(g, basics)
	for !u.ordered() {
		u = pick(g, basics)
	}
	return g.convert(t, fmt.Sprintf("(%s %s %s)", g.varying(u, depth-1), pickString(g, "<", "<=", ">", ">="),
		g.expr(u, depth-1)))
}

// operand is an expression that may stand beside == in a condition: composite literals need
// parentheses there.
func (g *gen) operand(t *typ, depth int) string { return "(" + g.expr(t, depth) + ")" }

func (g *gen) convert(t *typ, s string) string {
	if t == boolType {
		return s
	}
	return t.name + "(" + s + ")"
}

func (g *gen) stringExpr(t *typ, depth int) string {
	switch g.n(8) {
	case 0:
		return fmt.Sprintf("%s(clipText(string(%s) + string(%s)))", t.name, g.varying(t, depth-1), g.expr(t, depth-1))
	case 1:
		return fmt.Sprintf("%s(sub(string(%s), %s, %s))", t.name, g.varying(t, depth-1), g.expr(basicType("uint8"), depth-1),
			g.expr(basicType("uint8"), 0))
	case 2:
		if u := g.data(); u.printable() {
			return fmt.Sprintf("%s(clipText(fmt.Sprint(%s)))", t.name, g.varying(u, depth-1))
		}
	case 3:
		return fmt.Sprintf("%s(rune(%s))", t.name, g.varying(basicType("int32"), depth-1))
	case 4:
		return fmt.Sprintf("%s(%s(string(%s)))", t.name,
			pickString(g, "strings.ToUpper", "strconv.Quote", "strings.TrimSpace", "strings.ToTitle"), g.varying(t, 0))
	case 5:
		return fmt.Sprintf("%s([]byte(%s))", t.name, g.varying(t, depth-1))
	case 6:
		return fmt.Sprintf("%s([]rune(%s))", t.name, g.varying(t, depth-1))
	}
	return g.leafExpr(t)
}

func (g *gen) compositeExpr(t *typ, depth int) string {
	switch t.kind {
	case slice:
		switch g.n(4) {
		case 0:
			return fmt.Sprintf("clip(append(%s[:0:0], %s))", g.varying(t, depth-1), g.expr(t.elem, depth-1))
		case 1:
			return fmt.Sprintf("append(%s(nil), %s)", t.name, g.expr(t.elem, depth-1))
		}
	case pointer:
		if g.n(2) == 0 {
			return "ref(" + g.ofType(t.elem, depth-1) + ")"
		}
	}
	if vs := g.variables(t, false); len(vs) > 0 && g.n(2) == 0 {
		return pick(g, vs).name
	}
	return g.literal(t, depth)
}

// ofType is an expression whose type is t even where nothing asks for it.
func (g *gen) ofType(t *typ, depth int) string {
	if t.kind == iface {
		return t.name + "(" + g.expr(t, depth) + ")"
	}
	return g.expr(t, depth)
}

// literal is a constant of t, typed, or a composite literal.
func (g *gen) literal(t *typ, depth int) string {
	switch t.kind {
	case boolean, signed, unsigned, float, complexNumber, text:
		return g.constant(t)
	case structure:
		return g.structLiteral(t, depth)
	case slice, array:
		return t.name + "{" + g.elements(t, depth) + "}"
	case mapping:
		if g.n(4) == 0 || depth <= 0 {
			return t.name + "{}"
		}
		return fmt.Sprintf("%s{%s: %s}", t.name, g.expr(t.key, 0), g.expr(t.elem, depth-1))
	case pointer:
		if g.n(3) == 0 || depth <= 0 {
			return "(" + t.name + ")(nil)"
		}
		return "ref(" + g.ofType(t.elem, depth-1) + ")"
	case iface:
		return g.boxed(t, depth)
	}
	return "*new(" + t.name + ")"
}

// boxed is a value for an interface.
func (g *gen) boxed(t *typ, depth int) string {
	if t == anyType {
		return "any(" + g.ofType(g.data(), depth-1) + ")"
	}
	return t.name + "(" + g.ofType(pick(g, t.impls), depth-1) + ")"
}

func (g *gen) structLiteral(t *typ, depth int) string {
	var parts []string
	named := g.n(2) == 0
	for _, f := range t.fields {
		if named && g.n(3) == 0 {
			continue
		}
		s := g.expr(f.typ, depth-1)
		if named {
			s = f.name + ": " + s
		}
		parts = append(parts, s)
	}
	return t.name + "{" + strings.Join(parts, ", ") + "}"
}

func (g *gen) elements(t *typ, depth int) string {
	n := g.n(5)
	if t.kind == array {
		n = g.n(t.length + 1)
	}
	var parts []string
	for range n {
		parts = append(parts, g.expr(t.elem, depth-1))
	}
	return strings.Join(parts, ", ")
}
