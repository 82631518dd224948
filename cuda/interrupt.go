package cuda

import (
	"runtime"
	"sync"
	"time"
)

// An InterruptedError says that a wait was given up. The work it waited for goes on.
type InterruptedError struct{ Op string }

func (e *InterruptedError) Error() string {
	return e.Op + ": the wait was interrupted; the work on the device goes on\nWhat to do: wait again, or cuda.Reset to give it up"
}

var interrupts = struct {
	mu sync.Mutex
	c  chan struct{} // guarded by mu: closed by the next Interrupt
}{c: make(chan struct{})}

// Interrupt makes every wait for a device that is under way return an *InterruptedError: a notebook's
// interrupt, say. It is safe at any time.
func Interrupt() {
	interrupts.mu.Lock()
	defer interrupts.mu.Unlock()
	close(interrupts.c)
	interrupts.c = make(chan struct{})
}

func interrupted() <-chan struct{} {
	interrupts.mu.Lock()
	defer interrupts.mu.Unlock()
	return interrupts.c
}

// quickWait is how long a wait asks again and again before it hands the waiting to a goroutine: most
// waits are shorter, and pay nothing for being interruptible.
const quickWait = 50 * time.Microsecond

// wait waits for something of the device, so that Interrupt ends it. done asks without waiting whether
// it is over; nil where that cannot be asked. block waits, and goes on in the background after an
// interrupt: it must not use memory that the caller gives away.
func wait(op string, done func() bool, block func() error) error {
	c := interrupted()
	if done != nil {
		for start := time.Now(); time.Since(start) < quickWait; runtime.Gosched() {
			if done() {
				return block()
			}
		}
	}
	result := make(chan error, 1)
	go func() { result <- block() }()
	select {
	case err := <-result:
		return err
	case <-c:
		return &InterruptedError{Op: op}
	}
}

// drain waits until the device's own stream is empty, so that a transfer behind it is short and need not
// be interrupted.
func (d *Device) drain(op string) error {
	s := d.stream.s
	return wait(op, func() bool { return s.Query() == nil }, s.Synchronize)
}
