package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx"

// builder turns the compiler's current instruction into steps or a terminator.
type builder func(c *compiler) error

// builders has a row for every opcode that this device executes.
var builders = map[string]builder{}

// register enters the builders of an instruction family.
func register(family map[string]builder) {
	for op, b := range family {
		builders[op] = b
	}
}

func init() {
	register(map[string]builder{
		"bra": buildBra, "brx": buildBrx, "ret": buildRet, "exit": buildExit, "trap": buildTrap, "call": buildCall,
		"bar": buildBarrier, "barrier": buildBarrier, "membar": buildFence, "fence": buildFence, "nanosleep": buildSleep,
		"prefetch": buildNothing, "prefetchu": buildNothing, "pmevent": buildNothing, "applypriority": buildNothing,
		"brkpt": buildNothing, "griddepcontrol": buildNothing,
	})
}

// byType are an instruction's operations by its type.
type byType[O any] map[ptx.Type]O

// build2 finds the operation for the instruction's type and gives it operands of
// that type.
func build2(table byType[binaryOp]) builder {
	return func(c *compiler) error {
		t := c.lastType()
		return c.apply2(table[t], t, t, t)
	}
}

func build1(table byType[unaryOp]) builder {
	return func(c *compiler) error {
		t := c.lastType()
		return c.apply1(table[t], t, t)
	}
}

func build3(table byType[ternaryOp]) builder {
	return func(c *compiler) error {
		t := c.lastType()
		return c.apply3(table[t], t, t, t, t)
	}
}

// apply1 emits f with destination type r and source type a.
func (c *compiler) apply1(f unaryOp, r, a ptx.Type) error {
	if f == nil {
		return c.refuse("this device does not execute the instruction with this type")
	}
	x, err := c.src(1, a)
	if err != nil {
		return err
	}
	d, err := c.dst(0, r)
	if err != nil {
		return err
	}
	c.emit(f(d, x))
	return nil
}

func (c *compiler) apply2(f binaryOp, r, a, b ptx.Type) error {
	if f == nil {
		return c.refuse("this device does not execute the instruction with this type")
	}
	x, err := c.src(1, a)
	if err != nil {
		return err
	}
	y, err := c.src(2, b)
	if err != nil {
		return err
	}
	d, err := c.dst(0, r)
	if err != nil {
		return err
	}
	if s := c.withConst(a, d, x, y); s != nil {
		c.emit(s)
		return nil
	}
	c.emit(f(d, x, y))
	return nil
}

func (c *compiler) apply3(f ternaryOp, r, a, b, e ptx.Type) error {
	if f == nil {
		return c.refuse("this device does not execute the instruction with this type")
	}
	x, err := c.src(1, a)
	if err != nil {
		return err
	}
	y, err := c.src(2, b)
	if err != nil {
		return err
	}
	z, err := c.src(3, e)
	if err != nil {
		return err
	}
	d, err := c.dst(0, r)
	if err != nil {
		return err
	}
	c.emit(f(d, x, y, z))
	return nil
}

// byWidth spreads operations that only depend on the size over the integer and
// untyped types.
func byWidth[O any](w16, w32, w64 O) byType[O] {
	return byType[O]{
		ptx.B16: w16, ptx.U16: w16, ptx.S16: w16, ptx.B32: w32, ptx.U32: w32, ptx.S32: w32,
		ptx.B64: w64, ptx.U64: w64, ptx.S64: w64,
	}
}

// bySign spreads operations that tell signed from unsigned.
func bySign[O any](u16, u32, u64, s16, s32, s64 O) byType[O] {
	return byType[O]{ptx.U16: u16, ptx.U32: u32, ptx.U64: u64, ptx.S16: s16, ptx.S32: s32, ptx.S64: s64}
}
