package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vyre-kernel/vyre-kernel/install"
	"github.com/vyre-kernel/vyre-kernel/kernel"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

type kernelOptions struct {
	connectionFile string
	allowRemote    bool
	verbose        bool
}

func newKernelCommand() *cobra.Command {
	var o kernelOptions
	c := &cobra.Command{
		Use:   "kernel -f FILE",
		Short: "Serve a Jupyter client (clients start this by themselves)",
		// `jupyter run FILE` hands its own arguments on to the kernel it starts; they are for the
		// client.
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.connectionFile == "" {
				return usageError{errors.New("-f FILE is needed: the connection file that the Jupyter client wrote")}
			}
			return serveKernel(o)
		},
	}
	c.Flags().StringVarP(&o.connectionFile, "file", "f", "", "the connection `FILE`")
	c.Flags().BoolVar(&o.allowRemote, "allow-remote", false, "listen beyond this machine even without encryption")
	c.Flags().BoolVarP(&o.verbose, "verbose", "v", false, "log every message to standard error")
	return c
}

func serveKernel(o kernelOptions) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	// This process passes messages on, one at a time; cells run in another. On one processor a
	// message that goes from goroutine to goroutine wakes no idle threads: a fifth less time for a
	// short cell (docs/measurements.md).
	runtime.GOMAXPROCS(1)
	level := slog.LevelInfo
	if o.verbose {
		level = slog.LevelDebug
	}
	return kernel.Run(context.Background(), kernel.Options{
		ConnectionFile: o.connectionFile,
		Worker:         supervise.Command{Path: self, Args: []string{"worker"}},
		Info:           kernelInfo(),
		HistoryFile:    historyFile(),
		AllowRemote:    o.allowRemote,
		Log:            slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})),
	})
}

func kernelInfo() kernel.Info {
	release := strings.TrimPrefix(runtime.Version(), "go")
	return kernel.Info{
		Implementation: "vyre-kernel",
		Version:        versionText(),
		Banner: "vyre-kernel " + versionText() + ": Go " + release +
			" in cells, with CUDA and e-graphs. %help lists the magics.",
		Language: kernel.Language{
			Name: "go", Version: release, MIMEType: "text/x-go", FileExtension: ".go", PygmentsLexer: "go", CodeMirrorMode: "go",
		},
		HelpLinks: []kernel.HelpLink{
			{Text: "The Go specification", URL: "https://go.dev/ref/spec"},
			{Text: "Go's standard library", URL: "https://pkg.go.dev/std"},
			{Text: "The PTX instruction set", URL: "https://docs.nvidia.com/cuda/parallel-thread-execution/"},
			{Text: "The CUDA driver API", URL: "https://docs.nvidia.com/cuda/cuda-driver-api/"},
		},
	}
}

// historyFile keeps history over sessions where the user has a data folder.
func historyFile() string {
	data, err := install.UserData()
	if err != nil {
		return ""
	}
	return filepath.Join(data, "vyre-kernel", "history.sqlite")
}
