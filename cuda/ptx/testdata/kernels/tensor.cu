// Kernels of today's tensor libraries in small: asynchronous copies, matrices from shared memory, matrix multiply-accumulate.
// arch: sm_80
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#pragma nv_diag_suppress 20054 // the objects are initialised by init
using namespace nvcuda;

__device__ __forceinline__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void load_x4(unsigned (&r)[4], const void *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(p)) : "memory");
}
__device__ __forceinline__ void load_x2_trans(unsigned (&r)[2], const void *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(shared_address(p)) : "memory");
}
__device__ __forceinline__ void load_x2(unsigned (&r)[2], const void *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(shared_address(p)) : "memory");
}
__device__ __forceinline__ void mma16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// c = a b for square matrices of n, a multiple of 32: blocks of 4 warps make tiles of 32 by 32, while the next slices of a
// and b are on their way to the other half of shared memory.
extern "C" __global__ void matmul_async(const half *a, const half *b, float *c, int n) {
    __shared__ __align__(16) half sa[2][32][24], sb[2][16][40];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
    auto fetch = [&](int k, int s) {
        if (t < 64) __pipeline_memcpy_async(&sa[s][t / 2][t % 2 * 8], &a[(row0 + t / 2) * n + k + t % 2 * 8], 16);
        else { int u = t - 64; __pipeline_memcpy_async(&sb[s][u / 4][u % 4 * 8], &b[(k + u / 4) * n + col0 + u % 4 * 8], 16); }
        __pipeline_commit();
    };
    float d[2][4] = {};
    fetch(0, 0);
    for (int k = 0; k < n; k += 16) {
        int s = k / 16 & 1;
        if (k + 16 < n) fetch(k + 16, s ^ 1);
        else __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        unsigned fa[4], fb[2];
        load_x4(fa, &sa[s][warp / 2 * 16 + lane % 16][lane / 16 * 8]);
        for (int j = 0; j < 2; j++) {
            load_x2_trans(fb, &sb[s][lane % 16][warp % 2 * 16 + j * 8]);
            mma16(d[j], fa, fb);
        }
        __syncthreads();
    }
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 4; i++) c[(row0 + warp / 2 * 16 + lane / 4 + i / 2 * 8) * n + col0 + warp % 2 * 16 + j * 8 + lane % 4 * 2 + i % 2] = d[j][i];
}

// The same by the library's fragments, one warp a tile of 16 by 16.
extern "C" __global__ void matmul_wmma(const half *a, const half *b, float *c, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    int row = blockIdx.y * 16, col = blockIdx.x * 16;
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(fa, a + row * n + k, n);
        wmma::load_matrix_sync(fb, b + k * n + col, n);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 2;
    wmma::store_matrix_sync(c + row * n + col, fc, n, wmma::mem_row_major);
}

