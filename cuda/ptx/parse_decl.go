package ptx

import "math"

var linkages = map[string]Linkage{"visible": Visible, "extern": Extern, "weak": Weak, "common": Common}

// parseDeclaration reads a variable or function of module scope.
func (p *parser) parseDeclaration() {
	link := Private
	if l, ok := linkages[p.tok.text]; ok && p.tok.kind == tokDot {
		link = l
		p.advance()
	}
	switch {
	case link == Common && !p.isDot("global"):
		p.fail(".global behind .common")
	case p.isDot("tex"):
		p.fail(".texref in .global: .tex is of PTX 1.4")
	case p.acceptDot("entry"):
		p.parseFunction(link, true)
	case p.acceptDot("func"):
		p.parseFunction(link, false)
	case p.isDot("global"), p.isDot("const"), p.isDot("shared"):
		for _, v := range p.parseVariables() {
			v.Linkage = link
			p.declare(v)
			p.module.Vars = append(p.module.Vars, v)
		}
	default:
		p.fail("a module directive such as .entry, .func, .global, .const or .shared")
	}
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
			p.checkType(t)
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
	case "v2", "v4":
		if v.Vector > 1 {
			p.fail("a type behind .v%d", v.Vector)
		}
		v.Vector = int(p.tok.text[1] - '0')
		p.advance()
	case "attribute":
		p.advance()
		p.attributes(v)
	default:
		return false
	}
	return true
}

