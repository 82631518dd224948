package progen

import "fmt"

type kind int

const (
	boolean kind = iota
	signed
	unsigned
	float
	complexNumber
	text
	structure
	slice
	array
	mapping
	pointer
	function
	iface
)

// A typ is a type of the program's universe. name is how source refers to it.
type typ struct {
	kind    kind
	name    string
	bits    int
	elem    *typ
	key     *typ
	length  int
	fields  []field
	methods []method // pure, with value receivers
	setter  string   // of a struct: a method with a pointer receiver that sets the first field
	impls   []*typ   // of an interface
	param   bool     // a type parameter
	basic   *typ     // what a declared number or string is made of
}

type field struct {
	name string
	typ  *typ
}

type method struct {
	name   string
	param  *typ // nil: none
	result *typ
}

func (t *typ) number() bool { return t.kind >= signed && t.kind <= complexNumber }

func (t *typ) integer() bool { return t.kind == signed || t.kind == unsigned }

func (t *typ) ordered() bool { return t.kind >= signed && t.kind <= text && t.kind != complexNumber }

// depth is how many composite types stand around the innermost.
func (t *typ) depth() int {
	if t.elem == nil {
		return 0
	}
	return 1 + t.elem.depth()
}

// comparable reports whether == may be used, and cannot panic.
func (t *typ) comparable() bool {
	switch t.kind {
	case slice, mapping, function, iface:
		return false
	case array:
		return t.elem.comparable()
	case structure:
		for _, f := range t.fields {
			if !f.typ.comparable() {
				return false
			}
		}
	}
	return true
}

// printable reports whether fmt prints no address for a value.
func (t *typ) printable() bool {
	switch t.kind {
	case pointer, function:
		return false
	case slice, array:
		return t.elem.printable()
	case mapping:
		return t.key.printable() && t.elem.printable()
	case structure:
		for _, f := range t.fields {
			if !f.typ.printable() {
				return false
			}
		}
	}
	return true
}

func (t *typ) method(name string) bool {
	for _, m := range t.methods {
		if m.name == name {
			return true
		}
	}
	return false
}

var basics = []*typ{
	{kind: signed, name: "int", bits: 64}, {kind: signed, name: "int8", bits: 8}, {kind: signed, name: "int16", bits: 16},
	{kind: signed, name: "int32", bits: 32}, {kind: signed, name: "int64", bits: 64},
	{kind: unsigned, name: "uint", bits: 64}, {kind: unsigned, name: "uint8", bits: 8},
	{kind: unsigned, name: "uint16", bits: 16},
	{kind: unsigned, name: "uint32", bits: 32}, {kind: unsigned, name: "uint64", bits: 64},
	{kind: unsigned, name: "uintptr", bits: 64},
	{kind: float, name: "float64", bits: 64}, {kind: float, name: "float32", bits: 32},
	{kind: complexNumber, name: "complex128", bits: 128}, {kind: complexNumber, name: "complex64", bits: 64},
	{kind: text, name: "string"}, {kind: boolean, name: "bool"},
}

func basicType(name string) *typ {
	for _, t := range basics {
		if t.name == name {
			return t
		}
	}
	panic("no basic type " + name)
}

var (
	intType    = basicType("int")
	boolType   = basicType("bool")
	stringType = basicType("string")
	anyType    = &typ{kind: iface, name: "any"}
)

// slice, array, mapping, pointer and function types are one per name.
func (g *gen) composite(t *typ) *typ {
	if g.generic {
		return t
	}
	if old := g.byName[t.name]; old != nil {
		return old
	}
	g.byName[t.name] = t
	g.types = append(g.types, t)
	return t
}

func (g *gen) sliceOf(e *typ) *typ {
	return g.composite(&typ{kind: slice, name: "[]" + e.name, elem: e})
}

func (g *gen) arrayOf(n int, e *typ) *typ {
	return g.composite(&typ{kind: array, name: fmt.Sprintf("[%d]%s", n, e.name), elem: e, length: n})
}

func (g *gen) mapOf(k, e *typ) *typ {
	return g.composite(&typ{kind: mapping, name: "map[" + k.name + "]" + e.name, key: k, elem: e})
}

func (g *gen) pointerTo(e *typ) *typ {
	return g.composite(&typ{kind: pointer, name: "*" + e.name, elem: e})
}

// universe draws the program's types.
func (g *gen) universe() {
	g.types = append(g.types, basics...)
	for range 2 + g.n(3) {
		g.declareNumber()
	}
	for range 3 + g.n(4) {
		g.declareStruct()
	}
	for range 4 + g.n(4) {
		g.declareComposite()
	}
	g.declareInterfaces()
}

