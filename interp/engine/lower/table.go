package lower

import (
	"reflect"

	"golang.org/x/tools/go/ssa"
)

var (
	builders    = map[reflect.Type]builder{}
	terminators = map[reflect.Type]func(*compiler, ssa.Instruction) term{}
)

func on[I ssa.Instruction](f func(*compiler, I) op) {
	builders[reflect.TypeFor[I]()] = func(c *compiler, in ssa.Instruction) op { return f(c, in.(I)) }
}

func ends[I ssa.Instruction](f func(*compiler, I) term) {
	terminators[reflect.TypeFor[I]()] = func(c *compiler, in ssa.Instruction) term { return f(c, in.(I)) }
}

// The whole instruction set of go/ssa, and where each family is.
func init() {
	// op_arith.go, op_compare.go, op_convert.go
	on(buildBinOp)
	on(buildUnOp)
	on(buildConvert)
	on(buildMultiConvert)
	on(buildChangeType)
	// op_memory.go, op_index.go, op_slice.go
	on(buildAlloc)
	on(buildStore)
	on(buildFieldAddr)
	on(buildField)
	on(buildIndexAddr)
	on(buildIndex)
	on(buildSlice)
	on(buildMakeSlice)
	on(buildSliceToArrayPointer)
	// op_map.go, op_range.go
	on(buildLookup)
	on(buildMapUpdate)
	on(buildMakeMap)
	on(buildRange)
	on(buildNext)
	// op_iface.go, op_assert.go
	on(buildMakeInterface)
	on(buildChangeInterface)
	on(buildTypeAssert)
	// op_chan.go, op_select.go
	on(buildMakeChan)
	on(buildSend)
	on(buildSelect)
	// op_call.go, op_closure.go, op_defer.go, op_go.go
	on(buildCall)
	on(buildMakeClosure)
	on(buildDefer)
	on(buildRunDefers)
	on(buildGo)
	// resolved while the frame is laid out
	on(func(*compiler, *ssa.Phi) op { return nil })
	on(func(*compiler, *ssa.Extract) op { return nil })
	on(func(*compiler, *ssa.DebugRef) op { return nil })
	// op_control.go
	ends(endJump)
	ends(endIf)
	ends(endReturn)
	ends(endPanic)
}
