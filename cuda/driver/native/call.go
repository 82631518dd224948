package native

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/hostcall"
)

// call makes a call that needs no context.
//
// The pragma keeps what the uintptr arguments point to alive, on the heap and in place until the
// call returns, where they are written as uintptr(unsafe.Pointer(x)) in the call itself.
//
//go:uintptrescapes
func (l *library) call(s symbol, args ...uintptr) error {
	addr, err := l.addr(s)
	if err != nil {
		return err
	}
	return check(s, cfunction(addr, args))
}

// check turns a code into an error that names its call.
func check(s symbol, code driver.Result) error {
	if code == driver.Success {
		return nil
	}
	return &driver.Error{Call: symbols[s].name, Code: code}
}

// refuse answers for the library where a call would be undefined there: a handle that was
// destroyed.
func refuse(s symbol, code driver.Result, detail string) error {
	return &driver.Error{Call: symbols[s].name, Code: code, Detail: detail}
}

// call makes a call for which the context has to be current on the thread.
//
//go:uintptrescapes
func (c *context) call(s symbol, args ...uintptr) error {
	return c.boundCall(s, args)
}

func (c *context) boundCall(s symbol, args []uintptr) error {
	if c.dead.Load() {
		return refuse(s, driver.ErrorContextIsDestroyed, "")
	}
	if hostcall.Inside() {
		return notPermitted(s)
	}
	addr, err := c.lib.addr(s)
	if err != nil {
		return err
	}
	set, err := c.lib.addr(cuCtxSetCurrent)
	if err != nil {
		return err
	}
	k := ccall{fn: addr, bind: set, context: c.handle}
	copy(k.args[:len(args)], args)
	code := k.do()
	if bound := driver.Result(uint32(k.bound)); bound != driver.Success {
		return check(cuCtxSetCurrent, bound)
	}
	return check(s, code)
}

// hotCall makes a call whose handles name their context: at once, and in the bound way where that
// is refused because this thread has another context or none. The first n arguments of k are those
// of the call, and no pointer among them is one that the collector would have to see.
func (c *context) hotCall(s symbol, k *ccall, n int) error {
	if c.dead.Load() {
		return refuse(s, driver.ErrorContextIsDestroyed, "")
	}
	addr := c.lib.addrs[s].Load()
	if addr == 0 || hostcall.Inside() {
		return c.boundCall(s, k.args[:n])
	}
	k.fn = addr
	switch code := k.do(); {
	case code == driver.Success:
		return nil
	case notBound(code):
		return c.boundCall(s, k.args[:n])
	default:
		return check(s, code)
	}
}

// notPermitted refuses what a host function calls: it runs on a goroutine of its own, which the
// library takes for any other, and would wait for the function for ever.
func notPermitted(s symbol) error {
	return refuse(s, driver.ErrorNotPermitted, "a Go function in a stream or graph called CUDA, which waits for it")
}

// notBound reports whether a call was refused as one is on a thread that has another context or
// none.
func notBound(code driver.Result) bool {
	return code == driver.ErrorInvalidContext || code == driver.ErrorInvalidHandle
}
