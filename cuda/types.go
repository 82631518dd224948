package cuda

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
	"github.com/vyre-kernel/vyre-kernel/plots/dag"
)

// Names that this package has for types of those below it: its calls and fields name no other of theirs. Values of
// them are constants of package driver.
type (
	// Driver is a driver that OpenDriver takes.
	Driver = driver.Driver
	// DriverContext is a context behind the seam.
	DriverContext = driver.Context
	// DriverStream is a stream behind the seam.
	DriverStream = driver.Stream
	// DriverFunction is a kernel behind the seam.
	DriverFunction = driver.Function
	// Result is a CUresult: driver.ErrorIllegalAddress and its like.
	Result = driver.Result
	// DevicePtr is a CUdeviceptr.
	DevicePtr = driver.DevicePtr
	// UUID is a CUuuid.
	UUID = driver.UUID
	// Version is a CUDA version, as cuDriverGetVersion has it.
	Version = driver.Version
	// ComputeCapability is an architecture.
	ComputeCapability = driver.ComputeCapability
	// JITOptions is those of cuModuleLoadDataEx's options that Device.Load takes.
	JITOptions = driver.JITOptions
	// JITLog is what the just-in-time compiler wrote.
	JITLog = driver.JITLog
	// GraphNodeType is a CUgraphNodeType.
	GraphNodeType = driver.GraphNodeType
	// TensorMapType is a CUtensorMapDataType.
	TensorMapType = driver.TensorMapType
	// TensorMapInterleave is a CUtensorMapInterleave.
	TensorMapInterleave = driver.TensorMapInterleave
	// TensorMapSwizzle is a CUtensorMapSwizzle.
	TensorMapSwizzle = driver.TensorMapSwizzle
	// TensorMapPromotion is a CUtensorMapL2promotion.
	TensorMapPromotion = driver.TensorMapPromotion
	// TensorMapFill is a CUtensorMapFloatOOBfill.
	TensorMapFill = driver.TensorMapFill
	// PTXType is a type of PTX, .f32 say.
	PTXType = ptx.Type
	// LaunchReport is what the emulated device counted of one launch.
	LaunchReport = vm.Report
	// Drawing is a graph as package plots draws it.
	Drawing = dag.Graph
)
