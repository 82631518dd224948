package driver

import (
	"fmt"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// A Fault says what went wrong on the device in more words than a code has: which buffer, which
// element, which lanes, at which line of PTX. The emulated device knows all of it; hardware mostly
// knows the code alone, and then there is no Fault.
//
// # When an asynchronous fault arrives
//
// A launch that is refused for its arguments fails at the call. A launch that fails while it runs
// returned nil from the call; its error is reported
//
//  1. by the first call after the failure that waits for the work: Synchronize of its stream, of an
//     event recorded behind it, or of the context, or a synchronous copy;
//  2. possibly sooner, by any call of that context, since every call may report an earlier failure;
//  3. and then by every call of that context: the error is sticky. Work behind the failed launch does
//     not run. Contexts made beside it on the emulated device, and those made afterwards, work as if
//     nothing had happened. libcuda gives a process up for good after a fault: Context.Reset succeeds,
//     and NewContext goes on answering with the same code until the process ends (seen with driver 580
//     on an H200), so there only a new process can go on.
//
// Destroying handles and Release succeed or return the same code, and give up what they hold in either
// case. The error a call reports for earlier work carries the Fault of that work, and Fault.Kernel
// names the launch that caused it, so that a failure far away is not blamed on its messenger.
type Fault struct {
	Kind FaultKind
	// Kernel is the entry that faulted; Launch counts the launches of its context from 1.
	Kernel string
	Launch uint64
	// Line and Instruction are the place in the PTX text, Line from 1; 0 where unknown.
	Line        int
	Instruction string
	// Source is the place in what was compiled to that, "saxpy:3", where the text tells it; else empty.
	Source string
	// Block and Lanes are the block and the thread indices in it, of the lanes at fault (the first 32).
	Block Dim3
	Lanes []Dim3
	// Space is the PTX state space: "global", "shared", "local", "const", "param".
	Space string
	// Address is what was accessed and Bytes how much.
	Address uint64
	Bytes   uint64
	// Buffer is the nearest allocation: its base and size, and how far into it Address lies (negative
	// before it). Parameter is the kernel parameter that pointed to it, where that is known.
	Buffer     DevicePtr
	BufferSize uint64
	Offset     int64
	Parameter  string
	// Detail is one more sentence: who else accessed it in a race, where lanes wait at a barrier.
	Detail string
}

// FaultKind classifies faults.
type FaultKind string

const (
	FaultOutOfBounds       FaultKind = "out of bounds"
	FaultMisaligned        FaultKind = "misaligned address"
	FaultUseAfterFree      FaultKind = "use after free"
	FaultUninitialized     FaultKind = "uninitialised read"
	FaultRace              FaultKind = "data race"
	FaultBarrierDivergence FaultKind = "barrier divergence"
	FaultShuffleMask       FaultKind = "wrong lane mask"
	FaultDeadlock          FaultKind = "deadlock"
	FaultTrap              FaultKind = "trap"
	FaultAssert            FaultKind = "assertion failed"
	FaultReadOnly          FaultKind = "write to read-only memory"
	FaultUnsupported       FaultKind = "unsupported instruction"
	FaultLimit             FaultKind = "limit exceeded"
)

// Code is the result code that hardware gives for this kind of fault.
func (k FaultKind) Code() Result {
	if code, ok := faultCodes[k]; ok {
		return code
	}
	return ErrorLaunchFailed
}

var faultCodes = map[FaultKind]Result{
	FaultOutOfBounds:  ErrorIllegalAddress,
	FaultUseAfterFree: ErrorIllegalAddress,
	FaultReadOnly:     ErrorIllegalAddress,
	FaultMisaligned:   ErrorMisalignedAddress,
	FaultAssert:       ErrorAssert,
	FaultDeadlock:     ErrorLaunchTimeout,
	FaultUnsupported:  ErrorIllegalInstruction,
	FaultLimit:        ErrorLaunchOutOfResources,
}

// Error tells the fault in lines: what, where in the code, which lanes, which buffer.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(string(f.Kind))
	if f.Kernel != "" { // a text that was not loaded has none
		fmt.Fprintf(&b, " in kernel %s", KernelName(f.Kernel))
	}
	if f.Line > 0 {
		fmt.Fprintf(&b, ", PTX line %d", f.Line)
	}
	if f.Instruction != "" {
		fmt.Fprintf(&b, ": %s", f.Instruction)
	}
	if f.Source != "" {
		fmt.Fprintf(&b, " (source %s)", f.Source)
	}
	f.writeAccess(&b)
	f.writeLanes(&b)
	if f.Detail != "" {
		fmt.Fprintf(&b, "\n  %s", f.Detail)
	}
	return b.String()
}

// KernelName is what C++ calls an entry of PTX, "scale<float>", without its parameters; other entries are called what they are.
func KernelName(entry string) string {
	if name, err := demangle.ToString(entry, demangle.NoParams, demangle.NoClones); err == nil && name != "" {
		return name
	}
	return entry
}

func (f *Fault) writeAccess(b *strings.Builder) {
	if f.Bytes == 0 {
		return
	}
	fmt.Fprintf(b, "\n  %d bytes at %s address 0x%x", f.Bytes, f.Space, f.Address)
	if f.BufferSize == 0 {
		return
	}
	fmt.Fprintf(b, ": offset %d of the %d-byte buffer at %s", f.Offset, f.BufferSize, f.Buffer)
	if f.Parameter != "" {
		fmt.Fprintf(b, " (parameter %s)", strings.TrimPrefix(f.Parameter, f.Kernel+"_param_"))
	}
}

func (f *Fault) writeLanes(b *strings.Builder) {
	if len(f.Lanes) == 0 {
		return
	}
	fmt.Fprintf(b, "\n  block (%d,%d,%d), thread", f.Block.X, f.Block.Y, f.Block.Z)
	for _, t := range f.Lanes[:min(4, len(f.Lanes))] {
		fmt.Fprintf(b, " (%d,%d,%d)", t.X, t.Y, t.Z)
	}
	if extra := len(f.Lanes) - 4; extra > 0 {
		fmt.Fprintf(b, " and %d more", extra)
	}
}
