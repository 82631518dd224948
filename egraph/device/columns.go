package device

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

//go:embed columns.ptx
var columnsPTX string

// columnsThreads is the block that the kernels of columns.cu are compiled for, columnsBlocks the
// most of them.
const (
	columnsThreads = 256
	columnsBlocks  = 1 << 12
)

// Columns is an image on a device: the columns of its slab up to the children. Groups are the
// host's, who makes them anew of what comes back.
type Columns struct {
	dev      *cuda.Device
	module   *cuda.Module
	ops      []string
	rows     int
	children int
	ids      int // above all classes
	slab     *cuda.Buffer
	closed   bool
}

// Upload brings an image to a device. Errors are *image.IntegrityError for an image that is not
// sound, *image.SizeError for one of more than 2^29 rows or children, and those of cuda.
func Upload(dev *cuda.Device, m *image.Image) (*Columns, error) {
	if err := given("Upload", dev, m); err != nil {
		return nil, err
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	ids, err := size(m, nil)
	if err != nil {
		return nil, err
	}
	c := &Columns{dev: dev, ops: m.Ops, ids: ids, rows: int(m.Layout.Rows), children: int(m.Layout.Children)}
	words := m.Slab[:m.Layout.SnapshotBytes()/4]
	if err = c.load(max(1, len(words))); err == nil {
		err = fill(c.slab, words)
	}
	if err != nil {
		return nil, errors.Join(err, c.free())
	}
	return c, nil
}

func (c *Columns) load(words int) (err error) {
	if c.module, err = c.dev.LoadPTX(columnsPTX); err != nil {
		return err
	}
	c.slab, err = c.dev.Make(words, uint32(0))
	return err
}

// launch enqueues a kernel over n things.
func (c *Columns) launch(name string, n int, args ...any) error {
	if n == 0 {
		return nil
	}
	k, err := c.module.Kernel(name)
	if err != nil {
		return err
	}
	return c.dev.Launch(k, cuda.Grid(min((n+columnsThreads-1)/columnsThreads, columnsBlocks)), cuda.Block(columnsThreads),
		args...)
}

// Canonicalise replaces the classes of rows and children by parent, which gives each id's root as
// Result.Parent does, the smallest of its class, and refreshes the signatures. An id that parent
// does not have, or whose parent is no such root, is a *image.IntegrityError.
func (c *Columns) Canonicalise(parent []uint32) error {
	if err := c.usable("Columns.Canonicalise"); err != nil {
		return err
	}
	for id, p := range parent {
		if int(p) > id || parent[p] != p {
			return &image.IntegrityError{Context: "parent", Row: -1, Value: uint64(id), Reason: "it is no root"}
		}
	}
	if len(parent) < c.ids {
		return &image.IntegrityError{Context: "class", Row: -1, Value: uint64(c.ids - 1), Reason: "the forest has no such id"}
	}
	if len(parent) == 0 {
		return nil
	}
	roots, err := c.dev.Upload(parent)
	if err != nil {
		return err
	}
	err = c.launch("eg_canonicalise", max(c.rows, c.children), uint32(c.rows), uint32(c.children), c.slab, roots)
	if err == nil {
		err = c.Sign()
	}
	return errors.Join(err, roots.Close())
}

// Sign refreshes the signatures of all rows, as image.Image.Sign does.
func (c *Columns) Sign() error {
	if err := c.usable("Columns.Sign"); err != nil {
		return err
	}
	return c.launch("eg_sign", c.rows, uint32(c.rows), c.slab)
}

// Equivalences gives the pairs of classes that hold equal rows, and their number before duplicates
// went, as image.Image.Equivalences does: the device counts them and writes those there is room
// for, once more with room for all where there was not. More than limit are a *image.SizeError.
func (c *Columns) Equivalences(limit int) (pairs []image.Pair, emitted uint64, err error) {
	if err := c.usable("Columns.Equivalences"); err != nil {
		return nil, 0, err
	}
	if limit < 0 {
		return nil, 0, &UseError{"Columns.Equivalences", fmt.Sprintf("the limit is %d; it is 0 pairs or more", limit)}
	}
	room := uint64(min(limit, c.rows))
	for {
		pairs, emitted, err = c.search(room, uint64(limit))
		if emitted > uint64(limit) {
			return nil, 0, &image.SizeError{What: "pairs", Count: emitted, Limit: uint64(limit)}
		}
		if emitted <= room {
			return pairs, emitted, err
		}
		room = emitted
	}
}

// search runs the kernels with room for so many pairs.
func (c *Columns) search(room, most uint64) (pairs []image.Pair, emitted uint64, err error) {
	if c.rows == 0 {
		return nil, 0, nil
	}
	slots := 1 << bits.Len(uint(2*c.rows-1))
	layout, err := image.NewScratch(uint64(2*slots+4*c.rows+1), uint64(c.rows), room)
	if err != nil {
		return nil, 0, err
	}
	scratch, err := c.dev.Make(int(layout.Bytes/4), uint32(0))
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	at := func(s image.Span) uint64 { return uint64(scratch.Ptr()) + s.Offset }
	words, members := at(layout.BucketWords), at(layout.BucketRows)
	n, s := uint32(c.rows), uint32(slots)
	if err = scratch.Clear(); err != nil {
		return nil, 0, err
	}
	for _, l := range []struct {
		name string
		args []any
	}{
		{"eg_lead", []any{n, c.slab, words, s}}, {"eg_distinct", []any{n, c.slab, words, s}},
		{"eg_room", []any{n, words, s}}, {"eg_members", []any{n, words, s, members}},
		{"eg_pairs", []any{n, c.slab, words, s, members, at(layout.Pairs), room, most, at(layout.Count)}},
	} {
		if err = c.launch(l.name, c.rows, l.args...); err != nil {
			return nil, 0, err
		}
	}
	return found(scratch, layout, room)
}

// found reads back what the kernels wrote: the pairs, if there was room for them, and how many
// there are.
func found(scratch *cuda.Buffer, layout image.Scratch, room uint64) (pairs []image.Pair, emitted uint64, err error) {
	count, err := readBytes(scratch, layout.Count)
	if err != nil {
		return nil, 0, err
	}
	if emitted = binary.LittleEndian.Uint64(count); emitted > room {
		return nil, emitted, nil
	}
	layout.Pairs.Bytes = 8 * emitted
	written, err := readBytes(scratch, layout.Pairs)
	if err != nil {
		return nil, 0, err
	}
	return image.DecodePairs(count, written)
}

// readBytes reads a span of a buffer of words, little-endian.
func readBytes(b *cuda.Buffer, s image.Span) ([]byte, error) {
	words := make([]uint32, s.Bytes/4)
	if len(words) == 0 {
		return nil, nil
	}
	if err := b.Read(int(s.Offset/4), words); err != nil {
		return nil, err
	}
	raw := make([]byte, 0, s.Bytes)
	for _, w := range words {
		raw = binary.LittleEndian.AppendUint32(raw, w)
	}
	return raw, nil
}

// Download reads the image back, with groups made anew. What the device holds is checked as
// image.FromSnapshot does.
func (c *Columns) Download() (*image.Image, error) {
	if err := c.usable("Columns.Download"); err != nil {
		return nil, err
	}
	raw, err := readBytes(c.slab, image.Span{Bytes: 4 * uint64(5*c.rows+c.children)})
	if err != nil {
		return nil, err
	}
	return image.FromSnapshot(c.ops, uint64(c.rows), uint64(c.children), raw)
}

// Close gives the device's memory back.
func (c *Columns) Close() error {
	if err := c.usable("Columns.Close"); err != nil {
		return err
	}
	c.closed = true
	return c.free()
}

// Table is the card of the columns.
func (c *Columns) Table() display.Table {
	t := display.Card("Columns of an image")
	if err := c.usable("Columns.Table"); err != nil {
		t.Add("state", err.Error())
		return *t
	}
	t.Add("device", c.dev.String()).Add("operators", len(c.ops)).Add("rows", c.rows).Add("children", c.children)
	t.Add("memory", display.Bytes(uint64(4*c.slab.Len())))
	return *t
}

func (c *Columns) free() error {
	var all []error
	if c.slab != nil {
		all = append(all, c.slab.Close())
	}
	if c.module != nil {
		all = append(all, c.module.Close())
	}
	return errors.Join(all...)
}
