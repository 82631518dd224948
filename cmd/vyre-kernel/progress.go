package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/notebook/export"
)

// progress prints a run cell by cell: a line before, the text outputs and the time after.
type progress struct{ w io.Writer }

// shownLines bounds what is printed of one output; the notebook and the page hold all of it.
const shownLines = 24

func (p *progress) Started(n, total int, c *export.Cell) {
	first, _, more := strings.Cut(strings.TrimSpace(c.Source), "\n")
	if r := []rune(first); len(r) > 90 {
		first, more = string(r[:90]), true
	}
	if more {
		first += " ..."
	}
	fmt.Fprintf(p.w, "[%*d/%d] %s\n", len(fmt.Sprint(total)), n, total, first)
}

func (p *progress) Ended(n, total int, c *export.Cell, took time.Duration) {
	for i := range c.Outputs {
		p.output(&c.Outputs[i])
	}
	fmt.Fprintf(p.w, "        %v\n", took.Round(100*time.Microsecond))
}

func (p *progress) output(o *export.Output) {
	text := o.Text
	switch o.Type {
	case export.Error:
		text = strings.Join(o.Traceback, "\n")
	case export.DisplayData, export.ExecuteResult:
		text, _ = o.Data["text/plain"].(string)
	}
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i == shownLines {
			fmt.Fprintf(p.w, "    ... %d more lines\n", len(lines)-i)
			break
		}
		fmt.Fprintf(p.w, "    %s\n", line)
	}
}
