package vm_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
)

// keptCalls are functions whose defer and go statements call compiled code, and what they write to standard output.
var keptCalls = []struct{ name, body, want string }{
	{"arguments are those of the statement", `
	var b strings.Builder
	s, n, x := "kept", 7, 2.5
	defer func() { fmt.Fprint(os.Stdout, b.String()) }()
	defer fmt.Fprintf(&b, "%s %d %v;", s, n, x)
	defer b.WriteString(s)
	defer b.WriteByte(byte(n) + '0')
	defer b.WriteRune(rune(n) + 'é')
	s, n, x = "gone", 0, 0`, "ð7keptkept 7 2.5;"},
	{"standard output is the session's", `
	defer fmt.Fprint(os.Stdout, "last")
	print := fmt.Fprint
	defer print(os.Stdout, "dynamic ")
	fmt.Fprint(os.Stdout, "first ")`, "first dynamic last"},
	{"what memory alone refers to lives", `
	var b strings.Builder
	defer func() { fmt.Fprint(os.Stdout, b.Len()) }()
	for i := range 20 {
		defer b.WriteString(strings.Repeat("x", i))
		runtime.GC()
	}`, "190"},
	{"blocks of memory and floats", `
	t := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	defer fmt.Fprint(os.Stdout, "|")
	defer t.Equal(t)
	defer math.Ldexp(0.5, 3)
	defer big.NewFloat(1).SetPrec(10).SetMode(big.ToZero).Text('g', 5)
	t = time.Time{}`, "|"},
	{"goroutines", `
	var wg sync.WaitGroup
	var m sync.Map
	wg.Add(3)
	go m.Store("a", 1)
	go wg.Done()
	done := wg.Done
	go done()
	go func() { defer wg.Done(); defer m.Store("b", 2) }()
	wg.Wait()
	v, _ := m.Load("b")
	fmt.Fprint(os.Stdout, v)`, "2"},
	{"a panic of compiled code finds the frame", `
	defer func() { fmt.Fprint(os.Stdout, recover()) }()
	defer strings.Repeat("x", -1)`, "strings: negative Repeat count"},
	{"frames of deferred calls are used again", `
	total := 0
	for i := range 100 {
		func() {
			defer func(n int) { total += n; defer func(m int) { total += m }(n) }(i)
		}()
	}
	fmt.Fprint(os.Stdout, total)`, "9900"},
}

func TestKeptCalls(t *testing.T) {
	for _, x := range keptCalls {
		t.Run(x.name, func(t *testing.T) {
			var mu sync.Mutex
			var out bytes.Buffer
			e := open(t, vm.Options{Writer: func(*os.File) io.Writer { return locked{&mu, &out} }})
			names := []string{"fmt", "math", "math/big", "os", "runtime", "strings", "sync", "time"}
			source := "import (\n\t\"" + strings.Join(names, "\"\n\t\"") + "\"\n)\nfunc f() {" + x.body + "\n}"
			if err := cells(t, e, source, "f()"); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if out.String() != x.want {
				t.Errorf("%q, want %q", out.String(), x.want)
			}
		})
	}
}

// A locked writer is for goroutines.
type locked struct {
	mu *sync.Mutex
	to io.Writer
}

func (w locked) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
