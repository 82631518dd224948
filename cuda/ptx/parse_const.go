package ptx

import (
	"math"
	"strconv"
	"strings"
)

// constant is the value of a constant expression (section 4.5): integers are 64
// bits wide, signed or not; floating constants are doubles, except the exact
// single-precision spelling 0f.
type constant struct {
	bits     uint64
	unsigned bool
	float    Type // F64, F32 for 0f, NoType for an integer
}

// as gives the bits of the constant in a variable or operand of type t.
func (c constant) as(t Type) uint64 {
	switch {
	case c.float == F32 && t == F64:
		return math.Float64bits(float64(math.Float32frombits(uint32(c.bits))))
	case c.float == F64 && t.Size() == 4:
		return uint64(math.Float32bits(float32(math.Float64frombits(c.bits))))
	case c.float == NoType && t == F32:
		return uint64(math.Float32bits(float32(int64(c.bits))))
	case c.float == NoType && t == F64:
		return math.Float64bits(float64(int64(c.bits)))
	}
	return c.bits
}

// precedence of the binary operators, as in C.
var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

func (p *parser) constExpr() constant { return p.constTail(p.constUnary(), 1) }

// constTail reads the operators behind a first operand, and a choice behind these.
func (p *parser) constTail(c constant, least int) constant {
	c = p.constRest(c, least)
	if !p.accept("?") {
		return c
	}
	if c.float != NoType {
		p.fail("an integer to choose by before this")
	}
	defer p.nest()()
	a := p.constExpr()
	p.expect(":")
	b := p.constExpr()
	u := a.unsigned || b.unsigned
	if a.float != NoType || b.float != NoType {
		p.fail("a choice between integers before this")
	}
	if c.bits == 0 {
		a = b
	}
	a.unsigned = u
	return a
}

func (p *parser) constRest(left constant, least int) constant {
	for p.tok.kind == tokPunct {
		op := p.tok
		level, ok := precedence[op.text]
		if !ok || level < least {
			break
		}
		p.advance()
		right := p.constRest(p.constUnary(), level+1)
		left = p.fold(op, left, right)
	}
	return left
}

func (p *parser) constNot(c constant) constant {
	if c.float != NoType {
		p.fail("an integer before this")
	}
	return constant{bits: truth(c.bits == 0)}
}

func (p *parser) fold(op token, a, b constant) constant {
	if a.float == F32 || b.float == F32 {
		p.failAt(op, "no operator of a constant such as 0f3F800000, which stands alone")
	}
	if a.float != NoType || b.float != NoType {
		return p.foldFloats(op, a, b)
	}
	f := foldings[op.text]
	if f == nil || (op.text == "/" || op.text == "%") && b.bits == 0 {
		p.failAt(op, "an operator that has a value here")
	}
	u := a.unsigned || b.unsigned
	return constant{bits: f(a.bits, b.bits, u), unsigned: u}
}

// foldFloats is for the operators that floating constants have: arithmetic and comparisons, of
// doubles.
func (p *parser) foldFloats(op token, a, b constant) constant {
	x, y := math.Float64frombits(a.as(F64)), math.Float64frombits(b.as(F64))
	compare, arithmetic := floatComparisons[op.text], floatArithmetic[op.text]
	switch {
	case a.float == NoType || b.float == NoType:
		p.failAt(op, "two integers or two floating constants around this")
	case compare != nil:
		return constant{bits: truth(compare(x, y))}
	case arithmetic != nil:
		return constant{bits: math.Float64bits(arithmetic(x, y)), float: F64}
	}
	p.failAt(op, "an operator of floating constants: + - * / and comparisons")
	return constant{}
}

var floatArithmetic = map[string]func(x, y float64) float64{
	"+": func(x, y float64) float64 { return x + y }, "-": func(x, y float64) float64 { return x - y },
	"*": func(x, y float64) float64 { return x * y }, "/": func(x, y float64) float64 { return x / y },
}

