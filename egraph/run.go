package egraph

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// A RunOption sets a limit or a way of a run.
type RunOption func(*runner)

// Iterations bounds the iterations; 30 where not said.
func Iterations(n int) RunOption { return func(r *runner) { r.limits.iterations = n } }

// MaxNodes bounds the rows of the graph; 10 million where not said. It holds within an iteration, whatever right
// sides, functions of rules and analyses do: rules pass it by at most one row, or a block of 256 under a scheduler
// that sees matches first, and what functions add beyond it is refused with a *FullError.
func MaxNodes(n int) RunOption { return func(r *runner) { r.limits.nodes = n } }

// MaxBytes bounds the memory of the graph (Bytes) and of the matches that are kept for a scheduler; no bound where not
// said. It holds within an iteration, to what a block of 256 matches or one call of a function adds.
func MaxBytes(n int) RunOption { return func(r *runner) { r.limits.bytes = n } }

// MaxTime bounds the time of the run; no bound where not said. It holds within an iteration, to a call of a rule's
// or an analysis's function. Of an iteration that it cuts (Report.Cut) a further run with the same rules, unless a
// scheduler sees matches first, begins where this one stopped, and comes to what was before that last. So that slices
// get on, the first search of a run has as much time again where it has not finished a part of the rows until then.
func MaxTime(d time.Duration) RunOption { return func(r *runner) { r.limits.time = d } }

// WithScheduler sets the scheduler; Simple where not said.
func WithScheduler(s Scheduler) RunOption {
	return func(r *runner) { r.scheduler = s; r.given("WithScheduler", s != nil) }
}

// Until stops the run after the first iteration for which goal holds.
func Until(goal func(g *EGraph) bool) RunOption {
	return func(r *runner) { r.goal = goal; r.given("Until", goal != nil) }
}

// Threads bounds the threads of the run, from 1 to MostThreads; as many as Go uses where not said. The result does not
// depend on it.
func Threads(n int) RunOption { return func(r *runner) { r.threads = n } }

// OnIteration is called after each iteration, for progress.
func OnIteration(f func(i Iteration)) RunOption {
	return func(r *runner) { r.progress = f; r.given("OnIteration", f != nil) }
}

// given notes an option whose argument is nil, for checkOptions.
func (r *runner) given(option string, ok bool) {
	if !ok {
		r.missing = option
	}
}

// runner is the state of one run.
type runner struct {
	g            *EGraph
	p            *program
	a            *applier
	limits       limits
	ctx          context.Context
	scheduler    Scheduler
	goal         func(g *EGraph) bool
	progress     func(i Iteration)
	threads      int
	bar          *progressBar
	report       *Report
	start        time.Time
	clock        time.Duration // since start, when it was last read
	unseen       int           // matches taken since the limits were last looked at
	cut          cutting
	iteration    Iteration
	applying     time.Duration
	matcher      matcher
	interruption interruption
	newPart      float64
	taskRows     int
	full         bool  // search everything
	delta        bool  // the run may leave out what is not new
	generation   uint8 // of this iteration's search, 0 where ages are not kept
	crewPays     bool  // matching takes so long that handing matches over is cheap
	crew         *crew // that matches, nil where one thread does
	window       *window
	windowed     bool // matches are applied by windows in this iteration
	windowFrom   int
	away         placement
	missing      string // an option whose argument is nil
}

// Run applies the rules until nothing changes or a limit is met. What it did, and why it stopped, is in
// the report; the graph is rebuilt and usable however it ended, and a further Run goes on from there.
func (g *EGraph) Run(rules *Rules, options ...RunOption) *Report {
	return g.start(context.Background(), "Run", rules, options)
}

// RunContext is Run until the context is cancelled: then it stops as for an interrupt, with the
// reason Interrupted and the context's cause in Report.Detail.
func (g *EGraph) RunContext(ctx context.Context, rules *Rules, options ...RunOption) *Report {
	if ctx == nil {
		err := &ArgumentError{"RunContext", "the context", "nil", "one; Run needs none"}
		return &Report{Stop: Failed, Err: err, Where: onHost}
	}
	return g.start(ctx, "RunContext", rules, options)
}

