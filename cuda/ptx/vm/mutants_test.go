package vm

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

var mutants = flag.Int("mutants", 200, "how many changed texts TestMutants loads and runs")

// Texts with changed tokens parse, load and run with checks to an end or an error, in bounded time: nothing that
// a text says ends the process (P11).
func TestMutants(t *testing.T) {
	var texts []string
	for _, dir := range []string{"isa", "kernels", "faults", "unusual"} {
		files, _ := filepath.Glob(filepath.Join("..", "testdata", dir, "*.ptx"))
		for _, file := range files {
			if src, err := os.ReadFile(file); err == nil && len(src) < 20000 {
				texts = append(texts, string(src))
			}
		}
	}
	if len(texts) < 100 {
		t.Fatalf("%d texts", len(texts))
	}
	rng := rand.New(rand.NewPCG(uint64(*mutants), 9))
	parsed, launched, ended := 0, 0, 0
	for range *mutants {
		text := mutate(texts[rng.IntN(len(texts))], texts, rng)
		m, err := ptx.Parse("mutant", text)
		if err != nil {
			continue
		}
		parsed++
		n, done := runMutant(t, m, text)
		launched, ended = launched+n, ended+done
	}
	t.Logf("%d mutants: %d parse, %d launches of which %d end without a fault", *mutants, parsed, launched, ended)
}

// pieces cuts a text at blanks and punctuation, which it keeps.
func pieces(text string) []string {
	var out []string
	for _, w := range strings.SplitAfter(text, " ") {
		for _, v := range strings.SplitAfter(w, ",") {
			out = append(out, strings.SplitAfter(v, ".")...)
		}
	}
	return out
}

// mutate leaves out, repeats, swaps or replaces a few words, or changes a number.
func mutate(text string, texts []string, rng *rand.Rand) string {
	list := pieces(text)
	for range 1 + rng.IntN(2) {
		i, k := rng.IntN(len(list)), rng.IntN(len(list))
		switch rng.IntN(5) {
		case 0:
			list[i] = ""
		case 1:
			list[i] += list[i]
		case 2:
			list[i], list[k] = list[k], list[i]
		case 3:
			other := pieces(texts[rng.IntN(len(texts))])
			list[i] = other[rng.IntN(len(other))]
		case 4:
			digits := []string{"0", "1", "-1", "7", "64", "1024", "65536", "2147483648", "4294967295", "18446744073709551615"}
			list[i] = strings.Map(func(r rune) rune {
				if r >= '0' && r <= '9' {
					return -1
				}
				return r
			}, list[i]) + digits[rng.IntN(len(digits))]
		}
	}
	return strings.Join(list, "")
}

// runMutant launches each kernel with pointers to one buffer, and a second to end in.
func runMutant(t *testing.T, m *ptx.Module, text string) (launched, ended int) {
	t.Helper()
	mem := NewMemory(1 << 28)
	p, err := Load(m, mem, Checked())
	if err != nil {
		return 0, 0
	}
	defer p.Unload()
	buffer, err := mem.Alloc(1<<16, "buffer")
	if err != nil {
		t.Fatal(err)
	}
	buffer.shadow = nil // all of it counts as written
	for _, name := range p.Kernels() {
		k, _ := p.Kernel(name)
		params := make([]byte, k.Func.ParamBytes+8)
		for i := 0; i+8 <= k.Func.ParamBytes; i += 8 {
			for b := range 8 {
				params[i+b] = byte(buffer.Base >> (8 * b))
			}
		}
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		_, err := k.Launch(ctx, Launch{Grid: Dim3{X: 2, Y: 1, Z: 1}, Block: Dim3{X: 32, Y: 1, Z: 1},
			Params: params[:k.Func.ParamBytes], SharedBytes: 1024})
		stop()
		launched++
		var internal *InternalError
		if errors.As(err, &internal) {
			t.Fatalf("%v\nin\n%s", err, text)
		}
		if err == nil {
			ended++
		}
	}
	return launched, ended
}
