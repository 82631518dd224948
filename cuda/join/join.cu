// Kernels of the join pipeline. `go generate` compiles them to join.ptx with NVRTC.

// counts[i] = how many of build[0..nbuild) equal probe[i], for i < nprobe; 0 for the rest of the class.
extern "C" __global__ void count(const unsigned *probe, unsigned nprobe, const unsigned *build, unsigned nbuild,
                                 unsigned *counts, unsigned n) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	unsigned c = 0;
	if (i < nprobe)
		for (unsigned j = 0; j < nbuild; j++) c += build[j] == probe[i];
	counts[i] = c;
}

// a + b, or 2^32-1 where that is more: sums that saturate are associative, so a scan of any shape gives
// the least of the sum and 2^32-1.
__device__ unsigned sum(unsigned a, unsigned b) { return a + b < a ? 0xffffffffu : a + b; }

// Exclusive prefix sums of blocks of 256, after Blelloch (1990), "Prefix sums and their applications":
// out[i] = sum of in before i within its block, sums[block] = sum of the block.
extern "C" __global__ void scan(const unsigned *in, unsigned *out, unsigned *sums, unsigned n) {
	__shared__ unsigned part[256];
	unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
	part[t] = i < n ? in[i] : 0;
	unsigned offset = 1;
	for (unsigned d = 128; d > 0; d >>= 1, offset <<= 1) {
		__syncthreads();
		if (t < d) part[offset * (2 * t + 2) - 1] = sum(part[offset * (2 * t + 2) - 1], part[offset * (2 * t + 1) - 1]);
	}
	__syncthreads();
	if (t == 0) {
		sums[blockIdx.x] = part[255];
		part[255] = 0;
	}
	for (unsigned d = 1; d < 256; d <<= 1) {
		offset >>= 1;
		__syncthreads();
		if (t < d) {
			unsigned a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
			unsigned left = part[a];
			part[a] = part[b];
			part[b] = sum(part[b], left);
		}
	}
	__syncthreads();
	if (i < n) out[i] = part[t];
}

// out[i] += sums[block], saturating as scan does
extern "C" __global__ void add(unsigned *out, const unsigned *sums, unsigned n) {
	unsigned i = blockIdx.x * 256 + threadIdx.x;
	if (i < n) out[i] = sum(out[i], sums[blockIdx.x]);
}

// A row (probe index, build index) for each pair of equal keys, from offsets[i] on, as far as there is room.
extern "C" __global__ void emit(const unsigned *probe, unsigned nprobe, const unsigned *build, unsigned nbuild,
                                const unsigned *offsets, uint2 *rows, unsigned capacity) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= nprobe) return;
	unsigned o = offsets[i];
	for (unsigned j = 0; j < nbuild; j++)
		if (build[j] == probe[i] && o < capacity) rows[o++] = make_uint2(i, j);
}
