// Package nvrtc compiles CUDA C++ to PTX with NVIDIA's run-time compiler, which needs no GPU and no
// driver: what it writes runs on the emulated device too.
//
// NVRTC is a shared library that people have from a Python wheel (pip install nvidia-cuda-nvrtc),
// from a CUDA toolkit, or not at all. The way of a source: find.go looks for the library and its
// headers and says where it looked; library.go opens it in this process through purego; options.go
// chooses an architecture and refuses a compiler that writes newer PTX than the driver reads;
// compile.go compiles; diagnostics.go reads the log, whose lines are the cell's; kernels.go finds
// the kernels, their names in the PTX and their C++ parameters.
//
//	p, err := nvrtc.Compile(source, nvrtc.Options{Name: "cell 3", Compute: device.Info().Compute})
package nvrtc
