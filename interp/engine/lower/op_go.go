package lower

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

func buildGo(c *compiler, in *ssa.Go) op {
	prepare, ip := c.deferral(in, &in.Call), c.ip(in)
	return func(fp pointer) {
		machine.Mark(fp, ip)
		machine.Go(fp, ip, prepare)
	}
}
