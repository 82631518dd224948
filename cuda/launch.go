package cuda

import (
	"fmt"
	"math"
	"runtime"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// GridDim is how many blocks a launch has, BlockDim how many threads a block.
type (
	GridDim  driver.Dim3
	BlockDim driver.Dim3
)

// Grid is a grid of x, x*y or x*y*z blocks.
func Grid(x int, yz ...int) GridDim { return GridDim(dim(x, yz)) }

// Block is a block of x, x*y or x*y*z threads.
func Block(x int, yz ...int) BlockDim { return BlockDim(dim(x, yz)) }

// GridFor is the grid of blocks of threads that covers n elements.
func GridFor(n, threads int) GridDim {
	if n <= 0 || threads <= 0 {
		return GridDim{}
	}
	return Grid((n-1)/threads + 1)
}

// dim makes an extent. What cannot be one becomes 0, which every launch refuses and names.
func dim(x int, yz []int) driver.Dim3 {
	d := driver.Dim3{X: extent(x), Y: 1, Z: 1}
	if len(yz) > 0 {
		d.Y = extent(yz[0])
	}
	if len(yz) > 1 {
		d.Z = extent(yz[1])
	}
	if len(yz) > 2 {
		return driver.Dim3{}
	}
	return d
}

func extent(n int) uint32 {
	if n < 0 || n > math.MaxUint32 {
		return 0
	}
	return uint32(n)
}

func (g GridDim) String() string  { return driver.Dim3(g).String() }
func (b BlockDim) String() string { return driver.Dim3(b).String() }

// A LaunchOption changes a launch. It stands among the kernel's arguments, anywhere.
type LaunchOption interface{ apply(*options) }

type options struct {
	shared      uint32
	sharedAsked int
	cooperative bool
	stream      *Stream
	elements    uint64
	name        string
	iterations  int
	iterated    bool
	after       []*Node
	ordered     bool
	flag        string
	most        int
	timed       bool
}

type optionFunc func(*options)

func (f optionFunc) apply(o *options) { f(o) }

// Shared asks for dynamic shared memory, in bytes a block.
func Shared(bytes int) LaunchOption {
	return optionFunc(func(o *options) { o.sharedAsked, o.shared = bytes, extent(bytes) })
}

// Cooperative asks for all blocks to be resident together, so that they may wait for each other.
func Cooperative() LaunchOption { return optionFunc(func(o *options) { o.cooperative = true }) }

// On launches on a stream other than the device's own.
func On(s *Stream) LaunchOption { return optionFunc(func(o *options) { o.stream = s }) }

// Elements says for how many elements a launch is, for the telemetry of threads that had none.
func Elements(n int) LaunchOption {
	return optionFunc(func(o *options) { o.elements = uint64(max(n, 0)) })
}

// split parts options from arguments.
func split(mixed []any) (options, []any) {
	var o options
	args := make([]any, 0, len(mixed))
	for _, a := range mixed {
		if option, ok := a.(LaunchOption); ok {
			option.apply(&o)
			continue
		}
		args = append(args, a)
	}
	return o, args
}

// A Prepared launch was checked and packed: enqueueing it allocates nothing. It keeps its buffers
// reachable.
type Prepared struct {
	kernel   *Kernel
	config   driver.LaunchConfig
	stream   *Stream
	params   []byte
	buffers  []*Buffer
	args     []any
	slots    uint64
	elements uint64
	label    string
	name     string // of its node in a captured graph, where Named gave one
}

// Prepare checks a launch: geometry against the device, arguments against the kernel's parameters in
// number, type and size. Options may stand among the arguments.
func (k *Kernel) Prepare(grid GridDim, block BlockDim, args ...any) (*Prepared, error) {
	return k.prepare("Kernel.Prepare", grid, block, args)
}

func (k *Kernel) prepare(op string, grid GridDim, block BlockDim, mixed []any) (*Prepared, error) {
	if k == nil {
		return nil, &Error{Op: op, Want: "a kernel", Got: "nil"}
	}
	d := k.mod.dev
	if err := d.open(op); err != nil {
		return nil, err
	}
	o, args := split(mixed)
	if o.ordered {
		return nil, &Error{Op: op, What: k.String(), Want: "no After: the order of calls decides here", Got: "After", Fix: "build the graph with Device.NewGraphBuilder"}
	}
	slots, err := k.checkShape(op, driver.Dim3(grid), driver.Dim3(block))
	if err != nil {
		return nil, err
	}
	if o.sharedAsked < 0 || o.sharedAsked > sharedByDefault {
		if err := k.checkShared(op, o.sharedAsked); err != nil {
			return nil, err
		}
	}
	if o.cooperative {
		if err := k.checkTogether(op, grid, block, o.shared); err != nil {
			return nil, err
		}
	}
	params, buffers, err := k.pack(op, args)
	if err != nil {
		return nil, err
	}
	p := &Prepared{kernel: k, params: params, buffers: buffers, args: args, slots: slots, elements: o.elements, name: o.name,
		config: driver.LaunchConfig{Grid: driver.Dim3(grid), Block: driver.Dim3(block), SharedBytes: o.shared, Cooperative: o.cooperative}}
	p.label = k.label(grid, block)
	if o.stream == nil {
		o.stream = d.stream
	}
	if o.stream.dev != d {
		return nil, &Error{Op: op, What: p.label, Want: "a stream of " + d.String(), Got: "one of " + o.stream.dev.String()}
	}
	p.stream, p.config.Stream = o.stream, o.stream.s
	return p, nil
}

// A shapeLabel is what launches of one shape are called.
type shapeLabel struct {
	grid  GridDim
	block BlockDim
	text  string
}

// label is "saxpy<4096, 256>"; that of the latest launch is kept, since the next is mostly of the same shape.
func (k *Kernel) label(grid GridDim, block BlockDim) string {
	if l := k.latest.Load(); l != nil && l.grid == grid && l.block == block {
		return l.text
	}
	l := &shapeLabel{grid, block, fmt.Sprintf("%s<%s, %s>", k.name, grid, block)}
	k.latest.Store(l)
	return l.text
}

// checkShape refuses shapes that no launch can have, and counts the threads.
func (k *Kernel) checkShape(op string, grid, block driver.Dim3) (uint64, error) {
	blocks, ok1 := grid.Count()
	threads, ok2 := block.Count()
	what := func() string { return fmt.Sprintf("kernel %s, grid %s, block %s", k.name, grid, block) }
	if !ok1 || !ok2 || blocks == 0 || threads == 0 {
		return 0, &Error{Op: op, What: what(), Want: "at least one block of at least one thread", Got: fmt.Sprintf("%d blocks of %d threads", blocks, threads)}
	}
	if limit := k.mod.dev.info.MaxThreads; threads > uint64(limit) {
		return 0, &Error{Op: op, What: what(), Want: fmt.Sprintf("at most %d threads a block", limit), Got: fmt.Sprint(threads)}
	}
	if blocks > math.MaxUint64/threads {
		return math.MaxUint64, nil
	}
	return blocks * threads, nil
}

// sharedByDefault is how many bytes of shared memory every kernel may have; more has to be asked for.
const sharedByDefault = 48 << 10

// checkShared refuses more dynamic shared memory than the kernel was allowed.
func (k *Kernel) checkShared(op string, bytes int) error {
	allowed, err := k.fn.Attribute(driver.FuncMaxDynamicSharedSizeBytes)
	if err != nil || bytes >= 0 && bytes <= allowed {
		return wrap(op, k.name, err)
	}
	e := &Error{Op: op, What: "kernel " + k.name, Want: fmt.Sprintf("at most %d bytes of dynamic shared memory", allowed), Got: fmt.Sprint(bytes), Err: driver.ErrorInvalidValue}
	if bytes < 0 {
		e.Want = "a number of bytes, 0 or more"
		return e
	}
	static, _ := k.fn.Attribute(driver.FuncSharedSizeBytes)
	if most, err := k.mod.dev.dev.Attribute(driver.AttrMaxSharedMemoryPerBlockOptin); err == nil && bytes <= most-static {
		e.Fix = fmt.Sprintf("Kernel.SetDynamicShared(%d) first", bytes)
	} else if err == nil {
		e.Fix = fmt.Sprintf("use less: a block of this device has at most %d bytes, %d of which are the kernel's own", most, static)
	}
	return e
}

// checkTogether refuses a cooperative launch whose blocks the device cannot hold all at once.
func (k *Kernel) checkTogether(op string, grid GridDim, block BlockDim, shared uint32) error {
	threads, _ := driver.Dim3(block).Count()
	blocks, _ := driver.Dim3(grid).Count() // checkShape saw both
	each, err := k.fn.MaxActiveBlocks(int(threads), uint64(shared))
	if err != nil {
		return wrap(op, k.name, err)
	}
	d := k.mod.dev
	if most := uint64(each) * uint64(d.info.Multiprocessors); blocks > most {
		return &Error{Op: op, What: fmt.Sprintf("cooperative launch of %s", k.name), Want: fmt.Sprintf("at most %d blocks of %d threads: %d on each of %d multiprocessors", most, threads, each, d.info.Multiprocessors),
			Got: fmt.Sprint(blocks), Fix: "let each block do more, in a loop over its share", Err: driver.ErrorCooperativeLaunchTooLarge}
	}
	return nil
}

// Launch enqueues the launch on the stream it was prepared for. It allocates nothing.
func (p *Prepared) Launch() error { return p.enqueue("Prepared.Launch", p.stream) }

func (p *Prepared) enqueue(op string, s *Stream) error {
	if err := s.room(op); err != nil {
		return err
	}
	r := startRange(p.label)
	err := p.submit(op, s.s)
	r.end()
	if err != nil {
		return err
	}
	p.kernel.mod.dev.ledger.launched(p.label, load{launches: 1, slots: p.slots, elements: p.elements, bytes: uint64(len(p.params))})
	return nil
}

// submit hands the launch to a stream, which runs or records it.
func (p *Prepared) submit(op string, s driver.Stream) error {
	d := p.kernel.mod.dev
	config := &p.config
	if s != config.Stream {
		other := p.config
		other.Stream = s
		config = &other
	}
	for _, b := range p.buffers {
		if err := b.live(op, d); err != nil {
			return err
		}
	}
	if err := p.kernel.fn.Launch(config, p.params); err != nil {
		return d.late(op, p.label, err)
	}
	runtime.KeepAlive(p)
	return nil
}

// Launch checks and enqueues one launch and does not wait for it. Options may stand among the
// arguments.
func (d *Device) Launch(k *Kernel, grid GridDim, block BlockDim, args ...any) error {
	const op = "Device.Launch"
	p, err := d.prepare(op, k, grid, block, args)
	if err != nil {
		return err
	}
	return p.enqueue(op, p.stream)
}

func (d *Device) prepare(op string, k *Kernel, grid GridDim, block BlockDim, args []any) (*Prepared, error) {
	if k != nil && k.mod.dev != d {
		return nil, &Error{Op: op, What: "kernel " + k.name, Want: "a kernel of " + d.String(), Got: "one of " + k.mod.dev.String()}
	}
	return k.prepare(op, grid, block, args)
}
