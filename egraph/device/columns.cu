// An image's columns on a device, as egraph/image lays them out: canonicalised, signed anew, and searched for classes
// that hold equal rows. R rows, C children in all, S slots: a power of two of at least 2 R.
//   eg_canonicalise replaces classes and children by their roots (8 bytes a row and a child, a gather each)
//   eg_sign         writes signatures, FNV-1a over the words of a row with a last mix (16 bytes a row, 4 a child read, 4 a
//                   row written)
//   eg_lead         finds for each row the first that is equal, its leader, in an open table of rows by signature (24 bytes
//                   a row and 4 a child read, as much again for a row that is equal to another, a slot each)
//   eg_distinct     keeps one row for each leader and class, in a second table, and numbers these by leader
//   eg_room         gives each leader room for its rows (an atomic a leader)
//   eg_members      puts the rows there (4 bytes a row)
//   eg_pairs        writes the pairs of classes of each leader's rows (8 bytes a pair)
// The work is that of the rows, the children and the pairs: rows that are equal within a class count once. Bounds: S is
// more than there are rows, so that a search for an empty slot ends; pairs beyond `room` are counted and not written, and
// none is counted by a thread that has seen more than `most`.
#include "forest.cuh"
enum { BLOCK = 256 };

struct Columns {
	u32 *classes, *ops;
	const u32 *offsets, *lengths;
	u32 *signatures, *children;
};

__device__ __forceinline__ Columns columns(u32 *slab, u32 rows) {
	const u64 n = rows;
	return {slab, slab + n, slab + 2 * n, slab + 3 * n, slab + 4 * n, slab + 5 * n};
}

// What a search for equal rows works in: all of it words but the pairs and their count.
struct Search {
	u32 *table, *distinct, *leader, *rank, *size, *at, *cursor;
};

__device__ __forceinline__ Search search(u32 *words, u32 slots, u32 rows) {
	u32 *rest = words + 2 * (u64)slots;
	return {words, words + slots, rest, rest + rows, rest + 2 * (u64)rows, rest + 3 * (u64)rows, rest + 4 * (u64)rows};
}

#define EACH(i, n) for (u32 i = blockIdx.x * BLOCK + threadIdx.x; i < (n); i += gridDim.x * BLOCK)

enum : u32 { NONE = ~0u };

extern "C" __global__ void __launch_bounds__(BLOCK) eg_canonicalise(u32 rows, u32 children, u32 *slab, const u32 *parent) {
	const Columns c = columns(slab, rows);
	EACH(i, rows) c.classes[i] = parent[c.classes[i]];
	EACH(i, children) c.children[i] = parent[c.children[i]];
}

extern "C" __global__ void __launch_bounds__(BLOCK) eg_sign(u32 rows, u32 *slab) {
	const Columns c = columns(slab, rows);
	EACH(i, rows) {
		const u32 *child = c.children + c.offsets[i];
		u32 h = (2166136261u ^ c.ops[i]) * 16777619u;
		for (u32 k = 0; k < c.lengths[i]; k++) h = (h ^ child[k]) * 16777619u, h ^= h >> 15;
		h ^= h >> 16, h *= 0x85ebca6bu;
		c.signatures[i] = h ^ h >> 13;
	}
}

__device__ bool equal(const Columns &c, u32 i, u32 j) {
	if (c.signatures[i] != c.signatures[j] || c.ops[i] != c.ops[j] || c.lengths[i] != c.lengths[j]) return false;
	const u32 *a = c.children + c.offsets[i], *b = c.children + c.offsets[j];
	for (u32 k = 0; k < c.lengths[i]; k++) if (a[k] != b[k]) return false;
	return true;
}

extern "C" __global__ void __launch_bounds__(BLOCK) eg_lead(u32 rows, u32 *slab, u32 *words, u32 slots) {
	const Columns c = columns(slab, rows);
	const Search s = search(words, slots, rows);
	EACH(i, rows) for (u32 slot = c.signatures[i] & slots - 1;; slot = slot + 1 & slots - 1) {
		const u32 old = atomicCAS(s.table + slot, 0, i + 1), first = old ? old - 1 : i;
		if (old && !equal(c, i, first)) continue;
		s.leader[i] = first;
		break;
	}
}

extern "C" __global__ void __launch_bounds__(BLOCK) eg_distinct(u32 rows, u32 *slab, u32 *words, u32 slots) {
	const Columns c = columns(slab, rows);
	const Search s = search(words, slots, rows);
	EACH(i, rows) {
		const u32 leader = s.leader[i], cls = c.classes[i];
		for (u32 slot = (u32)mix((u64)leader << 32 | cls) & slots - 1;; slot = slot + 1 & slots - 1) {
			const u32 old = atomicCAS(s.distinct + slot, 0, i + 1);
			if (old && (s.leader[old - 1] != leader || c.classes[old - 1] != cls)) continue;
			s.rank[i] = old ? NONE : atomicAdd(s.size + leader, 1);
			break;
		}
	}
}

extern "C" __global__ void __launch_bounds__(BLOCK) eg_room(u32 rows, u32 *words, u32 slots) {
	const Search s = search(words, slots, rows);
	EACH(i, rows) if (s.leader[i] == i) s.at[i] = atomicAdd(s.cursor, s.size[i]);
}

extern "C" __global__ void __launch_bounds__(BLOCK) eg_members(u32 rows, u32 *words, u32 slots, u32 *members) {
	const Search s = search(words, slots, rows);
	EACH(i, rows) if (s.rank[i] != NONE) members[s.at[s.leader[i]] + s.rank[i]] = i;
}

extern "C" __global__ void __launch_bounds__(BLOCK) eg_pairs(u32 rows, u32 *slab, u32 *words, u32 slots, const u32 *members, uint2 *pairs, u64 room, u64 most, u64 *count) {
	const Columns c = columns(slab, rows);
	const Search s = search(words, slots, rows);
	EACH(i, rows) {
		if (s.rank[i] == NONE) continue;
		const u32 *others = members + s.at[s.leader[i]], mine = c.classes[i];
		for (u32 k = 0; k < s.rank[i]; k++) {
			const u64 to = atomicAdd(count, 1ull);
			if (to > most) return;
			const u32 other = c.classes[others[k]];
			if (to < room) pairs[to] = make_uint2(min(mine, other), max(mine, other));
		}
	}
}
