// Command launch prints what bench/gpu/launch.c prints, from compiled Go: enqueue times of the driver
// API, name, a tab, nanoseconds. Each figure is the median over batches of calls, with the stream empty
// at the start of each batch.
//
//	launch KERNELS.ptx
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/native"
)

const (
	batches = 41
	calls   = 500
)

// bench is the device under measurement.
type bench struct {
	ctx    driver.Context
	stream driver.Stream
	config driver.LaunchConfig
	params []byte
	kernel driver.Function
	exec   driver.GraphExec
	event  driver.Event
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: launch KERNELS.ptx")
	}
	image, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	b, err := open(image)
	if err != nil {
		return err
	}
	for _, m := range []struct {
		name string
		call func() error
	}{
		{"launch", b.launch},
		{"graph launch", func() error { return b.exec.Launch(b.stream) }},
		{"event record", func() error { return b.event.Record(b.stream) }},
		{"launch and synchronize", func() error {
			if err := b.launch(); err != nil {
				return err
			}
			return b.stream.Synchronize()
		}},
	} {
		if err := b.measure(m.name, m.call); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	if err := b.front(image); err != nil {
		return err
	}
	return b.ctx.Release()
}

// front measures the same through package cuda: what a program or a cell calls.
func (b *bench) front(image []byte) error {
	dev, err := cuda.Open("native")
	if err != nil {
		return err
	}
	mod, err := dev.LoadPTX(string(image))
	if err != nil {
		return err
	}
	kernel, err := mod.Kernel("affine")
	if err != nil {
		return err
	}
	buffer, err := dev.Alloc(4096)
	if err != nil {
		return err
	}
	p, err := kernel.Prepare(cuda.Grid(1), cuda.Block(32), buffer, 1, 1, 0)
	if err != nil {
		return err
	}
	g, err := dev.Capture(func(s *cuda.Stream) { err = s.Enqueue(p) })
	if err != nil {
		return err
	}
	b.stream = dev.Stream().Driver()
	if err := b.measure("launch, prepared", p.Launch); err != nil {
		return err
	}
	if err := b.measure("launch, checked", func() error {
		return dev.Launch(kernel, cuda.Grid(1), cuda.Block(32), buffer, 1, 1, 0)
	}); err != nil {
		return err
	}
	if err := b.measure("graph launch, front", g.Launch); err != nil {
		return err
	}
	add := 0
	if err := b.measure("graph launch, one parameter set", func() error {
		add++
		if err := g.SetArg("affine", "add", add); err != nil {
			return err
		}
		return g.Launch()
	}); err != nil {
		return err
	}
	plan, err := kernel.Plan(cuda.Grid(1), cuda.Block(32), cuda.InOut("x"), 1, 1, 0)
	if err != nil {
		return err
	}
	buffers := []*cuda.Buffer{buffer}
	if err := b.measure("resident dispatch", func() error {
		_, err := plan.Submit(buffers)
		return err
	}); err != nil {
		return err
	}
	if err := b.sequence(dev, p); err != nil {
		return err
	}
	return dev.Close()
}

// sequence measures ten launches that are enqueued together: what C needs ten calls for.
func (b *bench) sequence(dev *cuda.Device, p *cuda.Prepared) error {
	s, err := dev.NewSequence(p, p, p, p, p, p, p, p, p, p)
	if err != nil {
		return err
	}
	if err := b.measure("sequence of ten launches", s.Launch); err != nil {
		return err
	}
	return s.Close()
}

func (b *bench) launch() error { return b.kernel.Launch(&b.config, b.params) }

func open(image []byte) (*bench, error) {
	drv := native.New()
	if err := drv.Init(); err != nil {
		return nil, err
	}
	dev, err := drv.Device(0)
	if err != nil {
		return nil, err
	}
	b := &bench{}
	if b.ctx, err = dev.RetainPrimary(); err != nil {
		return nil, err
	}
	mod, log, err := b.ctx.LoadModule(image, driver.JITOptions{})
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, log.Error)
	}
	if b.kernel, err = mod.Function("affine"); err != nil {
		return nil, err
	}
	if b.stream, err = b.ctx.CreateStream(driver.StreamNonBlocking, 0); err != nil {
		return nil, err
	}
	if b.event, err = b.ctx.CreateEvent(driver.EventDisableTiming); err != nil {
		return nil, err
	}
	buffer, err := b.ctx.Alloc(4096)
	if err != nil {
		return nil, err
	}
	b.config = driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 32, Y: 1, Z: 1}, Stream: b.stream}
	b.params = binary.LittleEndian.AppendUint64(nil, uint64(buffer))
	for _, word := range []uint32{1, 1, 0} {
		b.params = binary.LittleEndian.AppendUint32(b.params, word)
	}
	return b, b.capture()
}

func (b *bench) capture() error {
	if err := b.stream.BeginCapture(driver.CaptureThreadLocal); err != nil {
		return err
	}
	if err := b.launch(); err != nil {
		return err
	}
	g, err := b.stream.EndCapture()
	if err != nil {
		return err
	}
	b.exec, err = g.Instantiate()
	return err
}

func (b *bench) measure(name string, call func() error) error {
	for range 200 {
		if err := call(); err != nil {
			return err
		}
	}
	if err := b.stream.Synchronize(); err != nil {
		return err
	}
	median := make([]float64, batches)
	for i := range median {
		start := time.Now()
		for range calls {
			if err := call(); err != nil {
				return err
			}
		}
		median[i] = float64(time.Since(start).Nanoseconds()) / calls
		if err := b.stream.Synchronize(); err != nil {
			return err
		}
	}
	slices.Sort(median)
	fmt.Printf("%s\t%.1f\n", name, median[batches/2])
	return nil
}
