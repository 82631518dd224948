package vm

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// Reversed is the Launch.Shuffle that runs the blocks from the last to the first.
const Reversed = ^uint64(0)

// Launch is one run of a kernel over a grid.
type Launch struct {
	Grid, Block Dim3
	SharedBytes uint32 // dynamic shared memory of a block
	// Params is the packed parameter block; it is copied.
	Params []byte
	// Cooperative blocks are resident together and may wait for each other.
	Cooperative bool
	// Cluster is how many blocks a cluster has along each axis; zero for what the kernel was compiled for.
	// NonPortableCluster allows more than 8.
	Cluster            Dim3
	NonPortableCluster bool
	// Number counts launches, for faults and %gridid.
	Number uint64
	// Shuffle, when not 0, seeds a random order of blocks; Reversed begins with the last.
	Shuffle uint64
	// Stdout gets what kernels print; nil drops it.
	Stdout io.Writer
	// Footprint, where not nil, collects what the launch accesses, of kernels that are checked for races.
	Footprint *Footprint
	// StackBytes is the most that recursion takes of a thread's stack; 0 is 1024.
	StackBytes uint64
	// SetConditional is told the values of conditional graph handles.
	SetConditional func(handle uint64, value uint32)
}

// Report says how a launch went.
type Report struct {
	Kernel           string
	Grid, Block      Dim3
	Blocks           uint64
	LaneInstructions uint64
	Duration         time.Duration
	Counters         *Counters // nil unless Options.Counters
}

// LaunchError says why a launch was refused before it ran.
type LaunchError struct {
	Kernel, Detail string
	// Code is what the driver would answer.
	Code driver.Result
}

func (e *LaunchError) Error() string { return e.Kernel + ": " + e.Detail }

// InternalError is a mistake of this package that a kernel brought to light.
type InternalError struct {
	Kernel string
	Cause  any
	Stack  string
}

func (e *InternalError) Error() string {
	return fmt.Sprintf("the emulator itself failed in kernel %s: %v; please report it with this stack:\n%s", e.Kernel, e.Cause, e.Stack)
}

// contain turns a panic on a worker's goroutine into the launch's error.
func (l *launch) contain() {
	cause := recover()
	if cause == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.internal = &InternalError{l.kernel.Name, cause, string(debug.Stack())}
	l.stop.Store(true)
}

// Limits of a launch, as compute capability 9.0 has them.
const (
	MaxThreads     = 1024
	MaxShared      = 227 << 10
	MaxGridX       = 1<<31 - 1
	MaxGridYZ      = 65535
	MaxBlockZ      = 64
	residentLanes  = 2048 // of one multiprocessor
	residentBlocks = 32
)

// launch is a Launch under way.
type launch struct {
	Launch
	kernel     *Kernel
	memory     *Memory
	paramBlock []byte
	workspace  uint64
	total      uint64
	// The shape of a cluster, its blocks, and how many there are of it.
	shape       Dim3
	clusterSize int
	units       uint64
	order       []uint64 // nil for ascending
	nextBlock   atomic.Uint64
	changes     atomic.Uint64
	stale       atomic.Int32
	workers     int32
	stop        atomic.Bool
	mu          sync.Mutex
	fault       *Fault
	internal    *InternalError
	output      sync.Mutex
	lanes       atomic.Uint64
	counters    *Counters
	races       launchRaces
}

// quantum is how many basic blocks a block runs before others get their turn,
// and staleQuanta how many turns without any change, in which blocks only look at
// memory, make a deadlock.
const (
	quantum     = 1 << 13
	staleQuanta = 12
)