// data picks a type whose values hold no function or interface.
func (g *gen) data() *typ {
	for {
		t := pick(g, g.types)
		if t.kind != iface && t.kind != function && t.printable() && t.depth() < 3 {
			return t
		}
	}
}

func (g *gen) declareComposite() {
	e := g.data()
	switch g.n(4) {
	case 0:
		g.sliceOf(e)
	case 1:
		g.arrayOf(1+g.n(4), e)
	case 2:
		g.mapOf(g.key(), e)
	case 3:
		g.pointerTo(e)
	}
}

func (g *gen) declareNumber() {
	b := pick(g, basics)
	t := &typ{kind: b.kind, name: g.fresh("N"), bits: b.bits, basic: b}
	g.decl("type %s %s\n", t.name, b.name)
	g.addMethods(t)
	g.types = append(g.types, t)
}

func (g *gen) declareStruct() {
	t := &typ{kind: structure, name: g.fresh("S")}
	body := ""
	for range 1 + g.n(4) {
		f := field{typ: g.data()}
		if g.n(6) == 0 {
			f.typ = pick(g, g.types)
		} else if g.n(8) == 0 {
			f.typ = anyType
		}
		if f.typ.kind == structure && g.n(2) == 0 && !t.has(f.typ.name) {
			f.name = f.typ.name
			body += "\t" + f.name + "\n"
		} else {
			f.name = g.fresh(pickString(g, "f", "F"))
			body += "\t" + f.name + " " + f.typ.name + "\n"
		}
		t.fields = append(t.fields, f)
	}
	g.decl("type %s struct {\n%s}\n", t.name, body)
	g.addMethods(t)
	f := t.fields[0]
	t.setter = g.fresh("Set")
	g.decl("func (s *%s) %s(v %s) { s.%s = v }\n", t.name, t.setter, f.typ.name, f.name)
	g.types = append(g.types, t)
}

func (t *typ) has(name string) bool {
	for _, f := range t.fields {
		if f.name == name {
			return true
		}
	}
	return false
}

// addMethods gives t methods with value receivers that only compute, and now and then a String or
// Error method.
func (g *gen) addMethods(t *typ) {
	for range g.n(3) {
		m := method{name: g.fresh("M"), result: g.data()}
		vars := []variable{{"r", t, false}}
		param := ""
		if g.n(2) == 0 {
			m.param = g.data()
			vars = append(vars, variable{"p", m.param, false})
			param = "p " + m.param.name
		}
		g.decl("func (r %s) %s(%s) %s { return %s }\n", t.name, m.name, param, m.result.name, g.within(vars, m.result, 2))
		t.methods = append(t.methods, m)
	}
	if g.n(4) == 0 {
		name := pickString(g, "String", "Error")
		part := fmt.Sprintf("%q", t.name+"!")
		if len(t.fields) > 0 {
			part = fmt.Sprintf("fmt.Sprint(%q, r.%s)", t.name+"/", t.fields[0].name)
		} else if t.basic != nil {
			part = fmt.Sprintf("fmt.Sprint(%q, %s(r))", t.name+"/", t.basic.name)
		}
		g.decl("func (r %s) %s() string { return %s }\n", t.name, name, part)
		t.methods = append(t.methods, method{name: name, result: stringType})
	}
}

// declareInterfaces makes one interface for every method that several types could share: a method
// of its own, which each gets.
func (g *gen) declareInterfaces() {
	for range 1 + g.n(2) {
		it := &typ{kind: iface, name: g.fresh("I")}
		m := method{name: g.fresh("Do"), result: pick(g, basics)}
		extra := ""
		if g.n(3) == 0 {
			extra = "\tfmt.Stringer\n"
		}
		for _, t := range g.types {
			declared := t.basic != nil || t.kind == structure
			if !declared || g.n(3) == 0 || extra != "" && !t.method("String") {
				continue
			}
			g.decl("func (r %s) %s() %s { return %s }\n", t.name, m.name, m.result.name,
				g.within([]variable{{"r", t, false}}, m.result, 2))
			t.methods = append(t.methods, m)
			it.impls = append(it.impls, t)
		}
		it.methods = []method{m}
		g.decl("type %s interface {\n%s\t%s() %s\n}\n", it.name, extra, m.name, m.result.name)
		if len(it.impls) > 0 {
			g.types = append(g.types, it)
		}
	}
}
