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

// counters is what a device counts beside its ledger; the rows of table name and explain each.
type counters struct {
	toDevice, toHost                   traffic
	syncs, allocations                 counter
	timed, deviceNS, enqueueNS, waitNS counter
}

// A counterRow names one counter.
type counterRow struct {
	name, help string
	of         func(*counters) *counter // or, where the ledger has it,
	in         func(*load) uint64
}

var counterRows = []counterRow{
	{name: "host_to_device_bytes", help: "Bytes copied from the host to the device.",
		of: func(c *counters) *counter { return &c.toDevice.bytes }},
	{name: "device_to_host_bytes", help: "Bytes copied from the device to the host.",
		of: func(c *counters) *counter { return &c.toHost.bytes }},
	{name: "host_to_device_copies", help: "Copies from the host to the device.",
		of: func(c *counters) *counter { return &c.toDevice.copies }},
	{name: "device_to_host_copies", help: "Copies from the device to the host.",
		of: func(c *counters) *counter { return &c.toHost.copies }},
	{name: "launches", help: "Kernel launches.", in: func(l *load) uint64 { return l.launches }},
	{name: "graph_launches", help: "Graph launches.", in: func(l *load) uint64 { return l.graphs }},
	{name: "synchronizations", help: "Waits for a stream, an event or the device.",
		of: func(c *counters) *counter { return &c.syncs }},
	{name: "allocations", help: "Device memory allocations.", of: func(c *counters) *counter { return &c.allocations }},
	{name: "parameter_bytes", help: "Bytes of kernel parameters.", in: func(l *load) uint64 { return l.bytes }},
	{name: "timed_dispatches", help: "Dispatches that were timed.", of: func(c *counters) *counter { return &c.timed }},
	{name: "device_nanoseconds", help: "Device time of timed dispatches.",
		of: func(c *counters) *counter { return &c.deviceNS }},
	{name: "enqueue_nanoseconds", help: "Host time that enqueueing timed dispatches took.",
		of: func(c *counters) *counter { return &c.enqueueNS }},
	{name: "wait_nanoseconds", help: "Host time spent waiting for timed dispatches.",
		of: func(c *counters) *counter { return &c.waitNS }},
	{name: "thread_slots", help: "Threads that launches scheduled.", in: func(l *load) uint64 { return l.slots }},
	{name: "launched_elements", help: "Elements that launches were for, where the caller said.",
		in: func(l *load) uint64 { return l.elements }},
}

// Telemetry is what a device counted up to a moment.
type Telemetry struct {
	Device string
	// Values are the counters by name, in the order of Names.
	Values map[string]uint64
	// Overflowed counts additions that were left out because a counter would have overflowed.
	Overflowed uint64
}

// graphs are those that the device owns.
func (d *Device) graphs() []*Graph {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var gs []*Graph
	for c := range d.owned {
		if g, ok := c.(*Graph); ok {
			gs = append(gs, g)
		}
	}
	return gs
}

// Telemetry reads the device's counters. They only grow.
func (d *Device) Telemetry() Telemetry {
	t := Telemetry{Device: d.String(), Values: map[string]uint64{}}
	if d == nil {
		return t
	}
	for _, g := range d.graphs() {
		g.count()
	}
	enqueued, missed := d.ledger.total()
	t.Overflowed = missed
	for _, row := range counterRows {
		if row.in != nil {
			t.Values[row.name] = row.in(&enqueued)
			continue
		}
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
