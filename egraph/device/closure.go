package device

import (
	_ "embed"
	"errors"
	"math/bits"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
)

//go:embed closure.ptx
var closurePTX string

const threads = 256

// Close finds the congruence closure of an image and of unions of its classes on a device, and reads
// it back. The image is not changed. Errors are *image.IntegrityError and *image.SizeError for an image
// that is not sound or too large, and those of cuda.
func Close(dev *cuda.Device, m *image.Image, unions []image.Pair) (*Result, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	c := &closure{dev: dev, m: m, result: &Result{Device: dev.String()}}
	if err := c.size(unions); err != nil {
		return nil, err
	}
	if packed, ok := pack(m, c.ids, unions); ok {
		return c.resident(packed)
	}
	err := c.run(unions)
	if freed := c.free(); err == nil {
		err = freed
	}
	if err != nil {
		return nil, err
	}
	return c.result, nil
}

// resident closes a packed image in one launch.
func (c *closure) resident(p *packing) (*Result, error) {
	start := time.Now()
	r, err := newResident(c.dev, p, c.ids)
	if err != nil {
		return nil, err
	}
	c.result.Upload = time.Since(start)
	if c.ids > 0 {
		c.result.Closure, c.result.Rounds, err = r.Fixpoint()
		start = time.Now()
		if err == nil {
			c.result.Parent, err = r.parent.Uint32s()
		}
		c.result.Download = time.Since(start)
	}
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	return c.result, nil
}

// closure is the state of one Close.
type closure struct {
	dev     *cuda.Device
	m       *image.Image
	module  *cuda.Module
	buffers []*cuda.Buffer
	result  *Result

	rows, children, ids, slots           int
	ops, offsets, lengths, kids, classes *cuda.Buffer
	parent, table, changed               *cuda.Buffer
}

// size finds the counts that the kernels are given, and refuses what they cannot hold.
func (c *closure) size(unions []image.Pair) error {
	c.rows, c.children = int(c.m.Layout.Rows), int(c.m.Layout.Children)
	groups := c.m.Column(image.GroupClasses)
	if len(groups) > 0 {
		c.ids = int(groups[len(groups)-1]) + 1
	}
	for i, u := range unions {
		for _, id := range []uint32{u.Left, u.Right} {
			if len(c.m.Group(id)) == 0 {
				return &image.IntegrityError{Context: "union", Row: i, Value: uint64(id), Reason: "no row is in this class"}
			}
		}
	}
	const most = 1 << 30
	for what, n := range map[string]int{"rows": c.rows, "children": c.children, "ids": c.ids, "unions": len(unions)} {
		if n > most {
			return &image.SizeError{What: what + " of a closure on a device", Count: uint64(n), Limit: most}
		}
	}
	c.slots = max(64, 1<<bits.Len(uint(2*c.rows)))
	return nil
}

func (c *closure) run(unions []image.Pair) error {
	start := time.Now()
	if err := c.upload(); err != nil {
		return err
	}
	c.result.Upload = time.Since(start)
	start = time.Now()
	if err := c.unite(unions); err != nil {
		return err
	}
	for merged := true; merged; c.result.Rounds++ {
		var err error
		if merged, err = c.round(); err != nil {
			return err
		}
	}
	c.result.Closure = time.Since(start)
	start = time.Now()
	parent, err := c.parent.Uint32s()
	c.result.Download = time.Since(start)
	c.result.Parent = parent[:min(c.ids, len(parent))]
	return err
}

// upload brings the columns to the device; a column without elements is one word that nobody reads.
func (c *closure) upload() error {
	var err error
	if c.module, err = c.dev.LoadPTX(closurePTX); err != nil {
		return err
	}
	ids := make([]uint32, c.ids)
	for i := range ids {
		ids[i] = uint32(i)
	}
	for _, col := range []struct {
		to     **cuda.Buffer
		values []uint32
	}{
		{&c.ops, c.m.Column(image.RowOps)}, {&c.offsets, c.m.Column(image.ChildOffsets)}, {&c.lengths, c.m.Column(image.ChildLengths)},
		{&c.kids, c.m.Column(image.Children)}, {&c.classes, c.m.Column(image.RowClasses)}, {&c.parent, ids}, {&c.changed, []uint32{0}},
	} {
		if len(col.values) == 0 {
			col.values = []uint32{0}
		}
		if *col.to, err = c.keep(c.dev.Upload(col.values)); err != nil {
			return err
		}
	}
	c.table, err = c.keep(c.dev.Make(c.slots, uint64(0)))
	return err
}

func (c *closure) keep(b *cuda.Buffer, err error) (*cuda.Buffer, error) {
	if err == nil {
		c.buffers = append(c.buffers, b)
	}
	return b, err
}

func (c *closure) free() error {
	var all []error
	for _, b := range c.buffers {
		all = append(all, b.Free())
	}
	if c.module != nil {
		all = append(all, c.module.Unload())
	}
	return errors.Join(all...)
}

// launch runs a kernel over n elements, or nothing where n is 0.
func (c *closure) launch(name string, n int, args ...any) error {
	if n == 0 {
		return nil
	}
	k, err := c.module.Kernel(name)
	if err != nil {
		return err
	}
	return c.dev.Launch(k, cuda.GridFor(n, threads), cuda.Block(threads), append([]any{uint32(n)}, args...)...)
}

// unite merges the classes of the pairs and flattens the forest.
func (c *closure) unite(unions []image.Pair) error {
	flat := make([]uint32, 0, 2*len(unions)+2)
	for _, u := range unions {
		flat = append(flat, u.Left, u.Right)
	}
	if len(flat) == 0 {
		return nil
	}
	pairs, err := c.keep(c.dev.Upload(flat))
	if err != nil {
		return err
	}
	if err := c.launch("eg_unite", len(unions), pairs, c.parent, c.changed); err != nil {
		return err
	}
	return c.launch("eg_compress", c.ids, c.parent)
}

// round canonicalises all rows, finds the equal ones and merges their classes; it says whether any two
// were merged.
func (c *closure) round() (bool, error) {
	if err := c.changed.Write(0, []uint32{0}); err != nil {
		return false, err
	}
	for _, step := range []func() error{
		func() error { return c.launch("eg_clear", c.slots, c.table) },
		func() error { return c.launch("eg_canon", c.children, c.kids, c.parent) },
		func() error {
			return c.launch("eg_insert", c.rows, c.ops, c.offsets, c.lengths, c.kids, c.classes, c.parent, c.table, uint32(c.slots-1), c.changed)
		},
		func() error { return c.launch("eg_compress", c.ids, c.parent) },
	} {
		if err := step(); err != nil {
			return false, err
		}
	}
	var changed [1]uint32
	if err := c.changed.Read(0, changed[:]); err != nil {
		return false, err
	}
	return changed[0] != 0, nil
}
