package ptx

import (
	"fmt"
	"strconv"
	"strings"
)

// hopperTable are the rows of formTable that the architectures from sm_90 on have: what a warp
// group executes together, and copies that tensor maps describe.
const hopperTable = `
setmaxnreg | setmaxnreg | inc/dec sync aligned | u32 | s:registers | 9.7.19.5
wgmma.fence | wgmma | fence sync aligned | | | 9.7.15.7.1
wgmma.commit | wgmma | commit_group sync aligned | | | 9.7.15.7.2
wgmma.wait | wgmma | wait_group sync aligned | | s:groups | 9.7.15.7.3
wgmma.half | wgmma | mma_async sync aligned WGMMA16 | f16/f32 f16/bf16 f16/bf16 |
d:sums s:factor s:descriptor s:scale s:sign s:sign s:transposed s:transposed? | 9.7.15.5.2
wgmma.tf32 | wgmma | mma_async sync aligned WGMMA8 | f32 tf32 tf32 |
d:sums s:factor s:descriptor s:scale s:sign s:sign | 9.7.15.5.2
wgmma.f8 | wgmma | mma_async sync aligned WGMMA32 | f16/f32 e4m3/e5m2 e4m3/e5m2 |
d:sums s:factor s:descriptor s:scale s:sign s:sign | 9.7.15.5.2
wgmma.int8 | wgmma | mma_async sync aligned WGMMA32 satfinite? | s32 s8/u8 s8/u8 |
d:sums s:factor s:descriptor s:scale | 9.7.15.5.2
wgmma.b1 | wgmma | mma_async sync aligned WGMMA256 and popc | s32 b1 b1 |
d:sums s:factor s:descriptor s:scale | 9.7.15.5.2
cp.tensor.load | cp | async bulk tensor TENSOR shared::cluster/shared::cta global tile? COMPLETE HINT? |
| s:shared s:tensor s:shared s:policy? | 9.7.9.27.1.2
cp.tensor.multicast | cp | async bulk tensor TENSOR shared::cluster global tile? COMPLETE multicast::cluster HINT? |
| s:shared s:tensor s:shared s:u16 s:policy? | 9.7.9.27.1.2
cp.tensor.store | cp | async bulk tensor TENSOR global shared::cta tile? bulk_group HINT? |
| s:tensor s:shared s:policy? | 9.7.9.27.1.2
cp.tensor.reduce | cp | reduce async bulk tensor TENSOR global shared::cta TENSOROP tile? bulk_group HINT? |
| s:tensor s:shared s:policy? | 9.7.9.27.1.3
cp.tensor.prefetch | cp | async bulk prefetch tensor TENSOR L2 global tile? HINT? | | s:tensor s:policy? | 9.7.9.27.1.4
cp.bulk.multicast | cp | async! bulk! shared::cluster! global! COMPLETE multicast::cluster HINT? |
| s:shared s:global s:sixteens s:shared s:u16 s:policy? | 9.7.9.25.4.1
cp.bulk.prefetch | cp | async bulk prefetch L2 global HINT? | | s:at s:sixteens s:policy? | 9.7.9.25.4.3
prefetch.tensormap | prefetch | param/const? tensormap | | s:at | 9.7.9.15
tensormap.address | tensormap | replace tile global_address TENSORSPACE? b1024 | b64 | s:at s:b64 | 9.7.9.28
tensormap.rank | tensormap | replace tile rank TENSORSPACE? b1024 | b32 | s:at s | 9.7.9.28
tensormap.size | tensormap | replace tile box_dim/global_dim/element_stride TENSORSPACE? b1024 | b32 |
s:at s:dimension s | 9.7.9.28
tensormap.stride | tensormap | replace tile global_stride TENSORSPACE? b1024 | b64 | s:at s:dimension s:b64 | 9.7.9.28
tensormap.mode | tensormap | replace tile elemtype/interleave_layout/swizzle_mode/fill_mode TENSORSPACE? b1024 | b32 |
s:at s:mode | 9.7.9.28
tensormap.copy | tensormap | cp_fenceproxy global shared::cta tensormap::generic release SCOPE sync aligned |
| s:global s:shared s:map | 9.7.13.15
fence.tensormap.acquire | fence | proxy tensormap::generic acquire SCOPE | | s:at s:map | 9.7.13.4
fence.tensormap.release | fence | proxy tensormap::generic release SCOPE | | | 9.7.13.4
fence.proxy.cluster | fence | proxy async shared::cluster | | | 9.7.13.4
fence.generic.acquire | fence | proxy async::generic acquire sync_restrict::shared::cluster cluster | | | 9.7.13.4
fence.generic.release | fence | proxy async::generic release sync_restrict::shared::cta cluster | | | 9.7.13.4
fence.restrict.acquire | fence | acquire sync_restrict::shared::cluster cluster | | | 9.7.13.4
fence.restrict.release | fence | release sync_restrict::shared::cta cluster | | | 9.7.13.4
`

