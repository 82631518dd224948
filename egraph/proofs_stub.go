package egraph

type proofs struct{}

func (p *proofs) node(t *table, kids []uint32, class uint32)              {}
func (p *proofs) union(a, b uint32, reason string)                        {}
func (p *proofs) congruent(t *table, a, b int)                            {}
func (p *proofs) rewrite(c *compiled, regs []*column, i int, x, y uint32) {}

type mark struct{}
