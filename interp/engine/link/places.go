package link

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Pos is the place of an instruction: of a slice's conversion to an array go/ssa gives it to the load behind the conversion, which is what fails.
func Pos(in ssa.Instruction) token.Pos {
	if c, ok := in.(*ssa.SliceToArrayPointer); ok && !c.Pos().IsValid() {
		for _, r := range *c.Referrers() {
			if r.Pos().IsValid() {
				return r.Pos()
			}
		}
	}
	return in.Pos()
}
