package join

import (
	_ "embed"
	"errors"
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda"
)

//go:embed join.ptx
var ptx string

// A pipeline is the captured graph of a key with the buffers that it works on.
type pipeline struct {
	key                    Key
	probe, build           *cuda.Buffer
	counts, offsets, total *cuda.Buffer
	rows                   *cuda.Buffer
	graph                  *cuda.Graph
	owned                  []*cuda.Buffer
}

// capture allocates for the classes of the key and records the pipeline.
func (j *Joiner) capture(key Key) (p *pipeline, err error) {
	p = &pipeline{key: key}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
			p = nil
		}
	}()
	words := func(n uint32) *cuda.Buffer {
		if err != nil {
			return nil
		}
		var b *cuda.Buffer
		if b, err = j.dev.Make(int(n), uint32(0)); err == nil {
			p.owned = append(p.owned, b)
		}
		return b
	}
	p.probe, p.build = words(key.ProbeCapacity), words(key.BuildCapacity)
	p.counts, p.offsets, p.total = words(key.ProbeCapacity), words(key.ProbeCapacity), words(1)
	p.rows = words(2 * key.OutputCapacity)
	var scratch []*cuda.Buffer
	for _, n := range key.Scan.Lengths() {
		scratch = append(scratch, words(n))
	}
	if err != nil {
		return p, err
	}
	p.graph, err = j.dev.Capture(func(s *cuda.Stream) { j.record(s, p, scratch) })
	return p, err
}

// record submits the pipeline; Capture reports what fails in it.
func (j *Joiner) record(s *cuda.Stream, p *pipeline, scratch []*cuda.Buffer) {
	n, block := int(p.key.ProbeCapacity), cuda.Block(ScanBlock)
	grid := cuda.GridFor(n, ScanBlock)
	_ = s.Launch(j.kernels["count"], grid, block, p.probe, 0, p.build, 0, p.counts, n)
	j.scan(s, p.counts, p.offsets, p.total, n, scratch, 0)
	_ = s.Launch(j.kernels["emit"], grid, block, p.probe, 0, p.build, 0, p.offsets, p.rows, int(p.key.OutputCapacity))
}

// scan records one level: the blocks' own sums, the scan of those where there is more than one
// block, and their addition.
func (j *Joiner) scan(s *cuda.Stream, in, out, total *cuda.Buffer, n int, scratch []*cuda.Buffer, level int) {
	grid, block := cuda.GridFor(n, ScanBlock), cuda.Block(ScanBlock)
	sums := total
	if len(scratch) > 0 {
		sums = scratch[0]
	}
	_ = s.Launch(j.kernels["scan"], grid, block, in, out, sums, n, cuda.Named(fmt.Sprint("scan level ", level)))
	if len(scratch) == 0 {
		return
	}
	j.scan(s, sums, sums, total, sums.Len(), scratch[1:], level+1)
	_ = s.Launch(j.kernels["add"], grid, block, out, sums, n, cuda.Named(fmt.Sprint("add level ", level)))
}

// close gives the graph back and then its buffers.
func (p *pipeline) close() error {
	var errs []error
	if p.graph != nil {
		errs = append(errs, p.graph.Close())
	}
	for _, b := range p.owned {
		errs = append(errs, b.Close())
	}
	return errors.Join(errs...)
}
