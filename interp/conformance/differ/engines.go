package differ

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

// An Engine runs programs in processes: Command and the file's name execute one as
// conformance.ExecuteFile does.
type Engine struct {
	Name    string
	Command []string
	// MayRefuse lets it refuse programs, and be slow.
	MayRefuse bool
}

// Run writes source to a file in dir and executes it.
func (e Engine) Run(ctx context.Context, dir, source string, limit time.Duration) (a Answer) {
	file := filepath.Join(dir, "main.go")
	if err := writeFile(dir, "main.go", source); err != nil {
		return Answer{Failed: err.Error()}
	}
	defer os.Remove(file)
	o, err := conformance.RunProcess(ctx, limit, e.Command[0], append(append([]string{}, e.Command[1:]...), file)...)
	switch {
	case err != nil:
		return Answer{Failed: err.Error()}
	case o.Exit < 0:
		return Answer{Failed: "killed"}
	case o.Exit == conformance.RefusedStatus:
		return Answer{Refused: o.Panic}
	}
	return Answer{Outcome: o}
}
