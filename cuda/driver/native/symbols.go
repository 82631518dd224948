package native

import (
	"fmt"

	"github.com/ebitengine/purego"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A symbol is a row of the table of functions.
type symbol int

// The functions, in the order of package driver's files.
const (
	cuInit symbol = iota
	cuDriverGetVersion
	cuDeviceGetCount
	cuDeviceGet
	cuDeviceGetName
	cuDeviceGetUuid
	cuDeviceTotalMem
	cuDeviceGetAttribute
	cuDeviceCanAccessPeer
	cuDevicePrimaryCtxRetain
	cuDevicePrimaryCtxRelease
	cuDevicePrimaryCtxReset

	cuCtxSetCurrent
	cuCtxSynchronize
	cuCtxGetLimit
	cuCtxSetLimit
	cuCtxEnablePeerAccess
	cuCtxGetStreamPriorityRange

	cuMemGetInfo
	cuMemAlloc
	cuMemFree
	cuMemAllocAsync
	cuMemFreeAsync
	cuMemGetAddressRange
	cuMemHostAlloc
	cuMemFreeHost
	cuMemHostGetDevicePointer
	cuMemcpyHtoD
	cuMemcpyDtoH
	cuMemcpyDtoD
	cuMemcpyHtoDAsync
	cuMemcpyDtoHAsync
	cuMemcpyDtoDAsync
	cuMemcpyPeerAsync
	cuMemsetD8
	cuMemsetD16
	cuMemsetD32
	cuMemsetD8Async
	cuMemsetD16Async
	cuMemsetD32Async

	cuModuleLoadDataEx
	cuModuleGetFunction
	cuModuleGetGlobal
	cuModuleGetFunctionCount
	cuModuleEnumerateFunctions
	cuModuleUnload
	cuFuncGetName
	cuFuncGetParamInfo
	cuFuncGetAttribute
	cuFuncSetAttribute
	cuLaunchKernel
	cuLaunchKernelEx
	cuOccupancyMaxActiveBlocks
	cuOccupancyMaxPotentialBlockSize

	cuTensorMapEncodeTiled
	cuTensorMapReplaceAddress

	cuStreamCreateWithPriority
	cuStreamGetPriority
	cuStreamGetFlags
	cuStreamSynchronize
	cuStreamQuery
	cuStreamWaitEvent
	cuLaunchHostFunc
	cuStreamDestroy
	cuStreamBeginCapture
	cuStreamBeginCaptureToGraph
	cuStreamEndCapture
	cuStreamGetCaptureInfo
	cuStreamUpdateCaptureDependencies
	cuEventCreate
	cuEventRecord
	cuEventSynchronize
	cuEventQuery
	cuEventElapsedTime
	cuEventDestroy

	cuGraphCreate
	cuGraphAddKernelNode
	cuGraphAddMemcpyNode
	cuGraphAddMemsetNode
	cuGraphAddHostNode
	cuGraphAddEmptyNode
	cuGraphAddChildGraphNode
	cuGraphAddEventRecordNode
	cuGraphAddEventWaitNode
	cuGraphAddMemAllocNode
	cuGraphAddMemFreeNode
	cuGraphConditionalHandleCreate
	cuGraphAddNode
	cuGraphGetNodes
	cuGraphGetEdges
	cuGraphNodeGetType
	cuGraphNodeGetDependencies
	cuGraphAddDependencies
	cuGraphRemoveDependencies
	cuGraphDestroyNode
	cuGraphKernelNodeGetParams
	cuGraphKernelNodeSetParams
	cuGraphMemcpyNodeGetParams
	cuGraphMemcpyNodeSetParams
	cuGraphMemsetNodeGetParams
	cuGraphMemsetNodeSetParams
	cuGraphChildGraphNodeGetGraph
	cuGraphClone
	cuGraphNodeFindInClone
	cuGraphInstantiate
	cuGraphDestroy
	cuGraphLaunch
	cuGraphUpload
	cuGraphExecKernelNodeSetParams
	cuGraphExecMemcpyNodeSetParams
	cuGraphExecMemsetNodeSetParams
	cuGraphExecChildGraphNodeSetParams
	cuGraphNodeSetEnabled
	cuGraphNodeGetEnabled
	cuGraphExecUpdate
	cuGraphExecDestroy

	symbolCount
)

// A symbolRow is a function's exported name, with the suffix of the version whose argument layout
// this package uses, and the CUDA version that first exported it.
type symbolRow struct {
	name  string
	since driver.Version
}

var symbols = [symbolCount]symbolRow{
	cuInit:                    {"cuInit", 2000},
	cuDriverGetVersion:        {"cuDriverGetVersion", 2020},
	cuDeviceGetCount:          {"cuDeviceGetCount", 2000},
	cuDeviceGet:               {"cuDeviceGet", 2000},
	cuDeviceGetName:           {"cuDeviceGetName", 2000},
	cuDeviceGetUuid:           {"cuDeviceGetUuid_v2", 11040},
	cuDeviceTotalMem:          {"cuDeviceTotalMem_v2", 3020},
	cuDeviceGetAttribute:      {"cuDeviceGetAttribute", 2000},
	cuDeviceCanAccessPeer:     {"cuDeviceCanAccessPeer", 4000},
	cuDevicePrimaryCtxRetain:  {"cuDevicePrimaryCtxRetain", 7000},
	cuDevicePrimaryCtxRelease: {"cuDevicePrimaryCtxRelease_v2", 11000},
	cuDevicePrimaryCtxReset:   {"cuDevicePrimaryCtxReset_v2", 11000},

	cuCtxSetCurrent:             {"cuCtxSetCurrent", 4000},
	cuCtxSynchronize:            {"cuCtxSynchronize", 2000},
	cuCtxGetLimit:               {"cuCtxGetLimit", 3010},
	cuCtxSetLimit:               {"cuCtxSetLimit", 3010},
	cuCtxEnablePeerAccess:       {"cuCtxEnablePeerAccess", 4000},
	cuCtxGetStreamPriorityRange: {"cuCtxGetStreamPriorityRange", 5050},

	cuMemGetInfo:              {"cuMemGetInfo_v2", 3020},
	cuMemAlloc:                {"cuMemAlloc_v2", 3020},
	cuMemFree:                 {"cuMemFree_v2", 3020},
	cuMemAllocAsync:           {"cuMemAllocAsync", 11020},
	cuMemFreeAsync:            {"cuMemFreeAsync", 11020},
	cuMemGetAddressRange:      {"cuMemGetAddressRange_v2", 3020},
	cuMemHostAlloc:            {"cuMemHostAlloc", 2020},
	cuMemFreeHost:             {"cuMemFreeHost", 2000},
	cuMemHostGetDevicePointer: {"cuMemHostGetDevicePointer_v2", 3020},
	cuMemcpyHtoD:              {"cuMemcpyHtoD_v2", 3020},
	cuMemcpyDtoH:              {"cuMemcpyDtoH_v2", 3020},
	cuMemcpyDtoD:              {"cuMemcpyDtoD_v2", 3020},
	cuMemcpyHtoDAsync:         {"cuMemcpyHtoDAsync_v2", 3020},
	cuMemcpyDtoHAsync:         {"cuMemcpyDtoHAsync_v2", 3020},
	cuMemcpyDtoDAsync:         {"cuMemcpyDtoDAsync_v2", 3020},
	cuMemcpyPeerAsync:         {"cuMemcpyPeerAsync", 4000},
	cuMemsetD8:                {"cuMemsetD8_v2", 3020},
	cuMemsetD16:               {"cuMemsetD16_v2", 3020},
	cuMemsetD32:               {"cuMemsetD32_v2", 3020},
	cuMemsetD8Async:           {"cuMemsetD8Async", 3020},
	cuMemsetD16Async:          {"cuMemsetD16Async", 3020},
	cuMemsetD32Async:          {"cuMemsetD32Async", 3020},

	cuModuleLoadDataEx:               {"cuModuleLoadDataEx", 2010},
	cuModuleGetFunction:              {"cuModuleGetFunction", 2000},
	cuModuleGetGlobal:                {"cuModuleGetGlobal_v2", 3020},
	cuModuleGetFunctionCount:         {"cuModuleGetFunctionCount", 12040},
	cuModuleEnumerateFunctions:       {"cuModuleEnumerateFunctions", 12040},
	cuModuleUnload:                   {"cuModuleUnload", 2000},
	cuFuncGetName:                    {"cuFuncGetName", 12030},
	cuFuncGetParamInfo:               {"cuFuncGetParamInfo", 12040},
	cuFuncGetAttribute:               {"cuFuncGetAttribute", 2020},
	cuFuncSetAttribute:               {"cuFuncSetAttribute", 9000},
	cuLaunchKernel:                   {"cuLaunchKernel", 4000},
	cuLaunchKernelEx:                 {"cuLaunchKernelEx", 11060},
	cuOccupancyMaxActiveBlocks:       {"cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050},
	cuOccupancyMaxPotentialBlockSize: {"cuOccupancyMaxPotentialBlockSize", 6050},

	cuTensorMapEncodeTiled:    {"cuTensorMapEncodeTiled", 12000},
	cuTensorMapReplaceAddress: {"cuTensorMapReplaceAddress", 12000},

	cuStreamCreateWithPriority:        {"cuStreamCreateWithPriority", 5050},
	cuStreamGetPriority:               {"cuStreamGetPriority", 5050},
	cuStreamGetFlags:                  {"cuStreamGetFlags", 5050},
	cuStreamSynchronize:               {"cuStreamSynchronize", 2000},
	cuStreamQuery:                     {"cuStreamQuery", 2000},
	cuStreamWaitEvent:                 {"cuStreamWaitEvent", 3020},
	cuLaunchHostFunc:                  {"cuLaunchHostFunc", 10000},
	cuStreamDestroy:                   {"cuStreamDestroy_v2", 4000},
	cuStreamBeginCapture:              {"cuStreamBeginCapture_v2", 10010},
	cuStreamBeginCaptureToGraph:       {"cuStreamBeginCaptureToGraph", 12030},
	cuStreamEndCapture:                {"cuStreamEndCapture", 10000},
	cuStreamGetCaptureInfo:            {"cuStreamGetCaptureInfo_v2", 11030},
	cuStreamUpdateCaptureDependencies: {"cuStreamUpdateCaptureDependencies", 11030},
	cuEventCreate:                     {"cuEventCreate", 2000},
	cuEventRecord:                     {"cuEventRecord", 2000},
	cuEventSynchronize:                {"cuEventSynchronize", 2000},
	cuEventQuery:                      {"cuEventQuery", 2000},
	cuEventElapsedTime:                {"cuEventElapsedTime", 2000},
	cuEventDestroy:                    {"cuEventDestroy_v2", 4000},

	cuGraphCreate:                      {"cuGraphCreate", 10000},
	cuGraphAddKernelNode:               {"cuGraphAddKernelNode_v2", 12000},
	cuGraphAddMemcpyNode:               {"cuGraphAddMemcpyNode", 10000},
	cuGraphAddMemsetNode:               {"cuGraphAddMemsetNode", 10000},
	cuGraphAddHostNode:                 {"cuGraphAddHostNode", 10000},
	cuGraphAddEmptyNode:                {"cuGraphAddEmptyNode", 10000},
	cuGraphAddChildGraphNode:           {"cuGraphAddChildGraphNode", 10000},
	cuGraphAddEventRecordNode:          {"cuGraphAddEventRecordNode", 11010},
	cuGraphAddEventWaitNode:            {"cuGraphAddEventWaitNode", 11010},
	cuGraphAddMemAllocNode:             {"cuGraphAddMemAllocNode", 11040},
	cuGraphAddMemFreeNode:              {"cuGraphAddMemFreeNode", 11040},
	cuGraphConditionalHandleCreate:     {"cuGraphConditionalHandleCreate", 12030},
	cuGraphAddNode:                     {"cuGraphAddNode_v2", 12030},
	cuGraphGetNodes:                    {"cuGraphGetNodes", 10000},
	cuGraphGetEdges:                    {"cuGraphGetEdges", 10000},
	cuGraphNodeGetType:                 {"cuGraphNodeGetType", 10000},
	cuGraphNodeGetDependencies:         {"cuGraphNodeGetDependencies", 10000},
	cuGraphAddDependencies:             {"cuGraphAddDependencies", 10000},
	cuGraphRemoveDependencies:          {"cuGraphRemoveDependencies", 10000},
	cuGraphDestroyNode:                 {"cuGraphDestroyNode", 10000},
	cuGraphKernelNodeGetParams:         {"cuGraphKernelNodeGetParams_v2", 12000},
	cuGraphKernelNodeSetParams:         {"cuGraphKernelNodeSetParams_v2", 12000},
	cuGraphMemcpyNodeGetParams:         {"cuGraphMemcpyNodeGetParams", 10000},
	cuGraphMemcpyNodeSetParams:         {"cuGraphMemcpyNodeSetParams", 10000},
	cuGraphMemsetNodeGetParams:         {"cuGraphMemsetNodeGetParams", 10000},
	cuGraphMemsetNodeSetParams:         {"cuGraphMemsetNodeSetParams", 10000},
	cuGraphChildGraphNodeGetGraph:      {"cuGraphChildGraphNodeGetGraph", 10000},
	cuGraphClone:                       {"cuGraphClone", 10000},
	cuGraphNodeFindInClone:             {"cuGraphNodeFindInClone", 10000},
	cuGraphInstantiate:                 {"cuGraphInstantiateWithFlags", 11040},
	cuGraphDestroy:                     {"cuGraphDestroy", 10000},
	cuGraphLaunch:                      {"cuGraphLaunch", 10000},
	cuGraphUpload:                      {"cuGraphUpload", 11010},
	cuGraphExecKernelNodeSetParams:     {"cuGraphExecKernelNodeSetParams_v2", 12000},
	cuGraphExecMemcpyNodeSetParams:     {"cuGraphExecMemcpyNodeSetParams", 10020},
	cuGraphExecMemsetNodeSetParams:     {"cuGraphExecMemsetNodeSetParams", 10020},
	cuGraphExecChildGraphNodeSetParams: {"cuGraphExecChildGraphNodeSetParams", 11010},
	cuGraphNodeSetEnabled:              {"cuGraphNodeSetEnabled", 11060},
	cuGraphNodeGetEnabled:              {"cuGraphNodeGetEnabled", 11060},
	cuGraphExecUpdate:                  {"cuGraphExecUpdate_v2", 12000},
	cuGraphExecDestroy:                 {"cuGraphExecDestroy", 10000},
}

// A SymbolError says that the library lacks a function: the driver is older than what was asked
// for.
type SymbolError struct {
	Symbol  string
	Library string
	// Since is the CUDA version that brought the function; Driver is the installed one, 0 if
	// unknown.
	Since, Driver driver.Version
}

func (e *SymbolError) Error() string {
	have := "of unknown version"
	if e.Driver != 0 {
		have = "for CUDA " + e.Driver.String()
	}
	return fmt.Sprintf("%s is not in %s: it came with CUDA %s and this driver is %s\nWhat to do: update the NVIDIA driver",
		e.Symbol, e.Library, e.Since, have)
}

// Unwrap makes an absent function count as an operation that is not supported.
func (e *SymbolError) Unwrap() error { return driver.ErrorNotSupported }

// addr is where a function lies, looked up when it is first needed.
func (l *library) addr(s symbol) (uintptr, error) {
	if a := l.addrs[s].Load(); a != 0 {
		return a, nil
	}
	row := symbols[s]
	a, err := purego.Dlsym(l.handle, row.name)
	if err != nil || a == 0 {
		return 0, &SymbolError{Symbol: row.name, Library: l.path, Since: row.since, Driver: driver.Version(l.version.Load())}
	}
	l.addrs[s].Store(a)
	return a, nil
}
