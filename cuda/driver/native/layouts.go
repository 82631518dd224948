package native

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// The C structs of cuda.h that calls read and write, as 64-bit platforms lay them out.
// layouts_test.go holds their sizes and offsets against figures taken from cuda.h of CUDA 13.0 with
// a C compiler.
//
// Pointers into memory of the library are unsafe.Pointer, so that reading through them needs no
// conversion from a number.

// streamLegacy is CU_STREAM_LEGACY, the default stream by an explicit name.
const streamLegacy = 1

// extraParams is a list of keys and values that ends a launch: buffer, its size, end.
type extraParams struct {
	bufferKey uintptr
	buffer    unsafe.Pointer
	sizeKey   uintptr
	size      *uintptr
	end       uintptr
}

const (
	extraEnd    = 0
	extraBuffer = 1
	extraSize   = 2
)

func newExtraParams(params []byte, size *uintptr) extraParams {
	return extraParams{extraBuffer, at(params), extraSize, size, extraEnd}
}

// launchConfigEx is CUlaunchConfig.
type launchConfigEx struct {
	grid, block driver.Dim3
	shared      uint32
	stream      uintptr
	attrs       unsafe.Pointer
	numAttrs    uint32
}

const (
	launchAttributeCooperative = 2
	launchAttributeCluster     = 4
)

// launchAttribute is CUlaunchAttribute.
type launchAttribute struct {
	id, _ uint32
	value [16]uint32
}

// kernelNodeParams is CUDA_KERNEL_NODE_PARAMS_v2.
type kernelNodeParams struct {
	function     uintptr
	grid, block  driver.Dim3
	shared       uint32
	kernelParams *unsafe.Pointer
	extra        *uintptr
	kernel       uintptr
	context      uintptr
}

// memset is CUDA_MEMSET_NODE_PARAMS.
type memsetNodeParams struct {
	dst         driver.DevicePtr
	pitch       uint64
	value       uint32
	elementSize uint32
	width       uint64
	height      uint64
}

// A copySide is one half of CUDA_MEMCPY3D.
type copySide struct {
	x, y, z, lod  uint64
	memoryType    uint32
	host          unsafe.Pointer
	device        driver.DevicePtr
	array         uintptr
	reserved      uintptr
	pitch, height uint64
}

const (
	memoryHost    = 1
	memoryDevice  = 2
	memoryArray   = 3
	memoryUnified = 4
)

// memcpy3D is CUDA_MEMCPY3D.
type memcpy3D struct {
	src, dst             copySide
	width, height, depth uint64
}

// hostNodeParams is CUDA_HOST_NODE_PARAMS.
type hostNodeParams struct{ fn, userData uintptr }

// memAllocNodeParams is CUDA_MEM_ALLOC_NODE_PARAMS with its CUmemPoolProps.
type memAllocNodeParams struct {
	allocType, handleTypes uint32
	locationType           uint32
	locationID             int32
	securityAttributes     uintptr
	maxSize                uint64
	usage                  uint16
	reserved               [54]byte
	accessDescs            uintptr
	accessDescCount        uint64
	bytes                  uint64
	ptr                    driver.DevicePtr
}

const (
	allocationPinned = 1
	locationDevice   = 1
)

// conditionalNodeParams is CUgraphNodeParams with CUDA_CONDITIONAL_NODE_PARAMS in its union.
type conditionalNodeParams struct {
	nodeType  uint32
	reserved0 [3]int32
	handle    driver.ConditionalHandle
	kind      uint32
	size      uint32
	bodies    *uintptr
	context   uintptr
	union     [29*8 - 32]byte
	reserved2 int64
}

const assignDefault = 1

// execUpdateInfo is CUgraphExecUpdateResultInfo.
type execUpdateInfo struct {
	result               driver.GraphExecUpdateResult
	errorNode, errorFrom driver.GraphNode
}
