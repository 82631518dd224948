package ptx

// What may be declared beside what at the scope of a module (sections 11.6 and 5.4).

func (p *parser) refuse(pos Pos, token, want string) {
	panic(&SyntaxError{Module: p.module.Name, Pos: pos, Token: token, Want: want})
}

// declare enters a variable. An extern declaration may be repeated as it was, and its definition
// takes its place.
func (p *parser) declare(v *Variable) {
	p.checkGlobalName(v.Name, v.Pos)
	old := p.module.symbols[v.Name]
	switch {
	case v.Unsized() && v.Linkage != Extern:
		p.refuse(v.Pos, v.Name, "an array bound above 0: only extern arrays have none")
	case v.Linkage == Extern && v.Init != nil:
		p.refuse(v.Pos, v.Name, "no initial value of an extern variable")
	case v.Space == Const && v.Linkage != Extern:
		if p.constBytes += v.Size; p.constBytes > maxConst {
			p.refuse(v.Pos, v.Name, "at most 65536 bytes of constant memory in all")
		}
	}
	if old == nil {
		p.module.symbols[v.Name] = &Symbol{Var: v}
		return
	}
	o := old.Var
	switch {
	case o == nil || o.Linkage != Extern && v.Linkage != Extern:
		p.refuse(v.Pos, v.Name, "a name not declared before")
	case o.Type != v.Type || o.Vector != v.Vector || o.Space != v.Space || o.Size != v.Size && !o.Unsized() &&
		!v.Unsized():
		p.refuse(v.Pos, v.Name, "the type and size with which it was declared before")
	case o.Linkage == Extern && v.Linkage == Private:
		p.refuse(v.Pos, v.Name, ".visible or .weak at the definition of what was declared extern")
	case v.Linkage != Extern:
		p.module.symbols[v.Name] = &Symbol{Var: v}
	}
}

// maxConst is the constant memory of a module, in bytes.
const maxConst = 64 << 10

// enterFunction makes the name known before the body, so that it may call itself.
// A function declared earlier keeps its identity and gets the body.
func (p *parser) enterFunction(f *Function) *Function {
	p.checkGlobalName(f.Name, f.Pos)
	body := p.isPunct("{")
	if body && f.Linkage == Extern {
		p.refuse(f.Pos, f.Name, "no body of a function that is extern")
	}
	old := p.module.symbols[f.Name]
	if old == nil {
		p.module.symbols[f.Name] = &Symbol{Func: f}
		p.module.Functions = append(p.module.Functions, f)
		return f
	}
	o := old.Func
	switch {
	case o == nil || o.Defined || o.Entry != f.Entry:
		p.refuse(f.Pos, f.Name, "a name not defined before")
	case !sameTypes(o.Params, f.Params) || !sameTypes(o.Results, f.Results):
		p.refuse(f.Pos, f.Name, "the parameters and results with which it was declared before")
	case body && (o.Linkage == Extern) != (f.Linkage == Extern):
		p.refuse(f.Pos, f.Name, "a declaration that is not extern, of a function that this text defines")
	case body:
		*o = *f
	}
	return o
}

// sameTypes compares parameters by what a caller sees.
func sameTypes(a, b []*Variable) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].passes(b[i]) {
			return false
		}
	}
	return true
}

// passes reports whether a variable may be handed over where another one is expected: bits for any
// type of the size, and the signed for the unsigned.
func (v *Variable) passes(o *Variable) bool {
	if v.IsArray() || o.IsArray() {
		return v.Size == o.Size
	}
	t, u := v.Type, o.Type
	return t == u || t.Size() == u.Size() && (t.Kind() == Untyped || u.Kind() == Untyped || t.Kind() != Floating &&
		u.Kind() != Floating)
}

// checkGlobalName refuses the names of special registers, which only registers may take.
func (p *parser) checkGlobalName(name string, pos Pos) {
	if IsSpecial(name) || IsSpecial(name+".x") {
		p.refuse(pos, name, "a name that no special register has")
	}
}

// checkParams refuses what a kernel's parameters cannot be.
func (p *parser) checkParams(f *Function) {
	if len(f.Results) > 1 && !f.Results[0].register {
		p.refuse(f.Pos, f.Name, "one result, or several in .reg")
	}
	names := map[string]bool{}
	for _, v := range append(f.Params[:len(f.Params):len(f.Params)], f.Results...) {
		switch {
		case v.Name != "" && v.Name != "_" && names[v.Name]:
			p.refuse(v.Pos, v.Name, "a name not declared before in this scope")
		case v.register && (f.Entry || v.IsArray() || v.Vector > 1 || v.Type == Pred):
			p.refuse(v.Pos, v.Name,
				".param: a register is a parameter of device functions alone, and a scalar that is no predicate")
		case !f.Entry && v.Pointer:
			p.refuse(v.Pos, v.Name, "no .ptr of a parameter of a device function")
		case f.Entry && v.Name == "":
			p.refuse(v.Pos, "", "a name for each parameter of a kernel")
		case f.Entry && v.Unsized(), (f.Entry || p.isPunct("{")) && v.Vector > 1:
			p.refuse(v.Pos, v.Name, "a parameter that is a scalar or an array of a known size")
		}
		names[v.Name] = true
	}
	if limit := p.module.paramLimit(); f.Entry && f.ParamBytes > limit {
		p.failAt(p.tokenAt(f.Pos), "at most %d bytes of parameters, not %d", limit, f.ParamBytes)
	}
}

// checkSizes refuses a function whose code names more variables than a thread or a block has.
func (p *parser) checkSizes(f *Function) {
	used := map[*Variable]bool{}
	for i := range f.Code {
		for k := range f.Code[i].Operands {
			f.Code[i].Operands[k].variables(used)
		}
	}
	local, shared := 0, 0
	for v := range used {
		switch v.Space {
		case Local:
			local += v.Size
		case Shared:
			shared += v.Size
		}
	}
	switch {
	case local > MaxLocal:
		p.failAt(p.tokenAt(f.Pos), "at most %d bytes of local memory of a thread, not %d", MaxLocal, local)
	case shared > maxStaticShared:
		p.failAt(p.tokenAt(f.Pos), "at most %d bytes of shared memory that a text declares, not %d", maxStaticShared, shared)
	}
}

// variables collects the variables that an operand names.
func (o *Operand) variables(into map[*Variable]bool) {
	if o.Kind == OpVar {
		into[o.Var] = true
	}
	for i := range o.Elems {
		o.Elems[i].variables(into)
	}
}

// MaxLocal is the most local memory of a thread, in bytes.
const MaxLocal = 512 << 10

// maxStaticShared is what ptxas lets a text declare; more is for launches to ask for.
const maxStaticShared = 48 << 10

// checkAddress refuses addresses that an initial value cannot have: of what was not declared
// before, or lies in no memory that is there when a module is loaded.
func (p *parser) checkAddress(t token, v *Variable, r Reloc) {
	s := p.module.symbols[r.Symbol]
	switch {
	case s == nil:
		p.failAt(t, "a variable or function declared before")
	case s.Var != nil && s.Var.Space != Global && s.Var.Space != Const:
		p.failAt(t, "a variable in .global or .const")
	case v.Type.Kind() == Floating:
		p.failAt(t, "a value of type .%s", v.Type)
	}
}
