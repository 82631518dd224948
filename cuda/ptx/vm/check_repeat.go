package vm

import (
	"hash/maphash"
	"unsafe"
)

// repeat finds whether a block that only looks at memory has come back to a state
// it was in before (Brent's cycle detection, one probe a turn): such a block
// goes on for ever unless another changes memory. A loop that counts in a
// register or in local memory does not repeat.
type repeat struct {
	version    uint64 // of memory, as the launch counts changes
	mark       uint64
	age, limit int
	found      bool
}

var stateSeed = maphash.MakeSeed()

// probe notes the block's state and reports whether it repeats.
func (r *repeat) probe(b *block) bool {
	if v := b.launch.changes.Load(); r.limit == 0 || v != r.version {
		*r = repeat{version: v, mark: b.fingerprint(), limit: 1}
		return false
	}
	if r.found {
		return true
	}
	f := b.fingerprint()
	if r.found = f == r.mark; r.found {
		return true
	}
	if r.age++; r.age >= r.limit {
		r.mark, r.age, r.limit = f, 0, 2*r.limit
	}
	return false
}

// fingerprint hashes what decides how the lanes go on, memory of others apart.
func (b *block) fingerprint() uint64 {
	var h maphash.Hash
	h.SetSeed(stateSeed)
	maphash.WriteComparable(&h, b.pc)
	maphash.WriteComparable(&h, b.bits)
	for i := range b.groups {
		maphash.WriteComparable(&h, b.groups[i].pc)
		maphash.WriteComparable(&h, b.groups[i].bits)
	}
	hashSlice(&h, b.arena.regs)
	hashSlice(&h, b.local)
	hashSlice(&h, b.calls)
	hashSlice(&h, b.depth)
	if b.stacks != nil {
		hashSlice(&h, b.stacks.kept)
	}
	return h.Sum64()
}

func hashSlice[T byte | int32 | uint64](h *maphash.Hash, s []T) {
	if len(s) > 0 {
		_, _ = h.Write(unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0]))))
	}
}
