package main

import (
	"context"
	"log"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph"
	"github.com/vyre-kernel/vyre-kernel/interp"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/deadlock"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/standin"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/yaegi"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/pace"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/serve"
	"github.com/vyre-kernel/vyre-kernel/widgets"
)

func newWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Execute cells for a kernel (the kernel starts this by itself)",
		Args:   exactly(0, "worker takes none"),
		Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			standin.OwnProgram()
			return serve.Process(openSession)
		},
	}
}

// heapFloor is how large a worker's heap may be before it is collected.
const heapFloor = 32 << 20

// openSession makes what the worker serves: cells on the vm, with this project's packages and
// device magics.
func openSession(context.Context) (worker.Session, error) {
	pace.Keep(heapFloor)
	registerDeviceMagics()
	for path, k := range keeping {
		deadlock.Declare(path, k)
	}
	cuda.SetCallSite(cellPlace)
	stdin, streams := &interp.Stdin{}, interp.NewStreams()
	log.SetOutput(streams.Writer(os.Stderr)) // and so slog's default
	time.AfterFunc(factsAfter, checkFacts)
	engines := enginesWith(stdin, streams)
	e, err := engines["vm"]()
	if err != nil {
		return nil, err
	}
	return interp.New(e, interp.Options{Names: preloaded, Stdin: stdin, Streams: streams, Engines: engines,
		OnInterrupt: interruptCompiled,
		OnCell:      connectComms, AfterCell: widgets.Flush, Comm: deliverComm})
}

// factsAfter is when a worker checks what it knows of the Go release: after its start, which is
// waited for. What needs a fact before that checks it then.
const factsAfter = 500 * time.Millisecond

// checkFacts says which abilities are off.
func checkFacts() {
	for _, err := range gorelease.Check() {
		log.Print(err)
	}
}

// cellPlace is the line that the running goroutine's cell code is at, on whichever engine.
func cellPlace() string {
	if place := vm.Place(); place != "" {
		return place
	}
	return yaegi.Place()
}

// enginesWith are what %engine switches between.
func enginesWith(stdin *interp.Stdin, streams *interp.Streams) map[string]func() (engine.Engine, error) {
	return map[string]func() (engine.Engine, error){
		"vm": func() (engine.Engine, error) {
			return vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type, Stdin: stdin.Reader(),
				Writer: streams.Writer})
		},
		"yaegi": func() (engine.Engine, error) {
			return yaegi.New(yaegi.Options{Symbols: symbols.Lookup, Types: symbols.Type, Stdin: stdin.Reader(),
				Writer: streams.Writer})
		},
	}
}

// interruptCompiled ends what cells wait for in compiled code: devices, and runs of e-graphs.
func interruptCompiled() {
	cuda.Interrupt()
	egraph.Interrupt()
}
