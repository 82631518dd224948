// Package ptx reads PTX, the assembly language of NVIDIA's virtual instruction
// set, as compilers print it: nvcc and NVRTC, clang, Triton, numba and rustc.
//
// The way of a text: scan.go cuts it into tokens with their positions; parse.go
// and the parse_*.go files build a Module (module.go) of variables, functions
// and instructions in which every name is resolved to what it means; isa.go
// holds the instruction set, one row a form, and matches an instruction to its
// row. Nothing here executes: package cuda/ptx/vm does.
//
// Above the driver seam the package answers one question for launches, which
// parameters a kernel takes: Function.Params gives each one's type, offset,
// size and alignment, and Function.ParamBytes the size of the whole block.
//
// References are to "Parallel Thread Execution ISA" version 9.0, by section.
package ptx
