package cuda

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
	"time"
)

// Every exported call that returns an error has a Must form, for cells and for programs that end with it: the same
// name and parameters, the results but the error, which it panics with. Close and the forms that take a context
// have none. TestMust holds the package to that.

// MustOpen is Open, and panics with its error.
func MustOpen(where ...string) *Device { return must(Open(where...)) }

// MustOpenDriver is OpenDriver, and panics with its error.
func MustOpenDriver(drv Driver, ordinal int) *Device { return must(OpenDriver(drv, ordinal)) }

// MustOpenEmulated is OpenEmulated, and panics with its error.
func MustOpenEmulated(e Emulation) *Device { return must(OpenEmulated(e)) }

// MustProfilerRanges is ProfilerRanges, and panics with its error.
func MustProfilerRanges(on bool) { ok(ProfilerRanges(on)) }

// MustClear is Clear, and panics with its error.
func (b *Buffer) MustClear() { ok(b.Clear()) }

// MustCopyFrom is CopyFrom, and panics with its error.
func (b *Buffer) MustCopyFrom(src *Buffer) { ok(b.CopyFrom(src)) }

// MustDownload is Download, and panics with its error.
func (b *Buffer) MustDownload() any { return must(b.Download()) }

// MustRead is Read, and panics with its error.
func (b *Buffer) MustRead(at int, into any) { ok(b.Read(at, into)) }

// MustTensorMap is TensorMap, and panics with its error.
func (b *Buffer) MustTensorMap(spec TensorSpec) *TensorMap { return must(b.TensorMap(spec)) }

// MustWrite is Write, and panics with its error.
func (b *Buffer) MustWrite(at int, values any) { ok(b.Write(at, values)) }

// MustAlloc is Alloc, and panics with its error.
func (d *Device) MustAlloc(n int) *Buffer { return must(d.Alloc(n)) }

// MustCUcontext is CUcontext, and panics with its error.
func (d *Device) MustCUcontext() uintptr { return must(d.CUcontext()) }

// MustCapture is Capture, and panics with its error.
func (d *Device) MustCapture(record func(s *Stream), name ...NameOption) *Graph {
	return must(d.Capture(record, name...))
}

// MustCountLaunches is CountLaunches, and panics with its error.
func (d *Device) MustCountLaunches(work func() error) *LaunchCounts {
	return must(d.CountLaunches(work))
}

// MustDispatch is Dispatch, and panics with its error.
func (d *Device) MustDispatch(k *Kernel, grid GridDim, block BlockDim, args ...any) *DispatchReport {
	return must(d.Dispatch(k, grid, block, args...))
}

// MustLaunch is Launch, and panics with its error.
func (d *Device) MustLaunch(k *Kernel, grid GridDim, block BlockDim, args ...any) {
	ok(d.Launch(k, grid, block, args...))
}

// MustLoad is Load, and panics with its error.
func (d *Device) MustLoad(name string, image []byte, options JITOptions) *Module {
	return must(d.Load(name, image, options))
}

// MustLoadCUDA is LoadCUDA, and panics with its error.
func (d *Device) MustLoadCUDA(source string, options ...nvrtc.Options) *Module {
	return must(d.LoadCUDA(source, options...))
}

// MustLoadPTX is LoadPTX, and panics with its error.
func (d *Device) MustLoadPTX(text string) *Module { return must(d.LoadPTX(text)) }

// MustLoadProgram is LoadProgram, and panics with its error.
func (d *Device) MustLoadProgram(p *nvrtc.Program) *Module { return must(d.LoadProgram(p)) }

// MustMake is Make, and panics with its error.
func (d *Device) MustMake(n int, zero any) *Buffer { return must(d.Make(n, zero)) }

// MustMakeUninit is MakeUninit, and panics with its error.
func (d *Device) MustMakeUninit(n int, zero any) *Buffer { return must(d.MakeUninit(n, zero)) }

// MustMemInfo is MemInfo, and panics with its error.
func (d *Device) MustMemInfo() (uint64, uint64) {
	x, y, err := d.MemInfo()
	ok(err)
	return x, y
}

// MustNewEvent is NewEvent, and panics with its error.
func (d *Device) MustNewEvent() *Event { return must(d.NewEvent()) }

// MustNewGraphCache is NewGraphCache, and panics with its error.
func (d *Device) MustNewGraphCache(capacity int) *GraphCache { return must(d.NewGraphCache(capacity)) }

// MustNewModuleCache is NewModuleCache, and panics with its error.
func (d *Device) MustNewModuleCache(capacity int) *ModuleCache {
	return must(d.NewModuleCache(capacity))
}

// MustNewStream is NewStream, and panics with its error.
func (d *Device) MustNewStream() *Stream { return must(d.NewStream()) }

// MustPlan is Plan, and panics with its error.
func (d *Device) MustPlan(items ...PlanItem) *Plan { return must(d.Plan(items...)) }

