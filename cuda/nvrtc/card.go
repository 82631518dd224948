package nvrtc

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// Table is the program's card: its kernels with their parameters, and what compiled it.
func (p *Program) Table() display.Table {
	t := display.Table{
		Caption: fmt.Sprintf("CUDA program for %s", p.Arch),
		Columns: []display.Column{{Title: "kernel", Kind: display.Label}, {Title: "parameters", Kind: display.Code}},
		Notes: []string{fmt.Sprintf("%d bytes of PTX, compiled by %s in %v.", len(p.PTX), p.compiler(),
			p.Elapsed.Round(100*time.Microsecond))},
	}
	for _, k := range p.Kernels {
		t.Add(k.Name, k.parameters())
	}
	if len(p.Kernels) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("On a device: dev.MustLoadProgram(NAME).MustKernel(%q).", p.Kernels[0].Name))
	}
	for _, d := range p.Diagnostics {
		t.Notes = append(t.Notes, d.Severity+": "+d.Message)
	}
	return t
}

// compiler names the library without its folder, which is nobody's business but this machine's.
func (p *Program) compiler() string {
	return fmt.Sprintf("NVRTC %s (%s)", p.Version, filepath.Base(p.Compiler))
}

func (k Kernel) parameters() string {
	if k.Params == nil {
		return "see the PTX"
	}
	list := make([]string, len(k.Params))
	for i, p := range k.Params {
		list[i] = strings.TrimSpace(p.Type + " " + p.Name)
	}
	return strings.Join(list, ", ")
}
