package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // what was asked for did not succeed
	exitUsage  = 2 // it was not asked for rightly
)

// version is set by the linker; a build without it takes what the module system knows.
var version = ""

// A usageError is a command line that says too little or too much.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// An exitError ends the process with a code after all was said.
type exitError struct{ code int }

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

func run(arguments []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(arguments)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err := root.ExecuteC()
	var exit exitError
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "%s: %v\n%s", command.CommandPath(), err, command.UsageString())
		return exitUsage
	}
	fmt.Fprintf(stderr, "%s: %v\n", command.CommandPath(), err)
	return exitFailed
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "vyre-kernel",
		Short: "A Jupyter kernel for Go, with CUDA and e-graphs in it",
		Long: `A Jupyter kernel for Go, with CUDA and e-graphs in it.

  vyre-kernel install --user      makes JupyterLab offer it
  vyre-kernel run tour.ipynb      executes a notebook, no Python needed
  vyre-kernel doctor              says what is there and what to do about what is not`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versionText(),
		RunE: func(c *cobra.Command, arguments []string) error {
			if len(arguments) > 0 {
				return usageError{noCommand(c, arguments[0])}
			}
			return usageError{errors.New("a command is needed")}
		},
		Args:                       cobra.ArbitraryArgs,
		SuggestionsMinimumDistance: 2,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newKernelCommand(), newWorkerCommand(), newInstallCommand(), newUninstallCommand(),
		newRunCommand(), newDoctorCommand(), newVersionCommand())
	return root
}

// noCommand says that there is no command of a name, and which one is near.
func noCommand(root *cobra.Command, name string) error {
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("there is no command %q: did you mean %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("there is no command %q", name)
}

// exactly says how many arguments a command takes, as a usage error.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, arguments []string) error {
		if len(arguments) == n {
			return nil
		}
		return usageError{fmt.Errorf("%s, got %d arguments", what, len(arguments))}
	}
}

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}
