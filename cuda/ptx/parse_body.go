package ptx

import "strings"

// scope is one { } of a body: what its names mean. Inner scopes shadow outer
// ones.
type scope struct {
	regs   map[string]*Register
	ranges []regRange // .reg .b32 %r<100>
	vars   map[string]*Variable
}

// regRange is a parametrised declaration (section 10.1); its registers are made
// when they are first named.
type regRange struct {
	prefix string
	count  int
	typ    Type
	vector int
}

// parseBody reads { statements } and resolves what only the end can resolve.
func (p *parser) parseBody(f *Function) {
	p.fn = f
	p.scopes = p.scopes[:0]
	p.pushScope()
	for _, v := range f.Params {
		p.scopes[0].vars[v.Name] = v
	}
	for _, v := range f.Results {
		p.scopes[0].vars[v.Name] = v
	}
	p.expect("{")
	depth := 1
	for depth > 0 {
		switch {
		case p.accept("{"):
			p.pushScope()
			depth++
		case p.isPunct("}"):
			p.scopes = p.scopes[:len(p.scopes)-1]
			depth--
			p.advance()
		case p.tok.kind == tokEOF:
			p.fail("} at the end of function %s", f.Name)
		default:
			p.parseStatement()
		}
	}
	p.resolveLabels()
	p.fn = nil
}

func (p *parser) pushScope() {
	p.scopes = append(p.scopes, &scope{regs: map[string]*Register{}, vars: map[string]*Variable{}})
}

func (p *parser) parseStatement() {
	switch {
	case p.accept(";"):
	case p.tok.kind == tokDot:
		p.parseBodyDirective()
	case p.isPunct("@"):
		p.parseInstruction()
	case p.tok.kind == tokIdent:
		if p.atLabel() {
			p.parseLabel()
			return
		}
		p.parseInstruction()
	default:
		p.fail("an instruction, a label or a directive")
	}
}

// atLabel looks past an identifier for ":".
func (p *parser) atLabel() bool {
	i := p.off
	for i < len(p.src) && charClass[p.src[i]]&chSpace != 0 {
		i++
	}
	return i < len(p.src) && p.src[i] == ':'
}

func (p *parser) parseLabel() {
	t := p.tok
	name := p.ident("a label")
	p.expect(":")
	switch {
	case p.isDot("branchtargets"), p.isDot("calltargets"):
		p.advance()
		p.parseTargets(name)
		return
	case p.isDot("callprototype"):
		p.advance()
		p.parsePrototype(name)
		return
	}
	if _, dup := p.fn.Labels[name]; dup {
		p.failAt(t, "a label not placed before")
	}
	p.fn.Labels[name] = len(p.fn.Code)
}

