//go:build !race

package vm_test

// A send that is not ordered with the close of its channel is a race of the program.
func init() {
	waitingSelects = append(waitingSelects, []waitingSelect{
		{"a send that waits on a channel that closes", `c, d := make(chan int), make(chan int)
go func() { time.Sleep(5*time.Millisecond); close(c) }()
select {
case <-d:
case c <- 1:
}`, "send on closed channel"},
		{"again after that panicked", `c, d := make(chan int), make(chan int)
func() {
	defer func() { if recover() == nil { panic("sent") } }()
	go func() { time.Sleep(5*time.Millisecond); close(c) }()
	select {
	case <-d:
	case c <- 1:
	}
}()
go func() { d <- 3 }()
select {
case x := <-d:
	if x != 3 { panic(x) }
case <-make(chan bool):
}`, ""},
	}...)
}
