package cuda

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A counter only grows. One that would overflow stays where it is, and that is counted.
type counter struct{ v, overflows atomic.Uint64 }

func (c *counter) add(n uint64) {
	if c.v.Add(n) < n {
		c.v.Add(-n)
		c.overflows.Add(1)
	}
}

// product is a*b, or what overflows every counter.
func product(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return math.MaxUint64
	}
	return lo
}

// sum is a+b, or what overflows every counter.
func sum(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return s
}

// traffic counts copies and their bytes one way.
type traffic struct{ copies, bytes counter }

func (t *traffic) moved(n uint64) {
	if n == 0 {
		return
	}
	t.copies.add(1)
	t.bytes.add(n)
}

// counters is what a device counts; the rows of table name and explain each.
type counters struct {
	toDevice, toHost                   traffic
	launches, graphLaunches, syncs     counter
	allocations, parameterBytes        counter
	timed, deviceNS, enqueueNS, waitNS counter
	slots, elements                    counter
}

// A counterRow names one counter.
type counterRow struct {
	name, help string
	of         func(*counters) *counter
}

var counterRows = []counterRow{
	{"host_to_device_bytes", "Bytes copied from the host to the device.", func(c *counters) *counter { return &c.toDevice.bytes }},
	{"device_to_host_bytes", "Bytes copied from the device to the host.", func(c *counters) *counter { return &c.toHost.bytes }},
	{"host_to_device_copies", "Copies from the host to the device.", func(c *counters) *counter { return &c.toDevice.copies }},
	{"device_to_host_copies", "Copies from the device to the host.", func(c *counters) *counter { return &c.toHost.copies }},
	{"launches", "Kernel launches.", func(c *counters) *counter { return &c.launches }},
	{"graph_launches", "Graph launches.", func(c *counters) *counter { return &c.graphLaunches }},
	{"synchronizations", "Waits for a stream, an event or the device.", func(c *counters) *counter { return &c.syncs }},
	{"allocations", "Device memory allocations.", func(c *counters) *counter { return &c.allocations }},
	{"parameter_bytes", "Bytes of kernel parameters.", func(c *counters) *counter { return &c.parameterBytes }},
	{"timed_dispatches", "Dispatches that were timed.", func(c *counters) *counter { return &c.timed }},
	{"device_nanoseconds", "Device time of timed dispatches.", func(c *counters) *counter { return &c.deviceNS }},
	{"enqueue_nanoseconds", "Host time that enqueueing timed dispatches took.", func(c *counters) *counter { return &c.enqueueNS }},
	{"wait_nanoseconds", "Host time spent waiting for timed dispatches.", func(c *counters) *counter { return &c.waitNS }},
	{"thread_slots", "Threads that launches scheduled.", func(c *counters) *counter { return &c.slots }},
	{"launched_elements", "Elements that launches were for, where the caller said.", func(c *counters) *counter { return &c.elements }},
}

// Telemetry is what a device counted up to a moment.
type Telemetry struct {
	Device string
	// Values are the counters by name, in the order of Names.
	Values map[string]uint64
	// Overflowed counts additions that were left out because a counter would have overflowed.
	Overflowed uint64
}

// Telemetry reads the device's counters. They only grow.
func (d *Device) Telemetry() Telemetry {
	t := Telemetry{Device: d.String(), Values: map[string]uint64{}}
	for _, row := range counterRows {
		c := row.of(&d.counters)
		t.Values[row.name] = c.v.Load()
		t.Overflowed += c.overflows.Load()
	}
	return t
}

// Names are the counters' names in the order of the table.
func (Telemetry) Names() []string {
	names := make([]string, len(counterRows))
	for i, row := range counterRows {
		names[i] = row.name
	}
	return names
}

// Utilisation is the share of scheduled threads that had an element, in basis points, and Waste the
// rest; ok is false where no launch said its elements.
func (t Telemetry) Utilisation() (used, waste uint64, ok bool) {
	slots, elements := t.Values["thread_slots"], t.Values["launched_elements"]
	if slots == 0 || elements == 0 {
		return 0, 0, false
	}
	used = uint64(math.Round(float64(min(elements, slots)) / float64(slots) * 10000))
	return used, 10000 - used, true
}

// Sub is what was counted since an earlier moment.
func (t Telemetry) Sub(earlier Telemetry) Telemetry {
	d := Telemetry{Device: t.Device, Values: map[string]uint64{}, Overflowed: t.Overflowed - earlier.Overflowed}
	for name, v := range t.Values {
		d.Values[name] = v - earlier.Values[name]
	}
	return d
}

// Table is the counters, one a row.
func (t Telemetry) Table() display.Table {
	table := display.NewTable("Telemetry of "+t.Device, display.Column{Title: "counter", Kind: display.Label},
		display.Column{Title: "value", Kind: display.Number}, display.Column{Title: "meaning"})
	for _, row := range counterRows {
		v := any(t.Values[row.name])
		switch {
		case len(row.name) > 6 && row.name[len(row.name)-6:] == "_bytes":
			v = display.Bytes(t.Values[row.name])
		case len(row.name) > 12 && row.name[len(row.name)-12:] == "_nanoseconds":
			v = time.Duration(min(t.Values[row.name], math.MaxInt64))
		}
		table.Add(row.name, v, row.help)
	}
	if used, waste, ok := t.Utilisation(); ok {
		table.Note(basisPoints(used) + " of the scheduled threads had an element, " + basisPoints(waste) + " had none.")
	}
	return *table
}
