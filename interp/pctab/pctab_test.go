package pctab

import (
	"bytes"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		f    Func
		line int
	}{
		{Func{"main.f", "In[3]", 5, 0}, 5},
		{Func{"main.f", "In[3]", 5, 0}, 6},
		{Func{"main.f", "In[3]", 5, 0}, 5 + minLines - 1},
		{Func{"main.f", "In[3]", 5, 0}, 5 + minLines},
		{Func{"main.f", "In[3]", 5, 0}, 70_000},
		{Func{"main.(*T[...]).g.func1", "a b/c.go", 1, 0}, 1},
		{Func{"main.ends", "In[5]", 7, 9}, 8},
		{Func{"main.ends", "In[5]", 7, 9}, 9},
		{Func{"main.ends", "In[5]", 7, 9}, 12},
		{Func{"main.h", "In[4]", 0, 0}, 0},
		{Func{"runtime.goexit", "", 0, 0}, 0},
		{Func{"main.ä", "In[ä]", 1 << 20, 0}, 1<<20 + 3},
	} {
		pc := Of(c.f, c.line)
		if pc < firstAddress || pc != Of(c.f, c.line) {
			t.Errorf("%v: %#x, then %#x", c, pc, Of(c.f, c.line))
		}
		frame, more := runtime.CallersFrames([]uintptr{pc}).Next()
		if frame.Function != c.f.Name || frame.File != c.f.File || frame.Line != c.line || more {
			t.Errorf("%v: %v", c, frame)
		}
		for _, at := range []uintptr{pc, pc - 1} {
			fn := runtime.FuncForPC(at)
			file, line := fn.FileLine(at)
			if fn.Name() != c.f.Name || file != c.f.File || line != c.line {
				t.Errorf("%v: %s at %s:%d", c, fn.Name(), file, line)
			}
		}
		if text := fmt.Sprintf("%v %+v", frame, frame.Func); !strings.Contains(text, c.f.Name) { // package reflect wants the tables out of the heap
			t.Error(text)
		}
		fn := runtime.FuncForPC(Entry(c.f))
		if _, line := fn.FileLine(fn.Entry()); fn.Entry() != Entry(c.f) || line != c.f.Line || frame.Entry > pc {
			t.Errorf("%v: entry %#x, %#x, line %d", c, fn.Entry(), Entry(c.f), line)
		}
	}
	if f := runtime.FuncForPC(firstAddress + 1<<59); f != nil {
		t.Errorf("a function where none is: %s", f.Name())
	}
}

// A line before the function's own is what a line directive can bring.
func TestLineBefore(t *testing.T) {
	f := Func{"main.before", "x.go", 10, 0}
	if frame, _ := runtime.CallersFrames([]uintptr{Of(f, 3)}).Next(); frame.Line != 10 {
		t.Error(frame)
	}
}

// The program counters of a function end where it does.
func TestEnd(t *testing.T) {
	f := Func{"main.end", "In[1]", 3, 6}
	pc, lines := Entry(f), 0
	for fn := runtime.FuncForPC(pc); runtime.FuncForPC(pc) == fn; pc++ {
		_, line := fn.FileLine(pc)
		lines = max(lines, line)
		if line < 3 {
			t.Fatal(line)
		}
	}
	if lines != 6 {
		t.Errorf("lines up to %d", lines)
	}
}

// Stacks of several functions come out in order, compiled ones between them.
func TestStack(t *testing.T) {
	var pcs []uintptr
	var want []string
	for i := range 5 {
		f := Func{Name: fmt.Sprint("main.stack", i), File: "In[9]", Line: i}
		pcs, want = append(pcs, Of(f, i+i)), append(want, fmt.Sprintf("%s:%d", f.Name, i+i))
		here, _, _, _ := runtime.Caller(0)
		pcs, want = append(pcs, here), append(want, "pctab.TestStack")
	}
	frames := runtime.CallersFrames(pcs)
	for i := 0; ; i++ {
		frame, more := frames.Next()
		got := fmt.Sprintf("%s:%d", frame.Function, frame.Line)
		if i%2 == 1 {
			got = frame.Function[strings.LastIndex(frame.Function, "/")+1:]
		}
		if got != want[i] || more != (i < len(want)-1) {
			t.Fatalf("%d: %s, want %s; more: %v", i, got, want[i], more)
		}
		if !more {
			break
		}
	}
}

func TestSlog(t *testing.T) {
	var b bytes.Buffer
	h := slog.NewJSONHandler(&b, &slog.HandlerOptions{AddSource: true})
	if err := h.Handle(t.Context(), slog.NewRecord(time.Time{}, slog.LevelInfo, "m", Of(Func{"main.f", "In[2]", 1, 0}, 7))); err != nil {
		t.Fatal(err)
	}
	if want := `"source":{"function":"main.f","file":"In[2]","line":7}`; !strings.Contains(b.String(), want) {
		t.Error(b.String())
	}
}

// The list grows while others read it, and the collector runs.
func TestConcurrent(t *testing.T) {
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 200 {
				f := Func{Name: fmt.Sprintf("main.c%d_%d", g, i%50), File: "In[1]", Line: g}
				pc := Of(f, i)
				if i%40 == 0 {
					runtime.GC()
				}
				if name := runtime.FuncForPC(pc).Name(); name != f.Name {
					t.Errorf("%s, want %s", name, f.Name)
				}
			}
		})
	}
	all.Wait()
}

func BenchmarkOf(b *testing.B) {
	f := Func{"main.bench", "In[1]", 1, 0}
	for b.Loop() {
		Of(f, 30)
	}
}
