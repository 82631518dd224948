package ptx

import (
	"fmt"
	"strings"
)

// Pos is a place in a PTX text; Line and Col count from 1, Col in bytes.
type Pos struct{ Line, Col int }

func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// Version is the PTX ISA version of a module.
type Version struct{ Major, Minor int }

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Module is one PTX text with all names resolved.
type Module struct {
	Name      string // what Parse was told: a file or cell name
	Version   Version
	Target    []string // "sm_80", then options such as "debug"
	Vars      []*Variable
	Functions []*Function
	Files     map[int]string // .file numbers of the debug lines

	symbols map[string]*Symbol
	text    string
	targets uint64                    // the bit of the target
	lacking map[string][]*requirement // by name, what missing has found
}

// Line gives a line of the text, from 1.
func (m *Module) Line(n int) string {
	rest := m.text
	for ; n > 1; n-- {
		_, after, ok := strings.Cut(rest, "\n")
		if !ok {
			return ""
		}
		rest = after
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimRight(line, " \t\r")
}

// String says what the text has: "PTX 8.0 for sm_80: saxpy, sum".
func (m *Module) String() string {
	var names []string
	for _, k := range m.Kernels() {
		names = append(names, k.Name)
	}
	if len(names) == 0 {
		names = []string{"no kernels"}
	}
	return fmt.Sprintf("PTX %s for %s: %s", m.Version, strings.Join(m.Target, ", "), strings.Join(names, ", "))
}

// Kernels gives the entries in textual order.
func (m *Module) Kernels() []*Function {
	var out []*Function
	for _, f := range m.Functions {
		if f.Entry {
			out = append(out, f)
		}
	}
	return out
}

// Kernel finds an entry by name.
func (m *Module) Kernel(name string) (*Function, bool) {
	if s := m.symbols[name]; s != nil && s.Func != nil && s.Func.Entry {
		return s.Func, true
	}
	return nil, false
}

// Variable finds a module-scope variable by name.
func (m *Module) Variable(name string) (*Variable, bool) {
	if s := m.symbols[name]; s != nil && s.Var != nil {
		return s.Var, true
	}
	return nil, false
}

// Linkage is how a symbol is seen from other modules.
type Linkage uint8

// The linkages of section 11.6.
const (
	Private Linkage = iota
	Visible
	Extern
	Weak
	Common
)

// Function is an entry (a kernel) or a device function.
type Function struct {
	Name    string
	Pos     Pos
	Entry   bool
	Linkage Linkage
	Results []*Variable // of a device function
	// Params are the formal parameters in order, with offsets laid out as the
	// driver's parameter block is (section 7.1: natural alignment, no packing).
	Params     []*Variable
	ParamBytes int
	// MaxThreads and RequiredThreads are .maxntid and .reqntid; zero when absent.
	MaxThreads, RequiredThreads [3]int
	// RequiredCluster is .reqnctapercluster, MaxCluster .maxclusterrank, ExplicitCluster .explicitcluster.
	RequiredCluster [3]int
	MaxCluster      int
	ExplicitCluster bool
	NoReturn        bool
	Defined         bool // has a body
	AliasOf         string

	Regs   []*Register // every register of every scope, by Index
	Locals []*Variable // .local, .shared, .param, .global and .const of the body
	Code   []Instruction
	// Labels maps a label to the index in Code that it stands before.
	Labels map[string]int
	// Targets are the lists of .branchtargets and .calltargets by label.
	Targets map[string][]string
	// Prototypes are the .callprototype declarations by label.
	Prototypes map[string]*Prototype
}

// Prototype is the signature of an indirect call.
type Prototype struct{ Results, Params []*Variable }

// Variable is a variable or parameter in some state space.
type Variable struct {
	Name    string
	Pos     Pos
	Space   Space
	Linkage Linkage
	Type    Type
	// Vector is the number of components of a vector type, 1 for a scalar.
	Vector int
	// Dims are the array bounds; empty for a scalar, 0 for an unsized first one.
	Dims  []int
	Align int
	// Size is in bytes; 0 for an unsized (dynamic) array.
	Size int
	// Offset in the parameter block; parameters of functions only.
	Offset int
	// Pointer says that a parameter is declared .ptr, to PointerSpace with
	// PointerAlign (0 when not given).
	Pointer      bool
	PointerSpace Space
	PointerAlign int
	Managed      bool
	register     bool // a parameter that the body has in a register
	// Init are the leading bytes; the rest is zero. Relocs are addresses to be
	// added into Init when the module is loaded.
	Init   []byte
	Relocs []Reloc
}

// IsArray reports whether the variable was declared with array bounds.
func (v *Variable) IsArray() bool { return len(v.Dims) > 0 }

// Unsized reports whether the size comes from the launch or another module.
func (v *Variable) Unsized() bool { return len(v.Dims) > 0 && v.Dims[0] == 0 }

// Reloc is an address inside an initialiser: Width bytes at Offset get
// (address of Symbol + Addend) >> Shift; Generic asks for the generic address.
type Reloc struct {
	Offset, Width int
	Symbol        string
	Addend        int64
	Shift         uint
	Generic       bool
	Pos           Pos
}

// Register is a virtual register of one scope.
type Register struct {
	Name   string
	Type   Type
	Vector int // components, 1 for a scalar
	Index  int // in Function.Regs
}

// Symbol is what a module-scope name means: one of the fields.
type Symbol struct {
	Var  *Variable
	Func *Function
}

// Guard is the predicate before an instruction: @p or @!p.
type Guard struct {
	Reg    *Register
	Negate bool
}

// Instruction is one instruction with operands resolved.
type Instruction struct {
	Pos      Pos
	Guard    *Guard
	Op       string   // "ld"
	Mods     []string // "global", "nc", "v4", "f32": all of them, in order, types too
	Operands []Operand
	File     int // of the .loc in force; 0 when there is none
	FileLine int
	// FileColumn is where in that line, from 1; 0 where that is not told.
	FileColumn int

	form *Form // what Match finds, once Parse has found it
}

// Has reports whether the instruction carries the modifier.
func (in *Instruction) Has(mod string) bool {
	for _, m := range in.Mods {
		if m == mod {
			return true
		}
	}
	return false
}

// Space gives the state space among the modifiers; Generic where there is none.
func (in *Instruction) Space() Space {
	for _, m := range in.Mods {
		if s, ok := SpaceByName(m); ok {
			return s
		}
	}
	return Generic
}

// Types gives the modifiers that are types, in order.
func (in *Instruction) Types() []Type {
	var out []Type
	for _, m := range in.Mods {
		if t, ok := typesByName[m]; ok {
			out = append(out, t)
		}
	}
	return out
}

// Mnemonic gives the opcode with its modifiers, as written.
func (in *Instruction) Mnemonic() string {
	s := in.Op
	for _, m := range in.Mods {
		s += "." + m
	}
	return s
}

// OperandKind is what an operand is.
type OperandKind uint8

// The operand kinds.
const (
	OpReg     OperandKind = iota // a register, with Negate for !p, Component for %v.x
	OpInt                        // an integer constant, in Int
	OpFloat                      // a floating constant, in Int as bits of FloatType
	OpVar                        // a variable's address, plus Offset
	OpFunc                       // a function
	OpLabel                      // a label, target list or prototype of the body, in Name
	OpSpecial                    // a special register, in Name with its component
	OpAddr                       // [base + Offset], base in Elems[0]; more Elems are coordinates
	OpVector                     // {a, b, c}
	OpList                       // (a, b) of a call
	OpPair                       // d|p
	OpSink                       // _
)

// Operand is one operand; which fields mean something follows from Kind.
type Operand struct {
	Kind      OperandKind
	Negate    bool
	List      bool // of OpLabel: a list of labels
	Component int8 // 0..3 for .x .y .z .w of a vector register, -1 for none
	FloatType Type
	Reg       *Register
	Var       *Variable
	Func      *Function
	Name      string
	Int       uint64
	Offset    int64
	Elems     []Operand
	Pos       Pos
	indexed   bool // of OpVar: an element of an array, a[3]
}

// SyntaxError says where a text stops being PTX.
type SyntaxError struct {
	Module string // the name given to Parse
	Pos
	Token string // what stands there; empty at the end of the text
	Want  string // what was expected
}

func (e *SyntaxError) Error() string {
	tok := e.Token
	if tok == "" {
		tok = "end of text"
	} else {
		tok = fmt.Sprintf("%q", tok)
	}
	return fmt.Sprintf("%s:%d:%d: found %s, expected %s", e.Module, e.Line, e.Col, tok, e.Want)
}
