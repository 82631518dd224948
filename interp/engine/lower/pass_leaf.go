package lower

import "golang.org/x/tools/go/ssa"

// callsNothing reports whether no other function of cells can run on the goroutine before this one
// ends: it neither calls nor defers, and what it does of the language's own ends without a call
// back.
func (c *compiler) callsNothing() bool {
	for _, b := range c.fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Call:
				if _, ok := in.Call.Value.(*ssa.Builtin); !ok && c.intrinsicOf(in) == nil {
					return false
				}
			case *ssa.Defer, *ssa.RunDefers:
				return false
			}
		}
	}
	return !c.code.Defers
}
