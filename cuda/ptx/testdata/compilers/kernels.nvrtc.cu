// Compiled by NVRTC 12.9 and 13.0, for a notebook's %%cuda cell of either.
template <typename T> __device__ T warp_sum(T v) {
    for (int k = 16; k > 0; k >>= 1) v += __shfl_down_sync(0xffffffffu, v, k);
    return v;
}
extern "C" __global__ void dot(const float *x, const float *y, float *out, int n) {
    __shared__ float parts[4];
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s = fmaf(x[i], y[i], s);
    s = warp_sum(s);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = parts[0] + parts[1] + parts[2] + parts[3];
}
extern "C" __global__ void words(const unsigned long long *in, unsigned long long *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long v = in[i];
    switch (i % 5) {
    case 0: v = __brevll(v); break;
    case 1: v = __popcll(v) * 1000003ull; break;
    case 2: v = v / 1000 + v % 1000; break;
    case 3: v = __umul64hi(v, 0x9e3779b97f4a7c15ull); break;
    default: v = (unsigned long long)__double2ll_rn((double)v * 0.5); break;
    }
    out[i] = v;
}
