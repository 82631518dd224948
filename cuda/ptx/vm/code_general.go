package vm

// What Options.general asks for: the form of an instruction that all others are compared with.

func (c *compiler) general() bool { return c.code.options.general }

// together are the instructions whose lanes act together, or that a block does once.
var together = map[string]bool{"activemask": true, "cp": true, "mbarrier": true, "fence": true, "membar": true,
	"nanosleep": true, "prefetch": true, "wgmma": true, "tensormap": true, "barrier": true}

// eachByItself runs an instruction for each active lane alone, which finds the memory of its accesses anew.
func eachByItself(s step, from, to int) step {
	return func(b *block) {
		b.eachAlone(func(int) {
			clear(b.sites[from:to])
			s(b)
		})
	}
}

// held gives a register that holds a constant.
func (c *compiler) held(constant slot) slot {
	if !c.general() {
		return constant
	}
	s := c.temp(c.width(constant))
	c.emit(copyLanes(c.width(constant))(s, constant))
	return s
}
