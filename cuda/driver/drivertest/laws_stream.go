package drivertest

import (
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// slowSpins keeps the slow kernel busy for milliseconds on hardware and is bearable on an emulator.
const slowSpins = 20000

var streamLaws = []law{
	{"order", "launches of one stream run in order", func(f *fixture) {
		p, s, k := upload(f, []uint32{1}), f.stream(), f.kernel("affine")
		want := uint32(1)
		for i := range uint32(50) {
			f.launch(k, 1, 32, s, pack(p, uint32(3), i, uint32(1)))
			want = want*3 + i
		}
		f.must("Synchronize", s.Synchronize())
		if got := download[uint32](f, p, 1)[0]; got != want {
			f.broken("%d, want %d", got, want)
		}
	}},
	{"query", "Query is ErrorNotReady while work is pending and nil when it is done", func(f *fixture) {
		p, s := upload(f, []uint32{0}), f.stream()
		f.must("Query of an empty stream", s.Query())
		f.launch(f.kernel("slow"), 1, 1, s, pack(p, uint32(slowSpins)))
		f.eventually("the stream running empty", func() bool {
			err := s.Query()
			if err != nil {
				f.wants("Query", err, driver.ErrorNotReady)
			}
			return err == nil
		})
		if v := download[uint32](f, p, 1)[0]; v != 1 {
			f.broken("Query says done and the kernel's store is not there: %d", v)
		}
	}},
	{"properties", "a stream tells its flags, priority and context", func(f *fixture) {
		least, greatest, err := f.ctx.StreamPriorityRange()
		f.must("StreamPriorityRange", err)
		if least < greatest {
			f.broken("the least urgent priority is %d and the most urgent %d", least, greatest)
		}
		s := get[driver.Stream](f, "CreateStream")(f.ctx.CreateStream(driver.StreamNonBlocking, greatest-100))
		f.release("Destroy", s.Destroy)
		if p := get[int](f, "Priority")(s.Priority()); p != greatest {
			f.broken("priority %d, want the nearer end %d", p, greatest)
		}
		if fl := get[driver.StreamFlags](f, "Flags")(s.Flags()); fl != driver.StreamNonBlocking {
			f.broken("flags %d", fl)
		}
		if s.Context() != f.ctx || s.Handle() == 0 {
			f.broken("the stream is of another context")
		}
	}},
	{"events order streams", "WaitEvent holds a stream back until the event's record is done", func(f *fixture) {
		p, a, b, e := upload(f, []uint32{0}), f.stream(), f.stream(), f.event(driver.EventDisableTiming)
		f.launch(f.kernel("slow"), 1, 1, a, pack(p, uint32(slowSpins)))
		f.must("Record", e.Record(a))
		f.must("WaitEvent", b.WaitEvent(e))
		f.launch(f.kernel("affine"), 1, 1, b, pack(p, uint32(10), uint32(5), uint32(1)))
		f.must("Synchronize", b.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 15 {
			f.broken("%d, want (0+1)*10+5", v)
		}
	}},
	{"event state", "an event is done before its first record and after its work, and not in between", func(f *fixture) {
		p, s, e := upload(f, []uint32{0}), f.stream(), f.event(0)
		f.must("Query before any record", e.Query())
		f.launch(f.kernel("slow"), 1, 1, s, pack(p, uint32(slowSpins)))
		f.must("Record", e.Record(s))
		if err := e.Query(); err != nil {
			f.wants("Query", err, driver.ErrorNotReady)
		}
		f.must("Synchronize", e.Synchronize())
		f.must("Query", e.Query())
	}},
	{"elapsed", "elapsed time is positive around work and not negative around none", func(f *fixture) {
		p, s := upload(f, []uint32{0}), f.stream()
		start, middle, end := f.event(0), f.event(0), f.event(0)
		f.must("Record", start.Record(s))
		f.launch(f.kernel("slow"), 1, 1, s, pack(p, uint32(slowSpins)))
		f.must("Record", middle.Record(s))
		f.must("Record", end.Record(s))
		f.must("Synchronize", end.Synchronize())
		work := get[float32](f, "Elapsed")(middle.ElapsedMilliseconds(start))
		none := get[float32](f, "Elapsed")(end.ElapsedMilliseconds(middle))
		if work <= 0 || none < 0 || none > work {
			f.broken("%v ms around a slow kernel, %v ms around nothing", work, none)
		}
	}},
	{"elapsed refused", "elapsed time needs two records and timing", func(f *fixture) {
		s, a, b, untimed := f.stream(), f.event(0), f.event(0), f.event(driver.EventDisableTiming)
		f.must("Record", a.Record(s))
		f.must("Record", untimed.Record(s))
		f.must("Synchronize", s.Synchronize())
		_, err := b.ElapsedMilliseconds(a)
		f.wants("an event never recorded", err, driver.ErrorInvalidHandle)
		_, err = untimed.ElapsedMilliseconds(a)
		f.wants("an event without timing", err, driver.ErrorInvalidHandle)
	}},
	{"default waits", "the default stream waits for blocking streams", func(f *fixture) {
		s := get[driver.Stream](f, "CreateStream")(f.ctx.CreateStream(driver.StreamDefault, 0))
		f.release("Destroy", s.Destroy)
		p := upload(f, []uint32{0})
		f.launch(f.kernel("slow"), 1, 1, s, pack(p, uint32(slowSpins)))
		f.launch(f.kernel("affine"), 1, 1, nil, pack(p, uint32(10), uint32(0), uint32(1)))
		f.must("Synchronize", f.ctx.Synchronize())
		if v := download[uint32](f, p, 1)[0]; v != 10 {
			f.broken("%d, want (0+1)*10", v)
		}
	}},
	{"host function", "a host function runs in stream order, before work behind it", func(f *fixture) {
		p, s := upload(f, []uint32{0}), f.stream()
		out := make([]byte, 4)
		var seen, ran atomic.Uint32
		f.launch(f.kernel("slow"), 1, 1, s, pack(p, uint32(slowSpins)))
		f.must("CopyDtoHAsync", f.ctx.CopyDtoHAsync(out, p, s))
		f.must("LaunchHost", s.LaunchHost(func() { seen.Store(decode[uint32](out)[0]); ran.Add(1) }))
		f.must("Synchronize", s.Synchronize())
		if seen.Load() != 1 || ran.Load() != 1 {
			f.broken("ran %d times and saw %d", ran.Load(), seen.Load())
		}
	}},
	{"destroyed", "streams and events are refused after they were destroyed; destroying does not wait or lose work",
		func(f *fixture) {
			p, k := upload(f, []uint32{0}), f.kernel("slow")
			s := get[driver.Stream](f, "CreateStream")(f.ctx.CreateStream(0, 0))
			e := get[driver.Event](f, "CreateEvent")(f.ctx.CreateEvent(0))
			f.launch(k, 1, 1, s, pack(p, uint32(slowSpins)))
			f.must("Stream.Destroy", s.Destroy())
			f.must("Event.Destroy", e.Destroy())
			f.must("Synchronize", f.ctx.Synchronize())
			if v := download[uint32](f, p, 1)[0]; v != 1 {
				f.broken("work of a destroyed stream was lost")
			}
			f.wants("Stream.Synchronize", s.Synchronize(), driver.ErrorInvalidHandle, driver.ErrorContextIsDestroyed)
			f.wants("Stream.Destroy", s.Destroy(), driver.ErrorInvalidHandle)
			f.wants("Event.Destroy", e.Destroy(), driver.ErrorInvalidHandle)
			f.wants("Record", e.Record(nil), driver.ErrorInvalidHandle)
			f.wants("the default stream", f.ctx.DefaultStream().Destroy(), driver.ErrorInvalidHandle)
		}},
}
