package vm

import (
	"math"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Conversions (section 9.7.9.21).

// resizeLanes converts between integer widths.
func resizeLanes[D, S integer](d []D, s []S) { map1(d, s, func(x S) D { return D(x) }) }

type widths struct {
	from, to int
	signed   bool
}

var resizers = map[widths]unaryOp{}

func init() {
	addResizers[uint8, int8](1)
	addResizers[uint16, int16](2)
	addResizers[uint32, int32](4)
	addResizers[uint64, int64](8)
}

func addResizers[U, S integer](from int) {
	resizers[widths{from, 1, false}], resizers[widths{from, 1, true}] = lift1(resizeLanes[uint8, U]), lift1(resizeLanes[uint8, S])
	resizers[widths{from, 2, false}], resizers[widths{from, 2, true}] = lift1(resizeLanes[uint16, U]), lift1(resizeLanes[uint16, S])
	resizers[widths{from, 4, false}], resizers[widths{from, 4, true}] = lift1(resizeLanes[uint32, U]), lift1(resizeLanes[uint32, S])
	resizers[widths{from, 8, false}], resizers[widths{from, 8, true}] = lift1(resizeLanes[uint64, U]), lift1(resizeLanes[uint64, S])
}

// converter resizes raw values; signed says how a wider destination is filled. A
// 128-bit register takes part only by its low half.
func converter(from, to int, signed bool) unaryOp {
	if u := resizers[widths{from, to, signed}]; u != nil {
		return u
	}
	switch {
	case from == 16:
		return func(d, s slot) step {
			return func(b *block) {
				o := out[uint64](b, d)
				map1(o, in[[2]uint64](b, s, 0), func(x [2]uint64) uint64 { return x[0] })
				put(b, d, o)
			}
		}
	default:
		return lift1(func(d [][2]uint64, s []uint64) { map1(d, s, func(x uint64) [2]uint64 { return [2]uint64{x, 0} }) })
	}
}

func rangeOf(t ptx.Type) num.IntRange {
	return num.IntRange{Signed: t.Kind() == ptx.Signed, Size: t.Size()}
}

// number widens a value of type t to what conversions compute with.
func reader(t ptx.Type, ftz bool) func(bits uint64) float64 {
	switch t {
	case ptx.F16, ptx.BF16:
		f := formatOf(t)
		return func(b uint64) float64 { return f.Decode(uint16(b)) }
	case ptx.F64:
		return math.Float64frombits
	}
	return func(b uint64) float64 {
		x := math.Float32frombits(uint32(b))
		if ftz {
			x = num.Flush(x)
		}
		return float64(x)
	}
}

// writer rounds to type t and gives its bits.
func writer(t ptx.Type, m num.Modifiers) func(x float64) uint64 {
	switch t {
	case ptx.F16, ptx.BF16:
		f := formatOf(t)
		return func(x float64) uint64 { return uint64(f.Round(x, m.Round)) }
	case ptx.F64:
		return math.Float64bits
	}
	return func(x float64) uint64 {
		v := num.Canon(float32(num.F32.Quantize(x, m.Round)))
		if m.FTZ {
			v = num.Flush(v)
		}
		return uint64(math.Float32bits(v))
	}
}

// buildCvt chooses a function from bits to bits; the common integer and nearest
// cases have loops of their own.
func buildCvt(c *compiler) error {
	t := c.types()
	if len(c.in.Operands) == 3 && len(t) == 2 && t[1] == ptx.F32 {
		return buildCvtPair(c, t[0])
	}
	if c.in.Has("pack") {
		return buildCvtPack(c, t)
	}
	if t[0] == ptx.TF32 {
		return buildCvtTF32(c)
	}
	if t[1] == ptx.E4M3x2 || t[1] == ptx.E5M2x2 || t[0] == ptx.E4M3x2 || t[0] == ptx.E5M2x2 {
		return buildCvtBytePairs(c, t)
	}
	to, from := t[0], t[1]
	if f := quickConversion(c, to, from); f != nil {
		return c.apply1(f, to, from)
	}
	f, err := c.conversion(to, from)
	if err != nil {
		return err
	}
	x, err := c.src(1, from)
	if err != nil {
		return err
	}
	d, err := c.dst(0, to)
	if err != nil {
		return err
	}
	wide, narrow := c.temp(8), c.temp(8)
	c.emit(converter(from.Size(), 8, from.Kind() == ptx.Signed)(wide, x))
	c.emit(each1(f)(narrow, wide))
	c.emit(converter(8, to.Size(), false)(d, narrow))
	return nil
}

// quickConversion has the conversions that a host instruction does.
func quickConversion(c *compiler, to, from ptx.Type) unaryOp {
	if c.in.Has("sat") || c.in.Has("ftz") || c.in.Has("relu") {
		return nil
	}
	m := c.modifiers()
	switch {
	case !isFloat(to) && !isFloat(from):
		return converter(from.Size(), to.Size(), from.Kind() == ptx.Signed)
	case c.general() || m.Round != num.Nearest || c.in.Has("rni") || c.in.Has("rmi") || c.in.Has("rpi") || c.in.Has("rzi"):
		return nil
	}
	return quickFloat[[2]ptx.Type{to, from}]
}

var quickFloat = map[[2]ptx.Type]unaryOp{
	{ptx.F32, ptx.S32}: each1(func(x int32) float32 { return float32(x) }), {ptx.F32, ptx.U32}: each1(func(x uint32) float32 { return float32(x) }),
	{ptx.F64, ptx.S32}: each1(func(x int32) float64 { return float64(x) }), {ptx.F64, ptx.U32}: each1(func(x uint32) float64 { return float64(x) }),
	{ptx.F64, ptx.F32}: each1(func(x float32) float64 { return float64(x) }), {ptx.F32, ptx.F64}: each1(num.Narrow64),
	{ptx.F32, ptx.S64}: each1(func(x int64) float32 { return float32(x) }), {ptx.F64, ptx.S64}: each1(func(x int64) float64 { return float64(x) }),
	{ptx.F64, ptx.U64}: each1(func(x uint64) float64 { return float64(x) }),
}

// conversion gives a function from the source's bits, extended to 64, to the
// destination's.
func (c *compiler) conversion(to, from ptx.Type) (func(uint64) uint64, error) {
	m := c.modifiers()
	unsigned := from.Kind() == ptx.Unsigned
	switch {
	case !isFloat(to) && !isFloat(from):
		r := rangeOf(to)
		return func(v uint64) uint64 { return r.Clamp(v, unsigned) }, nil
	case !isFloat(from):
		return c.fromInteger(to, unsigned, m), nil
	}
	read := reader(from, m.FTZ)
	round, err := c.integralRounding(to, from)
	if err != nil {
		return nil, err
	}
	if !isFloat(to) {
		r := rangeOf(to)
		return func(v uint64) uint64 { return r.FromFloat(round(read(v)), from == ptx.F64) }, nil
	}
	write, relu := writer(to, m), c.in.Has("relu")
	keepNaN := nanConversions[[2]ptx.Type{to, from}]
	if m.Sat || relu {
		keepNaN = nil
	}
	return func(v uint64) uint64 {
		x := round(read(v))
		if x != x && keepNaN != nil {
			return keepNaN(v)
		}
		if m.Sat {
			x = num.Saturate(x)
		}
		if relu && !(x > 0) && x == x {
			x = 0
		}
		return write(x)
	}, nil
}

// nanConversions are those in which a NaN keeps its sign and payload, as on an H200: it is made quiet where
// it is narrowed.
var nanConversions = map[[2]ptx.Type]func(v uint64) uint64{
	{ptx.F32, ptx.F64}:  num.NarrowNaN,
	{ptx.F16, ptx.F64}:  func(v uint64) uint64 { return v>>48&0x8000 | 0x7e00 | v>>42&0x3ff },
	{ptx.F32, ptx.BF16}: func(v uint64) uint64 { return v & 0xffff << 16 },
}

// integralRounding gives the function of .rni and its like, or none.
func (c *compiler) integralRounding(to, from ptx.Type) (func(float64) float64, error) {
	for name, f := range num.Integral {
		if c.in.Has(name) {
			return f, nil
		}
	}
	if !isFloat(to) {
		return nil, c.refuse("a conversion from a floating-point to an integer type needs .rni, .rzi, .rmi or .rpi")
	}
	return func(x float64) float64 { return x }, nil
}

// fromInteger converts with one rounding: 64-bit integers keep a sticky bit.
func (c *compiler) fromInteger(to ptx.Type, unsigned bool, m num.Modifiers) func(uint64) uint64 {
	if to == ptx.F64 {
		return func(v uint64) uint64 { return math.Float64bits(num.Int64ToFloat64(v, unsigned, m.Round)) }
	}
	write := writer(to, m)
	return func(v uint64) uint64 {
		x := num.OddFloat64(v, unsigned)
		if m.Sat {
			x = num.Saturate(x)
		}
		return write(x)
	}
}

// buildCvtPair rounds two singles into a pair; the first source is the upper half.
func buildCvtPair(c *compiler, t ptx.Type) error {
	if t.Size() == 2 {
		return buildCvtBytes(c, t)
	}
	f, m, relu := formatOf(t), c.modifiers(), c.in.Has("relu")
	one := func(x float32) uint32 { return uint32(f.Finish(float64(x), m, relu)) }
	if c.in.Has("satfinite") {
		top := uint32(f.Encode(f.Largest()))
		one = func(x float32) uint32 {
			v := uint32(f.Finish(float64(x), m, relu))
			if v&0x7fff == top+1 { // infinite
				v--
			}
			return v
		}
	}
	return c.apply2(each2(func(hi, lo float32) uint32 { return one(lo) | one(hi)<<16 }), ptx.B32, ptx.F32, ptx.F32)
}

// buildCvtPack saturates two integers into narrow fields (section 9.7.9.22).
func buildCvtPack(c *compiler, t []ptx.Type) error {
	r := rangeOf(t[0])
	w := 8 * r.Size
	mask := uint32(1)<<w - 1
	one := func(v int32) uint32 { return uint32(r.Clamp(uint64(int64(v)), false)) & mask }
	if len(c.in.Operands) == 4 {
		return c.apply3(each3(func(a, b int32, acc uint32) uint32 { return acc<<(2*w) | one(a)<<w | one(b) }), ptx.B32, ptx.S32, ptx.S32, ptx.B32)
	}
	return c.apply2(each2(func(a, b int32) uint32 { return one(a)<<w | one(b) }), ptx.B32, ptx.S32, ptx.S32)
}
