package progen

import (
	"fmt"
	"math"
	"strconv"
)

// arithmetic is an operation on numbers; its left operand is not constant, so that nothing
// overflows at compile time.
func (g *gen) arithmetic(t *typ, depth int) string {
	if t.integer() {
		return g.integerExpr(t, depth)
	}
	x := g.varying(t, depth-1)
	switch g.n(7) {
	case 0:
		return fmt.Sprintf("(-%s)", x)
	case 1:
		if t.kind == complexNumber {
			part := map[int]string{64: "float32", 128: "float64"}[t.bits]
			f := g.varying(basicType(part), depth-1)
			return fmt.Sprintf("%s(complex(%s, %s(%s)))", t.name, f, part, pickString(g, "real", "imag")+"("+x+")")
		}
		return fmt.Sprintf("%s(%s)", t.name, g.varying(pick(g, basics[:13]), depth-1))
	case 2:
		return fmt.Sprintf("(%s / %s)", x, g.varying(t, depth-1))
	case 3:
		if t.kind == float {
			return fmt.Sprintf("%s(%s, %s)", pickString(g, "min", "max"), x, g.expr(t, depth-1))
		}
	}
	return fmt.Sprintf("%s(%s %s %s)", t.name, x, pickString(g, "+", "-", "*"), g.expr(t, depth-1))
}

func (g *gen) integerExpr(t *typ, depth int) string {
	x := g.varying(t, depth-1)
	switch g.n(9) {
	case 0:
		return fmt.Sprintf("(%s %s uint8(%s))", x, pickString(g, "<<", ">>"), g.expr(basicType("uint8"), 0))
	case 1:
		return fmt.Sprintf("(%s %s (%s|1))", x, pickString(g, "/", "%"), g.varying(t, depth-1))
	case 2:
		if !t.param {
			return g.fromElsewhere(t, depth)
		}
		return fmt.Sprintf("%s(len(%s))", t.name, g.varying(stringType, 0))
	case 3:
		return fmt.Sprintf("(%s%s)", pickString(g, "-", "^"), x)
	case 4:
		return fmt.Sprintf("%s(%s, %s)", pickString(g, "min", "max"), x, g.expr(t, depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", x, pickString(g, "+", "-", "*", "&", "|", "^", "&^", "+", "-"), g.expr(t, depth-1))
}

// fromElsewhere makes an integer of what is none, or is another.
func (g *gen) fromElsewhere(t *typ, depth int) string {
	switch g.n(4) {
	case 0:
		return fmt.Sprintf("%s(whole(float64(%s)))", t.name, g.varying(pick(g, basics[:13]), depth-1))
	case 1:
		if vs := g.where(func(v variable) bool {
			return v.typ.kind == slice || v.typ.kind == mapping ||
				v.typ.kind == text
		}); len(vs) > 0 {
			return fmt.Sprintf("%s(len(%s))", t.name, pick(g, vs).name)
		}
	case 2:
		if g.n(2) == 0 && len(g.insts) > 0 {
			for _, i := range g.insts {
				if i.typ == t {
					return fmt.Sprintf("%s(%s, %s)", i.name, g.expr(t, depth-1), g.expr(t, depth-1))
				}
			}
		}
	}
	return fmt.Sprintf("%s(%s)", t.name, g.varying(pick(g, basics[:11]), depth-1))
}

// constant is a typed constant expression.
func (g *gen) constant(t *typ) string {
	if len(g.consts) > 0 && t.number() && !t.param && g.n(8) == 0 {
		return g.constantOf(t)
	}
	switch t.kind {
	case boolean:
		return t.name + "(" + strconv.FormatBool(g.n(2) == 0) + ")"
	case signed:
		return fmt.Sprintf("%s(%d)", t.name, g.signedValue(t))
	case unsigned:
		return fmt.Sprintf("%s(%d)", t.name, g.unsignedValue(t))
	case float:
		return fmt.Sprintf("%s(%s)", t.name, g.floatValue())
	case complexNumber:
		return fmt.Sprintf("%s(complex(%s, %s))", t.name, g.floatValue(), g.floatValue())
	}
	return fmt.Sprintf("%s(%q)", t.name, pickString(g, "", "a", "go", "héllo", "日本", "x\x00y", "\xff\xfe", " tab\t",
		"zzzz", "9", "long enough to be cut"))
}

func (g *gen) signedValue(t *typ) int64 {
	if t.param {
		return int64(g.n(100))
	}
	limit := int64(math.MaxInt64) >> (64 - t.bits)
	switch g.n(6) {
	case 0:
		return limit
	case 1:
		return -limit - 1
	case 2:
		return g.r.Int64() >> (64 - t.bits)
	}
	return int64(g.n(20) - 8)
}

func (g *gen) unsignedValue(t *typ) uint64 {
	if t.param {
		return uint64(g.n(100))
	}
	switch g.n(5) {
	case 0:
		return math.MaxUint64 >> (64 - t.bits)
	case 1:
		return g.r.Uint64() >> (64 - t.bits)
	}
	return uint64(g.n(20))
}

func (g *gen) floatValue() string {
	return pickString(g, "0", "1", "-1", "0.5", "-2.25", "3.14159", "1e10", "1e-7", "123456.789", "16777217", "0.1",
		"1e30", "7")
}
