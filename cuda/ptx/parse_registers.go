package ptx

import "strings"

// parseRegisters reads TYPE name, name<N>, ... ;
func (p *parser) parseRegisters() {
	vector := 1
	if p.isDot("v2") || p.isDot("v4") {
		vector = int(p.tok.text[1] - '0')
		p.advance()
	}
	typ, ok := typesByName[p.tok.text]
	if p.tok.kind != tokDot || !ok {
		p.fail("a register type such as .b32")
	}
	if why := badType(typ, vector); why != "" {
		p.fail("%s", why)
	}
	p.checkType(typ)
	p.advance()
	s := p.scopes[len(p.scopes)-1]
	for {
		t := p.tok
		name := p.ident("a register's name")
		if p.accept("<") {
			n := p.int("a number of registers")
			p.expect(">")
			p.uniqueRange(t, regRange{name, n, typ, vector})
			s.ranges = append(s.ranges, regRange{name, n, typ, vector})
		} else {
			p.unique(name, Pos{t.line, t.col})
			s.regs[name] = p.newRegister(name, typ, vector)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

// badType says why a type is none of registers and variables (section 5.2): packed and alternate
// formats are types of instructions alone.
func badType(t Type, vector int) string {
	switch {
	case t > F16x2 && t != F32 && t != F64:
		return "a fundamental type, as packed and alternate formats are types of instructions alone"
	case vector > 1 && (t == Pred || vector*t.Size() > 16):
		return "a vector of at most 128 bits, and not of predicates"
	}
	return ""
}

// checkType refuses a type that the text's target or version does not have.
func (p *parser) checkType(t Type) {
	m := p.module
	switch {
	case t == B128 && (m.architecture() < 70 || m.Version.less(Version{8, 3})):
		p.fail(".version 8.3 and .target sm_70 or later for .b128")
	case t == F16x2 && m.architecture() < 53:
		p.fail(".target sm_53 or higher for .f16x2")
	}
}

// unique refuses a name that its scope has already, for a register, a variable or a label.
func (p *parser) unique(name string, pos Pos) {
	s := p.scopes[len(p.scopes)-1]
	dup := s.regs[name] != nil || s.vars[name] != nil || s.labels[name] != ""
	for i := range s.ranges {
		dup = dup || s.ranges[i].holds(name)
	}
	if dup {
		panic(&SyntaxError{Module: p.module.Name, Pos: pos, Token: name, Want: "a name not declared before in this scope"})
	}
}

// uniqueRange refuses registers %r<N> of which the scope has one already.
func (p *parser) uniqueRange(t token, rr regRange) {
	s := p.scopes[len(p.scopes)-1]
	dup := false
	for name := range s.regs {
		dup = dup || rr.holds(name)
	}
	for i := range s.ranges {
		o := &s.ranges[i]
		dup = dup || o.prefix == rr.prefix || o.holds(rr.prefix+"0") || rr.holds(o.prefix+"0")
	}
	if dup {
		p.failAt(t, "registers not declared before in this scope")
	}
}

func (p *parser) newRegister(name string, typ Type, vector int) *Register {
	r := &Register{Name: name, Type: typ, Vector: vector, Index: len(p.fn.Regs)}
	p.fn.Regs = append(p.fn.Regs, r)
	return r
}

// lookup finds a register or variable, innermost scope first.
func (p *parser) lookup(name string) (*Register, *Variable) {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		s := p.scopes[i]
		if r := s.regs[name]; r != nil {
			return r, nil
		}
		if v := s.vars[name]; v != nil {
			return nil, v
		}
		for _, rr := range s.ranges {
			if rr.holds(name) {
				r := p.newRegister(name, rr.typ, rr.vector)
				s.regs[name] = r
				return r, nil
			}
		}
	}
	return nil, nil
}

func (rr *regRange) holds(name string) bool {
	digits, ok := strings.CutPrefix(name, rr.prefix)
	if !ok || digits == "" || len(digits) > 9 || len(digits) > 1 && digits[0] == '0' {
		return false
	}
	n := 0
	for i := range len(digits) {
		c := digits[i]
		if c < '0' || c > '9' {
			return false
		}
		n = n*10 + int(c-'0')
	}
	return n < rr.count
}
