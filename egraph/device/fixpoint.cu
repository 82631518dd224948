// Congruence closure of packed rows to its fixpoint in one cooperative launch.
//
// A row is a 64-bit key: operator << 2*width | left child << width | right child. The operator is interned
// with its arity, absent children are id 0, which is its own root whatever is merged. Equal keys are equal rows.
//
// Phases, with a barrier of the whole grid between them:
//   start   empties the table (8 bytes written a slot) and merges the given pairs
//   flatten points every id at its root (4 bytes read an id, 4 written where it changes), and notes which ids are
//           no roots, a bit each: 100 million ids are 12 MB, which a cache holds where it does not hold the forest
//   canon   replaces children that are no roots by them (8 bytes and two bits read a row, a gather for each child
//           that is no root, 8 bytes written where the key changes)
//   insert  puts all rows into an open hash table of words tag << 32 | row + 1, and merges the classes of rows
//           with equal keys (a word a probe, the key of the row there where tags agree)
// The first round is these. A later round flattens, and canonicalises and inserts the rows whose key changes in one
// pass: the slots of others still lead to their keys. A slot left behind by a changed row costs a probe alone, as
// keys decide; rows of one key change together, so one that was found equal to another needs no slot of its own. The
// last round merged nothing. Bounds: slots is a power of two and at least twice the rows, and no slot is claimed
// past 7/8 of them: then the next round begins with the table emptied again. Probes are masked.
//
// eg_fixpoint_large has the rounds after a first one by parts (partition.cu). There slots are at least 4/3 of the rows,
// which leaves room up to 7/8 as well, and flatten is mark and point, with a barrier between them.
#include "rows.cuh"

__device__ __forceinline__ void flatten(const Rows &r, u32 ids, u32 first, u32 step) {
	const u32 lane = threadIdx.x & 31;
	for (u32 from = first - lane; from < ids; from += step) {
		u32 i = from + lane, p = i < ids ? peek(r.parent + i) : i, bits = __ballot_sync(0xffffffffu, p != i);
		if (lane == 0) r.moved[from / 32] = bits;
		if (p == i) continue;
		u32 to = root(r.parent, p);
		if (to != p) poke(r.parent + i, to);
	}
}

__device__ __forceinline__ void insert(const Rows &r, u32 row, u64 key, u32 *saw) {
	u64 h = mix(key);
	u32 s = (u32)h & r.mask, tag = (u32)(h >> 32);
	u64 word = (u64)tag << 32 | (row + 1);
	for (;; s = (s + 1) & r.mask) {
		u64 old = peek(r.table + s);
		if (!old) old = atomicCAS(r.table + s, 0ULL, word);
		if (!old) return;
		if ((u32)(old >> 32) != tag) continue;
		u32 other = (u32)old - 1;
		if (other == row) return;
		if (peek(r.keys + other) != key) continue;
		if (unite(r.parent, r.classes[row], r.classes[other]) && !(peek(saw) & MERGED)) atomicOr(saw, MERGED);
		return;
	}
}

// put is insert where rows were partitioned: words of the table may name records, and a region is searched before the
// next. A record keeps its key: once a child of it is no root no canonical key is equal to it.
__device__ __forceinline__ void put(const Rows &r, u64 hash, u32 name, u32 cls, u32 *saw) {
	const u64 word = hash >> 32 << 32 | name;
	for (u32 s = (u32)hash & r.mask, looked = 0;;) {
		u64 old = peek(r.table + s);
		if (!old) old = atomicCAS(r.table + s, 0ULL, word);
		if (!old) return;
		if (old >> 32 == hash >> 32) {
			const u32 other = (u32)old & ~RECORD;
			const bool record = (u32)old & RECORD;
			if ((record ? r.part.hash[other] : mix(peek(r.keys + other - 1))) == hash) {
				if (unite(r.parent, cls, record ? r.part.classes[other] : r.classes[other - 1]) && !(peek(saw) & MERGED)) atomicOr(saw, MERGED);
				return;
			}
		}
		s = s & ~(REGION - 1) | s + 1 & REGION - 1;
		if (++looked == REGION) looked = 0, s = s + REGION & r.mask;
	}
}

// all canonicalises all rows and inserts them into an empty table.
template <bool Large> __device__ void all(const Rows &r, u32 first, u32 step, u32 *state, u32 &due, u32 *saw) {
	for (u32 i = first; i < r.n; i += step) {
		u64 old = r.keys[i], key = canonical(r, old);
		if (key != old) r.keys[i] = key;
	}
	barrier(state + BARRIER, due);
	for (u32 i = first; i < r.n; i += step) {
		if (Large) put(r, mix(r.keys[i]), i + 1, r.classes[i], saw);
		else insert(r, i, r.keys[i], saw);
	}
}