func (p *parser) parseTargets(name string) {
	var list []string
	for {
		list = append(list, p.ident("a label or function"))
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
	if p.fn.Targets == nil {
		p.fn.Targets = map[string][]string{}
	}
	p.fn.Targets[name] = list
}

func (p *parser) parsePrototype(name string) {
	proto := &Prototype{}
	if p.isPunct("(") {
		proto.Results, _ = p.parseParams()
	}
	p.ident("_")
	if p.isPunct("(") {
		proto.Params, _ = p.parseParams()
	}
	for p.tok.kind == tokDot {
		p.advance()
	}
	p.expect(";")
	if p.fn.Prototypes == nil {
		p.fn.Prototypes = map[string]*Prototype{}
	}
	p.fn.Prototypes[name] = proto
}

func (p *parser) parseBodyDirective() {
	switch p.tok.text {
	case "reg":
		p.advance()
		p.parseRegisters()
	case "loc":
		p.advance()
		p.parseLoc()
	case "pragma":
		p.skipToSemicolon()
	case "local", "shared", "param", "global", "const":
		for _, v := range p.parseVariables() {
			p.scopes[len(p.scopes)-1].vars[v.Name] = v
			p.fn.Locals = append(p.fn.Locals, v)
		}
	default:
		p.fail("a directive of a function body, such as .reg or .shared")
	}
}

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
	p.advance()
	s := p.scopes[len(p.scopes)-1]
	for {
		name := p.ident("a register's name")
		if p.accept("<") {
			n := p.int("a number of registers")
			p.expect(">")
			s.ranges = append(s.ranges, regRange{name, n, typ, vector})
		} else {
			s.regs[name] = p.newRegister(name, typ, vector)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
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

// parseInstruction reads @guard opcode.mods operands ;
func (p *parser) parseInstruction() {
	in := Instruction{Pos: p.pos(), File: p.file, FileLine: p.fileLine}
	if p.accept("@") {
		neg := p.accept("!")
		t := p.tok
		r, _ := p.lookup(p.ident("a predicate register"))
		if r == nil || r.Type != Pred {
			p.failAt(t, "a predicate register")
		}
		in.Guard = &Guard{Reg: r, Negate: neg}
	}
	in.Op = p.ident("an instruction")
	for p.tok.kind == tokDot {
		in.Mods = append(in.Mods, p.tok.text)
		p.advance()
	}
	for !p.accept(";") {
		in.Operands = append(in.Operands, p.parseOperand())
		if !p.accept(",") && !p.isPunct(";") {
			p.fail("\",\" or \";\" in the operands of %s", in.Op)
		}
	}
	p.fn.Code = append(p.fn.Code, in)
}

func (p *parser) parseOperand() Operand {
	p.depth++
	o := p.operand()
	p.depth--
	return o
}

func (p *parser) operand() Operand {
	if p.depth > maxDepth {
		p.fail("at most %d levels of nesting", maxDepth)
	}
	switch {
	case p.isPunct("["):
		return p.parseAddress()
	case p.isPunct("{"):
		return p.parseGroup(OpVector, "{", "}")
	case p.isPunct("("):
		return p.parseGroup(OpList, "(", ")")
	case p.isPunct("!"):
		p.advance()
		o := p.parseOperand()
		if o.Kind != OpReg {
			p.fail("a predicate register before this")
		}
		o.Negate = !o.Negate
		return o
	}
	var o Operand
	switch {
	case p.tok.kind == tokIdent && p.tok.text != "WARP_SZ":
		o = p.parseName()
	default:
		o = p.parseConstant()
	}
	if p.accept("|") {
		second := p.parseOperand()
		return Operand{Kind: OpPair, Elems: []Operand{o, second}, Pos: o.Pos, Component: -1}
	}
	return o
}

func (p *parser) parseConstant() Operand {
	o := Operand{Kind: OpInt, Pos: p.pos(), Component: -1}
	c := p.constExpr()
	o.Int, o.FloatType = c.bits, c.float
	if c.float != NoType {
		o.Kind = OpFloat
	}
	return o
}

func (p *parser) parseGroup(kind OperandKind, open, end string) Operand {
	o := Operand{Kind: kind, Pos: p.pos(), Component: -1}
	p.expect(open)
	for !p.accept(end) {
		o.Elems = append(o.Elems, p.parseOperand())
		if !p.accept(",") && !p.isPunct(end) {
			p.fail("\",\" or %q", end)
		}
	}
	return o
}

// parseAddress reads [base], [base+offset], [base, {coordinates}].
func (p *parser) parseAddress() Operand {
	a := Operand{Kind: OpAddr, Pos: p.pos(), Component: -1}
	p.expect("[")
	base := p.parseOperand()
	if base.Kind == OpVar {
		a.Offset, base.Offset = base.Offset, 0
	}
	if p.isPunct("+") || p.isPunct("-") {
		a.Offset += p.addend()
	}
	a.Elems = append(a.Elems, base)
	for p.accept(",") {
		a.Elems = append(a.Elems, p.parseOperand())
	}
	p.expect("]")
	return a
}

// parseName reads a register, a variable with an offset, a function, a special
// register or a label.
func (p *parser) parseName() Operand {
	o := Operand{Pos: p.pos(), Component: -1}
	name := p.tok.text
	t := p.tok
	p.advance()
	if name == "_" {
		o.Kind = OpSink
		return o
	}
	reg, v := p.lookup(name)
	switch {
	case reg != nil:
		o.Kind, o.Reg = OpReg, reg
		if reg.Vector > 1 && p.tok.kind == tokDot {
			o.Component = p.component()
		}
	case v != nil:
		o.Kind, o.Var, o.Offset = OpVar, v, p.addend()
	case name[0] == '%':
		o.Kind, o.Name = OpSpecial, name
		if p.tok.kind == tokDot {
			o.Name += "." + p.tok.text
			p.advance()
		}
		if !IsSpecial(o.Name) {
			p.failAt(t, "a declared register or a special register")
		}
	default:
		p.moduleName(name, &o)
	}
	return o
}

func (p *parser) moduleName(name string, o *Operand) {
	s := p.module.symbols[name]
	switch {
	case s != nil && s.Var != nil:
		o.Kind, o.Var, o.Offset = OpVar, s.Var, p.addend()
	case s != nil:
		o.Kind, o.Func = OpFunc, s.Func
	default:
		o.Kind, o.Name = OpLabel, name
	}
}

var components = map[string]int8{"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3}

func (p *parser) component() int8 {
	c, ok := components[p.tok.text]
	if !ok {
		p.fail("a component: .x .y .z .w")
	}
	p.advance()
	return c
}

// resolveLabels checks that every name taken for a label is one.
func (p *parser) resolveLabels() {
	for i := range p.fn.Code {
		for j := range p.fn.Code[i].Operands {
			p.resolveLabel(&p.fn.Code[i].Operands[j])
		}
	}
	for _, list := range p.fn.Targets {
		for _, name := range list {
			if _, ok := p.fn.Labels[name]; !ok && p.module.symbols[name] == nil {
				panic(&SyntaxError{Module: p.module.Name, Pos: p.fn.Pos, Token: name, Want: "a label of function " + p.fn.Name})
			}
		}
	}
}

func (p *parser) resolveLabel(o *Operand) {
	for i := range o.Elems {
		p.resolveLabel(&o.Elems[i])
	}
	if o.Kind != OpLabel {
		return
	}
	_, label := p.fn.Labels[o.Name]
	if label || p.fn.Targets[o.Name] != nil || p.fn.Prototypes[o.Name] != nil {
		return
	}
	if s := p.module.symbols[o.Name]; s != nil && s.Func != nil {
		o.Kind, o.Func = OpFunc, s.Func
		return
	}
	panic(&SyntaxError{Module: p.module.Name, Pos: o.Pos, Token: o.Name, Want: "a declared register, variable, function or label"})
}
