// Command launch enqueues what bench/gpu/launch.c enqueues, from compiled Go: by the raw calls of
// the driver, and through package cuda, as a program or a cell does. It is a peer of
// bench/gpu/turns, which says how it is asked.
//
//	turns Go="launch KERNELS.ptx"
//
// main.go is the raw calls, front.go those of package cuda, serve.go answers.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/native"
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
	raw := []call{
		{"launch", b.launch, b.stream.Synchronize},
		{"graph launch", func() error { return b.exec.Launch(b.stream) }, b.stream.Synchronize},
		{"event record", func() error { return b.event.Record(b.stream) }, b.stream.Synchronize},
		{"launch and synchronize", func() error {
			if err := b.launch(); err != nil {
				return err
			}
			return b.stream.Synchronize()
		}, b.stream.Synchronize},
	}
	dev, err := cuda.Open("native")
	if err != nil {
		return err
	}
	front, err := front(dev, string(image))
	if err != nil {
		return err
	}
	if err := serve(append(raw, front...)); err != nil {
		return err
	}
	return errors.Join(dev.Close(), b.ctx.Release())
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
	if b.ctx, err = dev.NewContext(); err != nil {
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
	b.config = driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 32, Y: 1, Z: 1},
		Stream: b.stream}
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
