// Package vm executes PTX in Go: an emulated device that also says what a program does wrong.
//
// A block runs as one machine over all its threads, which the files call lanes. Registers are arrays
// over lanes (run_arena.go), an instruction is one closure over all active lanes (step), and lanes
// that branch apart are groups that run in turn, lowest program counter first, until they meet again
// (run_reconverge.go).
//
// Files are named by family, in the order in which a kernel meets them:
//
//   - code_*.go make code. Load (code_program.go) takes a ptx.Module, lays its variables out and
//     compiles every kernel: code_cfg.go cuts functions into blocks, code_liveness.go gives registers
//     their slots, code_invariant.go finds what runs once for all blocks of a launch, and
//     code_compile.go asks the table of code_builders.go for the closures of each instruction.
//     code_general.go has the form that all others are compared with in tests.
//   - isa_*.go are the instructions of a lane, a family each; what they compute is in package num.
//   - mem_*.go are Memory, the accesses of lanes, where consecutive ones are checked at once
//     (mem_consecutive.go), atomic ones, and copies that go on beside a lane.
//   - warp_*.go are the instructions of warps and warp groups: exchanges, matrices.
//   - run_*.go run a grid: Launch (run_launch.go) gives blocks to a pool of goroutines,
//     run_newblock.go makes a block's memory, run_block.go is one block at work, run_frames.go the
//     stacks of recursion, run_cluster.go the blocks of a cluster.
//   - check_*.go find what is wrong. Every access is translated through the allocation it hits, so
//     one out of bounds is always found, with buffer, offset, lanes and line (check_raise.go). The
//     others are chosen in Options when the closures are made; one that is off costs nothing: races
//     (check_races.go), reads of what nothing wrote (check_uninit.go, check_definedness.go), waits
//     without an end (check_repeat.go, check_clocks.go), matrices under way (check_inflight.go).
//     check_counters.go counts what check_card.go shows; check_footprint.go and check_trail.go tell what
//     was accessed.
//
// What is left out is an UnsupportedError that names the instruction and its line: copies of im2col
// boxes, cp.reduce without a tensor map, sparse wgmma and tcgen05, textures and surfaces, alloca, mma
// of 4-bit and 1-bit integers. A race between the source in global memory of a cp.async and a store
// that follows before the copy is waited for is not looked for, nor a missing fence.proxy.async.
//
// Where PTX leaves a result open: the order in which mma sums, and whether it rounds in between
// (warp_mma.go rounds once; wgmma sums as sm_90 does, bit for bit); what approximate instructions
// give within their bounds; the order of atomic additions of floating-point numbers, which here is the
// order in which blocks and lanes come.
package vm
