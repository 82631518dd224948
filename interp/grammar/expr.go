package grammar

import "go/token"

// A kind is what an expression or type is.
type kind int

const (
	bad kind = iota
	name
	literal
	paren
	operation
	selector
	index
	slicing
	assertion
	guard // x.(type)
	call
	composite
	function
	list
	arrayType
	sliceType
	structType
	mapType
	chanType
	funcType
	interfaceType
)

// An expr is what later productions ask of an expression or type.
type expr struct {
	kind       kind
	start, at  int // where it begins, and its operator, dot or bracket
	end        int
	op         token.Token // of an operation; of a channel's type the direction: ARROW for chan<-, CHAN for <-chan
	x, y       *expr       // operands; what is indexed or called, and its one index or argument; what is in parentheses; a channel's element
	n          int         // elements of a list
	withDots   bool
	parameters bool // of a call: exactly one argument
}

// bare is an expression without its parentheses.
func (e *expr) bare() *expr {
	for e.kind == paren {
		e = e.x
	}
	return e
}

// value tells whether an expression cannot be a type.
func (e *expr) value() bool {
	switch e.kind {
	case literal, composite, function, slicing, assertion, guard, call:
		return true
	case operation:
		return e.op != token.MUL || e.y != nil
	case paren:
		return e.x.value()
	case index:
		return e.x.value() || e.y.value()
	}
	return false
}

// element tells whether an expression can only be a type, or what a constraint is made of.
func (e *expr) element() bool {
	switch e.kind {
	case arrayType, structType, funcType, interfaceType, sliceType, mapType, chanType:
		return true
	case operation:
		return e.x.element() || e.y != nil && e.y.element() || e.op == token.TILDE
	case paren:
		return e.x.element()
	}
	return false
}

// parameter splits P *C, P (C) and P *C|D, which read as expressions, into a type parameter's name and its constraint: nil, where it is none. A name
// alone has no constraint.
func (e *expr) parameter(force bool) (id, constraint *expr) {
	switch e.kind {
	case name:
		return e, nil
	case operation:
		switch {
		case e.y == nil:
		case e.op == token.MUL && e.x.kind == name && (force || e.y.element()):
			return e.x, &expr{kind: operation, op: token.MUL, x: e.y, start: e.at, at: e.at, end: e.end}
		case e.op == token.OR:
			if id, lhs := e.x.parameter(force || e.y.element()); id != nil && lhs != nil {
				return id, &expr{kind: operation, op: token.OR, x: lhs, y: e.y, start: lhs.start, at: e.at, end: e.end}
			}
		}
	case call:
		if e.x.kind == name && e.parameters && !e.withDots && (force || e.y.element()) {
			return e.x, e.y.bare()
		}
	}
	return nil, e
}
