package vm

import (
	"math"

	"golang.org/x/tools/go/ssa"
)

// intrinsics are compiled functions that the Go compiler makes an instruction of.
var intrinsics = map[string]func(float64) float64{
	"math.Sqrt": math.Sqrt, "math.Abs": math.Abs, "math.Floor": math.Floor, "math.Ceil": math.Ceil, "math.Trunc": math.Trunc,
}

// intrinsic compiles a call of one without the bookkeeping of calls: it neither fails nor looks at the stack.
func (c *compiler) intrinsic(in *ssa.Call, fn *ssa.Function) op {
	if fn.Pkg == nil || fn.Signature.Recv() != nil {
		return nil
	}
	f, ok := intrinsics[fn.Pkg.Pkg.Path()+"."+fn.Name()]
	if !ok {
		return nil
	}
	d, x := c.dst(in), c.slot(in.Call.Args[0])
	return func(fp pointer) { *ref[float64](fp, d) = f(*ref[float64](fp, x)) }
}
