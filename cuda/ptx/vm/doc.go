// Package vm executes PTX in Go: an emulated device that also says what a
// program does wrong.
//
// A block runs as one machine over all its threads, which the files call lanes.
// Registers are arrays over lanes (arena.go), an instruction is one closure over
// all active lanes (step), and lanes that branch apart are groups that run in
// turn, lowest program counter first, until they meet again (reconverge.go).
//
// The way of a kernel: Load (program.go) takes a ptx.Module, lays its variables
// out in Memory (memory.go), and compiles every kernel: cfg.go cuts functions
// into blocks, liveness.go gives registers their slots, invariant.go
// finds what runs once for all blocks of a launch,
// compile.go asks the table of builders (builders.go) for the closures of each
// instruction, from int.go, float.go, convert.go, compare.go, logic.go, access.go,
// atomic.go, warp.go, barrier.go, call.go, recursion.go (frames) and others, one instruction family each; of
// those of tensor kernels half.go, halfcompare.go and narrow.go have the formats,
// mma.go and wmma.go the matrices, wgmma.go those of warp groups with descriptor.go, fused.go and
// inflight.go (what is under way until a wait), ldmatrix.go their way from shared memory,
// asynccopy.go, bulkcopy.go, tensorcopy.go (tensormap.go the maps), multicast.go and mbarrier.go what goes on
// beside a lane.
// Launch (launch.go) runs the blocks of a grid over a pool of goroutines;
// newblock.go makes a block's memory, or takes that of an earlier launch, and block.go is
// one block at work. Where the lanes access consecutive elements, all are translated and
// checked at once (consecutive.go).
//
// Every access is translated through the allocation it hits, so an access out of
// bounds is always found, with buffer, offset, lanes and line (fault.go). Other
// checks are chosen in Options when the closures are made; one that is off costs
// nothing. races.go orders accesses, uninit.go tells bit fields in unwritten memory from uses of it,
// definedness.go copies, repeat.go finds that nothing will change any more, clocks.go
// that looking at a clock changes nothing about that, and
// counters.go counts what card.go shows of a launch; footprint.go tells the driver what a launch accessed.
//
// What is left out is an UnsupportedError that names the instruction and its line:
// copies of im2col boxes, cp.reduce without a tensor map,
// sparse wgmma and tcgen05, textures and surfaces,
// alloca, mma of 4-bit and 1-bit integers. A race between the source in global memory of a cp.async
// and a store that follows before the copy is waited for is not looked for, nor a missing fence.proxy.async.
//
// Where PTX leaves a result open: the order in which mma sums, and whether it rounds in between (mma.go
// rounds once; wgmma sums as sm_90 does, bit for bit: fused.go); what
// approximate instructions give within their bounds; the order of atomic additions of floating-point numbers, which here is the
// order in which blocks and lanes come.
package vm
