package differ

import (
	"context"
	"os"
	"path/filepath"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

// An Engine runs programs in processes: Command and the file's name execute one as conformance.ExecuteFile does.
type Engine struct {
	Name    string
	Command []string
}

// Run writes source to a file in dir and executes it.
func (e Engine) Run(ctx context.Context, dir, source string) (a Answer) {
	file := filepath.Join(dir, "main.go")
	if err := writeFile(dir, "main.go", source); err != nil {
		return Answer{Failed: err.Error()}
	}
	defer os.Remove(file)
	o, err := conformance.RunProcess(ctx, Limit, e.Command[0], append(append([]string{}, e.Command[1:]...), file)...)
	switch {
	case err != nil:
		return Answer{Failed: err.Error()}
	case o.Exit == conformance.RefusedStatus:
		return Answer{Refused: o.Panic}
	}
	return Answer{Outcome: o}
}

// Difference tells how an engine's answer differs from the native one, "" if it does not. For engines that may refuse, the interpreters,
// neither a refusal is one nor that they do not end in time.
func Difference(got, native Answer, mayRefuse bool) string {
	switch {
	case native.Failed != "", got.Failed != "" && mayRefuse:
		return ""
	case got.Failed != "":
		return "does not end: " + got.Failed
	case got.Refused != "" && mayRefuse:
		return ""
	case got.Refused != "":
		return "refused: " + got.Refused
	}
	return conformance.Differences(got.Outcome, native.Outcome)
}