// Launch runs the kernel to its end. Errors are *LaunchError, *Fault, or the
// context's.
func (k *Kernel) Launch(ctx context.Context, cfg Launch) (*Report, error) {
	l, err := k.prepare(cfg)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if l.Cooperative {
		ws, err := k.program.memory.Alloc(4096, "cooperative workspace")
		if err != nil {
			return nil, err
		}
		defer func() { _ = k.program.memory.Free(ws.Base) }() // allocated above
		ws.shadow = nil
		l.workspace = ws.Base
	}
	stop := context.AfterFunc(ctx, func() { l.stop.Store(true) })
	defer stop()
	var wg sync.WaitGroup
	for range l.workers - 1 {
		wg.Go(l.work)
	}
	l.work()
	wg.Wait()
	l.races.leaveShadows()
	if l.fault != nil {
		l.fault.Kernel, l.fault.Launch = k.Name, l.Number
		return nil, l.fault
	}
	if l.internal != nil {
		return nil, l.internal
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &Report{Kernel: k.Name, Grid: cfg.Grid, Block: cfg.Block, Blocks: l.total, LaneInstructions: l.lanes.Load(), Duration: time.Since(start), Counters: l.counters}, nil
}

// work runs blocks on this goroutine until there are no more.
func (l *launch) work() {
	defer l.contain()
	w := &worker{launch: l}
	w.loop()
	for _, b := range w.spare {
		b.detach()
	}
}

func (k *Kernel) prepare(cfg Launch) (*launch, error) {
	if err := k.check(&cfg); err != nil {
		return nil, err
	}
	l := &launch{Launch: cfg, kernel: k, memory: k.program.memory}
	if l.StackBytes == 0 {
		l.StackBytes = defaultStack
	}
	words := make([]uint64, (max(len(cfg.Params), k.code.paramBytes(k))+7)/8+1)
	l.paramBlock = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), k.Func.ParamBytes)
	copy(l.paramBlock, cfg.Params)
	l.total, _ = cfg.Grid.Count()
	l.shape = k.cluster(&cfg)
	size, _ := l.shape.Count()
	l.clusterSize, l.units = int(size), l.total/size
	if cfg.Shuffle != 0 {
		if l.units > 1<<26 {
			return nil, &LaunchError{k.Name, "a grid of more than 2^26 blocks cannot be shuffled", driver.ErrorInvalidValue}
		}
		l.order = make([]uint64, l.units)
		for i := range l.order {
			l.order[i] = uint64(i)
		}
		if cfg.Shuffle == Reversed {
			slices.Reverse(l.order)
		} else {
			rng := rand.New(rand.NewPCG(cfg.Shuffle, 0))
			rng.Shuffle(len(l.order), func(i, j int) { l.order[i], l.order[j] = l.order[j], l.order[i] })
		}
	}
	l.workers = int32(min(uint64(runtime.GOMAXPROCS(0)), l.units))
	if k.code.ordered || cfg.Cooperative {
		l.workers = 1
	}
	if k.code.options.Counters {
		l.counters = &Counters{}
	}
	if !k.code.options.Uninitialized {
		k.program.memory.forgetShadows()
	}
	return l, nil
}

func (c *code) paramBytes(k *Kernel) int { return k.Func.ParamBytes }

// check refuses a geometry or parameters that no device takes.
func (k *Kernel) check(cfg *Launch) error {
	refuse := func(code driver.Result, format string, args ...any) error {
		return &LaunchError{k.Name, fmt.Sprintf(format, args...), code}
	}
	g, b := cfg.Grid, cfg.Block
	threads, _ := b.Count()
	switch {
	case g.X == 0 || g.Y == 0 || g.Z == 0 || b.X == 0 || b.Y == 0 || b.Z == 0:
		return refuse(driver.ErrorInvalidValue, "grid %v, block %v: no extent may be zero", g, b)
	case g.X > MaxGridX || g.Y > MaxGridYZ || g.Z > MaxGridYZ:
		return refuse(driver.ErrorInvalidValue, "grid %v: at most %d×%d×%d", g, MaxGridX, MaxGridYZ, MaxGridYZ)
	case b.X > MaxThreads || b.Y > MaxThreads || b.Z > MaxBlockZ || threads > MaxThreads:
		return refuse(driver.ErrorInvalidValue, "block %v: at most %d threads, %d in z", b, MaxThreads, MaxBlockZ)
	case uint64(k.code.dynamicBase)+uint64(cfg.SharedBytes) > MaxShared:
		return refuse(driver.ErrorInvalidValue, "%d bytes of shared memory: at most %d", k.code.dynamicBase+int(cfg.SharedBytes), MaxShared)
	case len(cfg.Params) < k.Func.ParamBytes:
		return refuse(driver.ErrorInvalidValue, "%d bytes of parameters, the kernel takes %d", len(cfg.Params), k.Func.ParamBytes)
	}
	if err := k.checkCluster(cfg); err != nil {
		return err
	}
	if m := product(k.Func.MaxThreads); m > 0 && threads > uint64(m) {
		return refuse(driver.ErrorLaunchOutOfResources, "block %v: the kernel was compiled for at most %d threads (.maxntid)", b, m)
	}
	if r := k.Func.RequiredThreads; product(r) > 0 && (uint32(r[0]) != b.X || uint32(r[1]) != b.Y || uint32(r[2]) != b.Z) {
		return refuse(driver.ErrorInvalidValue, "block %v: the kernel was compiled for %d×%d×%d (.reqntid)", b, r[0], r[1], r[2])
	}
	if blocks, _ := g.Count(); cfg.Cooperative && blocks > uint64(k.MaxResident(int(threads), uint64(cfg.SharedBytes))*Multiprocessors) {
		return refuse(driver.ErrorCooperativeLaunchTooLarge, "%d blocks do not fit together", blocks)
	}
	return nil
}

func product(d [3]int) int { return d[0] * d[1] * d[2] }

// MaxResident is how many blocks of a shape one multiprocessor holds.
func (k *Kernel) MaxResident(threads int, dynamicShared uint64) int {
	if threads <= 0 || threads > MaxThreads {
		return 0
	}
	n := min(residentBlocks, residentLanes/alignUp(threads, 32))
	if shared := uint64(k.code.dynamicBase) + dynamicShared; shared > 0 {
		n = min(n, int((MaxShared+1024)/(shared+1024)))
	}
	return n
}

