package ptx

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	randomRounds = flag.Int("ptxas.rounds", 0, "more rounds of random texts that are compared with ptxas")
	randomSeed   = flag.Uint64("ptxas.seed", 0, "seed of the first of these rounds; 0 takes the time")
)

// difference is a class of texts that ptxas decides otherwise about.
type difference struct {
	taken   bool // by this package
	pattern *regexp.Regexp
	witness string
	arch    string // of the witness
	head    string
	tail    string
}

// differences reads testdata/ptxas-differences.txt.
func differences(t *testing.T) []difference {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "ptxas-differences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []difference
	for _, line := range strings.Split(string(raw), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		c := strings.Split(line, " ¦ ")
		d := difference{c[0] == "taken", regexp.MustCompile(c[1]), c[2], "sm_90", formsHead, formsTail}
		switch {
		case len(c) > 3 && c[3] == "text":
			d.head, d.tail = "", ""
			if d.witness, err = strconv.Unquote(c[2]); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		case len(c) > 3: // a target and a version
			target, version, _ := strings.Cut(c[3], " ")
			d.arch, d.head = assemblerTarget(target), requirementHead(target, version)
		}
		out = append(out, d)
	}
	return out
}

// Each known difference is still there: a list that only shrinks.
func TestKnownDifferences(t *testing.T) {
	ptxas := findPtxas()
	if ptxas == "" {
		t.Skip("ptxas was not found: set PTXAS to it, or PTX_VENV to a virtual environment with nvidia-cuda-nvcc")
	}
	for _, k := range differences(t) {
		theirs := assemble(t, ptxas, k.arch, k.head+k.witness+k.tail)
		o := ours(k.head, k.witness, k.tail)
		if (o == "") == (theirs == "") || (o == "") != k.taken || !k.pattern.MatchString(told(k.witness, o, theirs)) {
			t.Errorf("%s is no difference of this kind any more: ours %q, ptxas %q", k.witness, o, theirs)
		}
	}
}

// told puts a line, our error and ptxas's into one text, which the patterns are for.
func told(line, ours, theirs string) string {
	return fmt.Sprintf("%s ours: %s ptxas: %s", strings.ReplaceAll(line, "\n", " "), ours, theirs)
}

// compare gives the lines that are decided otherwise for no known reason.
func compare(t *testing.T, ptxas string, known []difference, arch, head string, lines,
	verdicts []string) (unknown []string) {
	t.Helper()
	for i, v := range verdicts {
		o := ours(head, lines[i], formsTail)
		if (o == "") == (v == "") || isKnown(known, o == "", told(lines[i], o, v)) {
			continue
		}
		if v = assemble(t, ptxas, arch, head+lines[i]+formsTail); (o == "") == (v == "") {
			continue // what the lines beside it made of it
		}
		unknown = append(unknown, told(lines[i], o, v))
	}
	return unknown
}

func isKnown(known []difference, taken bool, text string) bool {
	for _, k := range known {
		if k.taken == taken && k.pattern.MatchString(text) {
			return true
		}
	}
	return false
}

// Random instructions, most of them with one thing wrong or none, are taken or refused as ptxas
// does (P13): the same ones in each run, and as many others as -ptxas.rounds asks for.
func TestRandomLinesAsPtxas(t *testing.T) {
	ptxas := findPtxas()
	if ptxas == "" {
		t.Skip("ptxas was not found: set PTXAS to it, or PTX_VENV to a virtual environment with nvidia-cuda-nvcc")
	}
	known := differences(t)
	rounds(t, func(t *testing.T, s uint64) {
		d := newDraw(s)
		arch, head := d.head()
		lines := make([]string, 1000)
		for i := range lines {
			lines[i] = d.line()
		}
		verdicts := judge(t, ptxas, arch, head, lines, formsTail)
		judgeCode(t, ptxas, arch, head, lines, formsTail, verdicts)
		if unknown := compare(t, ptxas, known, arch, head, lines, verdicts); len(unknown) > 0 {
			t.Errorf("-ptxas.seed %d: %s: %d of %d lines are decided otherwise:\n%s", s, strings.Join(strings.Split(head,
				"\n")[:2], " "), len(unknown), len(lines), strings.Join(unknown, "\n"))
		}
	})
}

// rounds runs a test with the first seed, and with as many others as are asked for.
func rounds(t *testing.T, run func(t *testing.T, seed uint64)) {
	seed := *randomSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	for round := range 1 + *randomRounds {
		s := seed + uint64(round)
		if round == 0 {
			s = 1
		}
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			t.Parallel()
			run(t, s)
		})
	}
}

// Random modules, and texts of compilers with one or two tokens or lines changed, are taken or refused
// as ptxas does.
func TestRandomTextsAsPtxas(t *testing.T) {
	ptxas := findPtxas()
	if ptxas == "" {
		t.Skip("ptxas was not found: set PTXAS to it, or PTX_VENV to a virtual environment with nvidia-cuda-nvcc")
	}
	known, kept := differences(t), smallTexts(t)
	words := wordsOf(append(kept, sink))
	if o, v := ours("", sink, ""), assemble(t, ptxas, "sm_90", sink); o != "" || v != "" {
		t.Fatalf("a text that is correct: %s %s", o, v)
	}
	rounds(t, func(t *testing.T, s uint64) {
		d := newDraw(s)
		for i := range 150 {
			text := d.text()
			switch i % 4 {
			case 1, 2:
				text = d.mutant(sink, words)
			case 3:
				text = d.mutant(pickOf(d, kept), words)
			}
			arch := "sm_90"
			if m := textTarget.FindStringSubmatch(text); m != nil {
				arch = assemblerTarget(m[1])
			}
			o, v := ours("", text, ""), assemble(t, ptxas, arch, text)
			if (o == "") != (v == "") && !isKnown(known, o == "", told(text, o, v)) {
				t.Errorf("-ptxas.seed %d: ours %q\nptxas %q\n%s\nquoted %q", s, o, v, text, text)
			}
		}
	})
}

var textTarget = regexp.MustCompile(`\.target\s+sm_(\d+[af]?)`)
