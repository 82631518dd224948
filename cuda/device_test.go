package cuda

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

func TestOpenRefusesNonsense(t *testing.T) {
	for _, c := range []struct {
		where []string
		want  string
	}{
		{[]string{"toaster"}, `want "native"`},
		{[]string{"native:x"}, "device number"},
		{[]string{"a", "b"}, "at most one argument"},
	} {
		if _, err := Open(c.where...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.where, err)
		}
	}
}

func TestNoLibraryIsAClearError(t *testing.T) {
	d, err := Open("native")
	if err == nil {
		check(t, d.Close())
		t.Skip("there is a GPU here")
	}
	if !errors.Is(err, driver.ErrorNoDevice) || !strings.Contains(err.Error(), "libcuda.so.1") {
		t.Error(err)
	}
}

func TestDevicesListsEveryDriver(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Devices() {
		seen[f.Driver] = true
		if f.Err == nil && f.Name == "" || f.String() == "" {
			t.Errorf("%+v", f)
		}
	}
	for _, e := range drivers {
		if !seen[e.name] {
			t.Errorf("%s is not listed", e.name)
		}
	}
}

func TestDeviceCard(t *testing.T) {
	d := openTest(t)
	text := d.Table().Text()
	t.Log("\n" + text)
	for _, want := range []string{d.Info().Name, d.Info().Driver, d.Info().Compute.SM(), "memory"} {
		if !strings.Contains(text, want) {
			t.Errorf("the card lacks %q", want)
		}
	}
}

func TestClosedDeviceIsRefused(t *testing.T) {
	d, err := Open()
	if errors.Is(err, driver.ErrorNoDevice) {
		t.Skipf("no device here: %v", err)
	}
	check(t, err)
	b := d.MustUpload([]float32{1, 2})
	check(t, d.Close())
	_, err1 := d.Upload([]float32{1})
	_, err2 := d.NewStream()
	_, err3 := d.LoadPTX("")
	_, err4 := Slice[float32](b)
	_, err5 := d.Capture(func(*Stream) {})
	for i, err := range []error{err1, err2, err3, err4, err5, d.Close(), b.Close()} {
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestBufferRoundTrips(t *testing.T) {
	d := openTest(t)
	type body struct {
		Pos  [3]float32
		Mass float64
	}
	for _, values := range []any{[]float32{1, -2, 3.5}, []float64{math.Pi}, []int8{-1, 2}, []uint64{1 << 63}, []body{{[3]float32{1, 2, 3}, 4}}, []bool{true, false}, []complex64{1i}} {
		b, err := d.Upload(values)
		check(t, err)
		got, err := b.Download()
		check(t, err)
		if !equalValues(got, values) {
			t.Errorf("%v became %v", values, got)
		}
		check(t, b.Close())
	}
}

func TestBufferParts(t *testing.T) {
	d := openTest(t)
	b := d.MustMake(8, uint32(0))
	check(t, b.Write(2, []uint32{5, 6, 7}))
	part := make([]uint32, 4)
	check(t, b.Read(1, part))
	equal(t, part, []uint32{0, 5, 6, 7})
	if b.Len() != 8 || b.Bytes() != 32 || b.Elem().String() != "uint32" || b.Device() != d || b.Ptr() == 0 {
		t.Errorf("%s", b)
	}
	check(t, b.Clear())
	equal(t, MustSlice[uint32](b), make([]uint32, 8))
	if text := b.Table().Text(); !strings.Contains(text, "8 x uint32") || !strings.Contains(text, "[0 0 0") {
		t.Error(text)
	}
	check(t, b.Close())
}

func TestBufferRefuses(t *testing.T) {
	d := openTest(t)
	b := d.MustUpload(counting(4))
	freed := d.MustUpload([]float32{1})
	check(t, freed.Close())
	_, floats := Slice[float32](b)
	_, nothing := d.Upload([]float32{})
	_, scalar := d.Upload(3)
	_, pointers := d.Upload([]*int{nil})
	_, text := d.Upload([]string{"x"})
	_, negative := d.Alloc(-1)
	_, huge := d.Make(math.MaxInt, uint64(0))
	_, after := Slice[float32](freed)
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"type":         {floats, "Buffer.Read: [4]uint32 on "},
		"nothing":      {nothing, "at least one element"},
		"scalar":       {scalar, "want a slice, got int"},
		"pointers":     {pointers, "*int"},
		"strings":      {text, "string"},
		"negative":     {negative, "at least one element"},
		"huge":         {huge, "62 bits"},
		"past the end": {b.Write(2, []uint32{1, 2, 3}), "want elements in [0..4), got [2..5)"},
		"before":       {b.Read(-1, make([]uint32, 1)), "[-1..0)"},
		"overflow": {b.Read(math.MaxInt, make([]uint32, 1)),
			"want elements in [0..4), got 1 from 9223372036854775807 on"},
		"use after free": {after, "the buffer was freed"},
		"free twice":     {freed.Close(), "the buffer was freed"},
	} {
		var e *Error
		if !errors.As(c.err, &e) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	equal(t, MustSlice[uint32](b), counting(4))
}

func TestTooMuchMemory(t *testing.T) {
	d := openTest(t)
	_, err := d.Alloc(1 << 46)
	var e *Error
	if !errors.As(err, &e) || e.Code() != driver.ErrorOutOfMemory {
		t.Errorf("%v", err)
	}
}

// A notebook that uploads in a cell again and again must not fill the device.
func TestForgottenBuffersAreCollected(t *testing.T) {
	d := openTest(t)
	before := len(Live())
	for range 50 {
		d.MustUpload(counting(16))
	}
	collect(t, func() bool { return len(Live()) < before+10 })
}
