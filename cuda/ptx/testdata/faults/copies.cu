// variants: G
// Uninitialised memory that is only moved about, and what uses a part of it. The kernels f_ have a fault, their twins c_ have none.
#define K extern "C" __global__ void
#define T threadIdx.x
#define SYNC __syncthreads()
struct P { char c; double d; };        // seven bytes of padding
struct Q { char c; short s; char e; }; // one in the middle and one at the end
__device__ void copy(void *to, const void *from, int n) {
#pragma unroll 1
    for (int i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
}
// Byte by byte to shared memory, there and to global memory.
K c_uninit_bytes(int *p, int *o) {
    __shared__ P s[16], t[16];
    if (T < 16) { s[T].c = p[T]; s[T].d = T; copy(&t[T], &s[T], sizeof(P)); }
    SYNC;
    if (T < 16) copy((P *)o + T, &t[15 - T], sizeof(P));
    SYNC;
    if (T < 16) p[T] = ((P *)o)[T].d;
}
K f_uninit_bytes(int *p, int *o) {
    __shared__ P s[16], t[16];
    if (T < 16) { s[T].c = p[T]; s[T].d = T; copy(&t[T], &s[T], sizeof(P)); }
    SYNC;
    if (T < 16) o[T] = ((char *)&t[T])[p[3]] + 1;
}
K c_uninit_small(int *p, int *o) {
    Q q[2];
    q[p[0]].c = 1; q[p[0]].s = T; q[p[0]].e = 2;
    q[p[1]] = q[p[0]];
    if (T < 32) { ((Q *)o)[T] = q[p[1]]; }
    SYNC;
    if (T < 32) p[T] = ((Q *)o)[T].s;
}
// A vector whose last element nobody sets.
K c_uninit_vector(int *p, int *o) {
    __shared__ float4 s[16], t[16];
    if (T < 16) { s[T].x = p[T]; s[T].y = 1; s[T].z = 2; }
    SYNC;
    if (T < 16) t[T] = s[15 - T];
    SYNC;
    if (T < 16) ((float4 *)o)[T] = t[T];
    SYNC;
    if (T < 16) p[T] = ((float4 *)o)[T].x;
}
K f_uninit_vector(int *p, int *o) {
    __shared__ float4 s[16], t[16];
    if (T < 16) { s[T].x = p[T]; s[T].y = 1; s[T].z = 2; }
    SYNC;
    if (T < 16) t[T] = s[15 - T];
    SYNC;
    if (T < 16) o[T] = t[T].w * 2;
}
// Loaded for all, used by those for whom it is there.
K c_uninit_ahead(int *p, int *o) {
    __shared__ int s[64];
    if (T < 32) s[T] = p[T];
    SYNC;
    int v = s[T];
    SYNC;
    if (T < 32) o[T] = v * 3;
}
K f_uninit_ahead(int *p, int *o) {
    __shared__ int s[64];
    if (T < 32) s[T] = p[T];
    SYNC;
    int v = s[T];
    SYNC;
    if (T < 33) o[T] = v * 3;
}
K f_uninit_branch(int *p, int *o) {
    __shared__ int s[64];
    if (T < 32) s[T] = p[T];
    SYNC;
    int v = s[T];
    SYNC;
    if (v > 3) o[T] = 1;
}
K f_uninit_address(int *p, int *o) {
    __shared__ int s[64];
    if (T < 32) s[T] = p[T];
    SYNC;
    int v = s[T];
    SYNC;
    o[v & 63] = 1;
}
// What one turn loads is used in the next, of the last in none.
K c_uninit_turns(int *p, int *o) {
    __shared__ int s[65];
    s[T] = p[T];
    SYNC;
    int sum = 0, v = s[T];
#pragma unroll 1
    for (int i = T; i < 64; i++) { sum += v; v = s[i + 1]; }
    o[T] = sum;
}
K f_uninit_turns(int *p, int *o) {
    __shared__ int s[65];
    s[T] = p[T];
    SYNC;
    int sum = 0, v = s[T];
#pragma unroll 1
    for (int i = T; i < 65; i++) { sum += v; v = s[min(i + 1, 64)]; }
    o[T] = sum;
}
// What is copied twice and stored in global memory whole.
K f_uninit_stored(int *p, int *o) {
    __shared__ int s[64], t[64];
    if (T < 32) s[T] = p[T];
    SYNC;
    t[T] = s[T];
    SYNC;
    o[T] = t[63 - T];
}
