package interp

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
)

// manyCells is how many cells TestManyCells runs; VYRE_CELLS=10000 for the long run.
func manyCells(t *testing.T) int {
	n := 600
	if v := os.Getenv("VYRE_CELLS"); v != "" {
		if _, err := fmt.Sscan(v, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// A kind of cell of a session that goes on and on: each declares the same names again, $N is
// another number every time.
type kind struct{ source, fails string }

var kinds = []kind{
	{source: `y := $N
func h(a int) int { return a*$N + y }
type P struct{ X, Y int }
func (p P) String() string { return fmt.Sprint("P:", p.X, ",", p.Y) }
big := make([]byte, 1<<20)
for j := range 10 { y += h(j) }
func twice[T any](x T) []T { return []T{x, x} }
back := make(chan int)
go func() { back <- len(twice(P{})) }()
y += <-back
_ = fmt.Sprintln(P{y, len(big)}, h(3))`},
	{source: `type node[T any] struct { v T; next *node[T] }
type List[T any] struct { head *node[T]; n int }
func (l *List[T]) Push(v T) { l.head = &node[T]{v, l.head}; l.n++ }
func (l *List[T]) All() iter.Seq[T] { return func(yield func(T) bool) { for e := l.head; e != nil && yield(e.v); e = e.next { } } }
var list List[P]
for i := range 20 { list.Push(P{i, $N}) }
sum := 0
for p := range list.All() { sum += p.X }
if sum != 190 { panic(sum) }`},
	{source: `type Shape interface { Area() float64 }
type Square struct { Side float64; Name string }
func (s Square) Area() float64 { return s.Side * s.Side }
func total(shapes ...Shape) (sum float64) { for _, s := range shapes { sum += s.Area() }; return sum }
func changed(x [$N % 3 + 1]int) int { return len(x) + $N }
record := Square{2, fmt.Sprint($N)}
_ = total(record, Square{Side: 3})
_ = changed([$N % 3 + 1]int{})`},
	{source: `handlers := map[string]func(int) int{}
for i := range 8 { n := $N; handlers[fmt.Sprint("h", i)] = func(x int) int { defer func() { n++ }(); return x + n } }
counter := func() func() int { n := $N; return func() int { n++; return n } }()
for _, f := range handlers { counter(); f(1) }
_ = counter()`},
	{source: `results := make(chan int, 4)
var group sync.WaitGroup
for i := range 4 { group.Go(func() { results <- i * $N }) }
group.Wait()
func signal(later chan bool) {
	go func() { select { case <-later: case <-time.After(time.Millisecond): } }()
	go func() { time.Sleep(time.Millisecond); close(later) }()
}
signal(make(chan bool))
ctx, stop := context.WithCancel(context.Background())
go func() { <-ctx.Done() }()
stop()`},
	{source: "const limit = $N\nfunc within(x int) bool { return x < limit }"},
	{source: "x := undeclared$N(1)\nvar word int = \"$N\"", fails: "undefined"},
	{source: "z := $N +* 2\nfunc (", fails: "syntax error"},
	{source: "func at(list []int, i int) int { return list[i] }\nkept := []int{$N}\nat(kept, 1+$N)",
		fails: "index out of range"},
	{source: "type Number interface { ~int | ~float64 }\nfunc sum[T Number](list ...T) (s T) { for _, v := range " +
		"list { s += v }; return s }\n" +
		"type celsius float64\nsum(1, 2, $N); _ = sum(celsius(1.5), $N)\nerr := fmt.Errorf(\"cell $N: %w\", " +
		"io.EOF)\nerrors.Is(err, io.EOF)"},
}

// TestManyCells: cells that declare the same names again and again do not slow down, and leave
// nothing behind: processor time and heap at the end are those after a tenth of the cells. Some of
// them are refused, and some panic.
func TestManyCells(t *testing.T) {
	if os.Getenv(aloneVariable) == "" {
		alone(t)
		return
	}
	for _, name := range []string{"vm", "yaegi"} {
		t.Run(name, func(t *testing.T) { testManyCells(t, name) })
	}
}

const aloneVariable = "VYRE_CELLS_ALONE"

// alone runs the test in a process of its own: what other tests left alive would make the
// collector's cycles so long that they are in all cells.
func alone(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run=^TestManyCells$", "-test.v")
	c.Env = append(os.Environ(), aloneVariable+"=1")
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestManyCells/vm") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

func testManyCells(t *testing.T, engine string) {
	e, err := enginetest.Engines[engine]()
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, e)
	rounds := manyCells(t) / len(kinds)
	n := rounds * len(kinds)
	// of a cell, in the mean of each round: the collector works in some of them, for all
	times := make([]time.Duration, 0, rounds+200)
	number := 0
	cells := func() {
		began := processorTime()
		for _, kind := range kinds {
			number++
			r := execute(s, number, strings.ReplaceAll(kind.source, "$N", strconv.Itoa(number)))
			if failed := r.Error != nil; failed != (kind.fails != "") || failed && !strings.Contains(r.Error.Value, kind.fails) {
				t.Fatalf("%s\nfails with %+v", kind.source, r.Error)
			}
		}
		times = append(times, (processorTime()-began)/time.Duration(len(kinds)))
	}
	settled := func() uint64 { // what is noted weakly goes when cells follow a collection
		heapBytes()
		for range 5 {
			cells()
		}
		time.Sleep(10 * time.Millisecond) // goroutines of the last cells end
		return heapBytes()
	}
	var early, goal uint64
	for round := range rounds {
		if cells(); round == rounds/10 {
			goal = heapGoal()
			early = settled()
		}
	}
	// What a cycle finds alive that is not makes the next one wait for twice as much.
	if late := heapGoal(); late > 2*goal+16<<20 {
		t.Errorf("the collector waits for a heap of %d MB after %d cells, for %d after %d", late>>20, n, goal>>20, n/10)
	}
	late, most := settled(), early+early/10
	for tries := 0; late > most && tries < 20; tries++ {
		late = settled()
	}
	of := median
	if n < 9000 { // a cycle of the collector may be in most of a few rounds
		of = slices.Min[[]time.Duration]
	}
	first, last := of(times[rounds/20:3*rounds/20]), of(times[rounds-rounds/10:rounds])
	t.Logf("%d cells: processor time of one %v and heap %.2f MB after a tenth, %v and %.2f MB at the end", n, first,
		float64(early)/1e6, last, float64(late)/1e6)
	if slower := last - first; n >= 9000 && slower > first/10 || slower > first {
		t.Errorf("a cell takes %v after %d cells, %v after %d", last, n, first, n/10)
	}
	if late > most {
		t.Errorf("heap of %d bytes after %d cells, %d after %d", late, n, early, n/10)
	}
}

func median(list []time.Duration) time.Duration {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}

// heapGoal is at how many bytes the next cycle begins.
func heapGoal() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NextGC
}

func heapBytes() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkNewSession(b *testing.B) {
	for b.Loop() {
		openVM(b)
	}
}

func BenchmarkFirstCell(b *testing.B) {
	for b.Loop() {
		if r := execute(openVM(b), 1, "1+1"); r.Error != nil {
			b.Fatal(r.Error.Value)
		}
	}
}

// BenchmarkNames is a cell in sessions that hold so many variables.
func BenchmarkNames(b *testing.B) {
	for _, names := range []int{1, 100, 10000} {
		b.Run(strconv.Itoa(names), func(b *testing.B) {
			s := openVM(b)
			var declared strings.Builder
			for i := range names {
				fmt.Fprintf(&declared, "var v%d = %d\n", i, i)
			}
			number := 1
			run := func(source string) {
				if r := execute(s, number, source); r.Error != nil {
					b.Fatal(r.Error.Value)
				}
				number++
			}
			run(declared.String())
			run("at := 1")
			for b.Loop() {
				run("at + 1")
			}
		})
	}
}
