package device

import (
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

//go:embed saturate.ptx
var saturatePTX string

// saturateThreads is the block that eg_saturate is compiled for; batch is how many iterations a
// launch runs at most.
const (
	saturateThreads = 256
	batch           = 256
)

// An Engine runs equality saturation on a device, for egraph.On and egraph.Auto.
type Engine struct {
	dev   *cuda.Device
	start capacities // what tests begin with
}

// New gives the engine of a device.
func New(dev *cuda.Device) *Engine { return &Engine{dev: dev} }

// String names the device.
func (e *Engine) String() string {
	if e == nil || e.dev == nil {
		return "no device"
	}
	return e.dev.String()
}

// Saturate runs a job in as few launches as may be: one for all iterations, one for each where the
// host looks in between, and one more after every tenth of a second, so that an interrupt is heard
// once the iteration under way is done. A limit of nodes or time ends an iteration in its midst;
// the pairs that wide rows are made of count as nodes there. Rules of more than 16 steps or 128
// registers, counted with these pairs, more than 1020 operators and 2^27 ids are an
// *accel.UnfitError.
func (e *Engine) Saturate(j *accel.Job) (*accel.Outcome, error) {
	switch {
	case e == nil || e.dev == nil:
		return nil, &UseError{"Engine.Saturate", "the device is nil; cuda.Open gives one"}
	case j == nil:
		return nil, &UseError{"Engine.Saturate", "the job is nil"}
	}
	p, err := compile(j)
	if err == nil && len(j.Parents) > maxIDs/2 {
		err = refuse("%d ids, rows on a device have room for %d", len(j.Parents), maxIDs/2)
	}
	var no *unfit
	if errors.As(err, &no) {
		return nil, &accel.UnfitError{Where: e.String(), Reason: no.reason}
	}
	s := &saturation{pool: pool{dev: e.dev}, job: j, program: p, out: &accel.Outcome{Rules: make([]accel.RuleCounts,
		len(j.Rules))}}
	through := false
	defer func() {
		if !through { // a function of the person's ended the goroutine, or panicked
			_ = s.close()
		}
	}()
	start := time.Now()
	err = s.upload(e.start)
	s.out.Upload = time.Since(start)
	if err == nil {
		err = s.run()
	}
	start = time.Now()
	if err == nil {
		err = s.download()
	}
	through = true
	if err = release(err, s.close); err != nil {
		return nil, err
	}
	s.out.Download = time.Since(start)
	return s.out, nil
}

// saturation is one job on a device.
type saturation struct {
	pool
	job     *accel.Job
	program *program
	out     *accel.Outcome
	module  *cuda.Module
	kernel  *cuda.Kernel
	blocks  int
	cap     capacities
	rows    []uint64 // as uploaded
	classes []uint32
	ids     int
	now     [stateWords]uint32 // the state, as last read
}

func (s *saturation) close() error {
	err := s.free()
	if s.module != nil {
		err = errors.Join(err, s.module.Close())
	}
	return err
}

// run launches until the job is done. An iteration that a capacity undid has left its merges in the
// forest and is run again before anything else may end the job, with no time to spare where one of
// these reasons is there: only an iteration that is recorded leaves a closed graph.
func (s *saturation) run() error {
	for s.out.Stop == "" {
		reason := s.mayEnd()
		undone := s.now[stateRedo] != 0
		if reason != "" && !undone {
			s.stop(reason, "before iteration %d on the device", len(s.out.Iterations)+1)
			return nil
		}
		if err := s.launch(reason); err != nil {
			return err
		}
	}
	return nil
}

// mayEnd gives the host's reason to end the job, "" for none.
func (s *saturation) mayEnd() accel.StopReason {
	switch {
	case s.job.Context != nil && s.job.Context.Err() != nil:
		return accel.Interrupted
	case !s.job.Deadline.IsZero() && !time.Now().Before(s.job.Deadline):
		return accel.TimeLimit
	}
	return ""
}

func (s *saturation) stop(reason accel.StopReason, format string, args ...any) {
	s.out.Stop, s.out.Detail = reason, fmt.Sprintf(format, args...)
}

// launch runs iterations until one of the device's reasons to stop, and does what it asks. With a
// reason to end, the iteration ends as soon as it can.
func (s *saturation) launch(end accel.StopReason) error {
	most := min(batch, s.job.Iterations-len(s.out.Iterations))
	if s.job.Each != nil {
		most = 1
	}
	left := time.Duration(1 << 62)
	if !s.job.Deadline.IsZero() {
		left = max(0, time.Until(s.job.Deadline))
	}
	if end != "" {
		most, left = 1, 0
	}
	if most <= 0 {
		s.stop(accel.IterationLimit, "")
		return nil
	}
	if err := s.state.Write(0, []uint32{0, running}); err != nil {
		return err
	}
	if err := s.state.Write(stateDone, []uint32{0}); err != nil {
		return err
	}
	run, err := s.dev.Dispatch(s.kernel, cuda.Grid(s.blocks), cuda.Block(saturateThreads), cuda.Cooperative(),
		cuda.Shared(s.program.sharedBytes()), s.state, s.pool.program, s.tables, s.stats, s.reports,
		s.keys[0], s.keys[1], s.pool.classes[0], s.pool.classes[1], s.parent, s.buckets, s.table, s.roots, s.tasks, s.records,
		uint32(s.cap.rows), uint32(s.cap.ids), uint32(s.cap.slots), uint64(s.cap.buckets), uint32(s.cap.tasks),
		uint32(s.cap.records), uint32(s.nodeLimit()), uint32(most), uint64(left))
	if err != nil {
		return err
	}
	s.out.Device += run.DeviceTime
	if err := s.state.Read(0, s.now[:]); err != nil {
		return err
	}
	if err := s.record(); err != nil {
		return err
	}
	switch status := s.now[stateStatus]; status {
	case stopNodes:
		s.stop(accel.NodeLimit, "within iteration %d on the device, the limit is %d", len(s.out.Iterations), s.job.Nodes)
	case stopTime:
		if end == "" {
			end = accel.TimeLimit
		}
		s.stop(end, "within iteration %d on the device", len(s.out.Iterations))
	case stopSaturated:
		s.stop(accel.Saturated, "")
	case stopIterations:
		if len(s.out.Iterations) >= s.job.Iterations {
			s.stop(accel.IterationLimit, "")
		}
	default:
		return s.grow(status)
	}
	return nil
}

// nodeLimit is the job's limit as far as keys have room.
func (s *saturation) nodeLimit() int { return max(0, min(s.job.Nodes, maxIDs-2)) }

// record takes over the reports of the iterations since the launch.
func (s *saturation) record() error {
	n := int(s.now[stateDone])
	words := make([]uint64, n*reportWords)
	if n == 0 {
		return nil
	}
	if err := s.reports.Read(0, words); err != nil {
		return err
	}
	for ; len(words) > 0; words = words[reportWords:] {
		i := accel.Iteration{Matches: int(words[reportMatches]),
			Unions: int(words[reportUnions]),
			Nodes:  int(words[reportNodes]), Classes: int(words[reportClasses]), Prepare: time.Duration(words[reportPrepare]),
			Match:   time.Duration(words[reportMatch]),
			Rebuild: time.Duration(words[reportRebuild])}
		s.out.Iterations = append(s.out.Iterations, i)
		if s.job.Each != nil {
			s.job.Each(i)
		}
	}
	return nil
}