// changed canonicalises all rows and inserts those that changed.
template <bool Large> __device__ void changed(const Rows &r, u32 first, u32 step, u32 used, u32 *state, u32 *saw) {
	const u32 most = Large ? (r.mask + 1) / 8 * 7 - r.n : r.mask / 8 * 3, quota = quotaOf(used, most, step);
	u32 claimed = 0;
	for (u32 i = first; i < r.n; i += step) {
		u64 old = peek(r.keys + i), key = canonical(r, old);
		if (key == old) continue;
		poke(r.keys + i, key);
		if (!claim(state + CLAIMED, most, quota, claimed)) { if (!(peek(saw) & FULL)) atomicOr(saw, FULL); continue; }
		__threadfence(); // the key before the slot
		if (Large) put(r, mix(key), i + 1, r.classes[i], saw);
		else insert(r, i, key, saw);
	}
	add(state + CLAIMED, min(claimed, quota));
}

__device__ __forceinline__ void emptied(const Rows &r, u32 first, u32 step) {
	for (u32 i = first; i < (r.mask + 1) / 2; i += step) ((ulonglong2 *)r.table)[i] = make_ulonglong2(0, 0);
}

// rounds runs rounds from the first on that has not run, until one merged nothing.
template <bool Large> __device__ __forceinline__ void rounds(const Rows &r, u32 ids, u32 round, u32 *state, u32 due, bool full, u32 most) {
	const u32 first = blockIdx.x * BLOCK + threadIdx.x, step = gridDim.x * BLOCK;
	u32 claimed = 0;
	for (; round < most; round++) {
		u32 *saw = state + SAW + (round & 1);
		if (round && full) emptied(r, first, step);
		if (Large) {
			mark(r, ids);
			barrier(state + BARRIER, due);
			point(r, ids);
		} else flatten(r, ids, first, step);
		barrier(state + BARRIER, due);
		// The other parity's word is that of the round before, which every block has read by now.
		if (first == 0) { state[SAW + (~round & 1)] = 0; state[ROUNDS] = round + 1; if (full) state[CLAIMED] = 0; }
		if (full) all<Large>(r, first, step, state, due, saw);
		else changed<Large>(r, first, step, claimed, state, saw);
		barrier(state + BARRIER, due);
		u32 what = peek(saw);
		if (!what) return;
		claimed = peek(state + CLAIMED);
		full = what & FULL;
	}
}

extern "C" __global__ void __launch_bounds__(BLOCK, 4) eg_fixpoint(u32 rows, u64 *keys, u32 width, const u32 *classes, u32 ids, u32 *parent,
	u32 pairs, const uint2 *unions, u32 *moved, u64 *table, u32 slots, u32 *state, u32 most
) {
	const u32 first = blockIdx.x * BLOCK + threadIdx.x, step = gridDim.x * BLOCK;
	const Rows r = {rows, keys, width, classes, parent, moved, table, slots - 1};
	u32 due = 0;
	emptied(r, first, step);
	for (u32 i = first; i < pairs; i += step) unite(parent, unions[i].x, unions[i].y);
	barrier(state + BARRIER, due);
	rounds<false>(r, ids, 0, state, due, true, most);
}

// The rounds after that of partition.cu, whose spilled records are inserted first.
extern "C" __global__ void __launch_bounds__(BLOCK, 4) eg_fixpoint_large(u32 rows, u64 *keys, u32 width, const u32 *classes, u32 ids, u32 *parent,
	u32 *moved, u64 *table, u32 slots, u64 *partHash, u32 *partClasses, const u32 *counts, u32 bins, u32 spill, u32 *state, u32 most
) {
	const u32 first = blockIdx.x * BLOCK + threadIdx.x, step = gridDim.x * BLOCK, parts = slots / REGION, all = parts * ROOM, n = min(counts[bins + parts], spill);
	const Rows r = {rows, keys, width, classes, parent, moved, table, slots - 1, {partHash, partClasses}};
	u32 due = 0, *saw = state + SAW;
	// Neighbours have a key in common often, and would meet at one slot: so they are taken in steps of a prime above all counts.
	for (u32 k = first; k < n; k += step) {
		const u32 i = all + (u32)((u64)k * 4294967291u % n);
		put(r, partHash[i], RECORD | i, partClasses[i], saw);
	}
	barrier(state + BARRIER, due);
	if (first == 0) state[ROUNDS] = 1;
	const u32 what = peek(saw);
	if (what) rounds<true>(r, ids, 1, state, due, what & FULL, most);
}