// groupShapes lists the shapes of wgmma of one depth: 64 rows, and columns in steps of eight.
func groupShapes(depth int) string {
	var shapes []string
	for n := 8; n <= 256; n += 8 {
		shapes = append(shapes, fmt.Sprintf("m64n%dk%d", n, depth))
	}
	return strings.Join(shapes, "/")
}

func init() {
	for _, depth := range []int{8, 16, 32, 256} {
		shorthands[fmt.Sprint("WGMMA", depth)] = groupShapes(depth)
	}
	shorthands["TENSOR"] = "1d/2d/3d/4d/5d"
	shorthands["TENSOROP"] = "add/min/max/inc/dec/and/or/xor"
	shorthands["TENSORSPACE"] = "global/shared::cta"
	addForms(hopperTable)
	for name, class := range hopperClasses {
		operandClasses[name] = class
	}
}

// hopperClasses are the classes of operands that only hopperTable has.
var hopperClasses = map[string]operandClass{
	"registers": {isRegisterCount, "a constant from 24 to 256 that 8 divides"},
	"groups": {func(_ *Instruction, o *Operand) bool { return o.Kind == OpInt && int64(o.Int) >= 0 },
		"a constant from 0 on"},
	"sums":       {isSums, "the registers of the sums in braces: an element of .f32 or .s32 each, two of .f16"},
	"tensor":     {isTensor, "a tensor map's address with a coordinate for each dimension: [%rd, {%r1, %r2}]"},
	"dimension":  {isDimension, "the number of a dimension, from 0 to 4"},
	"mode":       {isMode, "a constant that the field has"},
	"map":        {func(_ *Instruction, o *Operand) bool { return o.Kind == OpInt && o.Int == 128 }, "128"},
	"factor":     {isFactor, "a matrix descriptor of .b64, or four registers of .b32 in braces"},
	"descriptor": {func(_ *Instruction, o *Operand) bool { return isDescriptor(o) }, "a matrix descriptor of .b64"},
	"scale": {func(_ *Instruction, o *Operand) bool {
		return o.Kind == OpInt && o.Int <= 1 || o.Kind == OpReg && fitsType(o, Pred, false, false)
	}, "a predicate, or 0 or 1"},
	"sign": {isSign, "1 or -1"},
	"transposed": {func(_ *Instruction, o *Operand) bool { return o.Kind == OpInt && o.Int <= 1 },
		"0 or 1"},
}

func isRegisterCount(_ *Instruction, o *Operand) bool {
	return o.Kind == OpInt && o.Int >= 24 && o.Int <= 256 && o.Int%8 == 0
}

func isSign(_ *Instruction, o *Operand) bool {
	return o.Kind == OpInt && (o.Int == 1 || int64(o.Int) == -1)
}