func (g *EGraph) start(ctx context.Context, call string, rules *Rules, options []RunOption) *Report {
	r := &runner{
		g: g, limits: defaultLimits(), ctx: ctx, scheduler: Simple(),
		threads: min(runtime.GOMAXPROCS(0), MostThreads), report: &Report{Where: onHost}, start: time.Now(),
		newPart: usualNewPart, taskRows: usualTaskRows, windowFrom: usualWindowFrom,
	}
	g.made(call)
	if err := g.enter(call); err != nil {
		return &Report{Stop: Failed, Err: err, Where: onHost}
	}
	defer g.leave()
	r.bar = usualBar()
	for i, o := range options {
		if o == nil {
			r.missing = fmt.Sprintf("option %d of %s", i+1, call)
			continue
		}
		o(r)
	}
	r.listen()
	defer r.leave()
	defer r.bar.end()
	defer r.bound()()
	if err := r.run(rules); err != nil {
		r.fail(err)
	}
	r.finish()
	if r.p != nil {
		r.remember()
		r.p.release()
	}
	return r.report
}

func (r *runner) run(rules *Rules) error {
	if r.g.matching {
		return &RuleError{Rule: "", Reason: "a run cannot start within a rule of another run"}
	}
	if err := r.checkOptions(); err != nil {
		return err
	}
	p, err := r.g.compile(rules)
	r.report.Compile = r.read()
	if err != nil {
		return err
	}
	r.p, r.a, p.taskRows = p, &applier{p: p, most: r.limits.nodes}, r.taskRows
	r.matcher.p, r.matcher.deliver, r.matcher.tick = p, r.take, r.within
	if r.delta = r.seminaive(); r.delta {
		r.recall()
	}
	r.report.Rules = make([]RuleStats, len(p.rules))
	for i, c := range p.rules {
		c.stats = &r.report.Rules[i]
		c.stats.Rule = c.name
	}
	if err := r.rebuild(); err != nil {
		return err
	}
	for r.report.Stop == "" {
		if r.checkBefore(); r.report.Stop != "" {
			break
		}
		next := r.iterate
		if r.offloads() {
			next = r.runOffloaded
		}
		if err := next(); err != nil {
			return err
		}
	}
	return nil
}

// iterate is one iteration: match and apply, rebuild, and see whether anything changed.
func (r *runner) iterate() error {
	g := r.g
	r.iteration = Iteration{Number: len(r.report.Iterations) + 1, Where: onHost}
	before := g.version
	unions := g.merged()
	r.applying = 0
	start := r.clock // read by checkBefore
	held := r.schedule()
	r.generation = 0
	if r.delta && g.nodes() >= g.generations.from {
		r.startSearch()
	}
	r.p.freeze()
	r.p.prepare()
	r.choose()
	r.p.arrange()
	r.a.prepare()
	r.presize()
	if r.windowed = r.usesWindow(); r.windowed && r.window == nil {
		r.window = &window{r: r}
	}
	start, r.iteration.Prepare = r.lap(start)

	g.dropOldIndex()
	err := r.search()
	r.noteSeen(err == nil && r.report.Stop == "")
	start, r.iteration.Match = r.lap(start)
	r.iteration.Match -= r.applying
	r.iteration.Apply = r.applying
	r.crewPays = r.crewPays || r.iteration.Match > crewFrom && (r.windowed || r.iteration.Match > r.iteration.Apply)
	r.iteration.Unions = g.merged() - unions

	changed := g.version != before
	if rebuildErr := r.rebuild(); err == nil {
		err = rebuildErr
	}
	changed = changed || g.version != before
	_, r.iteration.Rebuild = r.lap(start)
	r.record()
	if r.progress != nil {
		if called := g.guard("OnIteration", func() { g.ask(func() { r.progress(r.iteration) }) }); err == nil {
			err = called
		}
	}
	if err == nil && r.report.Stop == "" {
		r.checkAfter(changed, held)
	}
	return err
}

// search matches and applies. A function of a rule may end the goroutine (runtime.Goexit, which an interrupt of a
// notebook is), or a scheduler panic: then nobody comes back here, and the graph is left closed and free for others.
func (r *runner) search() error {
	g, through := r.g, false
	g.matching = true
	defer func() {
		g.matching = false
		if !through && len(g.analyses) == 0 { // whose functions it would call
			g.close()
		}
	}()
	r.cut.begin(r.read())
	err := r.matchAndApply()
	through = true
	r.noteCut()
	return err
}

// fail ends the run for an error, unless what failed was refused for the limit of nodes.
func (r *runner) fail(err error) {
	if r.g.refusedNodes(err) {
		r.stop(NodeLimit, "%d nodes %s, the limit is %d", r.g.nodes(), r.place(), r.limits.nodes)
		return
	}
	if stopped := (*InterruptedError)(nil); errors.As(err, &stopped) {
		r.stop(Interrupted, "%s: %v", r.place(), err)
		return
	}
	r.report.Stop, r.report.Err = Failed, err
}

