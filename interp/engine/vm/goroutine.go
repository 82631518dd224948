package vm

import (
	"golang.org/x/tools/go/ssa"
)

func buildGo(c *compiler, in *ssa.Go) op {
	prepare, ip := c.deferral(in, &in.Call), c.ip(in)
	return func(fp pointer) {
		mark(fp, ip)
		spawn(fp, ip, prepare)
	}
}
