package drivertest

import (
	"bytes"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

var memoryLaws = []law{
	{"round trip", "what is copied to the device comes back, for any size and offset", func(f *fixture) {
		for _, n := range []int{1, 3, 256, 4097, 1<<20 + 1} {
			p := f.alloc(uint64(n))
			in, out := make([]byte, n), make([]byte, n)
			for i := range in {
				in[i] = byte(i*7 + n)
			}
			f.must("CopyHtoD", f.ctx.CopyHtoD(p, in))
			f.must("CopyDtoH", f.ctx.CopyDtoH(out, p))
			equal(f, "bytes", out, in)
			if n > 2 {
				f.must("CopyHtoD inside", f.ctx.CopyHtoD(p+1, []byte{0xAB}))
				f.must("CopyDtoH inside", f.ctx.CopyDtoH(out[:3], p))
				equal(f, "bytes", out[:3], []byte{in[0], 0xAB, in[2]})
			}
		}
	}},
	{"alignment", "allocations are aligned to 256 bytes and do not overlap", func(f *fixture) {
		a, b := f.alloc(1), f.alloc(300)
		if a%256 != 0 || b%256 != 0 || a == 0 || a == b {
			f.broken("%s and %s", a, b)
		}
	}},
	{"nothing", "an allocation of nothing is ErrorInvalidValue; a copy or fill of nothing does nothing", func(f *fixture) {
		_, err := f.ctx.Alloc(0)
		f.wants("Alloc(0)", err, driver.ErrorInvalidValue)
		p := f.alloc(4)
		f.must("CopyHtoD of nothing", f.ctx.CopyHtoD(p, nil))
		f.must("CopyDtoH of nothing", f.ctx.CopyDtoH(nil, p))
		f.must("MemsetD8 of nothing", f.ctx.MemsetD8(p, 1, 0))
	}},
	{"too much", "an allocation larger than the device is ErrorOutOfMemory, and the next one works", func(f *fixture) {
		_, err := f.ctx.Alloc(1 << 46)
		f.wants("Alloc(64 TiB)", err, driver.ErrorOutOfMemory)
		f.alloc(64)
	}},
	{"free once", "freeing twice, or what was never allocated, is ErrorInvalidValue", func(f *fixture) {
		p := get[driver.DevicePtr](f, "Alloc")(f.ctx.Alloc(64))
		f.must("Free", f.ctx.Free(p))
		f.wants("Free again", f.ctx.Free(p), driver.ErrorInvalidValue)
		f.wants("Free of nonsense", f.ctx.Free(12345), driver.ErrorInvalidValue)
	}},
	{"address range", "AddressRange finds the allocation that holds an address", func(f *fixture) {
		p := f.alloc(1000)
		base, n, err := f.ctx.AddressRange(p + 500)
		f.must("AddressRange", err)
		if base != p || n != 1000 {
			f.broken("allocation of 1000 at %s; found %d at %s", p, n, base)
		}
		_, _, err = f.ctx.AddressRange(64)
		f.wants("AddressRange of nothing", err, driver.ErrorNotFound, driver.ErrorInvalidValue)
	}},
	{"fills", "MemsetD8, D16 and D32 fill elements and touch nothing around them", memoryFills},
	{"unaligned fill", "a 16- or 32-bit fill at an address it does not divide is ErrorInvalidValue", func(f *fixture) {
		p := f.alloc(64)
		f.wants("MemsetD16", f.ctx.MemsetD16(p+1, 1, 4), driver.ErrorInvalidValue)
		f.wants("MemsetD32", f.ctx.MemsetD32(p+2, 1, 4), driver.ErrorInvalidValue)
	}},
	{"device to device", "CopyDtoD moves bytes on the device", func(f *fixture) {
		src, dst := upload(f, counting(256)), f.alloc(1024)
		f.must("MemsetD8", f.ctx.MemsetD8(dst, 0xFF, 1024))
		f.must("CopyDtoD", f.ctx.CopyDtoD(dst+4, src, 1016))
		got := download[uint32](f, dst, 256)
		equal(f, "words", got[1:255], counting(254))
		if got[0] != ^uint32(0) || got[255] != ^uint32(0) {
			f.broken("the copy touched its neighbours: %x %x", got[0], got[255])
		}
	}},
	{"stream order", "asynchronous copies and fills happen in the order of their stream", func(f *fixture) {
		s, p, q := f.stream(), f.alloc(1024), f.alloc(1024)
		in := encode(counting(256))
		out := make([]byte, 1024)
		f.must("MemsetD32Async", f.ctx.MemsetD32Async(p, 9, 256, s))
		f.must("CopyHtoDAsync", f.ctx.CopyHtoDAsync(p, in[:512], s))
		f.must("CopyDtoDAsync", f.ctx.CopyDtoDAsync(q, p, 1024, s))
		f.must("MemsetD16Async", f.ctx.MemsetD16Async(q, 0x1234, 1, s))
		f.must("MemsetD8Async", f.ctx.MemsetD8Async(q, 0x56, 1, s))
		f.must("CopyDtoHAsync", f.ctx.CopyDtoHAsync(out, q, s))
		f.must("Synchronize", s.Synchronize())
		want := append(counting(128), repeated(9, 128)...)
		want[0] = 0x1256
		equal(f, "words", decode[uint32](out), want)
	}},
	{"pool", "AllocAsync gives memory that work behind it on the stream may use until FreeAsync", func(f *fixture) {
		s := f.stream()
		p := get[driver.DevicePtr](f, "AllocAsync")(f.ctx.AllocAsync(4096, s))
		out := make([]byte, 4096)
		f.must("MemsetD8Async", f.ctx.MemsetD8Async(p, 0x5A, 4096, s))
		f.must("CopyDtoHAsync", f.ctx.CopyDtoHAsync(out, p, s))
		f.must("FreeAsync", f.ctx.FreeAsync(p, s))
		f.must("Synchronize", s.Synchronize())
		equal(f, "bytes", out, bytes.Repeat([]byte{0x5A}, 4096))
	}},
	{"host memory", "page-locked memory is the host's and, mapped, the device's", func(f *fixture) {
		m := get[driver.HostMemory](f, "AllocHost")(f.ctx.AllocHost(1024, driver.HostAllocDeviceMap))
		copy(m.Bytes(), encode(counting(256)))
		p := get[driver.DevicePtr](f, "DevicePtr")(m.DevicePtr())
		s := f.stream()
		f.launch(f.kernel("affine"), 2, 128, s, pack(p, uint32(2), uint32(1), uint32(256)))
		f.must("Synchronize", s.Synchronize())
		want := counting(256)
		for i := range want {
			want[i] = want[i]*2 + 1
		}
		equal(f, "words", decode[uint32](m.Bytes()), want)
		f.must("Free", m.Free())
		f.wants("Free again", m.Free(), driver.ErrorInvalidHandle)
	}},
}

func repeated(v uint32, n int) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = v
	}
	return s
}

func memoryFills(f *fixture) {
	for _, c := range []struct {
		width int
		fill  func(driver.DevicePtr) error
		want  []byte
	}{
		{1, func(p driver.DevicePtr) error { return f.ctx.MemsetD8(p, 0xA5, 6) }, bytes.Repeat([]byte{0xA5}, 6)},
		{2, func(p driver.DevicePtr) error { return f.ctx.MemsetD16(p, 0x1234, 3) }, bytes.Repeat([]byte{0x34, 0x12}, 3)},
		{4, func(p driver.DevicePtr) error { return f.ctx.MemsetD32(p, 0xDEADBEEF, 2) },
			bytes.Repeat([]byte{0xEF, 0xBE, 0xAD, 0xDE}, 2)},
	} {
		p, out := f.alloc(16), make([]byte, 16)
		f.must("clear", f.ctx.MemsetD8(p, 0, 16))
		f.must("fill", c.fill(p+4))
		f.must("CopyDtoH", f.ctx.CopyDtoH(out, p))
		want := make([]byte, 16)
		copy(want[4:], c.want)
		equal(f, "bytes", out, want)
	}
}
