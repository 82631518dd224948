package machine

import (
	"runtime"
	"sync"
	"weak"
)

// Goroutines keep the frames that calls have released, by numbers that codes have (Routine.free,
// Routine.leaves): the next call finds one. A frame keeps its code alive, and that the cell's whole
// program, so what a goroutine has left is for others of the same cell only; a later one begins
// without (idleRoutine). Else each of the collector's cycles would find everything alive that cells
// have left since the one before, wait for twice as much, and find that.

// poolIDs numbers codes.
type poolIDs struct {
	mu   sync.Mutex
	next int
	free []int // numbers of codes that are no more
}

// Number gives a code its number for as long as it is there.
func (v *Machine) Number(c *Code) {
	c.pool = v.pools.take()
	runtime.AddCleanup(c, func(n numbered) {
		if v := n.machine.Value(); v != nil {
			v.pools.giveBack(n.pool)
		}
	}, numbered{weak.Make(v), c.pool})
}

// numbered is the number of a code, which may be there longer than the engine.
type numbered struct {
	machine weak.Pointer[Machine]
	pool    int
}

func (p *poolIDs) take() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		id := p.free[n-1]
		p.free = p.free[:n-1]
		return id
	}
	p.next++
	return p.next - 1
}

func (p *poolIDs) giveBack(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, id)
}
