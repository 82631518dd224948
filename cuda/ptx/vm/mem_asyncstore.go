package vm

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// st.async, red.async and copies between the shared memories of a cluster (sections 9.7.9.12, 9.7.13.8 and
// 9.7.9.25.4.1): what is written counts as bytes at an mbarrier object of the block that gets it. As with other
// copies the bytes move at once, and the object passes on who may read them.

func buildAsyncStore(c *compiler) error {
	t, n := c.lastType(), c.vectorLength()
	elems, err := c.elements(&c.in.Operands[1], n)
	if err != nil {
		return err
	}
	a, err := c.access(0, t.Size()*n, true)
	if err != nil {
		return err
	}
	a.elem = t.Size()
	var values []slot
	for k := range elems {
		v, err := c.value(&elems[k], t)
		if err != nil {
			return err
		}
		values = append(values, v)
	}
	c.emit(func(b *block) {
		if clusterSpecials["%is_explicit_cluster"](b, 0) == 0 {
			b.raise(driver.FaultUnsupported, &b.bits, "st.async in a launch without clusters, "+
				"where an H200 stops with an illegal "+
				"instruction: launch with clusters, of one block if need be")
		}
	})
	c.observe(a, values)
	for k, v := range values {
		c.emit(storers[t.Size()](a, k, v))
	}
	return c.completeBytes(2, c.constant(4, a.size, 0))
}

// completeBytes lets the object at an operand know of bytes that the active lanes have written.
func (c *compiler) completeBytes(operand int, bytes slot) error {
	bar, err := c.access(operand, 8, true)
	if err != nil {
		return err
	}
	bar.atomic, bar.counted = true, true
	c.fence(false)
	c.observe(bar, nil)
	op := mbarrierOps["complete_tx"]
	c.emit(func(b *block) { b.mbarrier(bar, op, noSlot, bytes) })
	return nil
}

// buildPeerCopy is cp.async.bulk from the block's shared memory to that of a block of its cluster.
func buildPeerCopy(c *compiler) error {
	size, err := c.src(2, ptx.U32)
	if err != nil {
		return err
	}
	if _, _, err := c.movePieces(ptx.Shared, ptx.Shared, size); err != nil {
		return err
	}
	return c.completeBytes(3, size)
}
