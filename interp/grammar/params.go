package grammar

import "go/token"

// A param is one of a list: a name, a type or both.
type param struct {
	id, typ *expr
	dots    int // where ... stands, 0 if there is none
}

// signature reads parameters and results; context names what has no type parameters.
func (r *reader) signature(context string) {
	at := r.at
	if r.got(token.LBRACK) {
		if context != "" {
			r.refuseAt(at, context+" must have no type parameters")
		}
		if r.tok == token.RBRACK {
			r.refuse("empty type parameter list")
			r.step()
		} else {
			r.parameters(nil, nil, token.RBRACK, true, false)
		}
	}
	r.want(token.LPAREN)
	r.parameters(nil, nil, token.RPAREN, false, true)
	if r.got(token.LPAREN) {
		r.parameters(nil, nil, token.RPAREN, false, false)
		return
	}
	r.maybeType()
}

// parameters reads a list up to its closing bracket. Of the first, the name and the type may be read already. A list of type parameters needs names;
// dots tells whether the last may be variadic.
func (r *reader) parameters(id, typ *expr, closing token.Token, names, dots bool) (params []param) {
	if id != nil && typ != nil && r.got(closing) {
		return []param{{id: id, typ: typ}}
	}
	end := r.list("parameter list", token.COMMA, closing, func() bool {
		p := param{id: id, typ: typ}
		ok := true
		if typ == nil {
			p, ok = r.parameter(id, closing)
		}
		if id, typ = nil, nil; ok {
			params = append(params, p)
		}
		return false
	})
	r.namesAndTypes(params, end, names)
	for i, p := range params {
		if p.dots > 0 && (!dots || i+1 < len(params)) {
			if dots {
				r.note(p.dots, "can only use ... with final parameter")
			} else {
				r.note(p.dots, "invalid use of ...")
			}
			break
		}
	}
	return params
}

// namesAndTypes refuses a list that has names for some of its types only, or a name without a type.
func (r *reader) namesAndTypes(params []param, end int, names bool) {
	named, typed := 0, 0
	for _, p := range params {
		if p.typ != nil {
			if typed++; p.id != nil {
				named++
			}
		}
	}
	if named == len(params) || named == 0 && !names {
		if named == 0 && !names {
			for i := range params { // a name alone is a type
				if params[i].typ == nil {
					params[i].id, params[i].typ = nil, params[i].id
				}
			}
		}
		return
	}
	at, typ, dots := -1, false, 0 // the leftmost mistake; whether a type follows, and its ...
	for i := len(params) - 1; i >= 0; i-- {
		switch p := &params[i]; {
		case p.typ != nil:
			if typ, dots = true, p.dots; p.id == nil {
				at = p.typ.start
			}
		case typ:
			p.dots = dots
		default:
			at = p.id.start
		}
	}
	if at < 0 {
		return
	}
	if named == typed {
		r.refuseAt(end, choose(names, "missing type constraint", "missing parameter type"))
		return
	}
	msg := choose(names, "missing type parameter name", "missing parameter name")
	if names && len(params) == 1 {
		msg += " or invalid array length"
	}
	r.refuseAt(at, msg)
}

func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// parameter reads one; its name may be read already. It gives false where there is none.
func (r *reader) parameter(id *expr, closing token.Token) (p param, ok bool) {
	constraint := closing == token.RBRACK
	start := r.at
	if id == nil && constraint && r.tok == token.TILDE {
		r.union()
		return param{typ: r.since(start)}, true
	}
	if r.tok == token.IDENT || id != nil {
		if id == nil {
			id = r.identifier()
		}
		if p, whole := r.named(id, constraint); whole {
			return p, true
		}
		p.id = id
	}
	at := r.at
	if r.got(token.ELLIPSIS) {
		p.dots = at
		if r.maybeType() == nil {
			r.refuse("... is missing type")
			p.dots = 0
		}
		p.typ = r.since(at)
		return p, true
	}
	if constraint && r.tok == token.TILDE {
		r.union()
		p.typ = r.since(at)
		return p, true
	}
	if p.typ = r.maybeType(); p.typ != nil && constraint {
		r.unionTail()
	}
	if p.id == nil && p.typ == nil {
		r.refuse("expected " + wanted(closing))
		r.skip(token.COMMA, closing)
		return p, false
	}
	return p, true
}

// named reads what follows a parameter's name, where that makes it whole: a type of which the name is the beginning, or an array's.
func (r *reader) named(id *expr, constraint bool) (p param, whole bool) {
	switch {
	case r.tok == token.LBRACK:
		t := r.arrayOrArguments()
		if t.kind == index {
			t.x, t.start = id, id.start
		} else {
			p.id = id
		}
		p.typ = t
	case r.tok == token.PERIOD:
		p.typ = r.qualified(id)
	case constraint && r.tok == token.OR:
		p.typ = id
	default:
		return p, false
	}
	if constraint {
		r.unionTail()
	}
	return p, true
}

// since is what was read from a place on.
func (r *reader) since(start int) *expr {
	return &expr{kind: operation, op: token.OR, x: &expr{kind: name}, start: start, at: start, end: r.before}
}
