// Compiled by clang 19 without any CUDA header: the four words of the language and the special registers are clang's own.
#define GLOBAL extern "C" __attribute__((global)) void
#define SHARED __attribute__((shared))
#define DEVICE __attribute__((device))
#define T __nvvm_read_ptx_sreg_tid_x()
#define BLOCK __nvvm_read_ptx_sreg_ctaid_x()
#define THREADS __nvvm_read_ptx_sreg_ntid_x()

GLOBAL saxpy(int n, float a, const float *x, float *y) {
    int i = BLOCK * THREADS + T;
    if (i < n) y[i] = __builtin_fmaf(a, x[i], y[i]);
}

GLOBAL block_sum(const int *in, int *out, int n) {
    SHARED static int s[128];
    int sum = 0;
    for (int i = BLOCK * THREADS + T; i < n; i += THREADS * __nvvm_read_ptx_sreg_nctaid_x()) sum += in[i];
    s[T] = sum;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (T < k) s[T] += s[T + k];
        __syncthreads();
    }
    if (T == 0) __nvvm_atom_add_gen_i(out, s[0]);
}

struct Pair { int key; double value; };
DEVICE static Pair merge(Pair a, Pair b) { return a.value < b.value ? b : a; }
GLOBAL arg_max(const double *in, Pair *out, int n) {
    Pair best = {-1, -1e300};
    for (int i = 0; i < n; i++) best = merge(best, Pair{i, in[i] * (int)(T + 1) - i});
    out[T] = best;
}

DEVICE static int collatz(unsigned long long x) {
    int steps = 0;
    while (x != 1 && steps < 1000) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        steps++;
    }
    return steps;
}
GLOBAL collatz_steps(int *out, int n) {
    int i = BLOCK * THREADS + T;
    if (i < n) out[i] = collatz(i + 1);
}

GLOBAL warp_sum(const int *in, int *out) {
    int v = in[T];
    for (int k = 16; k > 0; k >>= 1) v += __nvvm_shfl_sync_bfly_i32(0xffffffff, v, k, 31);
    out[T] = v;
}
