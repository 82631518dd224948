package cuda

import (
	"fmt"
	"math"
	"math/big"
	"runtime"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// GridDim is how many blocks a launch has, BlockDim how many threads a block. Grid, GridFor and
// Block make them; extents that cannot be are refused by the call that launches.
type (
	GridDim struct {
		X, Y, Z uint32
		asked   string // what was asked for, where that cannot be
	}
	BlockDim struct {
		X, Y, Z uint32
		asked   string
	}
)

// Grid is a grid of x, x*y or x*y*z blocks.
func Grid(x int, yz ...int) GridDim {
	d, asked := dim(x, yz)
	return GridDim{d.X, d.Y, d.Z, asked}
}

// Block is a block of x, x*y or x*y*z threads.
func Block(x int, yz ...int) BlockDim {
	d, asked := dim(x, yz)
	return BlockDim{d.X, d.Y, d.Z, asked}
}

// GridFor is the grid of blocks of threads that covers n elements.
func GridFor(n, threads int) GridDim {
	if n <= 0 || threads <= 0 {
		return GridDim{asked: fmt.Sprintf("GridFor(%d, %d)", n, threads)}
	}
	return Grid((n-1)/threads + 1)
}

// dim makes an extent, or keeps what was asked for.
func dim(x int, yz []int) (driver.Dim3, string) {
	d := [3]uint32{1, 1, 1}
	ok := len(yz) <= 2
	for i, n := range append([]int{x}, yz...) {
		if ok = ok && n > 0 && n <= math.MaxUint32; ok {
			d[i] = uint32(n)
		}
	}
	if !ok {
		asked := fmt.Sprint(x)
		for _, n := range yz {
			asked += fmt.Sprint("×", n)
		}
		return driver.Dim3{}, asked
	}
	return driver.Dim3{X: d[0], Y: d[1], Z: d[2]}, ""
}

func (g GridDim) dim3() driver.Dim3  { return driver.Dim3{X: g.X, Y: g.Y, Z: g.Z} }
func (b BlockDim) dim3() driver.Dim3 { return driver.Dim3{X: b.X, Y: b.Y, Z: b.Z} }

func (g GridDim) String() string  { return shapeText(g.dim3(), g.asked) }
func (b BlockDim) String() string { return shapeText(b.dim3(), b.asked) }

func shapeText(d driver.Dim3, asked string) string {
	if asked != "" {
		return asked
	}
	return d.String()
}

// A prepared launch was checked and packed: enqueueing it allocates nothing. It keeps its buffers
// reachable.
type prepared struct {
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

// check refuses a nil kernel, and one whose code is gone.
func (k *Kernel) check(op string) error {
	if k == nil || k.mod == nil {
		return missing(op, "a kernel", "Module.Kernel")
	}
	return k.mod.check(op)
}

func (k *Kernel) prepare(op string, by takers, grid GridDim, block BlockDim, mixed []any) (*prepared, error) {
	if err := k.check(op); err != nil {
		return nil, err
	}
	o, args, err := split(op, by, mixed)
	if err != nil {
		return nil, err
	}
	return k.prepareWith(op, o, grid, block, args)
}

// prepareWith is prepare with options that the call takes.
func (k *Kernel) prepareWith(op string, o settings, grid GridDim, block BlockDim, args []any) (*prepared, error) {
	d := k.mod.dev
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	slots, err := k.checkShape(op, grid, block)
	if err != nil {
		return nil, err
	}
	if o.sharedAsked > sharedByDefault {
		if err := k.checkShared(op, o.sharedAsked); err != nil {
			return nil, err
		}
	}
	if o.cooperative {
		if err := k.checkTogether(op, grid, block, o.shared); err != nil {
			return nil, err
		}
	}
	if o.cluster != (driver.Dim3{}) {
		if err := k.checkCluster(op, grid, o.cluster); err != nil {
			return nil, err
		}
	}
	params, buffers, err := k.pack(op, args)
	if err != nil {
		return nil, err
	}
	p := &prepared{kernel: k, params: params, buffers: buffers, args: args, slots: slots, elements: o.elements,
		name: o.name,
		config: driver.LaunchConfig{Grid: grid.dim3(), Block: block.dim3(), SharedBytes: o.shared,
			Cooperative: o.cooperative, Cluster: o.cluster}}
	p.label = k.label(grid, block)
	if o.stream == nil {
		o.stream = d.stream
	}
	if err := o.stream.checkOf(op, d); err != nil {
		return nil, err
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

// label is "saxpy<4096, 256>"; that of the latest launch is kept, since the next is mostly of the
// same shape.
func (k *Kernel) label(grid GridDim, block BlockDim) string {
	if l := k.latest.Load(); l != nil && l.grid == grid && l.block == block {
		return l.text
	}
	l := &shapeLabel{grid, block, fmt.Sprintf("%s<%s, %s>", k.name, grid, block)}
	k.latest.Store(l)
	return l.text
}

// checkShape refuses shapes that no launch can have, and counts the threads.
func (k *Kernel) checkShape(op string, grid GridDim, block BlockDim) (uint64, error) {
	what := func() string { return fmt.Sprintf("kernel %s, grid %s, block %s", k.name, grid, block) }
	threads, fits := block.dim3().Count()
	blocks, counted := grid.dim3().Count()
	limit := k.mod.dev.info.MaxThreads
	switch {
	case grid.asked != "" || grid.X == 0 || grid.Y == 0 || grid.Z == 0:
		return 0, &Error{Op: op, What: what(), Want: "at least one block: one to three extents from 1 to 4294967295",
			Got: grid.String()}
	case block.asked != "" || block.X == 0 || block.Y == 0 || block.Z == 0:
		return 0, &Error{Op: op, What: what(),
			Want: fmt.Sprintf("at least one thread: one to three extents, together at most %d", limit), Got: block.String()}
	case !fits || threads > uint64(limit):
		return 0, &Error{Op: op, What: what(), Want: fmt.Sprintf("at most %d threads a block", limit), Got: product3(block)}
	}
	if !counted || blocks > math.MaxUint64/threads {
		return math.MaxUint64, nil
	}
	return blocks * threads, nil
}

// product3 is how many threads a block has, whatever that is.
func product3(b BlockDim) string {
	n := new(big.Int).SetUint64(uint64(b.X))
	n.Mul(n, new(big.Int).SetUint64(uint64(b.Y)))
	return n.Mul(n, new(big.Int).SetUint64(uint64(b.Z))).String()
}

// sharedByDefault is how many bytes of shared memory every kernel may have; more has to be asked
// for.
const sharedByDefault = 48 << 10

// checkShared refuses more dynamic shared memory than the kernel was allowed.
func (k *Kernel) checkShared(op string, bytes int) error {
	allowed, err := k.fn.Attribute(driver.FuncMaxDynamicSharedSizeBytes)
	if err != nil || bytes <= allowed {
		return wrap(op, k.name, err)
	}
	e := &Error{Op: op, What: "kernel " + k.name, Want: fmt.Sprintf("at most %d bytes of dynamic shared memory",
		allowed), Got: fmt.Sprint(bytes)}
	static, _ := k.fn.Attribute(driver.FuncSharedSizeBytes)
	if most, err := k.mod.dev.dev.Attribute(driver.AttrMaxSharedMemoryPerBlockOptin); err == nil && bytes <= most-static {
		e.Fix = fmt.Sprintf("Kernel.SetDynamicShared(%d) first", bytes)
	} else if err == nil {
		e.Fix = fmt.Sprintf("use less: a block of this device has at most %d bytes, %d of which are the kernel's own", most,
			static)
	}
	return e
}

// checkTogether refuses a cooperative launch whose blocks the device cannot hold all at once.
func (k *Kernel) checkTogether(op string, grid GridDim, block BlockDim, shared uint32) error {
	threads, _ := block.dim3().Count() // checkShape saw it
	blocks, ok := grid.dim3().Count()
	if !ok {
		blocks = math.MaxUint64
	}
	each, err := k.fn.MaxActiveBlocks(int(threads), uint64(shared))
	if err != nil {
		return wrap(op, k.name, err)
	}
	d := k.mod.dev
	if most := uint64(each) * uint64(d.info.Multiprocessors); blocks > most {
		return &Error{Op: op, What: fmt.Sprintf("cooperative launch of %s", k.name),
			Want: fmt.Sprintf("at most %d blocks of %d threads: %d on each of %d multiprocessors", most, threads, each,
				d.info.Multiprocessors),
			Got: fmt.Sprint(blocks), Fix: "let each block do more, in a loop over its share",
			Err: driver.ErrorCooperativeLaunchTooLarge}
	}
	return nil
}

// run enqueues the launch on a stream that runs.
func (p *prepared) run(op string, s *Stream) error {
	if err := s.room(op); err != nil {
		return err
	}
	r := startRange(p.label)
	err := p.submit(op, s.s)
	r.end()
	if err != nil {
		return err
	}
	p.kernel.mod.dev.ledger.launched(p.label, load{launches: 1, slots: p.slots, elements: p.elements,
		bytes: uint64(len(p.params))})
	return nil
}

// submit hands the launch to a stream, which runs or records it.
func (p *prepared) submit(op string, s driver.Stream) error {
	m := p.kernel.mod
	d := m.dev
	config := &p.config
	if s != config.Stream {
		other := p.config
		other.Stream = s
		config = &other
	}
	if m.unloaded.Load() {
		return m.check(op)
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

// Launch checks one launch, enqueues it and does not wait for it: geometry against the device,
// arguments against the kernel's parameters in number, type and size. On a stream that records a
// graph the launch becomes a node of it. LaunchOptions may stand among the arguments. A parameter
// takes
//
//   - for an address, a *Buffer, or the address itself as uint64(b.Ptr()); a buffer's element type
//     is checked where the source tells the pointer's type (LoadCUDA), nil is refused;
//   - for an integer, any Go integer whose value fits, an int for a 32-bit parameter too;
//   - for .f32 and float, a float32, for .f64 and double, a float64, and nothing else: a conversion
//     would lose bits; for half types their bits as a uint16;
//   - for one byte, a bool;
//   - for a struct or an array, a Go struct or array of the same size without pointers, laid out as
//     C lays it out, or its bytes as a []byte; addresses in it are uint64(b.Ptr());
//   - for 128 bytes that are a CUtensorMap, a *TensorMap.
//
// Addresses in integers and structs do not keep a buffer alive: runtime.KeepAlive does.
func (d *Device) Launch(k *Kernel, grid GridDim, block BlockDim, args ...any) error {
	const op = "Device.Launch"
	p, err := d.prepare(op, byLaunch, k, grid, block, args)
	if err != nil {
		return err
	}
	return p.stream.enqueue(op, p)
}

func (d *Device) prepare(op string, by takers, k *Kernel, grid GridDim, block BlockDim, args []any) (*prepared, error) {
	if d == nil || d.ctx == nil {
		return nil, d.checkOpen(op)
	}
	if err := k.of(op, d); err != nil {
		return nil, err
	}
	return k.prepare(op, by, grid, block, args)
}

// of refuses a kernel of another device.
func (k *Kernel) of(op string, d *Device) error {
	if k == nil || k.mod == nil || k.mod.dev == d {
		return nil // check refuses what is none
	}
	e := &Error{Op: op, What: "kernel " + k.name, Want: "a kernel of " + d.String(), Got: "one of " + d.apart(k.mod.dev),
		Fix: "load its module on this device", code: driver.ErrorInvalidHandle}
	return e
}

func (p *prepared) String() string {
	if p == nil || p.kernel == nil {
		return "no prepared launch"
	}
	var args []string
	for _, a := range p.args {
		args = append(args, argumentText(a))
	}
	return p.label + "(" + strings.Join(args, ", ") + ")"
}
