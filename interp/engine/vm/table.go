package vm

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
	// arith.go, compare.go, convert.go
	on(buildBinOp)
	on(buildUnOp)
	on(buildConvert)
	on(buildMultiConvert)
	on(buildChangeType)
	// memory.go, index.go, slice.go
	on(buildAlloc)
	on(buildStore)
	on(buildFieldAddr)
	on(buildField)
	on(buildIndexAddr)
	on(buildIndex)
	on(buildSlice)
	on(buildMakeSlice)
	on(buildSliceToArrayPointer)
	// maps.go, iterate.go
	on(buildLookup)
	on(buildMapUpdate)
	on(buildMakeMap)
	on(buildRange)
	on(buildNext)
	// iface.go, assert.go
	on(buildMakeInterface)
	on(buildChangeInterface)
	on(buildTypeAssert)
	// chans.go, selects.go
	on(buildMakeChan)
	on(buildSend)
	on(buildSelect)
	// call.go, closure.go, defer.go, goroutine.go
	on(buildCall)
	on(buildMakeClosure)
	on(buildDefer)
	on(buildRunDefers)
	on(buildGo)
	// resolved while the frame is laid out
	on(func(*compiler, *ssa.Phi) op { return nil })
	on(func(*compiler, *ssa.Extract) op { return nil })
	on(func(*compiler, *ssa.DebugRef) op { return nil })
	// control.go
	ends(endJump)
	ends(endIf)
	ends(endReturn)
	ends(endPanic)
}
