package grammar

import "go/token"

func (r *reader) typ() *expr {
	if t := r.maybeType(); t != nil {
		return t
	}
	t := &expr{kind: bad, start: r.at, at: r.at, end: r.at}
	r.refuse("expected type")
	r.skip(token.COMMA, token.COLON, token.SEMICOLON, token.RPAREN, token.RBRACK, token.RBRACE)
	return t
}

// maybeType reads a type where one begins, else it gives nil.
func (r *reader) maybeType() *expr {
	defer r.enter()()
	e := &expr{start: r.at, at: r.at}
	switch r.tok {
	case token.MUL:
		r.step()
		e.kind, e.op, e.x = operation, token.MUL, r.typ()
	case token.ARROW:
		r.step()
		r.want(token.CHAN)
		e.kind, e.op, e.x = chanType, token.CHAN, r.channelElement()
	case token.FUNC:
		r.step()
		r.signature("function type")
		e.kind = funcType
	case token.LBRACK:
		r.step()
		if r.got(token.RBRACK) {
			r.typ()
			e.kind = sliceType
			break
		}
		r.array(nil)
		e.kind = arrayType
	case token.CHAN:
		r.step()
		e.kind = chanType
		if r.got(token.ARROW) {
			e.op = token.ARROW
		}
		e.x = r.channelElement()
	case token.MAP:
		r.step()
		r.want(token.LBRACK)
		r.typ()
		r.want(token.RBRACK)
		r.typ()
		e.kind = mapType
	case token.STRUCT:
		r.structure()
		e.kind = structType
	case token.INTERFACE:
		r.interfaced()
		e.kind = interfaceType
	case token.IDENT:
		return r.qualified(nil)
	case token.LPAREN:
		r.step()
		t := r.typ()
		r.want(token.RPAREN)
		return t
	default:
		return nil
	}
	e.end = r.before
	return e
}

// array reads from behind [: the length, if it is not read yet, ] and the element.
func (r *reader) array(length *expr) {
	if length == nil && !r.got(token.ELLIPSIS) {
		r.controls++
		r.expression()
		r.controls--
	}
	if r.tok == token.COMMA {
		r.refuse("unexpected comma; expected ]")
		r.step()
	}
	r.want(token.RBRACK)
	r.typ()
}

func (r *reader) channelElement() *expr {
	if t := r.maybeType(); t != nil {
		return t
	}
	r.refuse("missing channel element type")
	return &expr{kind: bad, start: r.at, at: r.at, end: r.at}
}

// qualified reads a type's name, perhaps a package's in front of it and type arguments behind it.
func (r *reader) qualified(x *expr) *expr {
	switch {
	case x != nil:
	case r.tok == token.IDENT:
		x = r.identifier()
	default:
		x = &expr{kind: name, start: r.at, at: r.at, end: r.at}
		r.refuse("expected name")
		r.skip(token.PERIOD, token.SEMICOLON, token.RBRACE)
	}
	if r.tok == token.PERIOD {
		e := &expr{kind: selector, x: x, start: x.start, at: r.at}
		r.step()
		r.identifier()
		e.end = r.before
		x = e
	}
	if r.tok == token.LBRACK {
		return r.instance(x)
	}
	return x
}

func (r *reader) instance(x *expr) *expr {
	e := &expr{kind: index, x: x, start: x.start, at: r.at}
	r.want(token.LBRACK)
	if r.tok == token.RBRACK {
		r.refuse("expected type argument list")
		e.y = &expr{kind: bad, start: r.at, at: r.at, end: r.at}
	} else {
		e.y, _ = r.typeArguments(true)
	}
	r.want(token.RBRACK)
	e.end = r.before
	return e
}

// typeArguments reads a list whose first element may be an expression, if it need not be a type; comma tells whether there is one.
func (r *reader) typeArguments(types bool) (x *expr, comma bool) {
	r.controls++
	defer func() { r.controls-- }()
	if types {
		x = r.typ()
	} else {
		x = r.expression()
	}
	if !r.got(token.COMMA) {
		return x, false
	}
	l := &expr{kind: list, start: x.start, at: x.at, x: x, n: 1}
	for t := r.maybeType(); t != nil; t = r.maybeType() {
		l.n++
		if !r.got(token.COMMA) {
			break
		}
	}
	if l.end = r.before; l.n == 1 {
		return x, true
	}
	return l, true
}

