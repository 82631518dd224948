package vm_test

import (
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
)

// fair counts how often a select of n cases takes the first of two that are ready.
const fair = `const n = 4000
first, never := 0, make(chan int)
a, b := make(chan int, n), make(chan int, n)
for range n { a <- 1; b <- 2 }
for range n {
	select {
	CASES
	case <-b:
	case <-a:
		first++
	}
}
if first < n*45/100 || first > n*55/100 { panic(first) }`

// TestSelectsAreFair: of the cases that are ready each is as likely as another, however many are not. 200 of 4,000 are six standard deviations.
func TestSelectsAreFair(t *testing.T) {
	for _, others := range []int{0, 1, 2, 5, 20} {
		source := strings.Replace(fair, "\tCASES\n", strings.Repeat("\tcase <-never:\n", others), 1)
		if others == 0 {
			source = strings.Replace(source, ", never", "", 1)
			source = strings.Replace(source, "0, make(chan int)", "0", 1)
		}
		if err := cells(t, open(t, vm.Options{}), source); err != nil {
			t.Errorf("%d others: %v", others, err)
		}
	}
}

type waitingSelect struct{ name, source, fails string }

// waitingSelects are cells whose selects wait before a case is ready.
var waitingSelects = []waitingSelect{
	{"sends and receives in any order", `in, out, done := make(chan string), make(chan int), make(chan bool)
go func() {
	sum := 0
	for range 3 { sum += <-out; in <- "got" }
	if sum != 6 { panic(sum) }
	close(done)
}()
said, next := 0, 1
for open := true; open; {
	var to chan int
	if next <= 3 { to = out }
	select {
	case s, ok := <-in:
		if s != "got" || !ok { panic(s) }
		said++
	case to <- next:
		next++
	case _, open = <-done:
	}
}
if said != 3 || next != 4 { panic(fmt.Sprint(said, next)) }`, ""},
	{"many cases", `var all [12]chan int
for i := range all { all[i] = make(chan int) }
go func() { for i := range all { all[len(all)-1-i] <- i } }()
sum := 0
for range all {
	select {
	case x := <-all[0]: sum += x
	case x := <-all[1]: sum += x
	case x := <-all[2]: sum += x
	case x := <-all[3]: sum += x
	case x := <-all[4]: sum += x
	case x := <-all[5]: sum += x
	case x := <-all[6]: sum += x
	case x := <-all[7]: sum += x
	case x := <-all[8]: sum += x
	case x := <-all[9]: sum += x
	case x := <-all[10]: sum += x
	case x := <-all[11]: sum += x
	}
}
if sum != 66 { panic(sum) }`, ""},
	{"closed while it waits", `c, d := make(chan int), make(chan int)
go func() { time.Sleep(5*time.Millisecond); close(c) }()
select {
case x, ok := <-c:
	if x != 0 || ok { panic("received") }
case d <- 1:
}`, ""},
	{"nothing is kept by a select that is over", `type big struct { to *int; all [1 << 16]int }
freed, c := make(chan bool), make(chan *big)
go func() {
	b := &big{to: new(int)}
	runtime.AddCleanup(b, func(int) { close(freed) }, 0)
	c <- b
}()
select {
case b := <-c:
	*b.to = 1
case <-make(chan int):
}
for done := false; !done; {
	runtime.GC()
	select {
	case <-freed:
		done = true
	case <-time.After(time.Millisecond):
	}
}`, ""},
}

func TestWaitingSelects(t *testing.T) {
	for _, x := range waitingSelects {
		t.Run(x.name, func(t *testing.T) {
			source := "import (\"fmt\"; \"runtime\"; \"time\")\n_, _, _ = fmt.Sprint, runtime.GC, time.Now\n" + x.source
			err := cells(t, open(t, vm.Options{}), source)
			switch {
			case x.fails == "" && err != nil:
				t.Error(err)
			case x.fails != "" && (err == nil || !strings.Contains(err.Error(), x.fails)):
				t.Errorf("%v, want %s", err, x.fails)
			}
		})
	}
}
