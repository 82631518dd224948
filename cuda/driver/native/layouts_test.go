package native

import (
	"testing"
	"unsafe"
)

// The figures were printed by a C program compiled against cuda.h of CUDA 13.0 (x86-64).
func TestLayoutsAreThoseOfTheHeader(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want uintptr
	}{
		{"CUlaunchConfig", unsafe.Sizeof(launchConfigEx{}), 56},
		{"CUlaunchConfig.hStream", unsafe.Offsetof(launchConfigEx{}.stream), 32},
		{"CUlaunchConfig.numAttrs", unsafe.Offsetof(launchConfigEx{}.numAttrs), 48},
		{"CUlaunchAttribute", unsafe.Sizeof(launchAttribute{}), 72},
		{"CUlaunchAttribute.value", unsafe.Offsetof(launchAttribute{}.value), 8},
		{"CUDA_KERNEL_NODE_PARAMS", unsafe.Sizeof(kernelNodeParams{}), 72},
		{"CUDA_KERNEL_NODE_PARAMS.kernelParams", unsafe.Offsetof(kernelNodeParams{}.kernelParams), 40},
		{"CUDA_KERNEL_NODE_PARAMS.extra", unsafe.Offsetof(kernelNodeParams{}.extra), 48},
		{"CUDA_KERNEL_NODE_PARAMS.ctx", unsafe.Offsetof(kernelNodeParams{}.context), 64},
		{"CUDA_MEMSET_NODE_PARAMS", unsafe.Sizeof(memsetNodeParams{}), 40},
		{"CUDA_MEMSET_NODE_PARAMS.width", unsafe.Offsetof(memsetNodeParams{}.width), 24},
		{"CUDA_MEMCPY3D", unsafe.Sizeof(memcpy3D{}), 200},
		{"CUDA_MEMCPY3D.srcHost", unsafe.Offsetof(memcpy3D{}.src) + unsafe.Offsetof(copySide{}.host), 40},
		{"CUDA_MEMCPY3D.dstXInBytes", unsafe.Offsetof(memcpy3D{}.dst), 88},
		{"CUDA_MEMCPY3D.dstHeight", unsafe.Offsetof(memcpy3D{}.dst) + unsafe.Offsetof(copySide{}.height), 168},
		{"CUDA_MEMCPY3D.Depth", unsafe.Offsetof(memcpy3D{}.depth), 192},
		{"CUDA_HOST_NODE_PARAMS", unsafe.Sizeof(hostNodeParams{}), 16},
		{"CUDA_MEM_ALLOC_NODE_PARAMS", unsafe.Sizeof(memAllocNodeParams{}), 120},
		{"CUDA_MEM_ALLOC_NODE_PARAMS.usage", unsafe.Offsetof(memAllocNodeParams{}.usage), 32},
		{"CUDA_MEM_ALLOC_NODE_PARAMS.bytesize", unsafe.Offsetof(memAllocNodeParams{}.bytes), 104},
		{"CUDA_MEM_ALLOC_NODE_PARAMS.dptr", unsafe.Offsetof(memAllocNodeParams{}.ptr), 112},
		{"CUgraphNodeParams", unsafe.Sizeof(conditionalNodeParams{}), 256},
		{"CUgraphNodeParams.conditional", unsafe.Offsetof(conditionalNodeParams{}.handle), 16},
		{"CUgraphNodeParams.phGraph_out", unsafe.Offsetof(conditionalNodeParams{}.bodies), 32},
		{"CUgraphNodeParams.ctx", unsafe.Offsetof(conditionalNodeParams{}.context), 40},
		{"CUgraphNodeParams.reserved2", unsafe.Offsetof(conditionalNodeParams{}.reserved2), 248},
		{"CUgraphExecUpdateResultInfo", unsafe.Sizeof(execUpdateInfo{}), 24},
		{"CUgraphExecUpdateResultInfo.errorNode", unsafe.Offsetof(execUpdateInfo{}.errorNode), 8},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, in cuda.h %d", c.what, c.got, c.want)
		}
	}
}
