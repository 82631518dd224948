package lower

import (
	"math"

	"golang.org/x/tools/go/ssa"
)

// intrinsics are compiled functions that the Go compiler makes an instruction of.
var intrinsics = map[string]func(float64) float64{
	"math.Sqrt": math.Sqrt, "math.Abs": math.Abs, "math.Floor": math.Floor, "math.Ceil": math.Ceil,
	"math.Trunc": math.Trunc,
}

// intrinsicOf is the intrinsic that a call calls, nil for other calls. It needs no bookkeeping of
// calls: it neither fails nor looks at the stack.
func (c *compiler) intrinsicOf(in *ssa.Call) func(float64) float64 {
	fn := in.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Signature.Recv() != nil || fn.Blocks != nil {
		return nil
	}
	return intrinsics[fn.Pkg.Pkg.Path()+"."+fn.Name()]
}

func intrinsicInto(f func(float64) float64, d uintptr, x operand[float64]) op {
	g := x.value()
	return func(fp pointer) { *ref[float64](fp, d) = f(g(fp)) }
}
