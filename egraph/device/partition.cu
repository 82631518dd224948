// The first round of a closure by parts, for graphs whose table no cache holds: random accesses to memory are left for the
// children of rows and for rows that are equal to others, and none for the table.
//
// A record is the hash of a canonical key (mix is a bijection: equal hashes are equal keys) and a class. Records go to
// bins and from there to parts, each by some bits of their slot. A part's records are those of REGION slots of the table.
// Kernels, in the order in which they are launched:
//   eg_merge empties the counts and merges the given pairs
//   eg_mark  notes which ids are no roots (4 bytes read an id, a bit written)
//   eg_point points these at their roots (4 bytes read, written where that changes)
//   eg_bin   canonicalises rows (8 bytes read a row, two bits, which a cache holds, a gather for each child that is no
//            root; 8 written where a row of the same warp changed) and brings them to bins (4 bytes read, 12 written)
//   eg_part  brings records of bins to parts (12 bytes read and written)
//   eg_build makes a part's slots in shared memory and writes them (12 bytes read a row, 8 written a slot). Rows that are
//            equal are merged with the least of their classes: a compare-and-swap each where no cache holds the forest, for
//            a quarter of the rows half of this kernel's time
// Then eg_fixpoint_large has the later rounds. eg_bin and eg_part work in tiles: a block counts its tile by bin in shared
// memory, takes room in each bin with one atomic, sorts the tile there and writes runs of neighbours, so that there is no
// write of less than a sector and no atomic a row.
// Bounds: bins have `room` records, parts ROOM, which is less than their slots, so that a search for an empty one ends.
// Records that find no room are spilled, to a list that eg_fixpoint_large inserts. What finds no room there either raises
// FULL: the next round begins anew, with all rows, and blocks of eg_bin stop at their first such tile.
#include "rows.cuh"
enum { EACH = 6, TILE = BLOCK * EACH, MOST_BINS = 512 };

struct Parts {
	Records part;
	u32 *counts, bins, subs, spill;
};

// spill keeps a record for which there was no room, behind those of the parts.
__device__ __forceinline__ bool spill(const Parts &p, u64 hash, u32 cls) {
	const u32 parts = p.bins * p.subs, at = bump(p.counts + p.bins + parts);
	if (at >= p.spill) return false;
	p.part.hash[parts * ROOM + at] = hash, p.part.classes[parts * ROOM + at] = cls;
	return true;
}

// A tile on its way to its bins, in shared memory.
struct Tile {
	u64 hash[TILE];
	u32 classes[TILE], at[MOST_BINS], from[MOST_BINS];
};

// A way says where a tile's records go: by the bits of their slot from `shift` on, to `room` records each.
struct Way {
	u32 shift, bins, *count, room;
	Records to;
};

__device__ __forceinline__ u32 binOf(const Way &w, u64 hash) { return (u32)hash >> w.shift & w.bins - 1; }

__device__ __forceinline__ void raise(u32 *saw, u32 what) {
	what = __reduce_or_sync(0xffffffffu, what);
	if ((threadIdx.x & 31) == 0 && what) atomicOr(saw, what);
}

// take counts the tile's records by bin, takes room for them there, and leaves in s.at where a bin's records go, less
// where they stand in the tile.
__device__ __forceinline__ void take(Tile &s, const Way &w, const u64 (&hash)[EACH], u32 here, u32 (&at)[EACH]) {
	const u32 b = threadIdx.x;
	if (b < w.bins) s.at[b] = 0;
	__syncthreads();
#pragma unroll
	for (int k = 0; k < EACH; k++) if (here >> k & 1) at[k] = atomicAdd(s.at + binOf(w, hash[k]), 1);
	__syncthreads();
	u32 mine = b < w.bins ? s.at[b] : 0, taken = mine ? atomicAdd(w.count + b, mine) : 0;
	if (b < 32) for (u32 i = b, sum = 0; i - b < w.bins; i += 32) {
		u32 v = i < w.bins ? s.at[i] : 0, in = v;
#pragma unroll
		for (int d = 1; d < 32; d *= 2) { u32 y = __shfl_up_sync(0xffffffffu, in, d); if (b >= d) in += y; }
		if (i < w.bins) s.from[i] = sum + in - v;
		sum += __shfl_sync(0xffffffffu, in, 31);
	}
	__syncthreads();
	if (b < w.bins) s.at[b] = taken - s.from[b];
}

