// What the kernels of a closure share: the rows and the forest, canonical keys, and which ids are roots.
#include "forest.cuh"
enum { BLOCK = 512 };

// Words of state: the barrier's count, rounds done, slots claimed by later rounds, what happened by round parity (4, 5).
enum { BARRIER, ROUNDS, CLAIMED, SAW = 4, STATE = 6 };
enum { MERGED = 1, FULL = 2 };

// Regions of the table, records of a part, and what says of a word of the table that it names a record, not a row + 1.
enum { REGION = 4096, ROOM = REGION / 8 * 7 };
enum : u32 { RECORD = 0x80000000u };

struct Records {
	u64 *hash;
	u32 *classes;
};

struct Rows {
	u32 n;
	u64 *keys;
	u32 width;
	const u32 *classes;
	u32 *parent;
	u32 *moved;
	u64 *table;
	u32 mask;
	Records part; // those that words of the table may name, of eg_fixpoint_large alone
};

__device__ __forceinline__ u32 now(const Rows &r, u32 id) { return r.moved[id / 32] >> id % 32 & 1 ? peek(r.parent + id) : id; }

__device__ __forceinline__ u64 canonical(const Rows &r, u64 key) {
	const u64 low = ((u64)1 << r.width) - 1;
	return key >> 2 * r.width << 2 * r.width | (u64)now(r, key >> r.width & low) << r.width | now(r, key & low);
}

// mark notes which ids are no roots, four loads at a time.
__device__ __forceinline__ void mark(const Rows &r, u32 ids) {
	const u32 lane = threadIdx.x & 31, warp = blockIdx.x * (BLOCK / 32) + threadIdx.x / 32;
	for (u32 from = warp * 128; from < ids; from += gridDim.x * BLOCK * 4) {
		u32 p[4], bits = 0;
#pragma unroll
		for (int k = 0; k < 4; k++) { u32 i = from + 32 * k + lane; p[k] = i < ids ? peek(r.parent + i) : i; }
#pragma unroll
		for (int k = 0; k < 4; k++) { u32 these = __ballot_sync(0xffffffffu, p[k] != from + 32 * k + lane); if (lane == k) bits = these; }
		if (lane < 4 && from + 32 * lane < ids) r.moved[from / 32 + lane] = bits;
	}
}

// point points marked ids at their roots. Whether an id is one its bit says, which a cache near the block holds: asking
// the forest would send all that lie under one root to one place of the memory, in turn.
__device__ __forceinline__ void point(const Rows &r, u32 ids) {
	const u32 lane = threadIdx.x & 31, warp = blockIdx.x * (BLOCK / 32) + threadIdx.x / 32, words = (ids + 31) / 32;
	for (u32 from = warp * 32; from < words; from += gridDim.x * BLOCK) {
		const u32 mine = from + lane < words ? r.moved[from + lane] : 0;
		for (u32 left = __ballot_sync(0xffffffffu, mine); left; left &= left - 1) {
			const u32 k = __ffs(left) - 1, id = (from + k) * 32 + lane;
			if (!(__shfl_sync(0xffffffffu, mine, k) >> lane & 1)) continue;
			u32 p = peek(r.parent + id), to = p;
			while (r.moved[to / 32] >> to % 32 & 1) to = peek(r.parent + to);
			if (to != p) poke(r.parent + id, to);
		}
	}
}
