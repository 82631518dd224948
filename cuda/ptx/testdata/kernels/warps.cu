// Kernels that work warp by warp, and cooperative ones.
// variants: fast G
// arch: sm_80
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void warp_sum(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, v);
}

extern "C" __global__ void warp_scan(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int v = in[i];
    for (int o = 1; o < 32; o <<= 1) { int u = __shfl_up_sync(0xffffffffu, v, o); if (lane >= o) v += u; }
    out[i] = v;
}

extern "C" __global__ void ballots(const int *in, unsigned *votes, unsigned *same, int *red) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned b = __ballot_sync(0xffffffffu, in[i] & 1);
    unsigned m = __match_any_sync(0xffffffffu, in[i] % 5);
    int all = __all_sync(0xffffffffu, in[i] >= 0), any = __any_sync(0xffffffffu, in[i] == 7);
    votes[i] = b ^ (all << 1) ^ any;
    same[i] = m;
    red[i] = __reduce_add_sync(0xffffffffu, in[i]);
}

extern "C" __global__ void compact(const int *in, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] > 0;
    if (keep) {
        unsigned m = __activemask();
        int lane = threadIdx.x & 31, leader = __ffs(m) - 1, base;
        if (lane == leader) base = atomicAdd(count, __popc(m));
        base = __shfl_sync(m, base, leader);
        out[base + __popc(m & ((1u << lane) - 1))] = in[i];
    }
}

extern "C" __global__ void gridsum(const float *x, float *out, int n) {
    auto g = cg::this_grid();
    auto b = cg::this_thread_block();
    auto w = cg::tiled_partition<32>(b);
    float s = 0;
    for (int i = g.thread_rank(); i < n; i += g.size()) s += x[i];
    s = cg::reduce(w, s, cg::plus<float>());
    if (w.thread_rank() == 0) atomicAdd(out, s);
    g.sync();
    if (g.thread_rank() == 0) out[1] = out[0] * 2;
}

extern "C" __global__ void spinlock(int *lock, int *total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)total += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

__device__ unsigned arrived;
extern "C" __global__ void last_block(const float *in, float *part, float *out, int n) {
    __shared__ float s[128];
    __shared__ bool last;
    int t = threadIdx.x;
    float v = 0;
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) v += in[i];
    s[t] = v;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) { float r = 0; for (int i = 0; i < gridDim.x; i++) r += ((volatile float *)part)[i]; *out = r; }
}
