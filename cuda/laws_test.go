package cuda

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// A world is a device with a module, on which the law test's values are made. It is left for a new
// one where a call closed it, or where two at once raced on the device, which is a fault that stays.
type world struct {
	t *testing.T
	d *Device
	m *Module
}

// dev is an open device.
func (w *world) dev() *Device {
	if w.d == nil || w.d.state() != "" || w.d.Synchronize() != nil {
		w.open()
	}
	return w.d
}

func (w *world) open() {
	var err error
	w.d, err = OpenDriver(emulated.New(), 0)
	check(w.t, err)
	d := w.d
	w.t.Cleanup(func() {
		if d.state() == "" {
			faulted := d.Synchronize()
			if err := d.Close(); faulted == nil {
				check(w.t, err)
			}
		}
	})
	w.m = d.MustLoadPTX(string(kernelsPTX))
}

func (w *world) kernel() *Kernel {
	w.dev()
	if w.m.unloaded.Load() {
		w.m = w.d.MustLoadPTX(string(kernelsPTX))
	}
	return w.m.MustKernel("affine")
}

func (w *world) module() *Module { return w.dev().MustLoadPTX(string(kernelsPTX)) }
func (w *world) buffer() *Buffer { return w.dev().MustUpload([]uint32{1}) }
func (w *world) stream() *Stream { return must(w.dev().NewStream()) }
func (w *world) event() *Event   { return must(w.dev().NewEvent()) }
func (w *world) prepared() *Plan {
	return w.kernel().MustPlan(Grid(1), Block(1), w.buffer(), 1, 1, 1)
}
func (w *world) plan() *Plan       { return w.kernel().MustPlan(Grid(1), Block(1), InOut("x"), 1, 1, 1) }
func (w *world) pending() *Pending { return w.plan().MustSubmit([]*Buffer{w.buffer()}) }
func (w *world) several() *Plan    { return w.dev().MustPlan(w.prepared()) }
func (w *world) builder() *GraphBuilder {
	return w.dev().NewGraphBuilder()
}
func (w *world) graph() *Graph {
	p := w.prepared()
	return w.dev().MustCapture(func(s *Stream) { _ = p.LaunchOn(s) })
}

// spent gives a value behind the call that ends it.
func spent[T any](make func() T, end func(T) error) func() any {
	return func() any {
		v := make()
		if err := end(v); err != nil {
			panic(err)
		}
		return v
	}
}

// reset gives a value whose device was reset, or closed.
func (w *world) reset(make func() any) func() any {
	return func() any {
		v := make()
		d := must(w.d.Reset())
		check(w.t, d.Close())
		return v
	}
}

func (w *world) states() []lawtest.State {
	makers := map[string]func() any{
		"Device": func() any { return w.dev() }, "Module": func() any { return w.module() },
		"Kernel": func() any { return w.kernel() },
		"Buffer": func() any { return w.buffer() }, "Stream": func() any { return w.stream() },
		"Event":       func() any { return w.event() },
		"Graph":       func() any { return w.graph() },
		"Plan":        func() any { return w.plan() },
		"Pending":     func() any { return w.pending() },
		"GraphCache":  func() any { return w.dev().MustNewGraphCache(2) },
		"ModuleCache": func() any { return w.dev().MustNewModuleCache(2) },
		"Step":        func() any { return w.plan().With(w.buffer()) }, "GraphBuilder": func() any { return w.builder() },
	}
	var states []lawtest.State
	for name, make := range makers {
		states = append(states, lawtest.State{Name: "open", New: make, Works: true})
		if name != "Pending" {
			states = append(states, lawtest.State{Name: "reset", New: w.reset(make)})
		}
	}
	cache := func() *Cache[int, int] { return must(NewCache[int](2, func(int) error { return nil })) }
	return append(states,
		lawtest.State{Name: "open", New: func() any { return cache() }, Works: true},
		lawtest.State{Name: "closed", New: spent(w.dev, (*Device).Close)},
		lawtest.State{Name: "unloaded", New: spent(w.module, (*Module).Close)},
		lawtest.State{Name: "freed", New: spent(w.buffer, (*Buffer).Close)},
		lawtest.State{Name: "closed", New: spent(w.stream, (*Stream).Close)},
		lawtest.State{Name: "closed", New: spent(w.event, (*Event).Close)},
		lawtest.State{Name: "closed", New: spent(w.graph, (*Graph).Close)},
		lawtest.State{Name: "closed", New: spent(w.several, (*Plan).Close)},
		lawtest.State{Name: "of several", New: func() any { return w.several() }, Works: true},
		lawtest.State{Name: "without bindings", New: func() any { return w.prepared() }, Works: true},
		lawtest.State{Name: "closed", New: spent(cache, (*Cache[int, int]).Close)},
		lawtest.State{Name: "closed", New: spent(func() *GraphCache { return w.dev().MustNewGraphCache(2) },
			(*GraphCache).Close)},
		lawtest.State{Name: "closed", New: spent(func() *ModuleCache { return w.dev().MustNewModuleCache(2) },
			(*ModuleCache).Close)},
		lawtest.State{Name: "built", New: spent(w.builder, func(b *GraphBuilder) error { _, err := b.Build(); return err })},
	)
}