var floatComparisons = map[string]func(x, y float64) bool{
	"<": func(x, y float64) bool { return x < y }, "<=": func(x, y float64) bool { return x <= y },
	">": func(x, y float64) bool { return x > y }, ">=": func(x, y float64) bool { return x >= y },
	"==": func(x, y float64) bool { return x == y }, "!=": func(x, y float64) bool { return x != y },
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// pick chooses the signed or unsigned reading of an operator.
func pick(signed func(a, b int64) uint64, unsigned func(a, b uint64) uint64) func(a, b uint64, u bool) uint64 {
	return func(a, b uint64, u bool) uint64 {
		if u {
			return unsigned(a, b)
		}
		return signed(int64(a), int64(b))
	}
}

func plain(f func(a, b uint64) uint64) func(a, b uint64, u bool) uint64 {
	return func(a, b uint64, _ bool) uint64 { return f(a, b) }
}

var foldings = map[string]func(a, b uint64, u bool) uint64{
	"+":  plain(func(a, b uint64) uint64 { return a + b }),
	"-":  plain(func(a, b uint64) uint64 { return a - b }),
	"*":  plain(func(a, b uint64) uint64 { return a * b }),
	"&":  plain(func(a, b uint64) uint64 { return a & b }),
	"|":  plain(func(a, b uint64) uint64 { return a | b }),
	"^":  plain(func(a, b uint64) uint64 { return a ^ b }),
	"<<": plain(func(a, b uint64) uint64 { return a << b }),
	"&&": plain(func(a, b uint64) uint64 { return truth(a != 0 && b != 0) }),
	"||": plain(func(a, b uint64) uint64 { return truth(a != 0 || b != 0) }),
	"==": plain(func(a, b uint64) uint64 { return truth(a == b) }),
	"!=": plain(func(a, b uint64) uint64 { return truth(a != b) }),
	"/":  pick(func(a, b int64) uint64 { return uint64(a / b) }, func(a, b uint64) uint64 { return a / b }),
	"%":  pick(func(a, b int64) uint64 { return uint64(a % b) }, func(a, b uint64) uint64 { return a % b }),
	">>": pick(func(a, b int64) uint64 { return uint64(a >> uint64(b)) }, func(a, b uint64) uint64 { return a >> b }),
	"<":  pick(func(a, b int64) uint64 { return truth(a < b) }, func(a, b uint64) uint64 { return truth(a < b) }),
	">":  pick(func(a, b int64) uint64 { return truth(a > b) }, func(a, b uint64) uint64 { return truth(a > b) }),
	"<=": pick(func(a, b int64) uint64 { return truth(a <= b) }, func(a, b uint64) uint64 { return truth(a <= b) }),
	">=": pick(func(a, b int64) uint64 { return truth(a >= b) }, func(a, b uint64) uint64 { return truth(a >= b) }),
}

func (p *parser) constUnary() constant {
	defer p.nest()()
	switch {
	case p.accept("-"):
		c := p.constUnary()
		switch c.float {
		case F64:
			c.bits ^= 1 << 63
		case F32:
			p.fail("no sign before a constant such as 0f3F800000, which has its own")
		default:
			c.bits = -c.bits
		}
		return c
	case p.accept("+"):
		return p.constUnary()
	case p.accept("~"):
		c := p.constUnary()
		if c.float != NoType {
			p.fail("an integer before this")
		}
		c.bits = ^c.bits
		return c
	case p.accept("!"):
		return p.constNot(p.constUnary())
	case p.isPunct("("):
		return p.constParen()
	case p.tok.kind == tokIdent && p.tok.text == "WARP_SZ":
		p.advance()
		return constant{bits: 32}
	}
	if p.tok.kind != tokNumber {
		p.fail("a constant")
	}
	c, ok := parseNumber(p.tok.text)
	if !ok {
		p.fail("a constant such as 12, 0x1F, 1.5 or 0f3F800000")
	}
	p.advance()
	return c
}

// constParen reads (expression) or a cast, (.s64) or (.u64).
func (p *parser) constParen() constant {
	p.expect("(")
	if p.isDot("s64") || p.isDot("u64") {
		unsigned := p.tok.text == "u64"
		p.advance()
		p.expect(")")
		c := p.constUnary()
		if c.float != NoType {
			p.fail("an integer before this")
		}
		c.unsigned = unsigned
		return c
	}
	c := p.constExpr()
	p.expect(")")
	return c
}

// parseNumber reads every spelling of section 4.5.
func parseNumber(t string) (constant, bool) {
	if len(t) > 2 && t[0] == '0' {
		switch t[1] {
		case 'f', 'F':
			v, err := strconv.ParseUint(t[2:], 16, 32)
			return constant{bits: v, float: F32}, err == nil && len(t) == 10
		case 'd', 'D':
			v, err := strconv.ParseUint(t[2:], 16, 64)
			return constant{bits: v, float: F64}, err == nil && len(t) == 18
		}
	}
	if v, ok := parseUint(t); ok {
		u := t[len(t)-1] == 'U' || v > math.MaxInt64
		return constant{bits: v, unsigned: u}, true
	}
	if isHexSpelling(t) {
		return constant{}, false
	}
	if !strings.ContainsAny(t, ".eE") {
		return constant{}, false // an integer of more than 64 bits
	}
	v, err := strconv.ParseFloat(t, 64)
	return constant{bits: math.Float64bits(v), float: F64}, err == nil
}
