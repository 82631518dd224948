// What the kernels of this package share: words that other threads change meanwhile, the forest of classes, and
// a barrier of the whole grid.
//
// Forest: parent[id] <= id, roots are their own parents; a larger root is hooked under a smaller one by
// compare-and-swap, so the root of a class is its smallest id.
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ __forceinline__ u32 peek(const u32 *p) { u32 v; asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ u64 peek(const u64 *p) { u64 v; asm volatile("ld.relaxed.gpu.global.u64 %0,[%1];" : "=l"(v) : "l"(p) : "memory"); return v; }
__device__ __forceinline__ void poke(u32 *p, u32 v) { asm volatile("st.relaxed.gpu.global.u32 [%0],%1;" ::"l"(p), "r"(v) : "memory"); }
__device__ __forceinline__ void poke(u64 *p, u64 v) { asm volatile("st.relaxed.gpu.global.u64 [%0],%1;" ::"l"(p), "l"(v) : "memory"); }

__device__ __forceinline__ u32 root(const u32 *parent, u32 x) { for (u32 y; (y = peek(parent + x)) != x;) x = y; return x; }

// Merges two classes and says whether they were two. The first attempt looks for no roots: if the larger id is one, all
// of its class are larger still, so the smaller id is of another class, and hooking under it is right whether or not it is
// a root. That is one access where two walks and an attempt are at least five.
__device__ __forceinline__ bool unite(u32 *parent, u32 a, u32 b) {
	if (a == b) return false;
	u32 high = max(a, b), low = min(a, b), old = atomicCAS(parent + high, high, low);
	if (old == high) return true;
	a = old, b = low;
	for (;;) {
		a = root(parent, a), b = root(parent, b);
		if (a == b) return false;
		high = max(a, b), low = min(a, b), old = atomicCAS(parent + high, high, low);
		if (old == high) return true;
		a = old, b = low;
	}
}

// The last mix of MurmurHash3 (Appleby).
__device__ __forceinline__ u64 mix(u64 h) {
	h ^= h >> 33; h *= 0xff51afd7ed558ccdULL; h ^= h >> 33; h *= 0xc4ceb9fe1a85ec53ULL; return h ^ h >> 33;
}

// A barrier of all blocks: the count only grows while a launch lasts, so nobody resets it.
__device__ __forceinline__ void barrier(u32 *count, u32 &due) {
	__syncthreads();
	due += gridDim.x;
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(count, 1);
		while (peek(count) < due) {}
		__threadfence();
	}
	__syncthreads();
}

// add adds what all lanes of a warp have.
__device__ __forceinline__ void add(u32 *p, u32 n) {
	n = __reduce_add_sync(0xffffffffu, n);
	if ((threadIdx.x & 31) == 0 && n) atomicAdd(p, n);
}

// bump adds 1 for each lane that is here and gives each its own number, with one atomic for all.
__device__ __forceinline__ u32 bump(u32 *p) {
	u32 here = __activemask(), lane = threadIdx.x & 31, leader = __ffs(here) - 1, at;
	if (lane == leader) at = atomicAdd(p, __popc(here));
	return __shfl_sync(here, at, leader) + __popc(here & ((1u << lane) - 1));
}

// quotaOf is how many slots a thread may claim by itself, of those up to `most` that are not used: so many threads
// need not meet at one counter. 0 where there are too few slots for that; it is the same for all threads.
__device__ __forceinline__ u32 quotaOf(u32 used, u32 most, u32 threads) {
	u32 n = used < most ? (most - used) / threads : 0;
	return n < 4 ? 0 : n;
}

// claim says whether a thread may use one more slot. Those of a quota are added to the count at the end.
__device__ __forceinline__ bool claim(u32 *used, u32 most, u32 quota, u32 &claimed) {
	return quota ? claimed++ < quota : bump(used) < most;
}
