// Dense and sparse arithmetic.
// variants: fast G
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#define T 16
extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n) {
    __shared__ float as[T][T], bs[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    float s = 0;
    for (int k = 0; k < n; k += T) {
        as[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < T; i++) s += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = s;
}
extern "C" __global__ void transpose(const float *in, float *out, int w, int h) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
extern "C" __global__ void nbody(const float4 *p, float4 *acc, int n) {
    extern __shared__ float4 sh[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = p[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += blockDim.x) {
        sh[threadIdx.x] = p[t + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float dx = sh[j].x - me.x, dy = sh[j].y - me.y, dz = sh[j].z - me.z;
            float d = dx * dx + dy * dy + dz * dz + 0.01f;
            float inv = 1.0f / sqrtf(d), s = sh[j].w * inv * inv * inv;
            ax += dx * s; ay += dy * s; az += dz * s;
        }
        __syncthreads();
    }
    acc[i] = make_float4(ax, ay, az, 0);
}
extern "C" __global__ void spmv(const int *row, const int *col, const double *val, const double *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++) s += val[k] * x[col[k]];
    y[i] = s;
}
extern "C" __global__ void stencil(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
    else if (i < n) out[i] = in[i];
}
extern "C" __global__ void functions(const float *x, float *o, double *d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    o[i * 8 + 0] = sinf(v); o[i * 8 + 1] = cosf(v * 100.0f); o[i * 8 + 2] = expf(v); o[i * 8 + 3] = logf(fabsf(v) + 1e-3f);
    o[i * 8 + 4] = powf(fabsf(v), 1.7f); o[i * 8 + 5] = tanhf(v); o[i * 8 + 6] = rsqrtf(fabsf(v) + 1); o[i * 8 + 7] = erff(v);
    d[i * 4 + 0] = sin((double)v); d[i * 4 + 1] = exp((double)v); d[i * 4 + 2] = log(fabs((double)v) + 1e-3); d[i * 4 + 3] = cbrt((double)v);
}
extern "C" __global__ void halves(const float *x, float *o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half h = __float2half(x[i]);
    __half2 p = __halves2half2(h, __hadd(h, h));
    p = __hfma2(p, p, __float2half2_rn(0.5f));
    __nv_bfloat16 b = __float2bfloat16(x[i]);
    o[i * 3] = __low2float(p); o[i * 3 + 1] = __high2float(p); o[i * 3 + 2] = __bfloat162float(__hmul(b, b));
}
extern "C" __global__ void integers(const int *a, const int *b, long long *o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = a[i], y = b[i];
    unsigned ux = x, uy = y;
    long long *p = o + (size_t)i * 16;
    p[0] = y ? x / y : 0; p[1] = y ? x % y : 0; p[2] = uy ? ux / uy : 0; p[3] = __mulhi(x, y);
    p[4] = (long long)x * y; p[5] = __umul64hi((unsigned long long)ux << 30, uy); p[6] = __clz(x); p[7] = __popc(x);
    p[8] = __brev(x); p[9] = __ffs(x); p[10] = __byte_perm(x, y, 0x5401); p[11] = __funnelshift_l(x, y, y & 31);
    p[12] = __dp4a(x, y, 100); p[13] = min(x, y) + 3LL * max(ux, uy); p[14] = x >> (y & 31); p[15] = ((long long)x << 32 | uy) / (y | 1);
}
