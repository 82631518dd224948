// Congruence closure and deduplication as one would write them first in CUDA C++: a kernel a step, a round at a time,
// and the host asks after each round whether there is to be another. The figures of BenchmarkFixpoint and BenchmarkDedup
// of egraph/device are held against it, on the same rows; classes are printed to be compared.
//
//   nvcc -O2 -arch=native -o closure bench/gpu/closure.cu && ./closure
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

typedef unsigned int u32;
typedef unsigned long long u64;

#define TRY(call) do { cudaError_t e = (call); if (e) { fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e)); exit(1); } } while (0)

enum { BLOCK = 256 };
#define GRID(n) ((n) + BLOCK - 1) / BLOCK, BLOCK

// The forest: roots are their own parents, the root of a class is its least id.
__device__ u32 root(const u32 *parent, u32 id) {
	while (parent[id] != id) id = parent[id];
	return id;
}

__device__ bool merge(u32 *parent, u32 a, u32 b) {
	for (;;) {
		a = root(parent, a), b = root(parent, b);
		if (a == b) return false;
		const u32 high = max(a, b), low = min(a, b), old = atomicCAS(parent + high, high, low);
		if (old == high) return true;
		a = old, b = low;
	}
}

__device__ u64 mix(u64 h) { // MurmurHash3's last mix
	h ^= h >> 33, h *= 0xff51afd7ed558ccdull, h ^= h >> 33, h *= 0xc4ceb9fe1a85ec53ull;
	return h ^ h >> 33;
}

// A row is an operator (bits from 56 on) and two children of 28 bits.
__device__ u64 canonical(const u32 *parent, u64 row) {
	const u64 low = (1 << 28) - 1;
	return row >> 56 << 56 | (u64)root(parent, row >> 28 & low) << 28 | root(parent, row & low);
}

__global__ void unite(u32 n, const uint2 *pairs, u32 *parent) {
	const u32 i = blockIdx.x * BLOCK + threadIdx.x;
	if (i < n) merge(parent, pairs[i].x, pairs[i].y);
}

__global__ void canonicalise(u32 n, u64 *rows, const u32 *parent) {
	const u32 i = blockIdx.x * BLOCK + threadIdx.x;
	if (i < n) rows[i] = canonical(parent, rows[i]);
}

// insert looks rows up in a table of hash tags and row numbers, and merges the classes of equal ones.
__global__ void insert(u32 n, const u64 *rows, u32 first, u64 *table, u32 mask, u32 *parent, u32 *again) {
	const u32 i = blockIdx.x * BLOCK + threadIdx.x;
	if (i >= n) return;
	const u64 hash = mix(rows[i]), word = hash >> 32 << 32 | (i + 1);
	for (u32 slot = (u32)hash & mask;; slot = slot + 1 & mask) {
		u64 old = table[slot];
		if (!old && !(old = atomicCAS(table + slot, 0ull, word))) return;
		const u32 other = (u32)old - 1;
		if (old >> 32 != hash >> 32 || rows[other] != rows[i]) continue;
		if (merge(parent, first + i, first + other)) *again = 1;
		return;
	}
}

__global__ void compress(u32 n, u32 *parent) {
	const u32 i = blockIdx.x * BLOCK + threadIdx.x;
	if (i < n) parent[i] = root(parent, i);
}

struct Xorshift {
	u64 x;
	u64 next() { return x ^= x << 13, x ^= x >> 7, x ^= x << 17; }
};