// spread brings a tile of n records to their bins. It says in all threads whether one found no room.
__device__ __forceinline__ bool spread(Tile &s, const Parts &p, const Way &w, const u64 (&hash)[EACH], const u32 (&cls)[EACH], u32 here, u32 n) {
	u32 at[EACH];
	take(s, w, hash, here, at);
#pragma unroll
	for (int k = 0; k < EACH; k++) if (here >> k & 1) {
		u32 j = s.from[binOf(w, hash[k])] + at[k];
		s.hash[j] = hash[k], s.classes[j] = cls[k];
	}
	__syncthreads();
	bool fits = true;
#pragma unroll 1
	for (u32 j = threadIdx.x; j < n; j += BLOCK) {
		u64 h = s.hash[j];
		u32 b = binOf(w, h), to = s.at[b] + j;
		if (to < w.room) w.to.hash[b * w.room + to] = h, w.to.classes[b * w.room + to] = s.classes[j];
		else fits &= spill(p, h, s.classes[j]);
	}
	return __syncthreads_or(!fits);
}

extern "C" __global__ void __launch_bounds__(BLOCK) eg_merge(u32 pairs, const uint2 *unions, u32 *parent, u32 *counts, u32 words) {
	const u32 first = blockIdx.x * BLOCK + threadIdx.x, step = gridDim.x * BLOCK;
	for (u32 i = first; i < words; i += step) counts[i] = 0;
	for (u32 i = first; i < pairs; i += step) unite(parent, unions[i].x, unions[i].y);
}

extern "C" __global__ void __launch_bounds__(BLOCK) eg_mark(u32 ids, u32 *parent, u32 *moved) { mark({0, 0, 0, 0, parent, moved}, ids); }

extern "C" __global__ void __launch_bounds__(BLOCK) eg_point(u32 ids, u32 *parent, u32 *moved) { point({0, 0, 0, 0, parent, moved}, ids); }

extern "C" __global__ void __launch_bounds__(BLOCK, 2) eg_bin(u32 rows, u64 *keys, u32 width, const u32 *classes, u32 *parent, u32 *moved,
	u64 *hash, u32 *binned, u32 *counts, u32 bins, u32 subs, u32 room, u64 *partHash, u32 *partClasses, u32 spill, u32 *state
) {
	__shared__ Tile s;
	const Rows r = {rows, keys, width, classes, parent, moved};
	const Parts p = {{partHash, partClasses}, counts, bins, subs, spill};
	const Way w = {(u32)__ffs(subs * REGION) - 1, bins, counts, room, {hash, binned}};
	for (u32 tile = blockIdx.x * TILE; tile < rows; tile += gridDim.x * TILE) {
		u64 hash[EACH];
		u32 cls[EACH], here = 0;
#pragma unroll
		for (int k = 0; k < EACH; k++) {
			u32 i = tile + k * BLOCK + threadIdx.x;
			hash[k] = i < rows ? __ldcs(keys + i) : 0;
		}
#pragma unroll
		for (int k = 0; k < EACH; k++) {
			u32 i = tile + k * BLOCK + threadIdx.x;
			u64 key = canonical(r, hash[k]);
			if (__any_sync(0xffffffffu, key != hash[k]) && i < rows) __stcs(keys + i, key); // whole sectors
			if (i < rows) hash[k] = mix(key), cls[k] = __ldcs(classes + i), here |= 1 << k;
		}
		if (spread(s, p, w, hash, cls, here, min(rows - tile, (u32)TILE))) { raise(state + SAW, FULL); return; }
	}
}

