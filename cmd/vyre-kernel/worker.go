package main

import (
	"context"
	"log"
	"os"

	"github.com/spf13/cobra"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph"
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
	stdin, streams := &interp.Stdin{}, interp.NewStreams()
	log.SetOutput(streams.Writer(os.Stderr)) // and so slog's default
	e, err := vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type, Stdin: stdin.Reader(), Writer: streams.Writer})
	if err != nil {
		return nil, err
	}
	return interp.New(e, interp.Options{Names: preloaded, Stdin: stdin, Streams: streams, OnInterrupt: interruptCompiled,
		OnCell: connectComms, Comm: deliverComm})
}

// interruptCompiled ends what cells wait for in compiled code: devices, and runs of e-graphs.
func interruptCompiled() {
	cuda.Interrupt()
	egraph.Interrupt()
}