// end gives back what a call left open.
func (w *world) end(v any) {
	if r := reflect.ValueOf(v); !r.IsValid() || r.IsZero() || r.Kind() == reflect.Pointer && r.Elem().IsZero() {
		return
	}
	var err error
	switch v := v.(type) {
	case *Device:
		if v != nil && v.ctx != nil && v != w.d && v.state() == "" {
			err = v.Close()
		}
	case *Buffer:
		err = v.Close()
	case *Stream:
		err = v.Close()
	case *Event:
		err = v.Close()
	case *Graph:
		err = v.Close()
	case *Plan:
		err = v.Close()
	case *GraphBuilder:
		if v.done != "" {
			return
		}
		if g, failed := v.Build(); failed == nil {
			err = g.Close()
		}
	}
	_ = err // most were ended by the call itself, or are the device's
}

// Every exported call of this package refuses what it cannot do with an *Error that has a code: on
// nil, on zero values, on what is closed, freed, unloaded or reset, with nil for an argument, and
// from two goroutines at once. // D12, D17, D20, D24, D25
func TestLaws(t *testing.T) {
	w := &world{t: t}
	w.open()
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*Device)(nil), (*Module)(nil), (*Kernel)(nil), (*Buffer)(nil), (*Stream)(nil), (*Event)(nil),
			(*Graph)(nil), (*Node)(nil),
			(*GraphBuilder)(nil), (*Plan)(nil), PlanStep{}, (*Pending)(nil), (*Cache[int,
				int])(nil),
			(*GraphCache)(nil), (*ModuleCache)(nil)},
		Data: []any{Binding{}, Role(0), (*TensorMap)(nil), GridDim{}, BlockDim{}, DeviceInfo{}, LiveHandle{}, Param{},
			Telemetry{}, NodeTime{},
			(*DispatchReport)(nil), (*TimingReport)(nil),
			(*NodeTimes)(nil), (*LaunchCounts)(nil), (*Error)(nil), (*InterruptedError)(nil)},
		States: w.states(),
		Functions: map[string]any{"Open": Open, "MustOpen": MustOpen, "OpenDriver": OpenDriver,
			"OpenEmulated": OpenEmulated, "MustOpenEmulated": MustOpenEmulated,
			"Devices": Devices, "DriverVersion": DriverVersion, "Interrupt": Interrupt, "Live": Live,
			"Profile":        Profile,
			"ProfilerRanges": ProfilerRanges, "SetCallSite": SetCallSite,
			"MustOpenDriver": MustOpenDriver, "MustNewCache": MustNewCache[int, int], "MustProfilerRanges": MustProfilerRanges,
			"New": New[uint32], "MustNew": MustNew[uint32], "Slice": Slice[uint32], "MustSlice": MustSlice[uint32],
			"NewCache": NewCache[int, int], "Grid": Grid,
			"Block": Block, "GridFor": GridFor,
			"Input": Input, "Output": Output, "InOut": InOut, "Uniform": Uniform, "Persistent": Persistent,
			"Shared": Shared, "Cooperative": Cooperative, "Cluster": Cluster,
			"On": On, "Elements": Elements, "Named": Named, "After": After,
			"Until": Until, "Iterations": Iterations, "Timed": Timed, "Fixpoint": Fixpoint},
		Args: []any{
			func() *Device { return w.dev() }, func() *Module { return w.module() }, func() *Kernel { return w.kernel() },
			func() *Buffer { return w.buffer() },
			func() *Stream { return w.stream() }, func() *Event { return w.event() }, func() *Graph { return w.graph() },
			func() *Plan { return w.plan() },
			func() GridDim { return Grid(1) }, func() BlockDim { return Block(1) },
			func() context.Context { return context.Background() }, func() driver.Driver { return emulated.New() },
			func() func(*Stream) { return func(s *Stream) {} }, func() func(*GraphBuilder) { return func(*GraphBuilder) {} },
			func() func() { return func() {} }, func() func() error { return func() error { return nil } },
			func() func() (*Graph, error) { return func() (*Graph, error) { return w.graph(), nil } },
			func() func() (int, error) { return func() (int, error) { return 1, nil } },
			func() func(int) error { return func(int) error { return nil } },
			func() any { return []uint32{1} }, func() string { return "affine" }, func() int { return 1 },
			func() *nvrtc.Program { return &nvrtc.Program{PTX: string(kernelsPTX)} },
			func() PlanItem { return w.plan().With(w.buffer()) },
			func() []*Buffer { return []*Buffer{w.buffer()} },
		},
		Refusal: func(v any) bool {
			err, _ := v.(error)
			var e *Error
			var stopped *InterruptedError
			var absent *nvrtc.NotFoundError
			var compiled *nvrtc.CompileError
			return errors.As(err, &e) && e.Code() != driver.Success && e.Op != "" || errors.As(err, &stopped) ||
				errors.As(err, &absent) || errors.As(err, &compiled)
		},
		Answers: answers,
		Done:    w.end,
	})
}