// MustReadRanges is ReadRanges, and panics with its error.
func (d *Device) MustReadRanges(ranges ...BufferRange) [][]byte { return must(d.ReadRanges(ranges...)) }

// MustReset is Reset, and panics with its error.
func (d *Device) MustReset() *Device { return must(d.Reset()) }

// MustSetStackSize is SetStackSize, and panics with its error.
func (d *Device) MustSetStackSize(bytes int) { ok(d.SetStackSize(bytes)) }

// MustStackSize is StackSize, and panics with its error.
func (d *Device) MustStackSize() int { return must(d.StackSize()) }

// MustSynchronize is Synchronize, and panics with its error.
func (d *Device) MustSynchronize() { ok(d.Synchronize()) }

// MustUpload is Upload, and panics with its error.
func (d *Device) MustUpload(values any) *Buffer { return must(d.Upload(values)) }

// MustWriteRanges is WriteRanges, and panics with its error.
func (d *Device) MustWriteRanges(writes ...BufferWrite) { ok(d.WriteRanges(writes...)) }

// MustCUevent is CUevent, and panics with its error.
func (e *Event) MustCUevent() uintptr { return must(e.CUevent()) }

// MustRecord is Record, and panics with its error.
func (e *Event) MustRecord(s *Stream) { ok(e.Record(s)) }

// MustSince is Since, and panics with its error.
func (e *Event) MustSince(earlier *Event) time.Duration { return must(e.Since(earlier)) }

// MustSynchronize is Synchronize, and panics with its error.
func (e *Event) MustSynchronize() { ok(e.Synchronize()) }

// MustArgs is Args, and panics with its error.
func (g *Graph) MustArgs(node string) []any { return must(g.Args(node)) }

// MustCUgraphExec is CUgraphExec, and panics with its error.
func (g *Graph) MustCUgraphExec() uintptr { return must(g.CUgraphExec()) }

// MustEnable is Enable, and panics with its error.
func (g *Graph) MustEnable(node string, on bool) { ok(g.Enable(node, on)) }

// MustLaunch is Launch, and panics with its error.
func (g *Graph) MustLaunch() { ok(g.Launch()) }

// MustLaunchOn is LaunchOn, and panics with its error.
func (g *Graph) MustLaunchOn(s *Stream) { ok(g.LaunchOn(s)) }

// MustNode is Node, and panics with its error.
func (g *Graph) MustNode(name string) *Node { return must(g.Node(name)) }

// MustSet is Set, and panics with its error.
func (g *Graph) MustSet(node string, args ...any) { ok(g.Set(node, args...)) }

// MustSetArg is SetArg, and panics with its error.
func (g *Graph) MustSetArg(node string, param any, value any) { ok(g.SetArg(node, param, value)) }

// MustSetCopy is SetCopy, and panics with its error.
func (g *Graph) MustSetCopy(node string, dst, src *Buffer) { ok(g.SetCopy(node, dst, src)) }

// MustSetFill is SetFill, and panics with its error.
func (g *Graph) MustSetFill(node string, value byte) { ok(g.SetFill(node, value)) }

// MustSetRead is SetRead, and panics with its error.
func (g *Graph) MustSetRead(node string, into any) { ok(g.SetRead(node, into)) }

// MustSetWrite is SetWrite, and panics with its error.
func (g *Graph) MustSetWrite(node string, values any) { ok(g.SetWrite(node, values)) }

// MustTime is Time, and panics with its error.
func (g *Graph) MustTime(n int) *TimingReport { return must(g.Time(n)) }

// MustTimeNodes is TimeNodes, and panics with its error.
func (g *Graph) MustTimeNodes(n int) *NodeTimes { return must(g.TimeNodes(n)) }

// MustUpdate is Update, and panics with its error.
func (g *Graph) MustUpdate(record func(s *Stream)) { ok(g.Update(record)) }

// MustBuild is Build, and panics with its error.
func (b *GraphBuilder) MustBuild() *Graph { return must(b.Build()) }

// MustGet is Get, and panics with its error.
func (c *GraphCache) MustGet(key any, capture func() (*Graph, error)) (*Graph, func()) {
	x, y, err := c.Get(key, capture)
	ok(err)
	return x, y
}

// MustAllowLargeClusters is AllowLargeClusters, and panics with its error.
func (k *Kernel) MustAllowLargeClusters() { ok(k.AllowLargeClusters()) }

// MustCUfunction is CUfunction, and panics with its error.
func (k *Kernel) MustCUfunction() uintptr { return must(k.CUfunction()) }

// MustOccupancy is Occupancy, and panics with its error.
func (k *Kernel) MustOccupancy(block BlockDim, sharedBytes int) int {
	return must(k.Occupancy(block, sharedBytes))
}

// MustPlan is Plan, and panics with its error.
func (k *Kernel) MustPlan(grid GridDim, block BlockDim, args ...any) *Plan {
	return must(k.Plan(grid, block, args...))
}

