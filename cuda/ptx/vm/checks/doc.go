// Package checks holds what the virtual machine's observers remember about memory and how they
// judge it. It knows bytes, threads and times, and nothing of PTX.
//
// # The model
//
// A race is two accesses of different threads to a common byte, one of them a write, that nothing
// orders; what is stored does not matter. Every block has a time of its own, which goes on at each
// of its synchronisations, and an access is an epoch: a thread, its block's time, and the
// instruction. Of every byte a cell keeps the last plain write, the last two strong writes (atomic,
// volatile, relaxed) and the readers since that no reader after them is ordered behind. A new
// access races with those of them that its thread does not know of.
//
// What a thread knows is a vector of times, by thread (view.go): its own; at a barrier, those of
// all threads that arrived; at a .sync instruction of a warp, those of the lanes of its mask; and
// at a strong read of a place, what the writer knew at its last fence before the strong write
// there, which the reader has once it fences too, or waits at a barrier (release and acquire, PTX
// section 8). A fence of a block's scope tells threads of that block alone. A plain access of what
// others access strongly is a race; strong accesses do not race with each other, unless their scope
// is a block and they are of two.
//
// # What is let pass
//
// These are documented idioms, and reported by Observer.Strict alone:
//   - Two writes of equal values, by one instruction or of constants. Writes only: a read of what
//     another thread writes is a race whatever the value.
//   - A plain read beside an atomic operation of the same width, where the reader may go on to an
//     atomic of its own (the first load before a loop of atomicCAS, a look before atomicMax). A
//     read behind the thread's own atomics, with none to follow, is a result read too early.
//   - An atomic operation whose result is used acquires without a fence behind it (locks, tickets).
//   - What a thread does to the bytes of an atomic of its own, behind those of others (the last
//     block that sets a counter back).
//   - shfl, vote, match and redux order the lanes of their masks as bar.warp.sync does.
//
// # Where it may miss one
//
// Two readers of a byte stand for all where nothing but barriers of whole blocks and warps orders
// threads: any later writer races with one of them. Elsewhere up to 64 are kept by name, and the
// oldest goes.
//
// cell.go judges one cell, cells.go a range of bytes, shadow.go an allocation, in chunks that stand
// for their cells as long as consecutive threads access consecutive words; lanes.go takes in what
// cannot be a race, at the speed of a comparison per lane. block.go has a block's shared memory: of
// each word what one thread did since the block's last barrier, before a cell is made of it, and
// journal.go what needs no look at words at all, as the accesses between two barriers lie apart.
package checks
