package cuda

import (
	"fmt"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// LaunchCounts is what launches did, counted by the emulated device: one report a launch, each a
// card of its own with its instruction mix, coalescing, bank conflicts and divergence.
type LaunchCounts struct {
	Launches []*LaunchReport
}

// launchCounter is the ability of a context to count.
type launchCounter interface {
	Profile(on bool) []*vm.Report
}

// CountLaunches runs work and counts what the launches on this device do meanwhile, in any stream;
// it waits for them. Kernels are compiled once more for it, so times are longer than without.
func (d *Device) CountLaunches(work func() error) (*LaunchCounts, error) {
	const op = "Device.CountLaunches"
	if err := d.mayWait(op); err != nil {
		return nil, err
	}
	if work == nil {
		return nil, &Error{Op: op, Want: "a function that launches", Got: "nil"}
	}
	p, ok := d.ctx.(launchCounter)
	if !ok {
		return nil, &Error{Op: op, What: d.String(), Want: "the emulated device, which counts every access", Got: "a GPU",
			Fix: `open the device with cuda.Open("emulated"), or use Nsight Compute for a GPU`, code: driver.ErrorNotSupported}
	}
	if err := d.Synchronize(); err != nil {
		return nil, err
	}
	p.Profile(true)
	err := work()
	if waited := d.Synchronize(); err == nil {
		err = waited
	}
	reports := p.Profile(false)
	if err != nil {
		return nil, err
	}
	return &LaunchCounts{Launches: reports}, nil
}

// Table has a row for each launch.
func (p *LaunchCounts) Table() display.Table {
	number := func(title string) display.Column { return display.Column{Title: title, Kind: display.Number} }
	t := display.Table{
		Caption: fmt.Sprintf("%d launches", len(p.Launches)),
		Columns: []display.Column{{Title: "kernel", Kind: display.Label}, {Title: "grid", Kind: display.Code},
			{Title: "block", Kind: display.Code}, number("lane instructions"),
			number("sectors a request"), number("bytes"), number("bank conflicts"), number("divergences"), number("time")},
		Notes: []string{"Counted by the emulated device; a warp that reads 128 aligned bytes touches 4 sectors. " +
			"Launches[i] is the card of one launch."},
	}
	for _, r := range p.Launches {
		c := r.Counters
		t.Add(driver.KernelName(r.Kernel), fmt.Sprint(r.Grid), fmt.Sprint(r.Block), r.LaneInstructions,
			fmt.Sprintf("%.1f", float64(c.GlobalSectors)/float64(max(c.GlobalRequests, 1))), c.GlobalBytes, c.BankConflicts,
			c.Divergences, r.Duration.Round(time.Microsecond))
	}
	return t
}
