package ptx

// Elements of arrays (section 6.4.2), as ptxas takes them: a[3] is where the element of that number
// lies, of the fundamental type also in an array of vectors or of arrays. It stands where mov, cvta
// and mapa take an address, and without brackets around it in place of the address of ld, ldu and
// st.

// variable reads what follows the name of a variable: an offset in bytes, or an index.
func (p *parser) variable(v *Variable, o *Operand) {
	o.Kind, o.Var = OpVar, v
	if p.depth != 1 || !p.isPunct("[") {
		o.Offset = p.addend()
		return
	}
	if !v.IsArray() {
		p.fail("no index: %s is no array", v.Name)
	}
	p.advance()
	t := p.tok
	if r, _ := p.lookup(t.text); r != nil {
		p.fail("an index that is a constant: add what a register holds to the address, times the size of an element")
	}
	c := p.constExpr()
	if c.float != NoType {
		p.failAt(t, "an integer constant as index")
	}
	p.expect("]")
	o.indexed, o.Offset = true, int64(c.bits)*int64(v.Type.Size())
}

// elementAt is which operand of an opcode may be an element of an array.
var elementAt = map[string]int{"mov": 1, "cvta": 1, "mapa": 1, "ld": 1, "ldu": 1, "st": 0}

// placeElements makes addresses of the elements that stand for one.
func (p *parser) placeElements(in *Instruction) {
	for i := range in.Operands {
		o := &in.Operands[i]
		if !o.indexed {
			continue
		}
		if at, ok := elementAt[in.Op]; !ok || at != i {
			p.failAt(p.tokenAt(o.Pos), "a name without an index: mov, cvta and mapa take an element's address, and "+
				"ld, ldu and st one for theirs")
		}
		if in.Op == "ld" || in.Op == "ldu" || in.Op == "st" {
			base := *o
			base.Offset = 0
			*o = Operand{Kind: OpAddr, Offset: o.Offset, Elems: []Operand{base}, Pos: o.Pos, Component: -1}
		}
	}
}
