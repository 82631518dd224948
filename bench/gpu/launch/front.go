package main

import "github.com/vyre-kernel/vyre-kernel/cuda"

// front makes the calls of package cuda.
func front(dev *cuda.Device, image string) ([]call, error) {
	mod, err := dev.LoadPTX(image)
	if err != nil {
		return nil, err
	}
	kernel, err := mod.Kernel("affine")
	if err != nil {
		return nil, err
	}
	buffer, err := dev.Alloc(4096)
	if err != nil {
		return nil, err
	}
	one, err := kernel.Plan(cuda.Grid(1), cuda.Block(32), buffer, 1, 1, 0)
	if err != nil {
		return nil, err
	}
	g, err := dev.Capture(func(s *cuda.Stream) { err = one.LaunchOn(s) })
	if err != nil {
		return nil, err
	}
	ten, err := dev.Plan(one, one, one, one, one, one, one, one, one, one)
	if err != nil {
		return nil, err
	}
	plan, err := kernel.Plan(cuda.Grid(1), cuda.Block(32), cuda.InOut("x"), 1, 1, 0)
	if err != nil {
		return nil, err
	}
	buffers, add := []*cuda.Buffer{buffer}, 0
	return []call{
		{"cuda.Graph.Launch", g.Launch, dev.Synchronize},
		{"graph launch, one parameter set", func() error {
			add++
			if err := g.SetArg("affine", "add", add); err != nil {
				return err
			}
			return g.Launch()
		}, dev.Synchronize},
		{"sequence of ten launches", func() error { return ten.Launch() }, dev.Synchronize},
		{"launch, prepared", func() error { return one.Launch() }, dev.Synchronize},
		{"launch, checked", func() error {
			return dev.Launch(kernel, cuda.Grid(1), cuda.Block(32), buffer, 1, 1, 0)
		}, dev.Synchronize},
		{"resident dispatch", func() error {
			_, err := plan.Submit(buffers)
			return err
		}, dev.Synchronize},
	}, nil
}
