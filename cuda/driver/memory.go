package driver

// Memory is the part of a Context that allocates, copies and fills. Counts are bytes unless said
// otherwise. Zero bytes are legal for copies and fills and do nothing; an allocation of zero bytes
// is ErrorInvalidValue.
type Memory interface {
	// Alloc and Free are cuMemAlloc and cuMemFree. Memory comes uninitialised, aligned to at least
	// 256 bytes. Free waits for work that uses the memory, as CUDA does.
	Alloc(n uint64) (DevicePtr, error)
	Free(DevicePtr) error
	// AllocAsync and FreeAsync take from the device's default pool in stream order
	// (cuMemAllocAsync, cuMemFreeAsync). Captured, they become memory nodes.
	AllocAsync(n uint64, s Stream) (DevicePtr, error)
	FreeAsync(p DevicePtr, s Stream) error
	// AddressRange gives the allocation that holds a pointer (cuMemGetAddressRange).
	AddressRange(p DevicePtr) (base DevicePtr, n uint64, err error)
	// AllocHost allocates page-locked host memory (cuMemHostAlloc).
	AllocHost(n uint64, flags HostAllocFlags) (HostMemory, error)

	// CopyHtoD, CopyDtoH and CopyDtoD are cuMemcpyHtoD, cuMemcpyDtoH and cuMemcpyDtoD: on return
	// the bytes have arrived (CopyDtoD between two places of one device may still run, in the order
	// of the default stream). The slice's length is the count.
	CopyHtoD(dst DevicePtr, src []byte) error
	CopyDtoH(dst []byte, src DevicePtr) error
	CopyDtoD(dst, src DevicePtr, n uint64) error
	// The same in stream order.
	CopyHtoDAsync(dst DevicePtr, src []byte, s Stream) error
	CopyDtoHAsync(dst []byte, src DevicePtr, s Stream) error
	CopyDtoDAsync(dst, src DevicePtr, n uint64, s Stream) error
	// CopyPeerAsync copies from another context's memory to this one's (cuMemcpyPeerAsync).
	CopyPeerAsync(dst DevicePtr, src DevicePtr, from Context, n uint64, s Stream) error

	// MemsetD8, MemsetD16 and MemsetD32 set count elements (not bytes) to a value; 16- and 32-bit
	// destinations are aligned to their elements, else ErrorInvalidValue.
	MemsetD8(dst DevicePtr, value uint8, count uint64) error
	MemsetD16(dst DevicePtr, value uint16, count uint64) error
	MemsetD32(dst DevicePtr, value uint32, count uint64) error
	MemsetD8Async(dst DevicePtr, value uint8, count uint64, s Stream) error
	MemsetD16Async(dst DevicePtr, value uint16, count uint64, s Stream) error
	MemsetD32Async(dst DevicePtr, value uint32, count uint64, s Stream) error
}

// HostMemory is page-locked host memory, which a device reads and writes while the host goes on.
type HostMemory interface {
	// Bytes is the memory itself; using it after Free is a fault of the process.
	Bytes() []byte
	// DevicePtr is where kernels see it (cuMemHostGetDevicePointer); ErrorInvalidValue without
	// HostAllocDeviceMap.
	DevicePtr() (DevicePtr, error)
	// Free gives it back (cuMemFreeHost).
	Free() error
}