// GroupShape gives the columns and the depth of a wgmma.mma_async, of m64n16k32 16 and 32.
func (in *Instruction) GroupShape() (n, k int) {
	for _, m := range in.Mods {
		if rest, ok := strings.CutPrefix(m, "m64n"); ok {
			cols, depth, _ := strings.Cut(rest, "k")
			n, _ = strconv.Atoi(cols)
			k, _ = strconv.Atoi(depth)
		}
	}
	return n, k
}

func isSums(in *Instruction, o *Operand) bool {
	n, _ := in.GroupShape()
	t := in.Types()[0]
	if t == F16 {
		n /= 2
	}
	return isWords(o, n/2, t)
}

// isWords reports whether an operand is so many registers of 32 bits in braces, which may be of
// .f32 where t is.
func isWords(o *Operand, n int, t Type) bool {
	if o.Kind != OpVector || len(o.Elems) != n {
		return false
	}
	for i := range o.Elems {
		e := &o.Elems[i]
		if e.Kind != OpReg || e.Negate || e.Reg.Type.Size() != 4 || e.Reg.Vector > 1 && e.Component < 0 ||
			e.Reg.Type == F32 && t != F32 {
			return false
		}
	}
	return true
}

func isFactor(_ *Instruction, o *Operand) bool {
	return isWords(o, 4, B32) || isDescriptor(o)
}

func isDescriptor(o *Operand) bool {
	return o.Kind == OpInt || o.Kind == OpReg && fitsType(o, U64, false, false)
}

// isTensor is [map, {coordinates}], with as many as .1d to .5d say.
func isTensor(in *Instruction, o *Operand) bool {
	if o.Kind != OpAddr || len(o.Elems) != 2 || o.Elems[1].Kind != OpVector {
		return false
	}
	base, dims := &o.Elems[0], o.Elems[1].Elems
	if base.Kind == OpReg && !isAddressValue(in, base) || base.Kind != OpReg && base.Kind != OpVar {
		return false
	}
	for i := range dims {
		if e := &dims[i]; e.Kind != OpInt && !(e.Kind == OpReg && fitsType(e, S32, false, false)) {
			return false
		}
	}
	return len(dims) == in.tensorRank()
}

// tensorRank gives the dimensions that .1d to .5d say.
func (in *Instruction) tensorRank() int {
	for n := 1; n <= 5; n++ {
		if in.Has(strconv.Itoa(n) + "d") {
			return n
		}
	}
	return 0
}

func isDimension(_ *Instruction, o *Operand) bool { return o.Kind == OpInt && o.Int <= 4 }

// tensorModes are the constants that tensormap.replace takes of each field: those below.
var tensorModes = map[string]uint64{"elemtype": 13, "interleave_layout": 3, "swizzle_mode": 4, "fill_mode": 2}

func isMode(in *Instruction, o *Operand) bool {
	for field, n := range tensorModes {
		if in.Has(field) {
			return o.Kind == OpInt && o.Int < n
		}
	}
	return false
}

var hopperRules = []combinationRule{
	{"wgmma", mixedGroup, "factors of one type of 16 bits, and sums of .f16 for those of .f16 alone"},
	{"wgmma", badColumns, "columns that are 8 or 24, or that 16 divides, for factors of integers"},
	{"wgmma", badTransposes, "one imm-trans for each factor of 16 bits that a descriptor tells"},
}

func mixedGroup(in *Instruction) bool {
	t := in.Types()
	return len(t) == 3 && t[1].Size() == 2 && (t[1] != t[2] || t[0] == F16 && t[1] != F16)
}

func badColumns(in *Instruction) bool {
	n, _ := in.GroupShape()
	return in.Has("s32") && n%16 != 0 && n != 8 && n != 24
}

func badTransposes(in *Instruction) bool {
	t := in.Types()
	if len(t) != 3 || t[1].Size() != 2 || len(in.Operands) < 7 {
		return false
	}
	want := 8
	if in.Operands[1].Kind == OpVector {
		want = 7
	}
	return len(in.Operands) != want
}
