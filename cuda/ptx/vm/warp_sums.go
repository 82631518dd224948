package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// fusedSum are the sums by type of the factors; 8-bit ones leave thirteen bits behind the point in the
// result as well.
var fusedSums = map[ptx.Type]num.Sums{
	ptx.F16: {Bits: 25}, ptx.BF16: {Bits: 25}, ptx.TF32: {Bits: 25},
	ptx.E4M3: {Bits: 13, Drop: 1<<10 - 1}, ptx.E5M2: {Bits: 13, Drop: 1<<10 - 1},
}

var floatLayouts = map[ptx.Type]num.Layout{
	ptx.F16: {Exponent: 5, Mantissa: 10}, ptx.BF16: {Exponent: 8, Mantissa: 7}, ptx.TF32: {Exponent: 8, Mantissa: 10},
	ptx.E4M3: {Exponent: 4, Mantissa: 3, Plain: true}, ptx.E5M2: {Exponent: 5, Mantissa: 2},
	ptx.F32: {Exponent: 8, Mantissa: 23},
}
