package driver

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
	// Code is the line of text at the place, of the source where that is known, else of the PTX; Column,
	// from 1, is where in it: of CUDA C++ where the compiler says the statement begins. Empty and 0 where unknown.
	Code   string
	Column int
	// Block and Lanes are the block and the thread indices in it of all the lanes at fault.
	Block Dim3
	Lanes []Dim3
	// Access is what the lanes did to the memory; empty where the fault is no access.
	Access AccessKind
	// Other is the other side of a race: the earlier access. Nil for other faults.
	Other *Side
	// Mask is the lane mask of a warp's instruction, where that is at fault; else 0.
	Mask uint32
	// Variable is the variable of the program that was accessed, as the source calls it, where it is one
	// of shared, local, constant or global memory; else empty.
	Variable string
	// Space is the PTX state space: "global", "shared", "local", "const", "param".
	Space string
	// Address is what was accessed and Bytes how much.
	Address uint64
	Bytes   uint64
	// Buffer is the nearest allocation, or in shared or local memory the nearest variable: its base and
	// size, and how far into it Address lies (negative before it). Parameter is the kernel parameter that
	// pointed to it, where that is known.
	Buffer     DevicePtr
	BufferSize uint64
	Offset     int64
	Parameter  string
	// Element is how many of the bytes one access is of, where a fault is about a range of them: a race of two
	// operations, or of two nodes of a graph. 0 where that is not known.
	Element uint64
	// Detail is one more sentence, where the fields do not say it all: where lanes wait at a barrier, say.
	Detail string
}

// AccessKind says what an access does.
type AccessKind string

// The kinds of access.
const (
	AccessRead   AccessKind = "read"
	AccessWrite  AccessKind = "write"
	AccessAtomic AccessKind = "atomic"
)

// A Side is the earlier one of two accesses that race: who made it, and where in the text. Line,
// Instruction and Source are as in Fault. Of a race between two operations, or two nodes of a graph, the Fault has no
// lanes, and Block and Thread are zero.
type Side struct {
	Access        AccessKind
	Block, Thread Dim3
	Line          int
	Instruction   string
	Source        string
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
	FaultBadCall           FaultKind = "call of no function"
	FaultReadOnly          FaultKind = "write to read-only memory"
	FaultUnsupported       FaultKind = "unsupported instruction" // legal PTX that the device does not run
	FaultIllegal           FaultKind = "illegal instruction"     // legal PTX with operands that no device takes
	FaultInvalidPTX        FaultKind = "invalid PTX"             // a mistake of the text
	FaultLimit             FaultKind = "limit exceeded"
	FaultStackOverflow     FaultKind = "stack overflow"
)

// Code is the result code that hardware gives for this kind of fault.
func (k FaultKind) Code() Result {
	if code, ok := faultCodes[k]; ok {
		return code
	}
	return ErrorLaunchFailed
}

var faultCodes = map[FaultKind]Result{
	FaultOutOfBounds:   ErrorIllegalAddress,
	FaultUseAfterFree:  ErrorIllegalAddress,
	FaultReadOnly:      ErrorIllegalAddress,
	FaultBadCall:       ErrorInvalidPC,
	FaultMisaligned:    ErrorMisalignedAddress,
	FaultAssert:        ErrorAssert,
	FaultDeadlock:      ErrorLaunchTimeout,
	FaultUnsupported:   ErrorIllegalInstruction,
	FaultIllegal:       ErrorIllegalInstruction,
	FaultInvalidPTX:    ErrorInvalidPTX,
	FaultLimit:         ErrorLaunchOutOfResources,
	FaultStackOverflow: ErrorIllegalAddress,
}
