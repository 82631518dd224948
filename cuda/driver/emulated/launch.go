package emulated

import (
	gocontext "context"
	"errors"
	"fmt"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// function is a kernel of a module.
type function struct {
	module *module
	kernel *vm.Kernel
	handle uintptr
	mu     sync.Mutex
	shared int  // bytes of dynamic shared memory allowed
	far    bool // clusters of more than 8 blocks are allowed
}

func (f *function) Handle() uintptr       { return f.handle }
func (f *function) Name() string          { return f.kernel.Name }
func (f *function) Module() driver.Module { return f.module }

func (f *function) Params() ([]driver.ParamInfo, error) {
	if err := f.module.live("cuFuncGetParamInfo"); err != nil {
		return nil, err
	}
	out := make([]driver.ParamInfo, 0, len(f.kernel.Func.Params))
	for _, p := range f.kernel.Func.Params {
		out = append(out, driver.ParamInfo{Offset: uint32(p.Offset), Size: uint32(p.Size)})
	}
	return out, nil
}

func (f *function) Attribute(a driver.FunctionAttribute) (int, error) {
	const call = "cuFuncGetAttribute"
	if err := f.module.live(call); err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.module.program.Module.Version
	switch a {
	case driver.FuncMaxThreadsPerBlock:
		if m := f.kernel.Func.MaxThreads; m[0] > 0 {
			return min(m[0]*m[1]*m[2], vm.MaxThreads), nil
		}
		return vm.MaxThreads, nil
	case driver.FuncSharedSizeBytes:
		return f.kernel.SharedBytes(), nil
	case driver.FuncConstSizeBytes, driver.FuncCacheModeCA, driver.FuncPreferredSharedMemoryCarveout:
		return 0, nil
	case driver.FuncClusterSizeMustBeSet:
		return asInt(f.kernel.Func.ExplicitCluster), nil
	case driver.FuncRequiredClusterWidth, driver.FuncRequiredClusterHeight, driver.FuncRequiredClusterDepth:
		return f.kernel.Func.RequiredCluster[a-driver.FuncRequiredClusterWidth], nil
	case driver.FuncNonPortableClusterSizeAllowed:
		return asInt(f.far), nil
	case driver.FuncLocalSizeBytes:
		return f.kernel.LocalBytes(), nil
	case driver.FuncNumRegs:
		return min(f.kernel.Registers(), 255), nil
	case driver.FuncPTXVersion:
		return v.Major*10 + v.Minor, nil
	case driver.FuncBinaryVersion:
		return 90, nil
	case driver.FuncMaxDynamicSharedSizeBytes:
		return f.shared, nil
	}
	return 0, fail(call, driver.ErrorInvalidValue, "attribute %d", a)
}

func (f *function) SetAttribute(a driver.FunctionAttribute, v int) error {
	const call = "cuFuncSetAttribute"
	if err := f.module.live(call); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case a == driver.FuncPreferredSharedMemoryCarveout:
		return nil
	case a == driver.FuncNonPortableClusterSizeAllowed:
		f.far = v != 0
		return nil
	case a != driver.FuncMaxDynamicSharedSizeBytes:
		return fail(call, driver.ErrorInvalidValue, "attribute %d cannot be set", a)
	case v < 0 || v > vm.MaxShared-f.kernel.SharedBytes():
		return fail(call, driver.ErrorInvalidValue, "%d bytes of dynamic shared memory: at most %d", v,
			vm.MaxShared-f.kernel.SharedBytes())
	}
	f.shared = v
	return nil
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (f *function) MaxActiveBlocks(blockThreads int, dynamicShared uint64) (int, error) {
	const call = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
	if err := f.module.live(call); err != nil {
		return 0, err
	}
	if blockThreads <= 0 {
		return 0, fail(call, driver.ErrorInvalidValue, "%d threads", blockThreads)
	}
	return f.kernel.MaxResident(blockThreads, dynamicShared), nil
}

func (f *function) MaxPotentialBlockSize(dynamicShared uint64, limit int) (minGrid, block int, err error) {
	most, err := f.Attribute(driver.FuncMaxThreadsPerBlock)
	if err != nil {
		return 0, 0, err
	}
	if limit > 0 {
		most = min(most, limit)
	}
	best := 0
	for threads := 32; threads <= most; threads += 32 {
		if busy := threads * f.kernel.MaxResident(threads, dynamicShared); busy >= best && busy > 0 {
			best, block = busy, threads
		}
	}
	if block == 0 {
		return 0, 0, fail("cuOccupancyMaxPotentialBlockSize", driver.ErrorInvalidValue,
			"%d bytes of dynamic shared memory fit no block", dynamicShared)
	}
	return f.kernel.MaxResident(block, dynamicShared) * vm.Multiprocessors, block, nil
}

func (f *function) Launch(config *driver.LaunchConfig, params []byte) error {
	const call = "cuLaunchKernel"
	c := f.module.ctx
	st, err := c.stream(call, config.Stream)
	if err != nil {
		return err
	}
	if err := f.module.live(call); err != nil {
		return err
	}
	n := &node{kind: driver.GraphNodeKernel, cooperative: config.Cooperative, cluster: config.Cluster,
		kernel: driver.KernelNodeParams{Function: f,
			Grid: config.Grid, Block: config.Block, SharedBytes: config.SharedBytes, Params: append([]byte(nil), params...)}}
	if err := n.check(call); err != nil {
		return err
	}
	if k := st.capturing(); k != nil {
		return k.record(call, st, n)
	}
	number := c.launches.Add(1)
	run := func(ctx gocontext.Context, o *op) error { return n.launch(ctx, c, c.place(o), number) }
	st.enqueue(&op{run: run, kernel: n, number: number})
	return nil
}

// config makes the virtual machine's launch of a kernel node.
func (n *node) config() vm.Launch {
	p := &n.kernel
	f := p.Function.(*function)
	f.mu.Lock()
	defer f.mu.Unlock()
	return vm.Launch{Cluster: n.cluster, NonPortableCluster: f.far,
		Grid: p.Grid, Block: p.Block, SharedBytes: p.SharedBytes, Params: p.Params, Cooperative: n.cooperative}
}

// check refuses what can be refused before the kernel runs.
func (n *node) check(call string) error {
	f := n.kernel.Function.(*function)
	f.mu.Lock()
	allowed := f.shared
	f.mu.Unlock()
	if int(n.kernel.SharedBytes) > allowed {
		return fail(call, driver.ErrorInvalidValue,
			"%d bytes of dynamic shared memory: %d are allowed; set FuncMaxDynamicSharedSizeBytes for more",
			n.kernel.SharedBytes, allowed)
	}
	var le *vm.LaunchError
	if err := f.kernel.Check(n.config()); errors.As(err, &le) {
		return fail(call, le.Code, le.Error())
	}
	return nil
}

// name says which launch of a kernel node it is.
func (n *node) name(number uint64) string {
	return fmt.Sprintf("kernel %s, launch %d,", driver.KernelName(n.kernel.Function.(*function).kernel.Name), number)
}

// launch runs a kernel node to its end.
func (n *node) launch(ctx gocontext.Context, c *context, at place, number uint64) error {
	f := n.kernel.Function.(*function)
	if err := f.module.runnable("cuLaunchKernel"); err != nil {
		return err
	}
	l := n.config()
	o := &c.device.driver.options
	l.Number, l.Stdout, l.Shuffle = number, o.stdout(), o.Shuffle
	l.SetConditional, l.StackBytes = c.setConditional, max(at.o.stack, 1)
	k := f.kernel
	if c.profiling() {
		var err error
		if k, err = k.Counted(); err != nil {
			return err
		}
	}
	what := n.name(number)
	d := c.doing(at, what)
	if d != nil {
		d.kind, d.count, d.steps = k.Name, number, &vm.Footprint{}
		l.Footprint = d.steps
	}
	r, err := k.Launch(ctx, l)
	if errors.Is(err, gocontext.Canceled) {
		return &driver.InterruptedError{Work: what}
	}
	if err != nil {
		return err
	}
	if err := c.judge(d); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastRun = r
	if c.profile != nil {
		*c.profile = append(*c.profile, r)
	}
	return nil
}
