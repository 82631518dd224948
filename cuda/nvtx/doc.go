// Package nvtx marks stretches of time for NVIDIA's profilers (NVTX, the NVIDIA Tools Extension),
// through the library that CUDA's wheels and toolkits have, with no cgo. Without a profiler a range
// costs a few tens of nanoseconds and does nothing.
//
//	lib, err := nvtx.Open()       // *NotFoundError where there is none
//	id := lib.Start("load")       // ranges may overlap, and end on another thread than they began on
//	lib.End(id)
//
// nvtx.go finds and calls the library.
package nvtx
