package driver

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Every code has a name in CUDA's spelling and a meaning, and no two share a name.
func TestResultsAreComplete(t *testing.T) {
	seen := map[string]Result{}
	for _, r := range Results() {
		if !strings.HasPrefix(r.Name(), "CUDA_") || r.Meaning() == "" {
			t.Errorf("code %d: name %q, meaning %q", uint32(r), r.Name(), r.Meaning())
		}
		if other, dup := seen[r.Name()]; dup {
			t.Errorf("codes %d and %d are both %s", uint32(other), uint32(r), r.Name())
		}
		seen[r.Name()] = r
		if r.Sticky() && r.Advice() == "" {
			t.Errorf("%s is sticky and says not what to do", r.Name())
		}
	}
	if len(seen) != 101 {
		t.Errorf("CUDA 13.0 has 101 codes, the table has %d", len(seen))
	}
}

func TestUnknownResultIsStillAnError(t *testing.T) {
	r := Result(4242)
	if r.Name() != "CUresult 4242" || r.Meaning() == "" || r.Sticky() {
		t.Errorf("%s, %s", r.Name(), r.Error())
	}
}

func TestErrorHoldsCodeAndFault(t *testing.T) {
	fault := &Fault{Kind: FaultOutOfBounds, Kernel: "k", Launch: 3, Line: 12, Instruction: "st.global.u32 [%rd1], %r1",
		Block: Dim3{1, 0, 0}, Lanes: []Dim3{{4, 0, 0}, {5, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0}},
		Space: "global", Address: 0x1010, Bytes: 4, Buffer: 0x1000, BufferSize: 16, Offset: 16, Parameter: "out"}
	err := fmt.Errorf("cell 3: %w", &Error{Call: "cuStreamSynchronize", Code: fault.Kind.Code(), Fault: fault})
	if !errors.Is(err, ErrorIllegalAddress) {
		t.Error("the code is lost")
	}
	var got *Fault
	if !errors.As(err, &got) || got != fault {
		t.Error("the fault is lost")
	}
	for _, want := range []string{"cuStreamSynchronize", "CUDA_ERROR_ILLEGAL_ADDRESS (700)", "kernel k", "PTX line 12",
		"byte 16 of the 16-byte buffer at 0x1000 (parameter out), element 4 of 4", "block (1,0,0)", "(7,0,0) and 1 more"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err.Error(), want)
		}
	}
}

func TestErrorWithoutFault(t *testing.T) {
	err := &Error{Call: "cuMemAlloc_v2", Code: ErrorOutOfMemory, Detail: "64 bytes were asked for"}
	var fault *Fault
	if errors.As(error(err), &fault) {
		t.Error("a fault from nowhere")
	}
	if !strings.Contains(err.Error(), "64 bytes were asked for") || !strings.Contains(err.Error(), "What to do: free buffers") {
		t.Error(err.Error())
	}
}

func TestFaultKindsHaveCodes(t *testing.T) {
	for kind, want := range map[FaultKind]Result{FaultMisaligned: ErrorMisalignedAddress, FaultAssert: ErrorAssert,
		FaultRace: ErrorLaunchFailed, FaultKind("new"): ErrorLaunchFailed} {
		if kind.Code() != want {
			t.Errorf("%s: %s", kind, kind.Code().Name())
		}
		if !kind.Code().Sticky() && kind.Code() != ErrorLaunchOutOfResources {
			t.Errorf("%s: a fault on the device must be sticky", kind)
		}
	}
}

func TestDim3(t *testing.T) {
	for _, c := range []struct {
		d    Dim3
		text string
		n    uint64
		ok   bool
	}{
		{Dim3{4096, 1, 1}, "4096", 4096, true},
		{Dim3{64, 32, 1}, "64×32", 2048, true},
		{Dim3{8, 1, 2}, "8×1×2", 16, true},
		{Dim3{0, 1, 1}, "0", 0, true},
		{Dim3{1 << 31, 1 << 31, 4}, "2147483648×2147483648×4", 0, false},
	} {
		if n, ok := c.d.Count(); n != c.n || ok != c.ok || c.d.String() != c.text {
			t.Errorf("%+v: %d %v %q", c.d, n, ok, c.d.String())
		}
	}
}

func TestSpellings(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Version(13000).String(), "13.0"},
		{Version(12080).String(), "12.8"},
		{ComputeCapability{9, 0}.SM(), "sm_90"},
		{ComputeCapability{12, 1}.String(), "12.1"},
		{GraphNodeConditional.String(), "conditional"},
		{GraphNodeType(99).String(), "graph node type 99"},
		{ConditionalWhile.String(), "while"},
		{GraphExecUpdateTopologyChanged.String(), "topology changed"},
		{CaptureInvalidated.String(), "invalidated"},
		{UUID{0xde, 0xad, 15: 0xef}.String(), "GPU-dead0000-0000-0000-0000-0000000000ef"},
		{DevicePtr(0x7f00).String(), "0x7f00"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if !(ComputeCapability{10, 0}).AtLeast(ComputeCapability{9, 0}) || (ComputeCapability{8, 6}).AtLeast(ComputeCapability{8, 9}) {
		t.Error("architectures compare wrongly")
	}
}