// worker runs blocks on one goroutine.
type worker struct {
	launch   *launch
	resident []*block
	spare    []*block
	quiet    int // turns in a row in which nothing changed
	isStale  bool
}

func (w *worker) loop() {
	l := w.launch
	defer w.setStale(true)
	for !l.stop.Load() {
		b := w.pick()
		if b == nil {
			return
		}
		before, polls := b.changes, b.polls
		st := b.run(quantum)
		if b.changes != before {
			l.changes.Add(1)
		}
		switch st {
		case statusDone:
			w.finish(b)
		case statusFault:
			w.fail(b)
			return
		case statusWait:
			if b.cluster.of.stuck() {
				b.raiseStuck()
				w.fail(b)
				return
			}
			w.resident = append(w.resident, b)
			w.quiet++
		default:
			idle := before == b.changes
			b.standStill(idle && polls != b.polls)
			w.yield(b, idle && b.repeat.probe(b))
		}
	}
}

// pick gives the block to run: the one resident for longest, or a new one where
// all residents have had a turn.
func (w *worker) pick() *block {
	if len(w.resident) > 0 && (w.quiet == 0 || len(w.resident) >= w.maxResident()) {
		return w.shift()
	}
	if b := w.admit(); b != nil {
		return b
	}
	if len(w.resident) == 0 {
		return nil
	}
	return w.shift()
}

func (w *worker) shift() *block {
	b := w.resident[0]
	w.resident = append(w.resident[:0], w.resident[1:]...)
	return b
}

func (w *worker) maxResident() int {
	n := w.launch.kernel.MaxResident(w.threads(), uint64(w.launch.SharedBytes)) * Multiprocessors
	return max(1, n/int(w.launch.workers))
}

func (w *worker) threads() int {
	n, _ := w.launch.Block.Count()
	return int(n)
}

// admit starts the next block of the grid.
func (w *worker) admit() *block {
	l := w.launch
	i := l.nextBlock.Add(1) - 1
	if i >= l.units {
		return nil
	}
	if l.order != nil {
		i = l.order[i]
	}
	if l.clusterSize > 1 || l.kernel.code.clustered {
		return w.admitCluster(i)
	}
	b := w.fresh()
	gx, gy := uint64(l.Grid.X), uint64(l.Grid.Y)
	b.reset(i, Dim3{X: uint32(i % gx), Y: uint32(i / gx % gy), Z: uint32(i / gx / gy)})
	return b
}

// fresh gives a block that is not at work.
func (w *worker) fresh() *block {
	if n := len(w.spare); n > 0 {
		b := w.spare[n-1]
		w.spare = w.spare[:n-1]
		return b
	}
	return takeBlock(w.launch)
}

func (w *worker) finish(b *block) {
	w.quiet = 0
	w.setStale(false)
	switch {
	case b.cluster.of == nil:
		w.spare = append(w.spare, b)
	case b.cluster.done():
		w.spare = append(w.spare, b.cluster.of.blocks...)
	}
	var lanes uint64
	for i, n := range b.blockRuns {
		lanes += n * uint64(b.code.blocks[i].instrs)
	}
	w.launch.lanes.Add(lanes)
	if c := w.launch.counters; c != nil {
		w.launch.mu.Lock()
		c.add(b)
		w.launch.mu.Unlock()
	}
	clear(b.blockRuns)
}

func (w *worker) fail(b *block) {
	l := w.launch
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault == nil {
		l.fault = b.fault
	}
	l.stop.Store(true)
}

// yield puts a block back. Turns in which blocks only looked at memory, on all
// workers and with no block left to start, end in a deadlock.
func (w *worker) yield(b *block, idle bool) {
	w.resident = append(w.resident, b)
	if !idle {
		w.quiet = 0
		w.setStale(false)
		return
	}
	w.quiet++
	l := w.launch
	if w.quiet < staleQuanta*(len(w.resident)+1) || l.nextBlock.Load() < l.units && len(w.resident) < w.maxResident() {
		return
	}
	w.setStale(true)
	if l.stale.Load() == l.workers {
		b.raise(driver.FaultDeadlock, &b.bits,
			fmt.Sprintf("waiting for memory that no lane changes any more; blocks resident: %d, not started: %d",
				len(w.resident), (l.units-min(l.units, l.nextBlock.Load()))*uint64(l.clusterSize)))
		in := b.spinningAt()
		b.describeSpin(in)
		b.placeFault(in)
		w.fail(b)
	}
}

func (w *worker) setStale(s bool) {
	if s == w.isStale {
		return
	}
	w.isStale = s
	if s {
		w.launch.stale.Add(1)
	} else {
		w.launch.stale.Add(-1)
	}
}

// Check reports whether Launch would refuse: the error is a *LaunchError, or nil.
func (k *Kernel) Check(cfg Launch) error { return k.check(&cfg) }