extern "C" __global__ void __launch_bounds__(BLOCK, 2) eg_part(const u64 *hash, const u32 *binned, u32 *counts, u32 bins, u32 subs, u32 room,
	u64 *partHash, u32 *partClasses, u32 spill, u32 *state
) {
	__shared__ Tile s;
	const Parts p = {{partHash, partClasses}, counts, bins, subs, spill};
	const u32 tiles = (room + TILE - 1) / TILE;
	for (u32 c = blockIdx.x; c < bins * tiles; c += gridDim.x) {
		const u32 b = c / tiles, tile = c % tiles * TILE, n = min(counts[b], room), sub = b * subs;
		if (tile >= n) continue;
		const Way w = {(u32)__ffs(REGION) - 1, subs, counts + bins + sub, ROOM, {partHash + (u64)sub * ROOM, partClasses + (u64)sub * ROOM}};
		u64 h[EACH];
		u32 cls[EACH], here = 0;
#pragma unroll
		for (int k = 0; k < EACH; k++) {
			u32 i = tile + k * BLOCK + threadIdx.x;
			if (i < n) h[k] = __ldcs(hash + b * room + i), cls[k] = __ldcs(binned + b * room + i), here |= 1 << k;
		}
		if (spread(s, p, w, h, cls, here, min(n - tile, (u32)TILE))) raise(state + SAW, FULL);
	}
}

// A region of the table on its way: its slots while records are inserted, then what is needed to merge the classes of
// equal ones. Records are named by where they stand in the part.
struct Region {
	union {
		ulonglong2 pairs[REGION / 2];
		u64 slots[REGION];
		struct { u32 least[ROOM], own[ROOM]; }; // of a record that others are equal to, the least class of these; of equal[j] its own
	};
	u32 equal[ROOM], n; // a record, and shifted by 16 the one before it that has its key
};

// fill inserts the records from `at` to `end`, and notes those that are equal to one before. The next record is asked for
// while one is inserted.
__device__ __forceinline__ void fill(Region &s, const u64 *hash, u32 at, u32 end) {
	u32 i = at + threadIdx.x;
	for (u64 h = i < end ? hash[i] : 0, next; i < end; i += BLOCK, h = next) {
		const u64 word = h >> 32 << 32 | RECORD | i;
		next = i + BLOCK < end ? hash[i + BLOCK] : 0;
		for (u32 slot = (u32)h & REGION - 1;; slot = slot + 1 & REGION - 1) {
			const u64 old = atomicCAS(s.slots + slot, 0ULL, word);
			if (!old) break;
			const u32 other = (u32)old & ~RECORD;
			if (old >> 32 != h >> 32 || hash[other] != h) continue;
			s.equal[atomicAdd(&s.n, 1)] = i - at | other - at << 16;
			break;
		}
	}
}

// hook merges the classes of equal records, each with the least of them: so a class is hooked but once, where merging them
// as they were found would look for the roots of many. It says whether there were two classes that were not one.
__device__ __forceinline__ bool hook(Region &s, const u32 *classes, u32 *parent) {
	bool merged = false;
	for (u32 j = threadIdx.x; j < s.n; j += BLOCK) s.least[s.equal[j] >> 16] = ~0u;
	__syncthreads();
	for (u32 j = threadIdx.x; j < s.n; j += BLOCK) {
		const u32 e = s.equal[j], own = classes[e & 0xffff], first = classes[e >> 16];
		s.own[j] = own;
		atomicMin(s.least + (e >> 16), min(own, first));
	}
	__syncthreads();
	for (u32 j = threadIdx.x; j < s.n; j += BLOCK) {
		const u32 first = s.equal[j] >> 16, least = s.least[first];
		merged |= unite(parent, s.own[j] != least ? s.own[j] : classes[first], least);
	}
	return merged;
}

extern "C" __global__ void __launch_bounds__(BLOCK, 4) eg_build(const u64 *hash, const u32 *classes, const u32 *counts, u32 bins, u32 parts, u32 *parent, u64 *table, u32 *state) {
	__shared__ Region s;
	u32 what = 0;
	for (u32 c = blockIdx.x; c < parts; c += gridDim.x) {
		const u32 at = c * ROOM;
		if (threadIdx.x == 0) s.n = 0;
		for (u32 i = threadIdx.x; i < REGION / 2; i += BLOCK) s.pairs[i] = make_ulonglong2(0, 0);
		__syncthreads();
		fill(s, hash, at, at + min(counts[bins + c], (u32)ROOM));
		__syncthreads();
		for (u32 i = threadIdx.x; i < REGION / 2; i += BLOCK) ((ulonglong2 *)(table + (u64)c * REGION))[i] = s.pairs[i];
		__syncthreads();
		if (hook(s, classes + at, parent)) what |= MERGED;
		__syncthreads();
	}
	raise(state + SAW, what);
}
