package driver

// StreamFlags is CUstream_flags.
type StreamFlags uint32

const (
	// StreamDefault makes a stream that synchronises with the legacy default stream.
	StreamDefault StreamFlags = 0
	// StreamNonBlocking makes one that does not.
	StreamNonBlocking StreamFlags = 1
)

// EventFlags is CUevent_flags.
type EventFlags uint32

const (
	EventDefault EventFlags = 0
	// EventBlockingSync lets a thread that waits sleep.
	EventBlockingSync EventFlags = 1
	// EventDisableTiming makes an event that only orders; it is cheaper.
	EventDisableTiming EventFlags = 2
)

// HostAllocFlags is CU_MEMHOSTALLOC_*.
type HostAllocFlags uint32

const (
	// HostAllocPortable is page-locked for all contexts.
	HostAllocPortable HostAllocFlags = 1
	// HostAllocDeviceMap lets kernels reach it.
	HostAllocDeviceMap HostAllocFlags = 2
	// HostAllocWriteCombined is quick for the device to read and slow for the host.
	HostAllocWriteCombined HostAllocFlags = 4
)

// CaptureMode is CUstreamCaptureMode: which unsafe calls elsewhere spoil a capture.
type CaptureMode uint32

const (
	CaptureGlobal      CaptureMode = 0
	CaptureThreadLocal CaptureMode = 1
	CaptureRelaxed     CaptureMode = 2
)

// CaptureStatus is CUstreamCaptureStatus.
type CaptureStatus uint32

const (
	CaptureNone        CaptureStatus = 0
	CaptureActive      CaptureStatus = 1
	CaptureInvalidated CaptureStatus = 2
)

var captureStatusNames = [...]string{"none", "active", "invalidated"}

func (s CaptureStatus) String() string {
	return enumName("capture status", captureStatusNames[:], uint32(s))
}

// Limit is CUlimit.
type Limit uint32

const (
	LimitStackSize      Limit = 0
	LimitPrintfFIFOSize Limit = 1
	LimitMallocHeapSize Limit = 2
)

// FunctionAttribute is CUfunction_attribute.
type FunctionAttribute uint32

const (
	FuncMaxThreadsPerBlock            FunctionAttribute = 0
	FuncSharedSizeBytes               FunctionAttribute = 1
	FuncConstSizeBytes                FunctionAttribute = 2
	FuncLocalSizeBytes                FunctionAttribute = 3
	FuncNumRegs                       FunctionAttribute = 4
	FuncPTXVersion                    FunctionAttribute = 5
	FuncBinaryVersion                 FunctionAttribute = 6
	FuncCacheModeCA                   FunctionAttribute = 7
	FuncMaxDynamicSharedSizeBytes     FunctionAttribute = 8
	FuncPreferredSharedMemoryCarveout FunctionAttribute = 9
	FuncClusterSizeMustBeSet          FunctionAttribute = 10
	FuncRequiredClusterWidth          FunctionAttribute = 11
	FuncRequiredClusterHeight         FunctionAttribute = 12
	FuncRequiredClusterDepth          FunctionAttribute = 13
	FuncNonPortableClusterSizeAllowed FunctionAttribute = 14
)

// DeviceAttribute is CUdevice_attribute. The numbers are CUDA's, so one that has no name here can
// be asked for too.
type DeviceAttribute uint32

const (
	AttrMaxThreadsPerBlock           DeviceAttribute = 1
	AttrMaxBlockDimX                 DeviceAttribute = 2
	AttrMaxBlockDimY                 DeviceAttribute = 3
	AttrMaxBlockDimZ                 DeviceAttribute = 4
	AttrMaxGridDimX                  DeviceAttribute = 5
	AttrMaxGridDimY                  DeviceAttribute = 6
	AttrMaxGridDimZ                  DeviceAttribute = 7
	AttrMaxSharedMemoryPerBlock      DeviceAttribute = 8
	AttrTotalConstantMemory          DeviceAttribute = 9
	AttrWarpSize                     DeviceAttribute = 10
	AttrMaxRegistersPerBlock         DeviceAttribute = 12
	AttrClockRateKHz                 DeviceAttribute = 13
	AttrMultiprocessorCount          DeviceAttribute = 16
	AttrIntegrated                   DeviceAttribute = 18
	AttrCanMapHostMemory             DeviceAttribute = 19
	AttrConcurrentKernels            DeviceAttribute = 31
	AttrECCEnabled                   DeviceAttribute = 32
	AttrMemoryClockRateKHz           DeviceAttribute = 36
	AttrGlobalMemoryBusWidth         DeviceAttribute = 37
	AttrL2CacheSize                  DeviceAttribute = 38
	AttrMaxThreadsPerMultiprocessor  DeviceAttribute = 39
	AttrAsyncEngineCount             DeviceAttribute = 40
	AttrUnifiedAddressing            DeviceAttribute = 41
	AttrComputeCapabilityMajor       DeviceAttribute = 75
	AttrComputeCapabilityMinor       DeviceAttribute = 76
	AttrStreamPrioritiesSupported    DeviceAttribute = 78
	AttrMaxSharedMemoryPerSM         DeviceAttribute = 81
	AttrMaxRegistersPerSM            DeviceAttribute = 82
	AttrManagedMemory                DeviceAttribute = 83
	AttrCooperativeLaunch            DeviceAttribute = 95
	AttrMaxSharedMemoryPerBlockOptin DeviceAttribute = 97
	AttrMaxBlocksPerMultiprocessor   DeviceAttribute = 106
	AttrReservedSharedMemoryPerBlock DeviceAttribute = 111
	AttrMemoryPoolsSupported         DeviceAttribute = 115
	AttrClusterLaunch                DeviceAttribute = 120
	AttrUnifiedFunctionPointers      DeviceAttribute = 129
)