// read reads the clock.
func (r *runner) read() time.Duration {
	r.clock = time.Since(r.start)
	return r.clock
}

// lap reads the clock and says how long it was since.
func (r *runner) lap(since time.Duration) (now, lap time.Duration) {
	now = r.read()
	return now, now - since
}

// schedule asks the scheduler about every rule; it answers whether some are held back.
func (r *runner) schedule() bool {
	held := false
	for _, c := range r.p.rules {
		var limit int
		r.g.ask(func() { limit = r.scheduler.Limit(r.iteration.Number, c.name) })
		c.banned, c.over, c.collect, c.limit, c.found = limit == 0, false, limit > 0, limit, 0
		c.store.reset()
		if c.banned {
			c.stats.Held++
			held = true
		}
	}
	return held
}

// matchAndApply runs the program, and applies what the scheduler wanted to see first.
func (r *runner) matchAndApply() error {
	var classes []uint32
	if r.p.wantsClasses() {
		for _, id := range r.g.classIDs() {
			classes = append(classes, uint32(id))
		}
	}
	tasks := r.fromCut(r.p.tasks())
	if workers := min(r.threads-1, len(tasks)); workers > 0 && r.crewPays && r.p.split {
		r.matchParallel(tasks, classes, workers)
	} else {
		m := &r.matcher
		m.classes, m.stopped = classes, false
		for _, t := range tasks {
			if !m.stopped {
				m.run(t, r.p.roots)
				r.finished(!m.stopped)
			}
		}
	}
	if r.windowed {
		r.window.end(r.report.Stop == "")
	}
	if r.a.err != nil {
		return r.a.err
	}
	r.matcher.classes = classes
	for _, c := range r.p.rules {
		if c.collect && !c.over && c.mayPass() && r.report.Stop == "" {
			r.recount(c)
		}
	}
	r.read()
	for _, c := range r.p.rules {
		if c.collect && r.report.Stop == "" {
			r.applyStore(c)
		}
	}
	return r.a.err
}

// take takes n matches of a rule whose registers are columns: it applies them, or keeps them until the
// scheduler has decided.
func (r *runner) take(c *compiled, regs []column, n int) bool {
	c.found += n
	c.stats.Matches += n
	r.iteration.Matches += n
	if r.windowed {
		return r.window.add(c, regs, n) && r.paced(c, n)
	}
	if !c.collect {
		r.read()
		return r.apply(c, regs, n) && r.paced(c, n)
	}
	if !c.over {
		c.store.add(r.p, c, regs, n)
		c.over = c.store.n > c.limit
	}
	return r.paced(c, n)
}

// paced looks at the limits once a block of matches was taken, of whatever rules, and after every call of the
// person's functions, which may last.
func (r *runner) paced(c *compiled, n int) bool {
	if r.unseen += n; r.unseen < r.p.block && c.apply == nil && len(c.conds) == 0 {
		return true
	}
	r.unseen = 0
	return r.within()
}

// apply applies a rule to n matches; its time is that since the clock was last read.
func (r *runner) apply(c *compiled, regs []column, n int) bool {
	applied, since := c.stats.Applied, r.clock
	ok := r.a.apply(c, regs, n)
	if r.a.over {
		r.within() // it says which limit
	}
	r.applied(c, since)
	r.iteration.Applied += c.stats.Applied - applied
	return ok
}

// applied books the time since then as a rule's.
func (r *runner) applied(c *compiled, since time.Duration) {
	_, spent := r.lap(since)
	c.stats.Time += spent
	r.applying += spent
}

// record closes the books of an iteration.
func (r *runner) record() {
	r.iteration.Nodes, r.iteration.Classes = r.g.nodes(), r.g.uf.classes()
	r.report.Iterations = append(r.report.Iterations, r.iteration)
}

func (r *runner) finish() {
	r.report.Why = r.away.reason()
	r.report.Nodes, r.report.Classes, r.report.Bytes = r.g.nodes(), r.g.uf.classes(), r.g.bytes()
	r.report.Time = r.read()
}

// stop ends the run for a reason, the first of which counts.
func (r *runner) stop(reason StopReason, format string, args ...any) {
	if r.report.Stop == "" {
		r.report.Stop, r.report.Detail = reason, fmt.Sprintf(format, args...)
	}
}
