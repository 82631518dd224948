package driver

import "fmt"

// The rules of cuTensorMapEncodeTiled, which itself says no more than that a value is invalid.

// tensorBoxBytes is the most that a box may have in shared memory.
const tensorBoxBytes = 227 << 10

// Check compares the description with what a device takes. The error is a *TensorMapError.
func (c *TensorMapConfig) Check() error {
	for _, rule := range []func(*TensorMapConfig) *TensorMapError{
		(*TensorMapConfig).checkKinds, (*TensorMapConfig).checkRank, (*TensorMapConfig).checkAddress,
		(*TensorMapConfig).checkDims, (*TensorMapConfig).checkStrides, (*TensorMapConfig).checkBox,
		(*TensorMapConfig).checkRow, (*TensorMapConfig).checkElementStrides,
	} {
		if err := rule(c); err != nil {
			return err
		}
	}
	return nil
}

func (c *TensorMapConfig) checkKinds() *TensorMapError {
	switch {
	case !c.Type.Known():
		return &TensorMapError{Field: "Type", Want: "a type from TensorUint8 to TensorTF32FTZ", Got: c.Type.String()}
	case c.Interleave > TensorInterleave32:
		return &TensorMapError{Field: "Interleave", Want: "0, 1 or 2", Got: fmt.Sprint(c.Interleave)}
	case c.Swizzle > TensorSwizzle128:
		return &TensorMapError{Field: "Swizzle", Want: "0 to 3", Got: fmt.Sprint(c.Swizzle)}
	case c.Promotion > TensorPromotion256:
		return &TensorMapError{Field: "Promotion", Want: "0 to 3", Got: fmt.Sprint(c.Promotion)}
	case c.Fill > TensorFillNaN:
		return &TensorMapError{Field: "Fill", Want: "0 or 1", Got: fmt.Sprint(c.Fill)}
	case c.Fill == TensorFillNaN && !c.Type.Float():
		return &TensorMapError{Field: "Fill", Want: "zeros", Got: "NaN for elements of " + c.Type.String()}
	}
	return nil
}

func (c *TensorMapConfig) checkRank() *TensorMapError {
	n := len(c.Dims)
	least := 1
	if c.Interleave != TensorInterleaveNone {
		least = 3
	}
	if n < least || n > 5 {
		return &TensorMapError{Field: "Dims", Want: fmt.Sprintf("%d to 5 dimensions", least), Got: fmt.Sprint(n)}
	}
	for _, l := range []struct {
		name      string
		got, want int
	}{{"Strides", len(c.Strides), n - 1}, {"Box", len(c.Box), n}, {"ElementStrides", len(c.ElementStrides), n}} {
		if l.got != l.want {
			return &TensorMapError{Field: l.name, Want: fmt.Sprintf("%d for a tensor of %d dimensions", l.want, n),
				Got: fmt.Sprint(l.got)}
		}
	}
	return nil
}

// alignment is what divides addresses and strides.
func (c *TensorMapConfig) alignment() uint64 {
	if c.Interleave == TensorInterleave32 {
		return 32
	}
	return 16
}

func (c *TensorMapConfig) checkAddress() *TensorMapError {
	if n := c.alignment(); uint64(c.Address)%n != 0 {
		return &TensorMapError{Field: "Address", Want: fmt.Sprintf("a multiple of %d bytes", n),
			Got: c.Address.String()}
	}
	return nil
}

func (c *TensorMapConfig) checkDims() *TensorMapError {
	for i, d := range c.Dims {
		if d == 0 || d > 1<<32 {
			return &TensorMapError{Field: fmt.Sprintf("Dims[%d]", i), Want: "1 to 2^32 elements", Got: fmt.Sprint(d)}
		}
	}
	return nil
}

func (c *TensorMapConfig) checkStrides() *TensorMapError {
	for i, s := range c.Strides {
		if n := c.alignment(); s%n != 0 || s >= 1<<40 {
			return &TensorMapError{Field: fmt.Sprintf("Strides[%d]", i),
				Want: fmt.Sprintf("a multiple of %d bytes below 2^40", n), Got: fmt.Sprintf("%d bytes", s),
				Fix: "let rows begin at such multiples: leave some bytes behind each"}
		}
	}
	return nil
}

func (c *TensorMapConfig) checkBox() *TensorMapError {
	total := uint64(c.Type.Size())
	for i, n := range c.Box {
		if n == 0 || n > 256 {
			return &TensorMapError{Field: fmt.Sprintf("Box[%d]", i), Want: "1 to 256 elements", Got: fmt.Sprint(n)}
		}
		total *= uint64(n)
	}
	if total > tensorBoxBytes {
		return &TensorMapError{Field: "Box", Want: fmt.Sprintf("at most %d bytes, which shared memory holds",
			tensorBoxBytes),
			Got: fmt.Sprint(total), Fix: "copy it in parts"}
	}
	return nil
}

// checkRow is about a box's rows in shared memory.
func (c *TensorMapConfig) checkRow() *TensorMapError {
	row := int(c.Box[0]) * c.Type.Size()
	got := fmt.Sprintf("%d bytes, %d elements of %s", row, c.Box[0], c.Type)
	switch w := c.Swizzle.Width(); {
	case row%16 != 0:
		return &TensorMapError{Field: "Box[0]", Want: "a multiple of 16 bytes", Got: got}
	case c.Interleave == TensorInterleaveNone && w > 0 && row > w:
		return &TensorMapError{Field: "Box[0]", Want: fmt.Sprintf("at most %d bytes with a swizzle of as many", w),
			Got: got, Fix: "take a narrower box and copy several, or another swizzle"}
	}
	return nil
}

func (c *TensorMapConfig) checkElementStrides() *TensorMapError {
	for i, n := range c.ElementStrides {
		if n == 0 || n > 8 {
			return &TensorMapError{Field: fmt.Sprintf("ElementStrides[%d]", i), Want: "1 to 8", Got: fmt.Sprint(n)}
		}
	}
	return nil
}