// attributes reads (.managed, .unified(1, 2)).
func (p *parser) attributes(v *Variable) {
	p.expect("(")
	for {
		p.checkDirective(p.tok.text)
		switch {
		case (p.isDot("managed") || p.isDot("unified")) && v.Space != Global:
			p.fail("an attribute of .%s", v.Space)
		case p.acceptDot("managed"):
			v.Managed = true
		case p.acceptDot("unified"):
			p.expect("(")
			p.int("a number")
			p.expect(",")
			p.int("a number")
			p.expect(")")
		default:
			p.fail("an attribute: .managed or .unified")
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
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
		if s, ok := SpaceByName(p.tok.text); ok && p.tok.kind == tokDot && s >= Global && s <= Const {
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
			if p.tok.kind != tokNumber && p.tok.text != "WARP_SZ" {
				p.fail("a number as array bound")
			}
			if c := p.constUnary(); c.float == NoType {
				n = int(int64(c.bits))
			} else {
				n = -1
			}
			if len(v.Dims) > 0 && v.Space == Param {
				p.failAt(t, "one array bound: a parameter has one dimension")
			}
			if n == 0 && len(v.Dims) > 0 {
				p.failAt(t, "an array bound above 0: only the first may be left out")
			}
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
	if v.Space == Param && v.Type == F16x2 && len(v.Dims) == 0 {
		p.refuse(v.Pos, v.Name, "a parameter of .b32: .f16x2 is passed in it")
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
	if p.isPunct("{") != (v.IsArray() || v.Vector > 1) {
		p.fail("a list in braces for an array or a vector, and a value for a scalar")
	}
	if p.isPunct("{") {
		dims := v.Dims
		if v.Vector > 1 {
			dims = append(dims[:len(dims):len(dims)], v.Vector)
		}
		p.initList(v, &buf, unit, dims)
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

// initList reads the list of one dimension; what it leaves out is zero.
func (p *parser) initList(v *Variable, buf *[]byte, unit int, dims []int) {
	p.expect("{")
	defer p.nest()()
	if v.Vector > 1 && len(dims) == 1 && p.isPunct("}") {
		p.fail("%d elements of a vector", v.Vector)
	}
	stride := unit
	for _, d := range dims[1:] {
		stride *= d
	}
	start := len(*buf)
	for i := 0; !p.accept("}"); i++ {
		if i > 0 && !p.accept(",") {
			p.fail("\",\" or \"}\"")
		}
		if i == dims[0] && (dims[0] > 0 || len(dims) < len(v.Dims)) {
			p.fail("at most %d elements before this", dims[0])
		}
		if len(dims) > 1 {
			p.initList(v, buf, unit, dims[1:])
		} else {
			p.initScalar(v, buf, unit)
		}
		if v.Vector > 1 && len(dims) == 1 && p.isPunct("}") != (i == v.Vector-1) {
			p.fail("%d elements of a vector", v.Vector)
		}
		for len(*buf) < start+(i+1)*stride {
			*buf = append(*buf, 0)
		}
	}
}

func (p *parser) initScalar(v *Variable, buf *[]byte, unit int) {
	t := p.tok
	if r, ok := p.initAddress(); ok {
		p.checkAddress(t, v, r)
		r.Offset, r.Width = len(*buf), unit
		if r.Shift > 0 {
			r.Width = 1
		}
		v.Relocs = append(v.Relocs, r)
		*buf = appendLittle(*buf, 0, unit)
		return
	}
	c := p.constExpr()
	if o := (Operand{Kind: OpInt, FloatType: c.float}); c.float != NoType {
		o.Kind = OpFloat
		if !fitsType(&o, v.Type, false, false) {
			p.failAt(t, "a value of type .%s", v.Type)
		}
	} else if !fitsType(&o, v.Type, false, false) {
		p.failAt(t, "a value of type .%s", v.Type)
	}
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
	p.source = sourcePlaces{}
	if !entry && p.isPunct("(") {
		f.Results, _ = p.parseParams()
	}
	p.acceptDot("attribute")
	f.Pos = p.pos()
	f.Name = p.ident("the function's name")
	if p.isPunct("(") {
		f.Params, f.ParamBytes = p.parseParams()
	}
	directed := entry && p.tok.kind == tokDot // which a declaration has not
	ended := p.parseFunctionDirectives(f)
	p.checkParams(f)
	f = p.enterFunction(f)
	if ended || !directed && p.accept(";") {
		return
	}
	if !p.isPunct("{") {
		p.fail("{ and the body, or ;")
	}
	f.Defined = true
	p.parseBody(f)
}

// parseParams reads ( .param ..., .param ... ) and lays the parameters out.
func (p *parser) parseParams() ([]*Variable, int) {
	p.expect("(")
	var out []*Variable
	offset := 0
	for first := true; !p.accept(")"); first = false {
		if !first && !p.accept(",") {
			p.fail("\",\" or \")\"")
		}
		inRegister := p.isDot("reg")
		if !inRegister && !p.isDot("param") {
			p.fail(".param")
		}
		v := p.variablePrefix()
		v.Space, v.register = Param, inRegister
		p.variableName(&v)
		offset = (offset + v.Align - 1) &^ (v.Align - 1)
		v.Offset = offset
		offset += v.Size
		out = append(out, &v)
	}
	return out, offset
}

// entryDirectives are those of kernels alone.
var entryDirectives = map[string]bool{"maxntid": true, "reqntid": true, "minnctapersm": true,
	"maxnctapersm": true, "maxnreg": true,
	"reqnctapercluster": true, "explicitcluster": true, "maxclusterrank": true, "blocksareclusters": true}

// parseFunctionDirectives reads .maxntid and its like (section 11.4). A pragma ends the declaration of
// a device function.
func (p *parser) parseFunctionDirectives(f *Function) (ended bool) {
	for first := true; p.tok.kind == tokDot; first = false {
		if entryDirectives[p.tok.text] != f.Entry && (f.Entry && p.tok.text == "noreturn" || entryDirectives[p.tok.text]) {
			p.fail("a directive of a function of this kind, or the body")
		}
		p.checkDirective(p.tok.text)
		switch p.tok.text {
		case "maxntid":
			f.MaxThreads = p.dims()
		case "reqntid":
			f.RequiredThreads = p.dims()
		case "reqnctapercluster":
			f.RequiredCluster = p.dims()
		case "maxclusterrank":
			p.advance()
			if f.MaxCluster = p.int("a number of blocks"); f.MaxCluster == 0 {
				p.fail("a number above 0 before this")
			}
		case "maxnreg", "minnctapersm", "maxnctapersm", "abi_preserve", "abi_preserve_control":
			positive := p.tok.text != "abi_preserve" && p.tok.text != "abi_preserve_control"
			p.advance()
			if p.int("a number") == 0 && positive {
				p.fail("a number above 0 before this")
			}
		case "noreturn":
			if !first {
				p.fail("one .noreturn, before other directives")
			}
			f.NoReturn = true
			p.advance()
		case "explicitcluster":
			f.ExplicitCluster = true
			p.advance()
		case "blocksareclusters", "unified", "attribute":
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
			if p.parsePragma(); !f.Entry {
				return true
			}
		case "language", "metadata":
			p.fail("a function directive such as .maxntid, or the body")
		default:
			p.fail("a function directive such as .maxntid, or the body")
		}
	}
	return false
}

func (p *parser) dims() [3]int {
	p.advance()
	d := [3]int{1, 1, 1}
	for i := range d {
		if d[i] = p.int("a number of threads"); d[i] == 0 {
			p.fail("a number above 0 before this")
		}
		if !p.accept(",") {
			break
		}
	}
	return d
}
