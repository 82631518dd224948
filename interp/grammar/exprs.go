package grammar

import "go/token"

func (r *reader) expression() *expr { return r.binary(nil, token.LowestPrec) }

// expressions reads one or more, separated by commas.
func (r *reader) expressions() *expr {
	x := r.expression()
	if r.tok != token.COMMA {
		return x
	}
	l := &expr{kind: list, start: x.start, at: x.at, n: 1, x: x}
	for r.got(token.COMMA) {
		y := r.expression()
		if l.n++; l.n == 3 {
			l.y = y // the first that no range clause has
		}
	}
	l.end = r.before
	return l
}

func (r *reader) binary(x *expr, above int) *expr {
	if x == nil {
		x = r.unary()
	}
	for r.tok.Precedence() > above {
		e := &expr{kind: operation, op: r.tok, x: x, start: x.start, at: r.at}
		above := r.tok.Precedence()
		r.step()
		e.y = r.binary(nil, above)
		e.end = r.before
		x = e
	}
	return x
}

func (r *reader) unary() *expr {
	defer r.enter()()
	at := r.at
	switch r.tok {
	case token.MUL, token.ADD, token.SUB, token.NOT, token.XOR, token.TILDE, token.AND:
		e := &expr{kind: operation, op: r.tok, start: at, at: at}
		r.step()
		e.x = r.unary()
		e.end = r.before
		return e
	case token.ARROW:
		r.step()
		x := r.unary()
		if x.kind == chanType {
			r.received(x)
			return &expr{kind: chanType, op: token.CHAN, x: x.x, start: at, at: at, end: r.before}
		}
		return &expr{kind: operation, op: token.ARROW, x: x, start: at, at: at, end: r.before}
	}
	return r.primary(nil, true)
}

// received reads <- (chan E) as (<-chan E), and so on inwards.
func (r *reader) received(x *expr) {
	direction, t := token.ARROW, x
	for direction == token.ARROW && t.kind == chanType {
		direction = t.op
		if direction == token.CHAN {
			r.refuse("unexpected <-, expected chan")
		}
		t = t.x
	}
	if direction == token.ARROW {
		r.refuse("unexpected " + r.textOf(t) + ", expected chan")
	}
}

// operand reads what selectors, indices and arguments follow.
func (r *reader) operand(parens bool) *expr {
	at := r.at
	switch r.tok {
	case token.IDENT:
		return r.identifier()
	case token.STRING:
		r.step()
		return &expr{kind: literal, start: at, at: at, end: r.before}
	case token.LPAREN:
		r.step()
		r.controls++
		x := r.expression()
		r.controls--
		r.want(token.RPAREN)
		if parens || r.tok == token.LBRACE {
			x = &expr{kind: paren, x: x, start: at, at: at, end: r.before}
		}
		return x
	case token.FUNC:
		return r.functionOrType()
	case token.LBRACK, token.CHAN, token.MAP, token.STRUCT, token.INTERFACE:
		return r.typ()
	}
	r.refuse("expected expression")
	r.skip(token.RPAREN, token.RBRACK, token.RBRACE)
	return &expr{kind: bad, start: at, at: at, end: r.before}
}

func (r *reader) functionOrType() *expr {
	at := r.at
	r.step()
	r.signature("function type")
	e := &expr{kind: funcType, start: at, at: at, end: r.before}
	if r.tok == token.LBRACE {
		r.controls++
		r.body()
		r.controls--
		e.kind, e.end = function, r.before
	}
	return e
}

// primary reads an operand, if there is none yet, and what follows it.
func (r *reader) primary(x *expr, parens bool) *expr {
	if x == nil {
		x = r.operand(parens)
	}
	for {
		e := &expr{kind: bad, x: x, start: x.start, at: r.at}
		switch r.tok {
		case token.PERIOD:
			r.step()
			if !r.selected(e) {
				continue // x stays
			}
		case token.LBRACK:
			r.step()
			r.indexed(e)
		case token.LPAREN:
			e.kind = call
			r.step()
			r.arguments(e)
		case token.LBRACE:
			if !r.typed(x.bare()) {
				return x
			}
			if x.kind == paren {
				r.refuse("cannot parenthesize type in composite literal")
			}
			e.kind = composite
			r.elements()
		default:
			return x
		}
		e.end = r.before
		x = e
	}
}

// typed tells whether { after x begins the elements of a composite literal.
func (r *reader) typed(x *expr) bool {
	switch x.kind {
	case name, selector:
		return r.controls >= 0
	case index:
		return r.controls >= 0 && !x.value()
	case arrayType, sliceType, structType, mapType:
		return true
	}
	return false
}

func (r *reader) selected(e *expr) bool {
	switch r.tok {
	case token.IDENT:
		r.step()
		e.kind = selector
	case token.LPAREN:
		r.step()
		if r.got(token.TYPE) {
			e.kind = guard
			r.guards = append(r.guards, e.start)
		} else {
			e.kind = assertion
			r.typ()
		}
		r.want(token.RPAREN)
	default:
		r.refuse("expected name or (")
		r.skip(token.SEMICOLON, token.RPAREN)
		return false
	}
	return true
}

// indexed reads what is behind [: an index, type arguments or the parts of a slice.
func (r *reader) indexed(e *expr) {
	if r.tok != token.COLON {
		comma := false
		if r.tok == token.RBRACK {
			r.refuse("expected operand")
			e.y = &expr{kind: bad, start: r.at, at: r.at, end: r.at}
		} else {
			e.y, comma = r.typeArguments(false)
		}
		if comma || r.tok == token.RBRACK {
			r.want(token.RBRACK)
			e.kind = index
			return
		}
	}
	e.kind = slicing
	if !r.got(token.COLON) {
		r.refuse("expected comma, : or ]")
		r.skip(token.COMMA, token.COLON, token.RBRACK)
	}
	r.controls++
	second := r.tok != token.COLON && r.tok != token.RBRACK
	if second {
		r.expression()
	}
	if r.tok == token.COLON {
		r.third(second)
	}
	r.controls--
	r.want(token.RBRACK)
}

func (r *reader) third(second bool) {
	if !second {
		r.note(r.at, "middle index required in 3-index slice")
	}
	r.step()
	if r.tok == token.RBRACK {
		r.note(r.at, "final index required in 3-index slice")
		return
	}
	r.expression()
}

func (r *reader) arguments(e *expr) {
	n := 0
	r.controls++
	r.list("argument list", token.COMMA, token.RPAREN, func() bool {
		e.y = r.expression()
		n++
		e.withDots = r.got(token.ELLIPSIS)
		return e.withDots
	})
	r.controls--
	e.parameters = n == 1
}

// elements reads those of a composite literal, with their braces.
func (r *reader) elements() {
	r.controls++
	r.want(token.LBRACE)
	r.list("composite literal", token.COMMA, token.RBRACE, func() bool {
		r.keyOrValue()
		if r.got(token.COLON) {
			r.keyOrValue()
		}
		return false
	})
	r.controls--
}

func (r *reader) keyOrValue() {
	defer r.enter()()
	if r.tok == token.LBRACE {
		r.elements()
		return
	}
	r.expression()
}

// identifier reads a name.
func (r *reader) identifier() *expr {
	e := &expr{kind: name, start: r.at, at: r.at}
	if r.tok != token.IDENT {
		r.refuse("expected name")
	}
	r.step()
	e.end = r.before
	return e
}
