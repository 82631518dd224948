package ptx

import "math"

var linkages = map[string]Linkage{"visible": Visible, "extern": Extern, "weak": Weak, "common": Common}

// parseDeclaration reads a variable or function of module scope.
func (p *parser) parseDeclaration() {
	link := Private
	for p.tok.kind == tokDot {
		l, ok := linkages[p.tok.text]
		if !ok {
			break
		}
		link = l
		p.advance()
	}
	switch {
	case p.acceptDot("entry"):
		p.parseFunction(link, true)
	case p.acceptDot("func"):
		p.parseFunction(link, false)
	case p.isDot("global"), p.isDot("const"), p.isDot("shared"), p.isDot("tex"):
		for _, v := range p.parseVariables() {
			v.Linkage = link
			p.declare(v.Name, &Symbol{Var: v}, v.Pos)
			p.module.Vars = append(p.module.Vars, v)
		}
	default:
		p.fail("a module directive such as .entry, .func, .global, .const or .shared")
	}
}

// declare enters a module-scope name. A declaration may be repeated; a
// definition takes the place of an extern one.
func (p *parser) declare(name string, s *Symbol, pos Pos) {
	old := p.module.symbols[name]
	if old != nil {
		if old.Func == nil != (s.Func == nil) || old.Var != nil && old.Var.Linkage != Extern && s.Var.Linkage != Extern {
			panic(&SyntaxError{Module: p.module.Name, Pos: pos, Token: name, Want: "a name not declared before"})
		}
		if s.Var != nil && s.Var.Linkage == Extern {
			return
		}
	}
	p.module.symbols[name] = s
}

// parseVariables reads SPACE attributes TYPE name[dims] = init, name... ;
func (p *parser) parseVariables() []*Variable {
	proto := p.variablePrefix()
	var out []*Variable
	for {
		v := proto
		p.variableName(&v)
		if p.isPunct("=") {
			if v.Space != Global && v.Space != Const {
				p.fail("no initial value in .%s", v.Space)
			}
			p.advance()
			p.parseInitializer(&v)
		}
		out = append(out, &v)
		if p.accept(",") {
			continue
		}
		p.expect(";")
		return out
	}
}

// variablePrefix reads the state space, the attributes and the type.
func (p *parser) variablePrefix() Variable {
	v := Variable{Vector: 1, Pos: p.pos()}
	space, ok := SpaceByName(p.tok.text)
	if p.tok.kind != tokDot || !ok {
		p.fail("a state space such as .global")
	}
	v.Space = space
	p.advance()
	for p.tok.kind == tokDot {
		if t, ok := typesByName[p.tok.text]; ok {
			v.Type = t
			p.advance()
			p.paramAttributes(&v)
			return v
		}
		if !p.variableAttribute(&v) {
			break
		}
	}
	p.fail("a type such as .b32")
	return v
}

func (p *parser) variableAttribute(v *Variable) bool {
	switch p.tok.text {
	case "align":
		p.advance()
		v.Align = p.alignment()
	case "v2", "v4", "v8":
		v.Vector = int(p.tok.text[1] - '0')
		p.advance()
	case "attribute":
		p.advance()
		p.expect("(")
		for !p.accept(")") {
			if p.tok.kind == tokEOF {
				p.fail(")")
			}
			v.Managed = v.Managed || p.isDot("managed")
			p.advance()
		}
	default:
		return false
	}
	return true
}

func (p *parser) alignment() int {
	t := p.tok
	n := p.int("an alignment")
	if n <= 0 || n&(n-1) != 0 || n > 1<<20 {
		p.failAt(t, "an alignment that is a power of two")
	}
	return n
}

// paramAttributes reads what may follow the type of a parameter: .ptr .space .align N.
func (p *parser) paramAttributes(v *Variable) {
	if v.Space != Param {
		return
	}
	if p.acceptDot("ptr") {
		v.Pointer = true
		if s, ok := SpaceByName(p.tok.text); ok && p.tok.kind == tokDot {
			v.PointerSpace = s
			p.advance()
		}
		if p.acceptDot("align") {
			v.PointerAlign = p.alignment()
		}
	}
}

