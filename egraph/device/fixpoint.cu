// Congruence closure of packed rows to its fixpoint in one cooperative launch.
// Compiled to fixpoint.ptx by: NVRTC, --gpu-architecture=compute_80
//
// A row is a 64-bit key: operator << 2*width | left child << width | right child. The operator is interned
// with its arity, absent children are id 0, which is its own root whatever is merged. Equal keys are equal rows.
//
// Forest: parent[id] <= id, roots are their own parents; a larger root is hooked under a smaller one by
// compare-and-swap, so the root of a class is its smallest id.
//
// Phases, with a barrier of the whole grid between them:
//   start   empties the table (8 bytes written a slot) and merges the given pairs
//   flatten points every id at its root (4 bytes read an id, 4 written where it changes)
//   canon   replaces children by roots (8 bytes read and two gathers a row, 8 written where the key changes)
//   insert  puts all rows into an open hash table of words tag << 32 | row + 1, and merges the classes of rows
//           with equal keys (a word a probe, the key of the row there where tags agree)
// A round is flatten, canon, insert, on a table emptied again; the last insert merged nothing. Bounds: slots is a
// power of two and at least twice the rows, so every probe meets an empty slot; probes are masked.
typedef unsigned int u32;
typedef unsigned long long u64;
enum { BLOCK = 512, BATCH = 4 }; // threads a block, rows a thread canonicalises at a time

// Words of state: the barrier's count, rounds done, merges by round parity (4, 5).
enum { BARRIER, ROUNDS, MERGED = 4, STATE = 6 };

__device__ __forceinline__ u32 peek(const u32 *p) { u32 v; asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ u64 peek(const u64 *p) { u64 v; asm volatile("ld.relaxed.gpu.global.u64 %0,[%1];" : "=l"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ void poke(u32 *p, u32 v) { asm volatile("st.relaxed.gpu.global.u32 [%0],%1;" ::"l"(p), "r"(v) : "memory"); }

__device__ __forceinline__ u32 root(const u32 *parent, u32 x) { for (u32 y; (y = peek(parent + x)) != x;) x = y; return x; }

__device__ __forceinline__ bool unite(u32 *parent, u32 a, u32 b) {
	for (bool merged = false;;) {
		a = root(parent, a), b = root(parent, b);
		if (a == b) return merged;
		u32 high = max(a, b), low = min(a, b), old = atomicCAS(parent + high, high, low);
		if (old == high) return true;
		a = old, b = low;
	}
}

__device__ __forceinline__ u64 mix(u64 h) {
	h ^= h >> 33; h *= 0xff51afd7ed558ccdULL; h ^= h >> 33; h *= 0xc4ceb9fe1a85ec53ULL; return h ^ h >> 33;
}

// A barrier of all blocks: the count only grows, so nobody resets it.
__device__ __forceinline__ void barrier(u32 *state, u32 &due) {
	__syncthreads();
	due += gridDim.x;
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(state + BARRIER, 1);
		while (peek(state + BARRIER) < due) {}
		__threadfence();
	}
	__syncthreads();
}

__device__ __forceinline__ void insert(u32 row, u64 key, const u64 *keys, const u32 *classes, u32 *parent, u64 *table, u32 mask, u32 *merged) {
	u64 h = mix(key);
	u32 s = (u32)h & mask, tag = (u32)(h >> 32);
	u64 word = (u64)tag << 32 | (row + 1);
	for (;; s = (s + 1) & mask) {
		u64 old = peek(table + s);
		if (!old) old = atomicCAS(table + s, 0ULL, word);
		if (!old) return;
		if ((u32)(old >> 32) != tag) continue;
		u32 other = (u32)old - 1;
		if (other == row) return;
		if (keys[other] != key) continue;
		if (unite(parent, classes[row], classes[other]) && !peek(merged)) poke(merged, 1);
		return;
	}
}

extern "C" __global__ void __launch_bounds__(BLOCK) eg_fixpoint(u32 rows, u64 *keys, u32 width, const u32 *classes, u32 ids, u32 *parent,
	u32 pairs, const uint2 *unions, u64 *table, u32 slots, u32 *state, u32 most
) {
	const u32 first = blockIdx.x * BLOCK + threadIdx.x, step = gridDim.x * BLOCK, mask = slots - 1;
	const u64 low = ((u64)1 << width) - 1;
	u32 due = 0;
	for (u32 i = first; i < slots / 2; i += step) ((ulonglong2 *)table)[i] = make_ulonglong2(0, 0);
	for (u32 i = first; i < pairs; i += step) unite(parent, unions[i].x, unions[i].y);
	barrier(state, due);
	for (u32 round = 0; round < most; round++) {
		u32 *merged = state + MERGED + (round & 1);
		if (round) for (u32 i = first; i < slots / 2; i += step) ((ulonglong2 *)table)[i] = make_ulonglong2(0, 0);
		for (u32 i = first; i < ids; i += step) { u32 p = peek(parent + i); if (p != i) { u32 r = root(parent, p); if (r != p) poke(parent + i, r); } }
		barrier(state, due);
		// The other parity's words are those of the round before, which every block has read by now.
		if (first == 0) { state[MERGED + (~round & 1)] = 0; state[ROUNDS] = round + 1; }
		for (u32 i = first; i < rows; i += step * BATCH) {
			u64 old[BATCH], now[BATCH];
#pragma unroll
			for (int k = 0; k < BATCH; k++) { u32 j = i + k * step; old[k] = j < rows ? keys[j] : 0; }
#pragma unroll
			for (int k = 0; k < BATCH; k++)
				now[k] = old[k] >> 2 * width << 2 * width | (u64)parent[old[k] >> width & low] << width | parent[old[k] & low];
#pragma unroll
			for (int k = 0; k < BATCH; k++) {
				u32 j = i + k * step;
				bool is = j < rows && now[k] != old[k];
				if (is) keys[j] = now[k];
			}
		}
		barrier(state, due);
		for (u32 i = first; i < rows; i += step) insert(i, keys[i], keys, classes, parent, table, mask, merged);
		barrier(state, due);
		if (!peek(merged)) return;
	}
}
