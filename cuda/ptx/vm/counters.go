package vm

// Counters are what a launch did, for Options.Counters.
type Counters struct {
	// Instructions counts lanes that executed each opcode with its modifiers.
	Instructions map[string]uint64
	// Divergences counts branches at which active lanes went different ways.
	Divergences uint64
}

// add takes a finished block's counts in.
func (c *Counters) add(b *block) {
	if c.Instructions == nil {
		c.Instructions = map[string]uint64{}
	}
	for i, n := range b.blockRuns {
		if n == 0 {
			continue
		}
		for _, in := range b.code.blocks[i].source {
			c.Instructions[in.Mnemonic()] += n
		}
	}
	c.Divergences += b.stats.Divergences
	*b.stats = Counters{}
}
