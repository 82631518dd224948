package ptx

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var lineVerdict = regexp.MustCompile(`line (\d+); (error|fatal)\s*: (.*)`)

// assemble gives what ptxas says of a text; "" when it takes it.
func assemble(t *testing.T, ptxas, arch, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "text.ptx")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.Command(ptxas, "-arch="+arch, "-c", "-o", file+".cubin", file)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return out.String() + err.Error()
	}
	return ""
}

// judge asks ptxas about each line of a body; its verdicts are "" for the lines that it takes. A
// syntax error ends its reading, so that those behind are asked about again.
func judge(t *testing.T, ptxas, arch, head string, lines []string, tail string) []string {
	t.Helper()
	verdicts := make([]string, len(lines))
	first := strings.Count(head, "\n") + 1
	for from := 0; ; {
		out := make([]string, len(lines))
		copy(out[from:], lines[from:])
		next := -1
		text := assemble(t, ptxas, arch, head+strings.Join(out, "\n")+tail)
		for _, m := range lineVerdict.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(m[1])
			if i := min(n-first, len(lines)-1); i >= from {
				verdicts[i] = m[3]
				if m[2] == "fatal" {
					next = i + 1
				}
			}
		}
		if next < 0 {
			break
		}
		from = next
	}
	return verdicts
}

// judgeCode has code made of the lines that are taken so far: some are refused only then.
func judgeCode(t *testing.T, ptxas, arch, head string, lines []string, tail string, verdicts []string) {
	t.Helper()
	var kept []int
	for i, v := range verdicts {
		if v == "" {
			kept = append(kept, i)
		}
	}
	var halve func(part []int)
	halve = func(part []int) {
		out := make([]string, len(part))
		for i, k := range part {
			out[i] = lines[k]
		}
		text := assemble(t, ptxas, arch, head+strings.Join(out, "\n")+tail)
		switch {
		case text == "":
		case len(part) == 1:
			verdicts[part[0]] = text
		default:
			halve(part[:len(part)/2])
			halve(part[len(part)/2:])
		}
	}
	if len(kept) > 0 {
		halve(slices.Clip(kept))
	}
}
