package ptx

import "strings"

// scope is one { } of a body: what its names mean. Inner scopes shadow outer
// ones.
type scope struct {
	regs   map[string]*Register
	ranges []regRange // .reg .b32 %r<100>
	vars   map[string]*Variable
	labels map[string]string // what Function.Labels calls each
	number int
	code   int // how many instructions and lists of labels stood before
	lists  int
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
	p.scopes, p.lists, p.scopeNumber = p.scopes[:0], p.lists[:0], 0
	p.pushScope()
	calls := p.enterParams(f)
	p.expect("{")
	depth := 1
	for depth > 0 {
		switch {
		case p.accept("{"):
			p.pushScope()
			if depth++; depth > maxDepth {
				p.fail("at most %d levels of nesting", maxDepth)
			}
		case p.isPunct("}"):
			p.leaveScope()
			depth--
			p.advance()
		case p.tok.kind == tokEOF:
			p.fail("} at the end of function %s", f.Name)
		default:
			p.parseStatement()
		}
	}
	p.resolveLabels()
	p.checkBody()
	p.checkSizes(f)
	calls.lower()
	p.fn = nil
}

func (p *parser) pushScope() {
	p.scopeNumber++
	p.scopes = append(p.scopes, &scope{regs: map[string]*Register{}, vars: map[string]*Variable{},
		labels: map[string]string{}, number: p.scopeNumber, code: len(p.fn.Code), lists: len(p.lists)})
}

func (p *parser) parseStatement() {
	switch {
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
	p.ident("a label")
	p.expect(":")
	name := p.placeLabel(t)
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
	if p.isPunct(";") {
		p.fail("an instruction behind a label")
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
	p.lists = append(p.lists, list)
}

func (p *parser) parsePrototype(name string) {
	proto := &Prototype{}
	if p.isPunct("(") {
		proto.Results, _ = p.parseParams()
	}
	if t := p.tok; p.ident("_") != "_" {
		p.failAt(t, "_ in place of a function's name")
	}
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
		p.advance()
		p.parsePragma()
	case "local", "shared", "param", "global", "const":
		for _, v := range p.parseVariables() {
			p.unique(v.Name, v.Pos)
			if v.Space == Param && v.Vector > 1 {
				p.refuse(v.Pos, v.Name, "a parameter that is a scalar or an array")
			}
			if v.Unsized() && v.Linkage != Extern {
				panic(&SyntaxError{Module: p.module.Name, Pos: v.Pos, Token: v.Name,
					Want: "an array bound above 0: only extern arrays have none"})
			}
			p.scopes[len(p.scopes)-1].vars[v.Name] = v
			p.fn.Locals = append(p.fn.Locals, v)
		}
	default:
		p.fail("a directive of a function body, such as .reg or .shared")
	}
}

// parseInstruction reads @guard opcode.mods operands ;
func (p *parser) parseInstruction() {
	in := Instruction{Pos: p.pos(), File: p.source.at.file, FileLine: p.source.at.line,
		FileColumn: p.source.at.column}
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
	p.calling, p.opcode = in.Op == "call", in.Op
	for p.tok.kind == tokDot {
		p.mods.growing = append(p.mods.growing, p.tok.text)
		p.advance()
	}
	if !p.isPunct(";") {
		p.operands.growing = append(p.operands.growing, p.parseOperand())
	}
	for !p.accept(";") {
		if !p.accept(",") {
			p.fail("\",\" or \";\" in the operands of %s", in.Op)
		}
		p.operands.growing = append(p.operands.growing, p.parseOperand())
	}
	in.Mods, in.Operands = p.mods.take(), p.operands.take()
	p.placeElements(&in)
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
	case p.isPunct("(") && p.calling:
		p.calling = false // parentheses in the list are of constants
		o := p.parseGroup(OpList, "(", ")")
		p.calling = true
		return o
	case p.isPunct("!"):
		p.advance()
		t := p.tok
		if r, _ := p.lookup(t.text); r == nil {
			return p.negatedConstant(t)
		} else if r.Type != Pred {
			p.fail("a predicate register or a constant behind !")
		}
		o := p.parseName()
		o.Negate = true
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

// negatedConstant reads the rest of an expression that "!" begins.
func (p *parser) negatedConstant(t token) Operand {
	if t.kind == tokIdent && t.text != "WARP_SZ" {
		p.fail("a predicate register or a constant behind !")
	}
	c := p.constTail(p.constNot(p.constUnary()), 1)
	return Operand{Kind: OpInt, Int: c.bits, Component: -1, Pos: Pos{t.line, t.col}}
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
	a.Offset += p.addend()
	a.Elems = append(a.Elems, base)
	for p.accept(",") {
		a.Elems = append(a.Elems, p.parseOperand())
	}
	p.expect("]")
	if p.isDot("unified") {
		if !strings.HasPrefix(p.opcode, "ld") {
			p.fail("no .unified: it is for addresses of ld and ldu")
		}
		p.advance()
	}
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
		p.variable(v, &o)
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
		p.variable(s.Var, o)
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
	o.List = p.fn.Targets[o.Name] != nil
	if label || p.fn.Targets[o.Name] != nil || p.fn.Prototypes[o.Name] != nil {
		return
	}
	if s := p.module.symbols[o.Name]; s != nil && s.Func != nil {
		o.Kind, o.Func = OpFunc, s.Func
		return
	}
	panic(&SyntaxError{Module: p.module.Name, Pos: o.Pos, Token: o.Name, Want: "a declared register, variable, function or label"})
}