// c = a b of bytes, b by columns; one warp a tile of 16 by 8.
extern "C" __global__ void matmul_bytes(const signed char *a, const signed char *b, int *c, int n) {
    int lane = threadIdx.x, row = blockIdx.y * 16 + lane / 4, col = blockIdx.x * 8 + lane / 4;
    int d[4] = {};
    for (int k = 0; k < n; k += 32) {
        int fa[4], fb[2];
        for (int i = 0; i < 4; i++) fa[i] = *(const int *)&a[(row + i % 2 * 8) * n + k + i / 2 * 16 + lane % 4 * 4];
        for (int i = 0; i < 2; i++) fb[i] = *(const int *)&b[col * n + k + i * 16 + lane % 4 * 4];
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    }
    for (int i = 0; i < 4; i++) c[(row + i / 2 * 8) * n + blockIdx.x * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// Attention of 16 queries of dimension 16 a warp over n keys, with the running maximum and sum of Flash-Attention: scores and
// the weighted sum by mma, the weights staying in registers as the next factor.
extern "C" __global__ void attention_mma(const half *q, const half *k, const half *v, float *o, int n) {
    __shared__ __align__(16) half sq[16][24], sk[16][24], sv[16][24];
    int lane = threadIdx.x, row = lane % 16, part = lane / 16 * 8;
    *(uint4 *)&sq[row][part] = *(const uint4 *)&q[(blockIdx.x * 16 + row) * 16 + part];
    __syncwarp();
    unsigned fq[4];
    load_x4(fq, &sq[row][part]);
    float acc[2][4] = {}, top[2] = {-INFINITY, -INFINITY}, sum[2] = {};
    for (int j = 0; j < n; j += 16) {
        __syncwarp();
        __pipeline_memcpy_async(&sk[row][part], &k[(j + row) * 16 + part], 16);
        __pipeline_memcpy_async(&sv[row][part], &v[(j + row) * 16 + part], 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncwarp();
        float s[2][4] = {};
        for (int h = 0; h < 2; h++) {
            unsigned fk[2];
            load_x2(fk, &sk[h * 8 + lane % 8][lane / 8 % 2 * 8]);
            mma16(s[h], fq, fk);
        }
        unsigned p[4];
        for (int r = 0; r < 2; r++) {
            float m = fmaxf(fmaxf(s[0][2 * r], s[0][2 * r + 1]), fmaxf(s[1][2 * r], s[1][2 * r + 1]));
            m = fmaxf(m, __shfl_xor_sync(~0u, m, 1));
            m = fmaxf(m, __shfl_xor_sync(~0u, m, 2));
            float above = fmaxf(top[r], m), scale = __expf(top[r] - above);
            top[r] = above;
            sum[r] *= scale;
            for (int h = 0; h < 2; h++) {
                half2 w = __floats2half2_rn(__expf(s[h][2 * r] - above), __expf(s[h][2 * r + 1] - above));
                sum[r] += __low2float(w) + __high2float(w);
                p[2 * h + r] = *(unsigned *)&w;
                acc[h][2 * r] *= scale;
                acc[h][2 * r + 1] *= scale;
            }
        }
        for (int h = 0; h < 2; h++) {
            unsigned fv[2];
            load_x2_trans(fv, &sv[lane % 16][h * 8]);
            mma16(acc[h], p, fv);
        }
    }
    for (int r = 0; r < 2; r++) {
        sum[r] += __shfl_xor_sync(~0u, sum[r], 1);
        sum[r] += __shfl_xor_sync(~0u, sum[r], 2);
        for (int h = 0; h < 2; h++)
            for (int e = 0; e < 2; e++) o[(blockIdx.x * 16 + lane / 4 + r * 8) * 16 + h * 8 + lane % 4 * 2 + e] = acc[h][2 * r + e] / sum[r];
    }
}

// A producer warp and a consumer warp hand buffers over by mbarrier objects.
extern "C" __global__ void handover(const int *in, int *out, int rounds) {
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier full, empty;
    __shared__ int buffer[32];
    int t = threadIdx.x;
    if (t == 0) { init(&full, 64); init(&empty, 64); }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        if (t < 32) {
            buffer[t] = in[i * 32 + t];
            (void)full.arrive();
            empty.arrive_and_wait();
        } else {
            full.arrive_and_wait();
            sum = sum * 3 + buffer[63 - t];
            (void)empty.arrive();
        }
    }
    if (t >= 32) out[t - 32] = sum;
}

// Half-precision arithmetic in pairs, of both formats.
extern "C" __global__ void pairs(const float2 *x, const float2 *y, unsigned *o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    half2 a = __float22half2_rn(x[i]), b = __float22half2_rn(y[i]);
    __nv_bfloat162 c = __float22bfloat162_rn(x[i]), d = __float22bfloat162_rn(y[i]);
    half2 r[8] = {__hadd2(a, b), __hsub2_sat(a, b), __hmul2(a, b), __hfma2_relu(a, b, a), __hmin2_nan(a, b), __hmax2(a, b), __hlt2(a, b), h2sqrt(__habs2(a))};
    __nv_bfloat162 s[6] = {__hadd2(c, d), __hmul2(c, d), __hfma2(c, d, c), __hfma2_relu(c, d, d), __hmin2(c, d), __hmax2_nan(c, d)};
    for (int k = 0; k < 8; k++) o[i * 14 + k] = *(unsigned *)&r[k];
    for (int k = 0; k < 6; k++) o[i * 14 + 8 + k] = *(unsigned *)&s[k];
}
