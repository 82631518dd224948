package cuda

import (
	"errors"
	"math/bits"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A hostPool keeps page-locked memory between transfers, in classes of powers of two: page-locking
// costs far more than a copy.
type hostPool struct {
	mu   sync.Mutex
	free map[int][]*hostBlock // guarded by mu, by class
	kept uint64               // guarded by mu: bytes in free
	shut bool                 // guarded by mu
}

// A hostBlock is page-locked memory of 1<<class bytes.
type hostBlock struct {
	mem   driver.HostMemory
	class int
}

const (
	// hostPoolBytes bounds what the pool keeps.
	hostPoolBytes = 64 << 20
	// smallestClass is the least that is worth its bookkeeping: 4 KiB, a page.
	smallestClass = 12
)

// classOf is the exponent of the power of two that holds n bytes.
func classOf(n uint64) int {
	if n <= 1<<smallestClass {
		return smallestClass
	}
	return bits.Len64(n - 1)
}

// lease takes a block of at least n bytes out of the pool, or makes one.
func (p *hostPool) lease(d *Device, op string, n uint64) (*hostBlock, error) {
	class := classOf(n)
	if class > 46 {
		return nil, &Error{Op: op, Want: "at most 64 TiB of host memory", Got: "more"}
	}
	p.mu.Lock()
	if list := p.free[class]; len(list) > 0 {
		b := list[len(list)-1]
		p.free[class] = list[:len(list)-1]
		p.kept -= 1 << class
		p.mu.Unlock()
		return b, nil
	}
	p.mu.Unlock()
	mem, err := blocking(op, func() (driver.HostMemory, error) { return d.ctx.AllocHost(1<<class, 0) },
		func(mem driver.HostMemory) { p.giveBack(&hostBlock{mem: mem, class: class}) })
	if wasInterrupted(err) {
		return nil, err
	}
	if err != nil {
		return nil, d.late(op, "page-locked host memory", err)
	}
	return &hostBlock{mem: mem, class: class}, nil
}

// giveBack keeps a block for the next lease, or frees it where the pool is full or shut.
func (p *hostPool) giveBack(b *hostBlock) {
	p.mu.Lock()
	size := uint64(1) << b.class
	if p.shut || p.kept+size > hostPoolBytes {
		p.mu.Unlock()
		_ = elsewhere(b.mem.Free) // the memory is the device's to take back with its context
		return
	}
	if p.free == nil {
		p.free = map[int][]*hostBlock{}
	}
	p.free[b.class] = append(p.free[b.class], b)
	p.kept += size
	p.mu.Unlock()
}

// close frees what the pool keeps; blocks on lease are freed when they come back.
func (p *hostPool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = true
	var errs []error
	for _, list := range p.free {
		for _, b := range list {
			errs = append(errs, b.mem.Free())
		}
	}
	p.free, p.kept = nil, 0
	return errors.Join(errs...)
}
