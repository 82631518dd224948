package standin

import (
	"errors"
	"flag"
	"os"
)

// ParseFlags is (*flag.FlagSet).Parse with another os.Exit.
func ParseFlags(f *flag.FlagSet, arguments []string, exit func(code int)) error {
	if f.ErrorHandling() != flag.ExitOnError {
		return f.Parse(arguments)
	}
	f.Init(f.Name(), flag.ContinueOnError)
	err := func() error {
		defer f.Init(f.Name(), flag.ExitOnError) // a Value's Set may panic
		return f.Parse(arguments)
	}()
	switch {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
		exit(0)
	default:
		exit(2)
	}
	return nil
}

// ParseCommandLine is flag.Parse with another os.Exit.
func ParseCommandLine(exit func(code int)) { _ = ParseFlags(flag.CommandLine, os.Args[1:], exit) }
