package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/interp"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

func newWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Execute cells for a kernel (the kernel starts this by itself)",
		Args:   exactly(0, "worker takes none"),
		Hidden: true,
		RunE:   func(*cobra.Command, []string) error { return worker.Serve(openSession) },
	}
}

// openSession makes what the worker serves: cells on the vm, with this project's packages and device magics.
func openSession(context.Context) (worker.Session, error) {
	registerDeviceMagics()
	e, err := vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type})
	if err != nil {
		return nil, err
	}
	return interp.New(e, interp.Options{Names: preloaded, OnInterrupt: cuda.Interrupt})
}