// variableName reads the name with its array bounds, and sets the size.
func (p *parser) variableName(v *Variable) {
	v.Pos = p.pos()
	v.Name = p.ident("a name")
	if why := badType(v.Type, v.Vector); why != "" && v.Type < TexRef || v.Type == Pred {
		p.fail("a variable of a fundamental type before this, of at most 128 bits, that is no predicate")
	}
	count := 1
	for p.accept("[") {
		n := 0
		if !p.isPunct("]") {
			t := p.tok
			n = int(p.constInt())
			if n < 0 || n > math.MaxInt32 {
				p.failAt(t, "an array bound below 2^31")
			}
		} else if len(v.Dims) > 0 {
			p.fail("an array bound: only the first may be left out")
		}
		v.Dims = append(v.Dims, n)
		if n != 0 && count > math.MaxInt32*4/n {
			p.fail("an array of less than 8 GiB before this")
		}
		count *= n
		p.expect("]")
	}
	unit := v.Type.Size() * v.Vector
	v.Size = unit * count
	if v.Align == 0 {
		v.Align = max(unit, 1)
	}
}

// parseInitializer reads a scalar or a braced, possibly nested list.
func (p *parser) parseInitializer(v *Variable) {
	if v.Type.Size() == 0 {
		p.fail("no initialiser for this type")
	}
	buf := make([]byte, 0, min(v.Size, 1<<12))
	unit := v.Type.Size()
	if p.isPunct("{") {
		p.initList(v, &buf, unit)
	} else {
		p.initScalar(v, &buf, unit)
	}
	if v.Unsized() {
		v.Dims[0] = len(buf) / (unit * v.Vector)
		v.Size = len(buf)
	}
	if len(buf) > v.Size {
		p.fail("at most %d bytes of initialiser before this, not %d", v.Size, len(buf))
	}
	v.Init = buf
}

func (p *parser) initList(v *Variable, buf *[]byte, unit int) {
	p.expect("{")
	defer p.nest()()
	for !p.accept("}") {
		if p.isPunct("{") {
			p.initList(v, buf, unit)
		} else {
			p.initScalar(v, buf, unit)
		}
		if !p.accept(",") && !p.isPunct("}") {
			p.fail("\",\" or \"}\"")
		}
	}
}

func (p *parser) initScalar(v *Variable, buf *[]byte, unit int) {
	if r, ok := p.initAddress(); ok {
		r.Offset, r.Width = len(*buf), unit
		if r.Shift > 0 {
			r.Width = 1
		}
		v.Relocs = append(v.Relocs, r)
		*buf = appendLittle(*buf, 0, unit)
		return
	}
	c := p.constExpr()
	*buf = appendLittle(*buf, c.as(v.Type), unit)
}

func appendLittle(b []byte, v uint64, n int) []byte {
	for i := range n {
		if i < 8 {
			b = append(b, byte(v>>(8*i)))
		} else {
			b = append(b, 0)
		}
	}
	return b
}

// initAddress reads name, name+4, generic(name)+4 and 0xFF00(name), the forms of
// section 5.4.4. It takes nothing when no address stands there.
func (p *parser) initAddress() (Reloc, bool) {
	r := Reloc{Pos: p.pos()}
	switch {
	case p.tok.kind == tokIdent && p.tok.text == "generic":
		p.advance()
		p.expect("(")
		r.Symbol, r.Generic = p.ident("a variable's name"), true
		r.Addend = p.addend()
		p.expect(")")
	case p.tok.kind == tokIdent && p.tok.text != "WARP_SZ":
		r.Symbol = p.ident("a name")
	case p.tok.kind == tokNumber && p.maskedAddress():
		mask, _ := parseUint(p.tok.text)
		p.advance()
		p.expect("(")
		defer p.nest()()
		if mask == 0 || mask&(mask-1) == mask {
			p.fail("a byte mask such as 0xFF00 before this")
		}
		for mask&0xff == 0 {
			mask >>= 8
			r.Shift += 8
		}
		inner, ok := p.initAddress()
		if !ok || mask != 0xff {
			p.fail("a variable's name under a mask of one byte")
		}
		r.Symbol, r.Generic, r.Addend = inner.Symbol, inner.Generic, inner.Addend
		p.expect(")")
		if r.Shift == 0 {
			r.Shift = 64 // marks the lowest byte: shifted by nothing, one byte wide
		}
		return r, true
	default:
		return r, false
	}
	r.Addend += p.addend()
	return r, true
}

