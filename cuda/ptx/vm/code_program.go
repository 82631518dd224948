package vm

import (
	"encoding/binary"
	"fmt"
	"sort"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Options choose the checks that are compiled in.
type Options struct {
	// Uninitialized reports reads of memory that nothing wrote.
	Uninitialized bool
	// Races reports unordered accesses of two lanes, one of them a write.
	Races bool
	// Strict reports what documented idioms do too, as package checks lists them.
	Strict bool
	// Synchronization reports warps whose lanes wait at different aligned barriers
	// and shuffles that read lanes which take no part.
	Synchronization bool
	// Counters keeps Counters for every launch.
	Counters bool
	// general makes the general form of everything: an instruction takes its operands from registers that it
	// shares with nothing, and acts on one lane after another, which finds memory anew; nothing is done once
	// for all blocks. Tests compare with it.
	general bool
}

// Checked turns every check on.
func Checked() Options {
	return Options{Uninitialized: true, Races: true, Synchronization: true}
}

// Program is a module made ready to run in one Memory.
type Program struct {
	Module  *ptx.Module
	memory  *Memory
	options Options
	vars    map[*ptx.Variable]*Allocation
	kernels map[string]*Kernel
	funcs   []*ptx.Function // by number: a function's address is codeWindow + 16*number
	numbers map[*ptx.Function]int
}

// Kernel is an entry made ready to run.
type Kernel struct {
	Name    string
	Func    *ptx.Function
	code    *code
	program *Program
	counted sync.Once
	counter *Kernel // with Options.Counters
	refused error
}

// Counted gives the kernel compiled with Options.Counters too, at the first call.
func (k *Kernel) Counted() (*Kernel, error) {
	k.counted.Do(func() {
		o := k.program.options
		o.Counters = true
		c, err := compileKernel(k.program, k.program.Module.Alias(k.Func), o)
		k.counter, k.refused = &Kernel{Name: k.Name, Func: k.Func, code: c, program: k.program}, err
	})
	return k.counter, k.refused
}

// SharedBytes gives the static shared memory of a block, LocalBytes the local
// memory of a thread, and Registers the 32-bit registers of a thread.
func (k *Kernel) SharedBytes() int { return k.code.sharedBytes }

// LocalBytes gives the local memory of a thread.
func (k *Kernel) LocalBytes() int { return k.code.localBytes }

// Registers gives the 32-bit words of registers that a thread needs.
func (k *Kernel) Registers() int {
	n := 0
	for _, s := range k.code.slots {
		if s.kind <= slotInvariant {
			n += s.width
		}
	}
	return (n + 3) / 4
}

// UnsupportedError names an instruction that this device does not execute.
type UnsupportedError struct {
	Module      string
	Line, Col   int
	Instruction string
	Source      string // where in what was compiled to this, "saxpy:3"; empty where the text does not tell
	Detail      string
	Invalid     bool   // a mistake of the text: no device executes it
	Code        string // the line of PTX, and with Source that is all of the place that is known
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", e.Module, e.Line, e.Col, e.Instruction, e.Detail)
}

// LinkError says that a module lacks what it refers to.
type LinkError struct {
	Module, Symbol, Detail string
	Line                   int
}

func (e *LinkError) Error() string {
	return fmt.Sprintf("%s:%d: %s: %s", e.Module, e.Line, e.Symbol, e.Detail)
}

// Load lays the module's variables out in memory and compiles its kernels. Errors
// are *UnsupportedError, *ptx.FormError, *LinkError and *OutOfMemoryError; what
// was allocated is given back then.
func Load(m *ptx.Module, memory *Memory, options Options) (*Program, error) {
	p := &Program{Module: m, memory: memory, options: options, vars: map[*ptx.Variable]*Allocation{},
		kernels: map[string]*Kernel{}, numbers: map[*ptx.Function]int{}}
	for i, f := range m.Functions {
		p.funcs = append(p.funcs, f)
		p.numbers[f] = i
	}
	if err := p.build(); err != nil {
		p.Unload()
		return nil, err
	}
	return p, nil
}

func (p *Program) build() error {
	for _, v := range p.Module.Vars {
		if err := p.place(v); err != nil {
			return err
		}
	}
	for _, v := range p.Module.Vars {
		if err := p.relocate(v); err != nil {
			return err
		}
	}
	for _, f := range p.Module.Kernels() {
		if !f.Defined && f.AliasOf == "" {
			continue
		}
		c, err := compileKernel(p, p.Module.Alias(f), p.options)
		if err != nil {
			return err
		}
		p.kernels[f.Name] = &Kernel{Name: f.Name, Func: f, code: c, program: p}
	}
	return nil
}

// place allocates a global or constant variable. Extern ones are looked up when
// code refers to them, since cooperative-groups texts declare many that none uses.
func (p *Program) place(v *ptx.Variable) error {
	if v.Space != ptx.Global && v.Space != ptx.Const || v.Linkage == ptx.Extern || p.vars[v] != nil {
		return nil
	}
	a, err := p.memory.Alloc(uint64(max(v.Size, 1)), "variable "+v.Name)
	if err != nil {
		return err
	}
	copy(a.data, v.Init)
	a.shadow = nil // variables start as zero or their initialiser
	a.ReadOnly = v.Space == ptx.Const
	p.vars[v] = a
	return nil
}

// relocate writes the addresses in an initialiser.
func (p *Program) relocate(v *ptx.Variable) error {
	a := p.vars[v]
	if a == nil {
		return nil
	}
	for _, r := range v.Relocs {
		addr, err := p.symbolAddress(r.Symbol, r.Pos.Line)
		if err != nil {
			return err
		}
		val := addr + uint64(r.Addend)
		if r.Shift < 64 {
			val >>= r.Shift
		}
		var buf [8]byte
		binary.LittleEndian.PutUint64(buf[:], val)
		copy(a.data[r.Offset:], buf[:min(r.Width, 8)])
	}
	return nil
}

func (p *Program) symbolAddress(name string, line int) (uint64, error) {
	if v, ok := p.Module.Variable(name); ok {
		if a := p.vars[v]; a != nil {
			return a.Base, nil
		}
	}
	for _, f := range p.Module.Functions {
		if f.Name == name {
			return p.funcAddress(f), nil
		}
	}
	return 0, &LinkError{p.Module.Name, name, "no variable or function of this module has an address under this name", line}
}

func (p *Program) funcAddress(f *ptx.Function) uint64 {
	return codeWindow + 16*uint64(p.numbers[p.Module.Alias(f)])
}

// Kernel finds a kernel by name.
func (p *Program) Kernel(name string) (*Kernel, bool) {
	k, ok := p.kernels[name]
	return k, ok
}

// Kernels names the kernels, sorted.
func (p *Program) Kernels() []string {
	var names []string
	for n := range p.kernels {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Global finds a .global or .const variable.
func (p *Program) Global(name string) (addr, size uint64, ok bool) {
	if v, found := p.Module.Variable(name); found {
		if a := p.vars[v]; a != nil {
			return a.Base, uint64(v.Size), true
		}
	}
	return 0, 0, false
}

// Unload gives the variables' memory back.
func (p *Program) Unload() {
	for _, a := range p.vars {
		if !a.Freed() {
			_ = p.memory.Free(a.Base) // it is live: the program alone frees it
		}
	}
}