// answers are the calls on what is nil, zero or spent that answer.
var answers = answersOf(map[string][]string{
	"it says what the thing is, or was, and the zero value where it is none": {
		"Buffer.All", "Buffer.Bytes", "Buffer.Device", "Buffer.Elem", "Buffer.Elements", "Buffer.ID", "Buffer.Len",
		"Buffer.Ptr", "Buffer.Range",
		"Cache.Stats", "Device.Driver", "Device.Emulated", "Device.Info", "Device.Stream", "Device.Telemetry",
		"Graph.Edges", "Graph.Name",
		"Graph.NodeLabels", "Graph.Nodes", "Graph.DAG", "GraphCache.Stats", "Kernel.Driver", "Kernel.Module",
		"Kernel.Name", "Kernel.Params",
		"Module.Globals", "Module.Kernels", "Module.Log", "ModuleCache.Stats", "Pending.DeviceTime", "Pending.Done",
		"Pending.Rounds",
		"Plan.Graph", "Stream.Device", "Stream.Driver"},
	"a card or a text, which says that there is none, or what became of it": {
		"Buffer.String", "Buffer.Table", "Device.String", "Device.Table", "Event.String", "Event.Table",
		"Graph.MIMEBundle", "Graph.String",
		"Graph.Table", "GraphCache.Table", "Kernel.String", "Kernel.Table", "Module.String", "Module.Table",
		"ModuleCache.Table", "Node.String",
		"Pending.Table", "Plan.String", "Plan.Table",
		"Stream.String", "Stream.Table"},
	"it makes a value that the call which takes it refuses": {"Plan.With", "Device.NewGraphBuilder"},
}, map[string][]string{
	"Build tells the first error": {
		"GraphBuilder.Copy", "GraphBuilder.Fill", "GraphBuilder.Graph", "GraphBuilder.Host", "GraphBuilder.If",
		"GraphBuilder.Launch",
		"GraphBuilder.Read", "GraphBuilder.While", "GraphBuilder.Write"},
}, map[string]string{
	"Device.Reset closed": "it opens the device anew", "Device.Reset reset": "it opens the device anew",
	"Device.MustReset closed": "it opens the device anew", "Device.MustReset reset": "it opens the device anew",
	"Graph.MustArgs closed": "it says what the graph did", "Graph.MustArgs reset": "it says what the graph did",
	"Graph.MustNode closed": "a node's name and kind stay", "Graph.MustNode reset": "a node's name and kind stay",
	"GraphCache.MustGet of nil 0": "nil is a key that can be compared",
	"Graph.Args closed":           "it says what the graph did", "Graph.Args reset": "it says what the graph did",
	"Graph.Node closed": "a node's name and kind stay", "Graph.Node reset": "a node's name and kind stay",
	"GraphBuilder.Join reset": "Build tells the first error",
	"GraphCache.Close reset":  "nothing is left to close", "ModuleCache.Close reset": "nothing is left to close",
	"Plan.Close reset": "nothing is left to close", "Until of nil 0": "the plan refuses it",
	"GraphCache.Get of nil 0": "nil is a key that can be compared",
	"SetCallSite of nil 0":    "nil ends that places are told",
	"On of nil 0":             "the call that takes the option refuses it",
})

// answersOf makes rows: for methods in every state, for methods of builders whose device is gone or
// with an argument missing, and single ones.
func answersOf(always, building map[string][]string, rows map[string]string) map[string]string {
	all := map[string]string{}
	for why, methods := range always {
		for _, m := range methods {
			all[m+" *"] = why
		}
	}
	for why, methods := range building {
		for _, m := range methods {
			all[m+" of nil *"], all[m+" reset"] = why, why
		}
	}
	maps.Copy(all, rows)
	return all
}

// TestMust holds every call that returns an error to having a Must form of its parameters.
func TestMust(t *testing.T) { lawtest.MustForms(t) }

// TestFront: what people hold names types of this package, and none of those below.
func TestFront(t *testing.T) {
	lawtest.Front(t, "driver", "ptx", "vm", "dag", "emulated", "native", "nvtx")
}