// MustSetDynamicShared is SetDynamicShared, and panics with its error.
func (k *Kernel) MustSetDynamicShared(bytes int) { ok(k.SetDynamicShared(bytes)) }

// MustSuggestBlock is SuggestBlock, and panics with its error.
func (k *Kernel) MustSuggestBlock() int { return must(k.SuggestBlock()) }

// MustGlobal is Global, and panics with its error.
func (m *Module) MustGlobal(name string, zero ...any) *Buffer { return must(m.Global(name, zero...)) }

// MustKernel is Kernel, and panics with its error.
func (m *Module) MustKernel(name string) *Kernel { return must(m.Kernel(name)) }

// MustKernel is Kernel, and panics with its error.
func (c *ModuleCache) MustKernel(ptx, name string) (*Kernel, func()) {
	x, y, err := c.Kernel(ptx, name)
	ok(err)
	return x, y
}

// MustValues is Values, and panics with its error.
func (q *Pending) MustValues() []any { return must(q.Values()) }

// MustWait is Wait, and panics with its error.
func (q *Pending) MustWait() [][]byte { return must(q.Wait()) }

// MustLaunch is Launch, and panics with its error.
func (p *Plan) MustLaunch(buffers ...*Buffer) { ok(p.Launch(buffers...)) }

// MustLaunchOn is LaunchOn, and panics with its error.
func (p *Plan) MustLaunchOn(s *Stream, buffers ...*Buffer) { ok(p.LaunchOn(s, buffers...)) }

// MustRun is Run, and panics with its error.
func (p *Plan) MustRun(buffers []*Buffer, read ...BufferRange) [][]byte {
	return must(p.Run(buffers, read...))
}

// MustSubmit is Submit, and panics with its error.
func (p *Plan) MustSubmit(buffers []*Buffer, read ...BufferRange) *Pending {
	return must(p.Submit(buffers, read...))
}

// MustTime is Time, and panics with its error.
func (p *Plan) MustTime(n int, buffers ...*Buffer) *TimingReport { return must(p.Time(n, buffers...)) }

// MustCUstream is CUstream, and panics with its error.
func (s *Stream) MustCUstream() uintptr { return must(s.CUstream()) }

// MustCopy is Copy, and panics with its error.
func (s *Stream) MustCopy(dst, src *Buffer, name ...NameOption) { ok(s.Copy(dst, src, name...)) }

// MustDone is Done, and panics with its error.
func (s *Stream) MustDone() bool { return must(s.Done()) }

// MustFill is Fill, and panics with its error.
func (s *Stream) MustFill(b *Buffer, value byte, name ...NameOption) { ok(s.Fill(b, value, name...)) }

// MustFork is Fork, and panics with its error.
func (s *Stream) MustFork() *Stream { return must(s.Fork()) }

// MustHost is Host, and panics with its error.
func (s *Stream) MustHost(call func(), name ...NameOption) { ok(s.Host(call, name...)) }

// MustIf is If, and panics with its error.
func (s *Stream) MustIf(flag *Buffer, then, otherwise func(*Stream), name ...NameOption) {
	ok(s.If(flag, then, otherwise, name...))
}

// MustJoin is Join, and panics with its error.
func (s *Stream) MustJoin(other *Stream) { ok(s.Join(other)) }

// MustLaunch is Launch, and panics with its error.
func (s *Stream) MustLaunch(k *Kernel, grid GridDim, block BlockDim, args ...any) {
	ok(s.Launch(k, grid, block, args...))
}

// MustRead is Read, and panics with its error.
func (s *Stream) MustRead(src *Buffer, into any, name ...NameOption) { ok(s.Read(src, into, name...)) }

// MustSynchronize is Synchronize, and panics with its error.
func (s *Stream) MustSynchronize() { ok(s.Synchronize()) }

// MustWaitFor is WaitFor, and panics with its error.
func (s *Stream) MustWaitFor(e *Event) { ok(s.WaitFor(e)) }

// MustWhile is While, and panics with its error.
func (s *Stream) MustWhile(flag *Buffer, body func(*Stream), name ...NameOption) {
	ok(s.While(flag, body, name...))
}

// MustWrite is Write, and panics with its error.
func (s *Stream) MustWrite(dst *Buffer, values any, name ...NameOption) {
	ok(s.Write(dst, values, name...))
}

// MustPrometheus is Prometheus, and panics with its error.
func (t Telemetry) MustPrometheus() string { return must(t.Prometheus()) }

// MustNewCache is NewCache, and panics with its error.
func MustNewCache[K comparable, V any](capacity int, close func(V) error) *Cache[K, V] {
	return must(NewCache[K](capacity, close))
}

// MustGet is Get, and panics with its error.
func (c *Cache[K, V]) MustGet(key K, build func() (V, error)) (V, func()) {
	v, release, err := c.Get(key, build)
	ok(err)
	return v, release
}

// must is for calls with a result, ok for those without.
func must[T any](v T, err error) T {
	ok(err)
	return v
}

func ok(err error) {
	if err != nil {
		panic(err)
	}
}
