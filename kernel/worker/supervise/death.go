package supervise

import (
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A DeathError tells how a worker process ended that was not asked to.
type DeathError struct {
	PID int
	// State is how the process ended: "exit status 2", "signal: killed".
	State string
	// Reason is why this side ended it, empty where it died by itself.
	Reason string
	// Crash is what the Go runtime wrote when it died, Stderr the end of what was written to
	// stderr.
	Crash, Stderr string
	// Opening says that it died before its session was open.
	Opening bool
}

// quotedLines is how much of a crash report a cell shows; the rest are goroutines.
const quotedLines = 25

func (e *DeathError) Error() string {
	return fmt.Sprintf("worker: process %d ended (%s): %s", e.PID, e.State, e.Cause())
}

// Cause is the death in one line.
func (e *DeathError) Cause() string {
	if e.Reason != "" {
		return e.Reason
	}
	for _, text := range []string{e.Crash, e.Stderr} {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); isCrashLine(line) {
				return line
			}
		}
	}
	return e.State
}

// isCrashLine knows the lines with which the Go runtime and the C library say why they give up.
func isCrashLine(line string) bool {
	for _, start := range []string{
		"fatal error:", "panic:", "runtime: out of memory", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT",
		"free():", "malloc():", "malloc_consolidate():", "double free or corruption", "corrupted ",
		"terminate called", "*** stack smashing detected", "Assertion ",
	} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return strings.Contains(line, "Assertion `")
}

// CellError is the death as the cell that met it shows it: why, what is lost, and what there is to
// read about it.
func (e *DeathError) CellError() *worker.CellError {
	head := "The worker process ended: " + e.State
	if why := e.Cause(); e.Reason == "" && why != e.State {
		head = "The worker process ended: " + why + " (" + e.State + ")"
	}
	lines := []string{"\x1b[1m" + head + "\x1b[0m"}
	if e.Reason != "" {
		lines = append(lines, e.Reason)
	}
	if e.Reason == "" && e.State == "signal: killed" { // which leaves no word behind
		lines = append(lines, "So the system ends the process that takes the most when memory runs out; any other "+
			"process may have done it.")
	}
	lines = append(lines, "The state of this session is lost: variables, functions and imports of earlier cells are gone.",
		"A fresh worker process takes the next cell; run again what it needs.")
	quoted, what := e.headline()+e.Crash, "It wrote when it died:"
	if quoted == "" && e.Reason == "" {
		quoted, what = e.Stderr, "The last it wrote to stderr:"
	}
	if quoted != "" {
		lines = append(append(lines, "", what, ""), quote(quoted)...)
	}
	return &worker.CellError{Name: "WorkerDied", Value: e.Cause() + " (state of the session is lost)", Traceback: lines}
}

// headline is the crash lines of stderr that the report lacks: the runtime writes the reason of
// some fatal errors ("concurrent map writes") before it starts the report.
func (e *DeathError) headline() string {
	if e.Crash == "" {
		return ""
	}
	missing := ""
	for line := range strings.Lines(e.Stderr) {
		line = strings.TrimSpace(line)
		if isCrashLine(line) && !strings.Contains(e.Crash, line) && !strings.Contains(missing, line+"\n") {
			missing += line + "\n"
		}
	}
	return missing
}

// quote indents the beginning of a report.
func quote(text string) []string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	kept := all[:min(len(all), quotedLines)]
	out := make([]string, 0, len(kept)+1)
	for _, line := range kept {
		out = append(out, "    "+line)
	}
	if more := len(all) - len(kept); more > 0 {
		out = append(out, fmt.Sprintf("    ... and %d lines more", more))
	}
	return out
}
