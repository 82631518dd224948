package link

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Pos is the place of an instruction: of a slice's conversion to an array go/ssa gives it to the
// load behind the conversion, which is what fails, and the call of the function that a loop ranges
// over has the loop's.
func Pos(in ssa.Instruction) token.Pos {
	if c, ok := in.(*ssa.Call); ok && !c.Pos().IsValid() && len(c.Call.Args) == 1 {
		if loop := rangeBody(c.Call.Args[0]); loop != nil {
			return loop.Syntax().Pos()
		}
	}
	if c, ok := in.(*ssa.SliceToArrayPointer); ok && !c.Pos().IsValid() {
		for _, r := range *c.Referrers() {
			if r.Pos().IsValid() {
				return r.Pos()
			}
		}
	}
	return in.Pos()
}

// rangeBody is the function that go/ssa made of the body of a loop over a function; nil for any
// other value.
func rangeBody(v ssa.Value) *ssa.Function {
	if c, ok := v.(*ssa.MakeClosure); ok {
		v = c.Fn
	}
	if fn, ok := v.(*ssa.Function); ok && fn.Synthetic == "range-over-func yield" && fn.Syntax() != nil {
		return fn
	}
	return nil
}
