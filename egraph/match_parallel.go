package egraph

import (
	"sync"
	"time"
)

// Matching in parallel: workers take the tasks of an iteration in order and each puts the matches of
// its task, block by block, into the task's channel; this goroutine applies them task after task. The
// workers read only what is frozen while an iteration lasts (rows that were there, indexes, ground
// terms), so they need no locks, and the order of the matches is that of one thread.

// delivered is a block of matches on its way: the registers that the rule reads.
type delivered struct {
	c    *compiled
	regs []column
	n    int
}

// blocksAhead bounds the blocks of a task that wait, tasksAhead the tasks for each worker that are begun
// before their turn.
const (
	blocksAhead = 128
	tasksAhead  = 2
)

// crewFrom is how long an iteration must search for the next ones to have a crew; and, unless matches are applied by
// windows, longer than it applies: what a crew finds goes from one core's cache to another's, which costs more than a
// cheap search.
const crewFrom = 5 * time.Millisecond

// A crew is the workers of one iteration.
type crew struct {
	r       *runner
	tasks   []task
	classes []uint32
	out     []chan delivered // by task
	next    chan int         // tasks not yet taken
	quit    chan struct{}
	free    chan []column
	regs    int
	turn    sync.RWMutex // held by workers that search, and by this goroutine while all threads apply
	done    sync.WaitGroup
}

func (r *runner) matchParallel(tasks []task, classes []uint32, workers int) {
	w := &crew{r: r, tasks: tasks, classes: classes, next: make(chan int, len(tasks)), quit: make(chan struct{}),
		free: make(chan []column, 2*blocksAhead), out: make([]chan delivered, len(tasks))}
	for _, c := range r.p.rules {
		w.regs = max(w.regs, c.lastNeed()+1)
	}
	for i := range min(tasksAhead*workers, len(tasks)) {
		w.begin(i)
	}
	for range workers {
		w.done.Add(1)
		go w.work(r.p.copySteps())
	}
	r.crew = w
	defer func() { // whatever ends this goroutine
		r.crew = nil
		close(w.quit)
		w.done.Wait()
	}()
	w.apply(tasksAhead * workers)
}

// begin lets workers take a task.
func (w *crew) begin(i int) {
	if i < len(w.tasks) {
		w.out[i] = make(chan delivered, blocksAhead)
		w.next <- i
	}
}

// pause keeps the workers from searching until what it answers is called.
func (w *crew) pause() (goOn func()) {
	if w == nil {
		return func() {}
	}
	w.turn.Lock()
	return w.turn.Unlock
}

// work runs tasks with steps of its own.
func (w *crew) work(roots []*step) {
	defer w.done.Done()
	for {
		select {
		case i := <-w.next:
			w.search(i, roots)
		case <-w.quit:
			return
		}
	}
}

// search runs a task.
func (w *crew) search(i int, roots []*step) {
	w.turn.RLock()
	defer w.turn.RUnlock()
	m := &matcher{p: w.r.p, classes: w.classes, tick: w.goOn}
	m.deliver = func(c *compiled, regs []column, n int) bool {
		d := w.pack(c, regs, n)
		w.turn.RUnlock()
		defer w.turn.RLock()
		select {
		case w.out[i] <- d:
			return true
		case <-w.quit:
			return false
		}
	}
	if w.goOn() {
		m.run(w.tasks[i], roots)
	}
	close(w.out[i])
}

func (w *crew) goOn() bool {
	w.turn.RUnlock() // for who waits to apply
	w.turn.RLock()
	select {
	case <-w.quit:
		return false
	default:
		return true
	}
}

// swap gives a block the registers that came for it, and takes its own for them.
func (w *crew) swap(b *waitingBlock, regs []column) {
	for _, reg := range b.c.needs {
		mine := b.column(&b.regs, reg, w.r.p.block)
		b.regs[reg], regs[reg] = regs[reg][:b.n], mine
	}
}

// pack copies the registers that a rule reads, as the step's columns are used again.
func (w *crew) pack(c *compiled, from []column, n int) delivered {
	var regs []column
	select {
	case regs = <-w.free:
	default:
		regs = newColumns(w.regs, w.r.p.block)
	}
	for _, reg := range c.needs {
		copy(regs[reg][:n], from[reg][:n])
	}
	return delivered{c, regs, n}
}

// apply takes the blocks in the order of the tasks, and looks at the limits while it waits.
func (w *crew) apply(ahead int) {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for i := range w.tasks {
		if i > 0 {
			w.begin(i - 1 + ahead)
		}
		for open := true; open; {
			var d delivered
			select {
			case d, open = <-w.out[i]:
			default:
				select {
				case d, open = <-w.out[i]:
				case <-ticker.C:
					if !w.r.within() {
						return
					}
					continue
				}
			}
			if !open {
				w.r.finished(true)
				break
			}
			if !w.r.take(d.c, d.regs, d.n) {
				return
			}
			select {
			case w.free <- d.regs:
			default:
			}
		}
	}
}

// copySteps copies the tree of steps with columns of its own.
func (p *program) copySteps() []*step {
	copies := make([]*step, len(p.roots))
	for i, s := range p.roots {
		copies[i] = s.copy(p.block)
	}
	return copies
}

func (s *step) copy(block int) *step {
	c := *s
	if s.newest > 0 {
		c.ages = make([]uint8, block)
	}
	c.out, c.children, c.n, c.block = make([]column, s.depth), make([]*step, len(s.children)), 0, block
	for _, reg := range s.need {
		c.out[reg] = make(column, block)
	}
	for i, child := range s.children {
		c.children[i] = child.copy(block)
	}
	return &c
}
