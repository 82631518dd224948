package vm

import (
	"errors"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

func buildGo(c *compiler, in *ssa.Go) op {
	prepare, ip := c.deferral(in, &in.Call), c.ip(in)
	return func(fp pointer) {
		mark(fp, ip)
		call := prepare(fp)
		g := head(fp).g.vm.newRoutine(head(fp).g.run)
		go g.execute(func() { call(g, nil, nil) }, g.vm.ended)
	}
}

// ended takes note of how a goroutine beside the cell's ended. Only a panic is of interest.
func (v *vm) ended(err error) {
	var p *engine.Panic
	if f := v.onPanic.Load(); f != nil && errors.As(err, &p) {
		(*f)(p)
	}
}
