// Kernels that live on memory: what checks of every access cost shows in them (bench_test.go).
#define K extern "C" __global__ void
// One step of Floyd and Warshall's shortest paths, for all pairs.
K floyd(int *d, int n, int k) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    int through = d[i * n + k] + d[k * n + j];
    if (through < d[i * n + j]) d[i * n + j] = through;
}
// A block sorts 512 numbers.
K bitonic_block(unsigned *x) {
    __shared__ unsigned s[512];
    unsigned t = threadIdx.x, *mine = x + 512 * blockIdx.x;
    s[t] = mine[t];
    s[t + 256] = mine[t + 256];
    for (unsigned k = 2; k <= 512; k *= 2)
        for (unsigned j = k / 2; j; j /= 2) {
            __syncthreads();
            unsigned i = 2 * t - (t & (j - 1)), a = s[i], b = s[i + j];
            if ((a > b) == ((i & k) == 0)) { s[i] = b; s[i + j] = a; }
        }
    __syncthreads();
    mine[t] = s[t];
    mine[t + 256] = s[t + 256];
}
// A block sorts 256 numbers by their digits of one bit.
K radix_block(unsigned *x, int bits) {
    __shared__ unsigned s[256], f[2][256];
    unsigned t = threadIdx.x, *mine = x + 256 * blockIdx.x;
    unsigned v = mine[t];
    for (int bit = 0; bit < bits; bit++) {
        unsigned one = v >> bit & 1, from = 0;
        f[0][t] = !one;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2, from ^= 1) {
            f[from ^ 1][t] = f[from][t] + (t >= d ? f[from][t - d] : 0);
            __syncthreads();
        }
        unsigned before = f[from][t], zeros = f[from][255];
        s[one ? zeros + t - before : before - 1] = v;
        __syncthreads();
        v = s[t];
        __syncthreads();
    }
    mine[t] = v;
}
