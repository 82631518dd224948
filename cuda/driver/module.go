package driver

// A Module is loaded code.
type Module interface {
	// Function finds a kernel by its name in the PTX (cuModuleGetFunction); absent is
	// ErrorNotFound.
	Function(name string) (Function, error)
	// Global finds a .global or .const variable and its size in bytes (cuModuleGetGlobal).
	Global(name string) (DevicePtr, uint64, error)
	// Functions names the kernels of the module, sorted (cuModuleEnumerateFunctions; drivers before
	// 12.4 answer ErrorNotSupported).
	Functions() ([]string, error)
	// Unload removes the code (cuModuleUnload). Its functions are dead afterwards. libcuda waits
	// for launches under way; callers that want the same of every device synchronise first.
	Unload() error
}

// A Function is a kernel. It lives as long as its module and needs no destroying.
type Function interface {
	// Handle is the CUfunction, or a unique number. Never 0.
	Handle() uintptr
	Name() string
	Module() Module
	// Params gives offset and size of each parameter in the packed block that Launch takes
	// (cuFuncGetParamInfo; drivers before 12.4 answer ErrorNotSupported).
	Params() ([]ParamInfo, error)
	// Attribute and SetAttribute are cuFuncGetAttribute and cuFuncSetAttribute.
	Attribute(FunctionAttribute) (int, error)
	SetAttribute(FunctionAttribute, int) error
	// Launch enqueues the kernel (cuLaunchKernel, cuLaunchCooperativeKernel). params is the packed
	// parameter block: every parameter at its offset, little-endian, padded as PTX aligns them. The
	// block is read before Launch returns and may be reused. Launch keeps no reference to config
	// and allocates nothing.
	Launch(config *LaunchConfig, params []byte) error
	// MaxActiveBlocks is how many blocks of that shape one multiprocessor holds at a time
	// (cuOccupancyMaxActiveBlocksPerMultiprocessor).
	MaxActiveBlocks(blockThreads int, dynamicShared uint64) (int, error)
	// MaxPotentialBlockSize suggests a block size for the best occupancy and the smallest grid that
	// fills the device (cuOccupancyMaxPotentialBlockSize); limit 0 means none.
	MaxPotentialBlockSize(dynamicShared uint64, limit int) (minGrid, block int, err error)
}

// LaunchConfig is the geometry of a launch.
type LaunchConfig struct {
	Grid, Block Dim3
	// SharedBytes is the dynamic shared memory of a block. More than 48 KiB needs
	// FuncMaxDynamicSharedSizeBytes set on the function first, as in CUDA.
	SharedBytes uint32
	// Stream nil means the default stream of the function's context.
	Stream Stream
	// Cooperative asks for all blocks to be resident together, so that they may wait for each other
	// (grid.sync); a grid that does not fit is ErrorCooperativeLaunchTooLarge.
	Cooperative bool
	// Cluster is how many blocks a cluster has along each axis, which divide the grid; zero is what
	// the kernel was compiled for. More than 8 blocks need FuncNonPortableClusterSizeAllowed set on
	// the function first.
	Cluster Dim3
}

// ParamInfo places one kernel parameter in the packed block, in bytes.
type ParamInfo struct{ Offset, Size uint32 }

// JITOptions are what cuModuleLoadDataEx is told; the zero value asks for its defaults.
type JITOptions struct {
	// MaxRegisters bounds the registers of a thread; 0 means no bound.
	MaxRegisters int
	// OptimizationLevel is 0 to 4; nil means the default, 4.
	OptimizationLevel *int
	// Target overrides the architecture compiled for; zero means the device's own.
	Target ComputeCapability
	// DebugInfo and LineInfo keep debugging information and line numbers.
	DebugInfo, LineInfo bool
	// Verbose asks for registers, spills and shared memory of each kernel in JITLog.Info.
	Verbose bool
}

// JITLog is what the just-in-time compiler wrote.
type JITLog struct{ Info, Error string }