func (r *reader) structure() {
	r.want(token.STRUCT)
	r.want(token.LBRACE)
	r.list("struct type", token.SEMICOLON, token.RBRACE, func() bool {
		r.field()
		return false
	})
}

func (r *reader) field() {
	switch r.tok {
	case token.IDENT:
		r.namedField()
	case token.MUL:
		r.step()
		r.embedded()
	case token.LPAREN:
		r.refuse("cannot parenthesize embedded type")
		r.step()
		r.got(token.MUL)
		r.qualified(nil)
		r.got(token.RPAREN)
		r.got(token.STRING)
	default:
		r.refuse("expected field name or embedded type")
		r.skip(token.SEMICOLON, token.RBRACE)
	}
}

// embedded reads what follows the * of an embedded field.
func (r *reader) embedded() {
	if r.tok == token.LPAREN {
		r.refuse("cannot parenthesize embedded type")
		r.step()
		r.qualified(nil)
		r.got(token.RPAREN)
	} else {
		r.qualified(nil)
	}
	r.got(token.STRING)
}

func (r *reader) namedField() {
	id := r.identifier()
	switch r.tok {
	case token.PERIOD, token.STRING, token.SEMICOLON, token.RBRACE:
		r.qualified(id)
		r.got(token.STRING)
		return
	}
	several := r.names()
	if !several && r.tok == token.LBRACK {
		r.arrayOrArguments()
	} else {
		r.typ()
	}
	r.got(token.STRING)
}

// arrayOrArguments reads what [ begins behind a name: the type of an array or slice, or, as index, type arguments.
func (r *reader) arrayOrArguments() *expr {
	e := &expr{kind: arrayType, start: r.at, at: r.at}
	r.want(token.LBRACK)
	if r.got(token.RBRACK) {
		e.kind = sliceType
		r.typ()
		e.end = r.before
		return e
	}
	n, comma := r.typeArguments(false)
	r.want(token.RBRACK)
	if comma || r.maybeType() == nil {
		e.kind, e.y = index, n
	}
	e.end = r.before
	return e
}

func (r *reader) interfaced() {
	r.want(token.INTERFACE)
	r.want(token.LBRACE)
	r.list("interface type", token.SEMICOLON, token.RBRACE, func() bool {
		if r.tok == token.IDENT && r.method() {
			return false
		}
		r.union()
		return false
	})
}

// method reads a method, or the name that a union begins with: then it gives false, and what follows the name is still to be read.
func (r *reader) method() bool {
	const context = "interface method"
	id := r.identifier()
	switch r.tok {
	case token.LPAREN:
		r.signature(context)
		return true
	case token.LBRACK:
		return r.methodInstance(context)
	}
	r.qualified(id)
	r.unionTail()
	return true
}

func (r *reader) methodInstance(context string) bool {
	at := r.at
	r.step()
	if empty := r.at; r.got(token.RBRACK) {
		if r.tok == token.LPAREN {
			r.note(empty, "empty type parameter list")
			r.signature(context)
			return true
		}
		r.note(empty, "empty type argument list")
		r.unionTail()
		return true
	}
	params := r.parameters(nil, nil, token.RBRACK, false, false)
	switch {
	case len(params) == 0 && r.tok == token.LPAREN:
		r.signature(context)
		return true
	case len(params) > 0 && params[0].id != nil:
		r.signature(context)
		r.note(at, "interface method must have no type parameters")
		return true
	}
	r.unionTail()
	return true
}

// union reads terms with | between them.
func (r *reader) union() {
	r.term()
	r.unionTail()
}

func (r *reader) unionTail() {
	for r.got(token.OR) {
		r.term()
	}
}

func (r *reader) term() {
	if r.got(token.TILDE) {
		r.typ()
		return
	}
	if r.maybeType() == nil {
		r.refuse("expected ~ term or type")
		r.skip(token.OR, token.TILDE, token.SEMICOLON, token.RPAREN, token.RBRACK, token.RBRACE)
	}
}