template <class T> T *onDevice(const std::vector<T> &v) {
	T *p;
	TRY(cudaMalloc(&p, v.size() * sizeof(T)));
	TRY(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
	return p;
}

// An e-graph on the device: row i is of class first + i, ids below `first` are leaves.
struct Graph {
	u32 rows, first, ids, slots = 1;
	u64 *keys, *startKeys, *table;
	u32 *parent, *startParent, *again;

	Graph(const std::vector<u64> &k, const std::vector<u32> &p) : rows(k.size()), first(p.size() - k.size()), ids(p.size()) {
		while (slots < 2 * rows) slots *= 2;
		keys = onDevice(k), startKeys = onDevice(k), parent = onDevice(p), startParent = onDevice(p);
		TRY(cudaMalloc(&table, 8ull * slots));
		TRY(cudaMalloc(&again, 4));
	}
	~Graph() {
		for (void *p : {(void *)keys, (void *)startKeys, (void *)table, (void *)parent, (void *)startParent, (void *)again}) TRY(cudaFree(p));
	}
	void reset() {
		TRY(cudaMemcpy(keys, startKeys, 8ull * rows, cudaMemcpyDeviceToDevice));
		TRY(cudaMemcpy(parent, startParent, 4ull * ids, cudaMemcpyDeviceToDevice));
	}
	void settle() {
		TRY(cudaMemcpy(startKeys, keys, 8ull * rows, cudaMemcpyDeviceToDevice));
		TRY(cudaMemcpy(startParent, parent, 4ull * ids, cudaMemcpyDeviceToDevice));
	}
	void round() {
		TRY(cudaMemsetAsync(table, 0, 8ull * slots));
		TRY(cudaMemsetAsync(again, 0, 4));
		canonicalise<<<GRID(rows)>>>(rows, keys, parent);
		insert<<<GRID(rows)>>>(rows, keys, first, table, slots - 1, parent, again);
		compress<<<GRID(ids)>>>(ids, parent);
	}
	int close() {
		for (int rounds = 1;; rounds++) {
			u32 more;
			round();
			TRY(cudaMemcpy(&more, again, 4, cudaMemcpyDeviceToHost));
			if (!more) return rounds;
		}
	}
	u32 classes() {
		std::vector<u32> p(ids);
		TRY(cudaMemcpy(p.data(), parent, 4ull * ids, cudaMemcpyDeviceToHost));
		u32 n = 0;
		for (u32 i = 0; i < ids; i++) n += p[i] == i;
		return n;
	}
};

template <class F> std::vector<float> times(Graph &g, int n, F f) {
	cudaEvent_t begin, end;
	TRY(cudaEventCreate(&begin));
	TRY(cudaEventCreate(&end));
	std::vector<float> all(n);
	for (float &ms : all) {
		g.reset();
		TRY(cudaEventRecord(begin));
		f();
		TRY(cudaEventRecord(end));
		TRY(cudaEventSynchronize(end));
		TRY(cudaEventElapsedTime(&ms, begin, end));
	}
	TRY(cudaEventDestroy(begin));
	TRY(cudaEventDestroy(end));
	std::sort(all.begin(), all.end());
	return all;
}

static std::vector<u32> singletons(u32 n) {
	std::vector<u32> p(n);
	for (u32 i = 0; i < n; i++) p[i] = i;
	return p;
}

static void closure(u32 leaves, u32 terms, u32 unions, bool layered) {
	Xorshift x{88172645463325252};
	std::vector<u64> rows(terms);
	std::vector<uint2> pairs(unions);
	for (u32 i = 0; i < terms; i++) {
		const u64 m = leaves + (layered ? i : 0), a = x.next() % m, b = x.next() % m;
		rows[i] = x.next() % 2 << 56 | a << 28 | b;
	}
	for (uint2 &p : pairs) p.x = x.next() % leaves, p.y = x.next() % leaves;
	Graph g(rows, singletons(leaves + terms));
	uint2 *united = onDevice(pairs);
	g.close();
	g.settle();
	int rounds = 0;
	auto all = times(g, 21, [&] {
		unite<<<GRID(unions)>>>(unions, united, g.parent);
		compress<<<GRID(g.ids)>>>(g.ids, g.parent);
		rounds = g.close();
	});
	printf("CUDA C++, closure of %u terms over %u leaves, %u unions%s: median %.3f ms, least %.3f, %d rounds, %u classes\n", terms, leaves, unions, layered ? ", layered" : "", all[10], all[0], rounds, g.classes());
	TRY(cudaFree(united));
}

static void deduplicate(u32 space) {
	const u32 n = 100000000;
	Xorshift x{1234567};
	std::vector<u64> rows(n);
	for (u64 &r : rows) {
		const u64 q = x.next(), s = x.next();
		r = (2 + q % 2) << 56 | (q >> 32) * space >> 32 << 28 | (s >> 32) * space >> 32;
	}
	for (u32 k = 0; k < n / 4; k++) rows[3 * k + 1] = rows[2 * k];
	std::vector<u32> parent = singletons(space + n);
	for (u32 i = 77; i < space; i += 7) parent[i] = parent[i - 70];
	Graph g(rows, parent);
	auto all = times(g, 7, [&] { g.round(); });
	printf("CUDA C++, a round over %u rows, ids below %u: median %.3f ms, least %.3f, %u classes of rows\n", n, space, all[3], all[0], g.classes() - (space - (space - 77 + 6) / 7));
}

int main() {
	closure(1000, 1000000, 500, false);
	closure(100000, 1000000, 50000, false);
	closure(100000, 4000000, 50000, false);
	closure(1000000, 4000000, 500000, true);
	deduplicate(100000000);
	deduplicate(1000000);
}
