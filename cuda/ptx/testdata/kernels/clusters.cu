// variants: G
// arch: sm_90
// Clusters of blocks: ranks, barriers, and the shared memory of the other blocks.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// What each block is told about its cluster.
extern "C" __global__ void ranks(unsigned *out)
{
	cg::cluster_group c = cg::this_cluster();
	unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
	if (threadIdx.x == 0) {
		dim3 i = c.block_index(), n = c.dim_blocks();
		unsigned *o = out + 8 * block;
		o[0] = c.block_rank();
		o[1] = c.num_blocks();
		o[2] = i.x + 16 * i.y + 256 * i.z;
		o[3] = n.x + 16 * n.y + 256 * n.z;
		o[4] = c.thread_rank();
		o[5] = c.num_threads();
		unsigned x, y;
		asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
		asm("mov.u32 %0, %%nclusterid.x;" : "=r"(y));
		o[6] = x;
		o[7] = y;
	}
}

// A histogram whose bins are spread over the shared memory of a cluster.
extern "C" __global__ void histogram(int *bins, int nbins, int per_block, const int *in, int n)
{
	extern __shared__ int mine[];
	cg::cluster_group cluster = cg::this_cluster();
	int size = cluster.dim_blocks().x;
	unsigned rank = cluster.block_rank();
	for (int i = threadIdx.x; i < per_block; i += blockDim.x)
		mine[i] = 0;
	cluster.sync();
	for (int i = cg::this_grid().thread_rank(); i < n; i += gridDim.x * blockDim.x) {
		int bin = in[i] < 0 ? 0 : in[i] >= nbins ? nbins - 1 : in[i];
		int *theirs = cluster.map_shared_rank(mine, bin / per_block);
		atomicAdd(theirs + bin % per_block, 1);
	}
	cluster.sync();
	for (int i = threadIdx.x; i < per_block; i += blockDim.x)
		if (rank * per_block + i < nbins && rank < size)
			atomicAdd(bins + rank * per_block + i, mine[i]);
}

// Values go round the cluster; the barrier is split, and the rank of an address asked for.
extern "C" __global__ void ring(int *out, int rounds)
{
	__shared__ int cell[2][64];
	cg::cluster_group c = cg::this_cluster();
	unsigned rank = c.block_rank(), size = c.num_blocks();
	int v = blockIdx.x * 1000 + threadIdx.x;
	for (int r = 0; r < rounds; r++) {
		int *next = c.map_shared_rank(cell[r & 1], (rank + 1) % size);
		if (c.query_shared_rank(next) != (rank + 1) % size)
			v = -1000000;
		next[threadIdx.x] = v;
		c.barrier_arrive();
		v = v * 3;
		c.barrier_wait();
		v = v + cell[r & 1][threadIdx.x];
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = v;
	c.sync();
}

// Planted faults.
extern "C" __global__ void f_race(int *out)
{
	__shared__ int cell[32];
	cg::cluster_group c = cg::this_cluster();
	cell[threadIdx.x] = 0;
	c.sync();
	c.map_shared_rank(cell, c.block_rank() ^ 1)[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = cell[threadIdx.x];
	c.sync();
}

extern "C" __global__ void f_gone(int *out)
{
	__shared__ int cell[32];
	cg::cluster_group c = cg::this_cluster();
	cell[threadIdx.x] = threadIdx.x;
	volatile int *over = out + 63;
	c.sync();
	if (c.block_rank() == 0) {
		*over = 1;
		return;
	}
	while (*over == 0)
		;
	out[threadIdx.x] = c.map_shared_rank(cell, 0)[threadIdx.x];
}

extern "C" __global__ void f_deadlock(int *out)
{
	cg::cluster_group c = cg::this_cluster();
	__shared__ int flag;
	if (threadIdx.x == 0)
		flag = 0;
	__syncthreads();
	if (c.block_rank() == 0 || threadIdx.x < 32)
		c.sync();
	else
		__syncthreads();
	out[threadIdx.x] = flag;
}

extern "C" __global__ void f_rank(int *out)
{
	__shared__ int cell[32];
	cg::cluster_group c = cg::this_cluster();
	out[threadIdx.x] = c.map_shared_rank(cell, threadIdx.x < 3 ? 0 : 7)[threadIdx.x];
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) fixed(unsigned *out)
{
	if (threadIdx.x == 0)
		out[blockIdx.x] = cg::this_cluster().num_blocks() * 10 + cg::this_cluster().block_rank();
}
