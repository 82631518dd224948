package join

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Joiner joins on one device. It keeps the graphs of the classes of sizes it has seen.
type Joiner struct {
	dev     *cuda.Device
	mod     *cuda.Module
	kernels map[string]*cuda.Kernel
	cache   *cuda.Cache[Key, *pipeline]

	mu       sync.Mutex  // a pipeline's buffers serve one join at a time
	launches uint64      // guarded by mu
	latest   *cuda.Graph // guarded by mu
	closed   bool        // guarded by mu
}

// Stats are what a Joiner did.
type Stats struct {
	// Captures is how many graphs were made, Launches how many ran, Hits how often a graph was
	// there.
	Captures, Launches, Hits uint64
}

// A Row is a pair of equal keys, by their places in the inputs.
type Row struct{ Probe, Build uint32 }

// graphsKept bounds the graphs a Joiner keeps.
const graphsKept = 16

// check refuses a Joiner that New did not make, and a closed one.
func (j *Joiner) check(op string) error {
	got := "one that is closed"
	switch {
	case j == nil:
		got = "nil"
	case j.dev == nil:
		got = "a zero Joiner"
	case !j.isClosed():
		return nil
	}
	return &cuda.Error{Op: op, Want: "an open Joiner", Got: got, Fix: "make one with join.New"}
}

func (j *Joiner) isClosed() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.closed
}

// New loads the pipeline's kernels on a device. Close the Joiner before the device.
func New(dev *cuda.Device) (*Joiner, error) {
	if dev == nil {
		return nil, &cuda.Error{Op: "join.New", Want: "an open device", Got: "nil", Fix: "open one with cuda.Open"}
	}
	mod, err := dev.LoadPTX(ptx)
	if err != nil {
		return nil, err
	}
	cache, err := cuda.NewCache[Key](graphsKept, (*pipeline).close)
	if err != nil {
		return nil, errors.Join(err, mod.Close())
	}
	j := &Joiner{dev: dev, mod: mod, kernels: map[string]*cuda.Kernel{}, cache: cache}
	for _, name := range []string{"count", "scan", "add", "emit"} {
		if j.kernels[name], err = mod.Kernel(name); err != nil {
			return nil, errors.Join(err, mod.Close())
		}
	}
	return j, nil
}

// A SizeError says that an input, or the output, is longer than a join can be.
type SizeError struct {
	Side string // "probe", "build" or "output"
	// Length is the number of keys or rows; of an output it is 2^32-1 where there are as many or
	// more.
	Length uint64
}

func (e *SizeError) Error() string {
	least, what := "", "keys"
	if e.Side == "output" {
		what = "rows"
		if e.Length == math.MaxUint32 {
			least = "at least "
		}
	}
	const fix = "What to do: join parts of the probe side, one after the other"
	return fmt.Sprintf("join: the %s has %s%d %s; want at most %d\n%s", e.Side, least, e.Length, what, maxKeys, fix)
}

// tooLong refuses an input or an output that no join can have.
func tooLong(side string, n int) error {
	if n <= maxKeys {
		return nil
	}
	return &SizeError{side, uint64(n)}
}

// maxKeys keeps every buffer of a class within what a slice and a launch can have.
const maxKeys = 1 << 30

// Inner gives every pair of equal keys, by the probe key's place and then the build key's. The
// output is as large as it is: where it outgrows its class the join runs again in the class that
// holds it.
func (j *Joiner) Inner(probe, build []uint32) ([]Row, error) {
	if err := j.check("Joiner.Inner"); err != nil {
		return nil, err
	}
	if err := errors.Join(tooLong("probe", len(probe)), tooLong("build", len(build))); err != nil {
		return nil, err
	}
	if len(probe) == 0 || len(build) == 0 {
		return nil, nil
	}
	output := uint32(max(len(probe), len(build)))
	for {
		rows, total, err := j.run(probe, build, output)
		if err != nil || rows != nil || total == 0 {
			return rows, err
		}
		if err := tooLong("output", int(total)); err != nil {
			return nil, err
		}
		output = total
	}
}

// run joins in the class of output rows; rows is nil where there are more, and total says how many.
func (j *Joiner) run(probe, build []uint32, output uint32) (rows []Row, total uint32, err error) {
	key, err := InnerKey(1, 4, uint32(len(probe)), output)
	if err != nil {
		return nil, 0, err
	}
	key.BuildCapacity = CapacityClass(uint32(len(build)))
	p, release, err := j.cache.Get(key, func() (*pipeline, error) { return j.capture(key) })
	if err != nil {
		return nil, 0, err
	}
	defer release()
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := p.set(probe, build); err != nil {
		return nil, 0, err
	}
	if err := p.graph.Launch(); err != nil {
		return nil, 0, err
	}
	j.launches++
	j.latest = p.graph
	return p.collect()
}

// set writes the input and its lengths; nothing is captured again.
func (p *pipeline) set(probe, build []uint32) error {
	errs := []error{p.probe.Write(0, probe), p.build.Write(0, build)}
	for _, node := range []string{"count", "emit"} {
		errs = append(errs, p.graph.SetArg(node, 1, uint32(len(probe))), p.graph.SetArg(node, 3, uint32(len(build))))
	}
	return errors.Join(errs...)
}

// collect reads the number of rows and, where they fit, the rows.
func (p *pipeline) collect() ([]Row, uint32, error) {
	n := make([]uint32, 1)
	if err := p.total.Read(0, n); err != nil {
		return nil, 0, err
	}
	total := n[0]
	if total == 0 || total > p.key.OutputCapacity {
		return nil, total, nil
	}
	flat := make([]uint32, 2*uint64(min(total, math.MaxInt32)))
	if err := p.rows.Read(0, flat); err != nil {
		return nil, 0, err
	}
	rows := make([]Row, total)
	for i := range rows {
		rows[i] = Row{flat[2*i], flat[2*i+1]}
	}
	return rows, total, nil
}

// Stats says what the Joiner did so far, also behind Close.
func (j *Joiner) Stats() Stats {
	if j == nil || j.dev == nil {
		return Stats{}
	}
	c := j.cache.Stats()
	j.mu.Lock()
	defer j.mu.Unlock()
	return Stats{Captures: c.Misses, Launches: j.launches, Hits: c.Hits}
}

// Graph is the pipeline that the latest join ran, to be looked at and timed; nil before the first.
// It belongs to the Joiner, which may close it when it makes room for another class.
func (j *Joiner) Graph() *cuda.Graph {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.latest
}

// Table is the Joiner's card: what it did so far.
func (j *Joiner) Table() display.Table {
	if j == nil || j.dev == nil {
		t := display.Card("Joiner")
		t.Note("This Joiner was not made by join.New.")
		return *t
	}
	s := j.Stats()
	t := display.Card("Joiner on " + j.dev.String())
	t.Add("joins run", s.Launches)
	t.Add("graphs captured", s.Captures)
	t.Add("graphs found", s.Hits)
	if j.isClosed() {
		t.Note("The Joiner is closed.")
	}
	return *t
}

// Close waits for the join that runs and gives the graphs and the kernels back.
func (j *Joiner) Close() error {
	if err := j.check("Joiner.Close"); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed { // by another goroutine meanwhile
		return nil
	}
	j.closed, j.latest = true, nil
	return errors.Join(j.cache.Close(), j.mod.Close())
}
