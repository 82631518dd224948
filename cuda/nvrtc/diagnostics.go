package nvrtc

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Diagnostic is one message of the compiler.
type Diagnostic struct {
	// File is the cell's name or a header's path; Line counts as the cell does. 0: no place.
	File string
	Line int
	// Severity is "error", "warning", "catastrophic error" or "remark".
	Severity string
	Message  string
	// Excerpt are the compiler's lines under the message: the source line and a caret.
	Excerpt string
}

// A CompileError is a source that did not compile.
type CompileError struct {
	Name        string
	Log         string
	Diagnostics []Diagnostic
	Err         error
}

// Error gives the messages with their places and the source lines.
func (e *CompileError) Error() string {
	var b strings.Builder
	errors := 0
	for _, d := range e.Diagnostics {
		if strings.Contains(d.Severity, "error") {
			errors++
			fmt.Fprintf(&b, "%s:%d: %s: %s\n", d.File, d.Line, d.Severity, d.Message)
			if d.Excerpt != "" {
				b.WriteString(d.Excerpt + "\n")
			}
			if hint := headerHint(d.Message); hint != "" {
				b.WriteString("What to do: " + hint + "\n")
			}
		}
	}
	if errors == 0 {
		return strings.TrimSpace(fmt.Sprintf("%s did not compile: %v\n%s", e.Name, e.Err, e.Log))
	}
	return strings.TrimRight(b.String(), "\n")
}

// Unwrap gives the failure of the compiler's call.
func (e *CompileError) Unwrap() error { return e.Err }

var (
	located     = regexp.MustCompile(`^(.+)\((\d+)\): (error|warning|remark|catastrophic error)(?: #[\w-]+)?: (.*)$`)
	unlocated   = regexp.MustCompile(`^(?:nvrtc: )?(error|warning|catastrophic error): (.*)$`)
	summary     = regexp.MustCompile(`^\d+ (errors?|warnings?|catastrophic errors?) detected in the compilation`)
	missing     = regexp.MustCompile(`(?:cannot|could not) open source file "([^"]+)"`)
	headerWheel = []struct{ prefix, wheel string }{
		{"cooperative_groups", "nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85"},
		{"cuda/", "nvidia-cuda-cccl==13.0.85"}, {"cub/", "nvidia-cuda-cccl==13.0.85"},
		{"thrust/", "nvidia-cuda-cccl==13.0.85"}, {"nv/", "nvidia-cuda-cccl==13.0.85"},
		{"curand", "nvidia-curand"}, {"cuda", "nvidia-cuda-runtime==13.0.96"}, {"mma.h", "nvidia-cuda-runtime==13.0.96"},
	}
)

// headerHint says which wheel brings a header of CUDA's that is not here.
func headerHint(message string) string {
	m := missing.FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	for _, h := range headerWheel {
		if strings.HasPrefix(m[1], h.prefix) {
			return "pip install " + h.wheel
		}
	}
	return "NVRTC has no C or C++ standard library: leave " + m[1] + " out, or give its folder in Options.Includes"
}

// readLog parses the compiler's messages. Lines that belong to none are kept in the excerpt of the
// message before them.
func readLog(log string) []Diagnostic {
	var list []Diagnostic
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		if d, ok := readLine(line); ok {
			list = append(list, d)
			continue
		}
		if n := len(list); n > 0 && strings.TrimSpace(line) != "" && !summary.MatchString(line) {
			last := &list[n-1]
			last.Excerpt = strings.TrimPrefix(last.Excerpt+"\n"+line, "\n")
		}
	}
	return list
}

func readLine(line string) (Diagnostic, bool) {
	if m := located.FindStringSubmatch(line); m != nil {
		n, err := strconv.Atoi(m[2])
		return Diagnostic{File: m[1], Line: n, Severity: m[3], Message: m[4]}, err == nil
	}
	if m := unlocated.FindStringSubmatch(line); m != nil {
		return Diagnostic{Severity: m[1], Message: m[2]}, true
	}
	return Diagnostic{}, false
}
