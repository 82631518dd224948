package device

import (
	_ "embed"
	"errors"
	"math/bits"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

//go:embed fixpoint.ptx
var fixpointPTX string

// fixpointThreads is the block that eg_fixpoint is compiled for.
const fixpointThreads = 512

// A Resident is an image on a device, with what its closure needs, for closures without a transfer
// or a look of the host inside: one cooperative launch runs all rounds, or all but the first where
// that is by parts.
type Resident struct {
	dev     *cuda.Device
	module  *cuda.Module
	kernel  *cuda.Kernel
	buffers []*cuda.Buffer
	ids     int  // those of pairs among them
	named   int  // ids of the image
	open    bool // the last launch ended before the fixpoint
	closed  bool

	rows, slots, pairs, width                          int
	keys, classes, parent, moved, unions, table, state *cuda.Buffer
	initialKeys                                        []uint64
	initialParent                                      []uint32
	blocks                                             int
	parts                                              *partition // of the first round, nil where it has none
}

// newResident uploads a packing.
func newResident(dev *cuda.Device, p *packing, named int) (*Resident, error) {
	large, err := wantsParts(dev, len(p.keys), p.ids)
	if err != nil {
		return nil, err
	}
	return newResidentBy(dev, p, named, large)
}

// newResidentBy uploads a packing whose first round is by parts or not.
func newResidentBy(dev *cuda.Device, p *packing, named int, large bool) (*Resident, error) {
	r := &Resident{dev: dev, ids: p.ids, named: named, rows: len(p.keys), pairs: len(p.pairs) / 2, width: p.width,
		slots: max(64, 1<<bits.Len(uint(max(1, 2*len(p.keys))-1))), initialKeys: p.keys, initialParent: make([]uint32, p.ids)}
	if large {
		r.parts = newPartition(r.rows)
		r.slots = r.parts.slots()
	}
	for i := range r.initialParent {
		r.initialParent[i] = uint32(i)
	}
	if err := r.upload(p); err != nil {
		return nil, release(err, r.free)
	}
	return r, nil
}

func (r *Resident) upload(p *packing) error {
	var err error
	if r.module, err = r.dev.LoadPTX(fixpointPTX); err != nil {
		return err
	}
	name := "eg_fixpoint"
	if r.parts != nil {
		name = "eg_fixpoint_large"
	}
	if r.kernel, err = r.module.Kernel(name); err != nil {
		return err
	}
	each, err := r.kernel.Occupancy(cuda.Block(fixpointThreads), 0)
	if err != nil {
		return err
	}
	r.blocks = max(1, min(blocksOf(r.dev, each), (max(r.slots, r.ids)+fixpointThreads-1)/fixpointThreads))
	for _, b := range []struct {
		to     **cuda.Buffer
		values any
		n      int
	}{
		{&r.keys, uint64(0), max(1, r.rows)}, {&r.classes, uint32(0), max(1, r.rows)}, {&r.parent, uint32(0), max(1, r.ids)},
		{&r.moved, uint32(0), r.ids/32 + 1},
		{&r.unions, uint32(0), max(2, len(p.pairs))}, {&r.table, uint64(0), r.slots}, {&r.state, uint32(0), 6},
	} {
		if *b.to, err = r.dev.Make(b.n, b.values); err != nil {
			return err
		}
		r.buffers = append(r.buffers, *b.to)
	}
	if r.parts != nil {
		if err = r.parts.upload(r); err != nil {
			return err
		}
	}
	return errors.Join(fill(r.classes, p.classes), fill(r.unions, p.pairs), r.reset())
}

// fill writes values from the beginning of a buffer, or nothing where there are none.
func fill[T any](b *cuda.Buffer, values []T) error {
	if len(values) == 0 {
		return nil
	}
	return b.Write(0, values)
}

// Reset brings back the rows and classes as they were uploaded.
func (r *Resident) Reset() error {
	if err := r.usable("Resident.Reset"); err != nil {
		return err
	}
	return r.reset()
}

func (r *Resident) reset() error {
	return errors.Join(fill(r.keys, r.initialKeys), fill(r.parent, r.initialParent))
}

// settle makes what the device holds now what Reset brings back.
func (r *Resident) settle() (err error) {
	if r.rows > 0 {
		if r.initialKeys, err = cuda.Slice[uint64](r.keys); err != nil {
			return err
		}
	}
	if r.ids > 0 {
		r.initialParent, err = cuda.Slice[uint32](r.parent)
	}
	return err
}

// Fixpoint merges the pairs and runs rounds to the fixpoint, and gives the time of it and the
// rounds. The last round changed nothing. A graph that is not deep takes one launch, or several
// that follow each other without a look of the host, and the time is the device's. What is left of
// a deep one the host may close (remainder.go); then its time is in it.
func (r *Resident) Fixpoint() (time.Duration, int, error) {
	if err := r.usable("Resident.Fixpoint"); err != nil {
		return 0, 0, err
	}
	return r.close()
}

func (r *Resident) fixpoint(pairs, rounds int) (time.Duration, int, error) {
	if err := r.state.Write(0, make([]uint32, 6)); err != nil {
		return 0, 0, err
	}
	var state [6]uint32
	if r.parts != nil {
		took, err := r.parts.fixpoint(r, pairs, rounds)
		if err == nil {
			err = r.state.Read(0, state[:])
		}
		r.open = state[1] > 0 && state[4+(state[1]-1)&1] != 0
		return took, int(state[1]), err
	}
	run, err := r.dev.Dispatch(r.kernel, cuda.Grid(r.blocks), cuda.Block(fixpointThreads), cuda.Cooperative(),
		uint32(r.rows), r.keys, uint32(r.width),
		r.classes, uint32(r.ids), r.parent, uint32(pairs), r.unions, r.moved, r.table, uint32(r.slots), r.state,
		uint32(rounds))
	if err != nil {
		return 0, 0, err
	}
	err = r.state.Read(0, state[:])
	r.open = state[1] > 0 && state[4+(state[1]-1)&1] != 0 // the last round merged something
	return run.DeviceTime, int(state[1]), err
}

// Bytes is the traffic of a first round in DRAM if nothing is read twice: the table emptied and a
// word written a row, keys read twice and written, ids and pairs; by parts the table written once,
// keys read and written, classes, and records written and read twice. Gathers from the forest are
// not in it, nor pairs that the round makes.
func (r *Resident) Bytes() uint64 {
	if r == nil || r.dev == nil {
		return 0
	}
	if r.parts != nil {
		return 8*uint64(r.slots) + (8+8+4+2*2*recordBytes)*uint64(r.rows) + 4*uint64(r.ids) + 8*uint64(r.pairs)
	}
	return 8*uint64(r.slots) + 48*uint64(r.rows) + 8*uint64(r.ids) + 8*uint64(r.pairs)
}

// Close gives the device's memory back. Where a wait for that was interrupted it may be called
// again.
func (r *Resident) Close() error {
	if err := r.usable("Resident.Close"); err != nil {
		return err
	}
	return r.free()
}

func (r *Resident) free() error {
	if r.closed {
		return nil
	}
	err := freeAll(&r.buffers)
	if err == nil && r.parts != nil {
		err = r.parts.close()
	}
	if err == nil && r.module != nil {
		err = r.module.Close()
	}
	r.closed = err == nil
	return err
}

// freeAll frees buffers, and keeps those that it could not: the first wait that is interrupted is
// the only one.
func freeAll(buffers *[]*cuda.Buffer) error {
	for len(*buffers) > 0 {
		if err := (*buffers)[0].Close(); err != nil {
			return err
		}
		*buffers = (*buffers)[1:]
	}
	return nil
}

// Table is the card of what is resident.
func (r *Resident) Table() display.Table {
	t := display.Card("Resident image")
	if err := r.usable("Resident.Table"); err != nil {
		t.Add("state", err.Error())
		return *t
	}
	t.Add("device", r.dev.String()).Add("rows", r.rows).Add("classes and pairs", r.ids).Add("unions", r.pairs)
	t.Add("slots", r.slots).Add("traffic of a round", display.Bytes(r.Bytes()))
	return *t
}

// NewResident brings an image and unions of its classes to a device. Errors are those of Close.
func NewResident(dev *cuda.Device, m *image.Image, unions []image.Pair) (*Resident, error) {
	if err := given("NewResident", dev, m); err != nil {
		return nil, err
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	ids, err := size(m, unions)
	if err != nil {
		return nil, err
	}
	return newResident(dev, pack(m, ids, unions), ids)
}
