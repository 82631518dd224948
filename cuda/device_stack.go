package cuda

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// maxStack is the most local memory that a thread has, stack included.
const maxStack = 512 << 10

// StackSize is the bytes of stack that a thread has for recursion and calls by address: 1024 where
// nobody has set it.
func (d *Device) StackSize() (int, error) {
	const op = "Device.StackSize"
	if err := d.checkOpen(op); err != nil {
		return 0, err
	}
	n, err := d.ctx.Limit(driver.LimitStackSize)
	return int(n), wrap(op, "", err)
}

// SetStackSize sets the stack of a thread, in bytes, for all launches from now on; the driver may
// round it up. A kernel that needs more fails, on the emulated device with a fault of kind
// driver.FaultStackOverflow. A GPU sets memory aside for the stacks of all threads that it may hold
// at once.
func (d *Device) SetStackSize(bytes int) error {
	const op = "Device.SetStackSize"
	if err := d.checkOpen(op); err != nil {
		return err
	}
	if bytes < 1 || bytes > maxStack {
		return &Error{Op: op, Want: fmt.Sprintf("1 to %d bytes a thread", maxStack), Got: fmt.Sprint(bytes)}
	}
	if err := d.ctx.SetLimit(driver.LimitStackSize, uint64(bytes)); err != nil {
		return wrap(op, "", err)
	}
	got, err := d.StackSize()
	if err == nil && got < bytes {
		err = &Error{Op: op, Want: fmt.Sprintf("%d bytes a thread", bytes), Got: fmt.Sprintf("the device set %d", got)}
	}
	return err
}
