// Algorithms with data structures, and whatever compilers make of calls.
// variants: fast G
#include <cstdio>
#include <cassert>
extern "C" __global__ void scan(const int *in, int *out, int n) {
    extern __shared__ int buf[];
    int t = threadIdx.x, pout = 0, pin = 1;
    buf[t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int o = 1; o < blockDim.x; o <<= 1) {
        pout = 1 - pout; pin = 1 - pout;
        buf[pout * blockDim.x + t] = buf[pin * blockDim.x + t] + (t >= o ? buf[pin * blockDim.x + t - o] : 0);
        __syncthreads();
    }
    if (t < n) out[t] = buf[pout * blockDim.x + t];
}
extern "C" __global__ void bitonic(unsigned *x, int j, int k) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, l = i ^ j;
    if (l > i) {
        unsigned a = x[i], b = x[l];
        if (((i & k) == 0) == (a > b)) { x[i] = b; x[l] = a; }
    }
}
extern "C" __global__ void hash_insert(const unsigned *keys, unsigned *table, unsigned *vals, int n, unsigned mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = keys[i], h = (k * 2654435761u) & mask;
    while (true) {
        unsigned old = atomicCAS(&table[h], 0u, k);
        if (old == 0u || old == k) { atomicAdd(&vals[h], 1u); return; }
        h = (h + 1) & mask;
    }
}
__device__ int find(int *p, int x) { while (true) { int y = ((volatile int *)p)[x]; if (y == x) return x; x = y; } }
extern "C" __global__ void unite(int *p, const int *a, const int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = a[i], y = b[i];
    while (true) {
        x = find(p, x); y = find(p, y);
        if (x == y) return;
        if (x < y) { int t = x; x = y; y = t; }
        int o = atomicCAS(&p[x], x, y);
        if (o == x) return;
        x = o;
    }
}
__constant__ char needle[16];
extern "C" __global__ void search(const char *text, int n, int m, int *hits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + m > n) return;
    for (int j = 0; j < m; j++) if (text[i + j] != needle[j]) return;
    atomicAdd(hits, 1);
}
struct Twister { unsigned s[4]; };
__device__ unsigned next(Twister *t) {
    unsigned x = t->s[0] ^ (t->s[0] << 11);
    t->s[0] = t->s[1]; t->s[1] = t->s[2]; t->s[2] = t->s[3];
    return t->s[3] = t->s[3] ^ (t->s[3] >> 19) ^ x ^ (x >> 8);
}
extern "C" __global__ void rng(unsigned *out, int rounds) {
    Twister t = {{threadIdx.x + 1, 362436069u, 521288629u, blockIdx.x + 88675123u}};
    unsigned s = 0;
    for (int i = 0; i < rounds; i++) s += next(&t);
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
extern "C" __global__ void local_array(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, a[32];
    for (int k = 0; k < 32; k++) a[k] = i * k;
    int s = 0;
    for (int k = 0; k < n; k++) { a[in[k] & 31] += k; s ^= a[(in[k] * 7 + i) & 31]; }
    out[i] = s;
}
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float cube(float x) { return x * square(x); }
extern "C" __global__ void calls(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[i] > 0 ? cube(in[i]) : square(in[i]) + 1;
}
typedef float (*op)(float);
__device__ op table[2] = {square, cube};
extern "C" __global__ void indirect(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[i & 1](in[i]);
}
extern "C" __global__ void choose(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i], r;
    switch (v & 7) {
    case 0: r = v * 3; break; case 1: r = v - 7; break; case 2: r = v ^ 55; break; case 3: r = v << 2; break;
    case 4: r = ~v; break; case 5: r = v / 3; break; case 6: r = v % 11; break; default: r = 1; }
    out[i] = r;
}
struct Big { int a; double b; short c[5]; };
extern "C" __global__ void by_value(Big s, double *out) { out[threadIdx.x] = s.a + s.b + s.c[threadIdx.x % 5]; }
extern "C" __global__ void hello(int n) { if (threadIdx.x < n) printf("thread %d of %u: %5.2f %s %lld %%\n", threadIdx.x, blockDim.x, threadIdx.x * 0.5, "ok", -5ll); }
extern "C" __global__ void checked(int n) { assert(threadIdx.x < n); }
extern "C" __global__ void fft(float2 *x, int n, int logn) {
    extern __shared__ float2 s[];
    int t = threadIdx.x;
    s[__brev(t) >> (32 - logn)] = x[t];
    __syncthreads();
    for (int h = 1; h < n; h <<= 1) {
        float2 u, v; int k = t & (h - 1), j = ((t & ~(h - 1)) << 1) | k;
        if (t < n / 2) {
            float w = -3.14159265358979f * k / h, c = cosf(w), q = sinf(w);
            u = s[j]; v = s[j + h];
            v = make_float2(v.x * c - v.y * q, v.x * q + v.y * c);
        }
        __syncthreads();
        if (t < n / 2) { s[j] = make_float2(u.x + v.x, u.y + v.y); s[j + h] = make_float2(u.x - v.x, u.y - v.y); }
        __syncthreads();
    }
    x[t] = s[t];
}
extern "C" __global__ void attention(const float *q, const float *k, const float *v, float *o, int n) {
    __shared__ float ks[32][33], vs[32][33];
    int r = blockIdx.x, t = threadIdx.x;
    float qv = q[r * 32 + t], m = -1e30f, l = 0, acc = 0;
    for (int b = 0; b < n; b += 32) {
        for (int j = 0; j < 32; j++) { ks[j][t] = k[(b + j) * 32 + t]; vs[j][t] = v[(b + j) * 32 + t]; }
        __syncwarp();
        for (int j = 0; j < 32; j++) {
            float s = qv * ks[j][t];
            for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
            float mn = fmaxf(m, s), c = __expf(m - mn), p = __expf(s - mn);
            l = l * c + p; acc = acc * c + p * vs[j][t]; m = mn;
        }
        __syncwarp();
    }
    o[r * 32 + t] = acc / l;
}

// MT19937 (Matsumoto and Nishimura, 1998): a block holds one generator's 624 words in shared memory and renews them together.
extern "C" __global__ void mersenne(unsigned *out, int n) {
    __shared__ unsigned s[624];
    int t = threadIdx.x;
    if (t == 0) {
        s[0] = 5489u + blockIdx.x;
        for (int i = 1; i < 624; i++) s[i] = 1812433253u * (s[i - 1] ^ s[i - 1] >> 30) + i;
    }
    for (int at = 0; at < n; at += 624) {
        // Words that depend on each other lie 227 or more apart.
        for (int from = 0; from < 624; from += 227) {
            __syncthreads();
            int i = from + t;
            unsigned next = 0;
            bool mine = t < 227 && i < 624;
            if (mine) {
                unsigned y = (s[i] & 0x80000000u) | (s[(i + 1) % 624] & 0x7fffffffu);
                next = s[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0u);
            }
            __syncthreads();
            if (mine) s[i] = next;
        }
        __syncthreads();
        for (int i = t; i < 624 && at + i < n; i += blockDim.x) {
            unsigned y = s[i];
            y ^= y >> 11;
            y ^= y << 7 & 0x9d2c5680u;
            y ^= y << 15 & 0xefc60000u;
            out[blockIdx.x * n + at + i] = y ^ y >> 18;
        }
    }
}