// maskedAddress looks past a number for "(".
func (p *parser) maskedAddress() bool {
	save := p.scanner
	t := p.next()
	p.scanner = save
	return t.kind == tokPunct && t.text == "("
}

// addend reads the rest of an address behind its name: +expression. In initialisers a difference
// may stand, too.
func (p *parser) addend() int64 {
	if p.fn == nil && p.isPunct("-") {
		return int64(p.constUnary().bits)
	}
	if !p.accept("+") {
		return 0
	}
	t := p.tok
	c := p.constTail(p.constUnary(), 1)
	if c.float != NoType {
		p.failAt(t, "an integer constant")
	}
	return int64(c.bits)
}

// parseFunction reads an entry or function from its name on.
func (p *parser) parseFunction(link Linkage, entry bool) {
	f := &Function{Entry: entry, Linkage: link, Labels: map[string]int{}}
	p.file, p.fileLine = 0, 0
	if !entry && p.isPunct("(") {
		f.Results, _ = p.parseParams()
	}
	p.acceptDot("attribute")
	f.Pos = p.pos()
	f.Name = p.ident("the function's name")
	if p.isPunct("(") {
		f.Params, f.ParamBytes = p.parseParams()
	}
	p.parseFunctionDirectives(f)
	f = p.enterFunction(f)
	if p.accept(";") {
		return
	}
	if !p.isPunct("{") {
		p.fail("{ and the body, or ;")
	}
	f.Defined = true
	p.parseBody(f)
}

// enterFunction makes the name known before the body, so that it may call itself.
// A function declared earlier keeps its identity and gets the body.
func (p *parser) enterFunction(f *Function) *Function {
	old := p.module.symbols[f.Name]
	if old == nil {
		p.module.symbols[f.Name] = &Symbol{Func: f}
		p.module.Functions = append(p.module.Functions, f)
		return f
	}
	if old.Func == nil || old.Func.Defined && p.isPunct("{") {
		panic(&SyntaxError{Module: p.module.Name, Pos: f.Pos, Token: f.Name, Want: "a name not defined before"})
	}
	if p.isPunct("{") {
		*old.Func = *f
	}
	return old.Func
}

// parseParams reads ( .param ..., .param ... ) and lays the parameters out.
func (p *parser) parseParams() ([]*Variable, int) {
	p.expect("(")
	var out []*Variable
	offset := 0
	for !p.accept(")") {
		if p.isDot("reg") {
			p.fail(".param: parameters in registers are of PTX 1.x")
		}
		if !p.isDot("param") {
			p.fail(".param")
		}
		v := p.variablePrefix()
		if p.tok.kind == tokIdent {
			p.variableName(&v)
		}
		offset = (offset + v.Align - 1) &^ (v.Align - 1)
		v.Offset = offset
		offset += v.Size
		out = append(out, &v)
		if !p.accept(",") && !p.isPunct(")") {
			p.fail("\",\" or \")\"")
		}
	}
	return out, offset
}

// parseFunctionDirectives reads .maxntid and its like (section 11.4).
func (p *parser) parseFunctionDirectives(f *Function) {
	for p.tok.kind == tokDot {
		switch p.tok.text {
		case "maxntid":
			f.MaxThreads = p.dims()
		case "reqntid":
			f.RequiredThreads = p.dims()
		case "reqnctapercluster":
			f.RequiredCluster = p.dims()
		case "maxnreg", "minnctapersm", "maxnctapersm", "maxclusterrank", "abi_preserve", "abi_preserve_control":
			p.advance()
			p.int("a number")
		case "noreturn":
			f.NoReturn = true
			p.advance()
		case "explicitcluster", "blocksareclusters", "unified", "attribute":
			p.advance()
			if p.accept("(") {
				for !p.accept(")") {
					if p.tok.kind == tokEOF {
						p.fail(")")
					}
					p.advance()
				}
			}
		case "pragma":
			p.advance()
			p.parsePragma()
		case "language", "metadata":
			p.fail("a function directive such as .maxntid, or the body")
		default:
			p.fail("a function directive such as .maxntid, or the body")
		}
	}
}

func (p *parser) dims() [3]int {
	p.advance()
	d := [3]int{1, 1, 1}
	for i := range d {
		d[i] = p.int("a number of threads")
		if !p.accept(",") {
			break
		}
	}
	return d
}
