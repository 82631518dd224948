package cuda

import (
	"errors"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// A text that does not parse is told once, with its place and the code.
func TestInvalidTextIsToldOnce(t *testing.T) {
	dev := MustOpen("emulated")
	defer func() { _ = dev.Close() }()
	_, err := dev.LoadPTX(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { mov.u32 %a, 1; }\n")
	var syntax *ptx.SyntaxError
	if !errors.As(err, &syntax) || !errors.Is(err, driver.ErrorInvalidPTX) {
		t.Fatalf("%v", err)
	}
	if text := err.Error(); strings.Count(text, "%a") != 1 || strings.Contains(text, "What to do") ||
		!strings.HasSuffix(text, "CUDA_ERROR_INVALID_PTX (218)") {
		t.Error(text)
	}
	_, err = dev.LoadPTX(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .b32 %a; " +
		"frobnicate.u32 %a; }\n")
	var fault *driver.Fault
	if !errors.As(err, &fault) || fault.Kind != driver.FaultInvalidPTX || strings.Count(err.Error(), "frobnicate") != 1 {
		t.Errorf("%v", err)
	}
}

// A fault in what was compiled from CUDA C++ quotes the source's line, and calls kernel and parameters
// by their names there; the call and CUDA's code come last.
func TestFaultQuotesTheSource(t *testing.T) {
	dev := MustOpen("emulated")
	const text = `.version 8.0
.target sm_80
.address_size 64
.visible .entry _Z3sumPf(.param .u64 _Z3sumPf_param_0)
{
.reg .b32 %r<3>; .reg .b64 %rd<2>;
.loc 1 5 3
ld.param.u64 %rd1, [_Z3sumPf_param_0];
ld.global.u32 %r1, [%rd1];
st.global.u32 [%rd1], %r1;
ret;
}
.file 1 "sum"
`
	p := &nvrtc.Program{PTX: text, Name: "sum", FirstLine: 4,
		Source:  "__global__ void sum(float *out) {\n  out[0] += x[i];\n}",
		Kernels: []nvrtc.Kernel{{Name: "sum", PTXName: "_Z3sumPf", Params: []nvrtc.Param{{Type: "float *", Name: "out"}}}}}
	m, err := dev.loadProgram("sum", p)
	if err != nil {
		t.Fatal(err)
	}
	x := dev.MustUpload([]float32{0})
	_, err = dev.Dispatch(m.MustKernel("sum"), Grid(1), Block(2), x)
	if err == nil {
		t.Fatal("no race is found")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{"data race in kernel sum, sum:5", "    out[0] += x[i];", "    ^",
		"  thread (0,0,0) of block (0,0,0) writes what thread (1,0,0) read at sum:5 (ld.global.u32), and nothing " +
			"orders the two",
		"  4 bytes at byte 0 of the 4-byte buffer at " + x.Ptr().String() + " (parameter out), element 0 of 1",
		"  PTX line 10: st.global.u32", "  Device.Dispatch, "} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d of\n%v\nwant %q", i, err, want)
		}
	}
	if !strings.Contains(err.Error(), "CUDA_ERROR_LAUNCH_FAILED (719)\nWhat to do: this device is lost") {
		t.Error(err)
	}
	again, err := dev.Reset()
	if err == nil {
		err = again.Close()
	}
	if err != nil {
		t.Error(err)
	}
}
