// Planted faults and clean twins of asynchronous copies, mbarrier objects, matrices and freed memory; named and run as those of
// faults.cu are.
// arch: sm_80
// variants: G
#include <cuda_pipeline.h>
#define K extern "C" __global__ void
#define T threadIdx.x
#define COPY(to, from, bytes) asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ";" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group " #n ";" ::: "memory")
#define LDMATRIX(r, p) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"((unsigned)__cvta_generic_to_shared(p)) : "memory")
#define OBJECT(b) ((unsigned)__cvta_generic_to_shared(&b))
#define INIT(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(OBJECT(b)), "r"(n) : "memory")
#define ARRIVE(b) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(OBJECT(b)) : "memory")
#define PASSED(b, parity, ok) asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(OBJECT(b)), "r"(parity) : "memory")
// Copies that are read too early, or from the wrong place.
K f_race_async_early(int *p, int *o) { __shared__ int s[64]; COPY(&s[T], &p[T], 4); COMMIT; o[T] = s[T]; WAIT(0); }
K f_race_async_uncommitted(int *p, int *o) { __shared__ int s[64]; COPY(&s[T], &p[T], 4); WAIT(0); o[T] = s[T]; }
K f_race_async_group(int *p, int *o) { __shared__ int s[2][64]; COPY(&s[0][T], &p[T], 4); COMMIT; COPY(&s[1][T], &p[T], 4); COMMIT; WAIT(1); o[T] = s[0][T] + s[1][T]; }
K f_race_async_other(int *p, int *o) { __shared__ int s[64]; COPY(&s[T], &p[T], 4); COMMIT; __syncthreads(); WAIT(0); o[T] = s[63 - T]; }
K f_race_async_reuse(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncthreads(); int v = s[63 - T]; COPY(&s[T], &p[T], 4); COMMIT; WAIT(0); __syncthreads(); o[T] = v + s[63 - T]; }
K f_race_async_store(int *p, int *o) { __shared__ int s[64]; COPY(&s[T], &p[T], 4); COMMIT; s[T] = 1; WAIT(0); o[T] = s[T]; }
K f_oob_async(int *p, int *o) { __shared__ int s[64]; COPY(&s[T], &p[T + 1], 4); COMMIT; WAIT(0); o[T] = s[T]; }
K f_oob_async_shared(int *p, int *o) { __shared__ int s[64]; COPY(&s[T + p[1] + 400], &p[T], 4); COMMIT; WAIT(0); o[T] = s[T]; }
K f_mis_async(int *p, int *o) { __shared__ int2 s[64]; COPY(&s[T], &p[T / 2 + 1], 8); COMMIT; WAIT(0); o[T] = s[T].x; }
K f_uninit_async(int *p, int *o) { __shared__ int s[64]; COPY(&s[T], &o[T], 4); COMMIT; WAIT(0); p[T] = s[T]; }
// Matrices.
K f_mis_matrix(int *p, int *o) { __shared__ __align__(16) int s[64]; s[T] = p[T]; __syncthreads(); unsigned r; LDMATRIX(r, &s[T % 8 * 4 + p[1]]); o[T] = r; }
K f_uninit_matrix(int *p, int *o) { __shared__ __align__(16) int s[128]; if (T < 16) s[T] = p[T]; __syncthreads(); unsigned r; LDMATRIX(r, &s[T % 8 * 4]); o[T] = r; }
K f_race_matrix(int *p, int *o) { __shared__ __align__(16) int s[64]; s[T] = p[T]; unsigned r; LDMATRIX(r, &s[T % 8 * 4 + 32]); o[T] = r; }
K f_oob_matrix(int *p, int *o) { __shared__ __align__(16) int s[32]; if (T < 32) s[T] = p[T]; __syncthreads(); unsigned r; LDMATRIX(r, &s[T % 8 * 4 + p[63] * 4]); o[T] = r; }
K f_mask_matrix(int *p, int *o) { __shared__ __align__(16) int s[64]; s[T] = p[T]; __syncthreads(); unsigned r = 0; if (T % 32 < 16 + p[0]) LDMATRIX(r, &s[T % 8 * 4]); o[T] = r; }
// mbarrier objects.
K f_uninit_mbarrier(int *p, int *o) { __shared__ unsigned long long b; if (T == 0) b = p[0]; __syncthreads(); ARRIVE(b); o[T] = 1; }
K f_dead_mbarrier(int *p, int *o) { __shared__ unsigned long long b; if (T == 0) INIT(b, 65); __syncthreads(); ARRIVE(b); int ok; do PASSED(b, 0, ok); while (!ok); o[T] = ok; }
K f_race_mbarrier(int *p, int *o) { __shared__ unsigned long long b; if (T == 0) INIT(b, 64); ARRIVE(b); int ok; do PASSED(b, 0, ok); while (!ok); o[T] = ok; }
K f_limit_mbarrier(int *p, int *o) { __shared__ unsigned long long b; if (T == 0) INIT(b, p[0]); __syncthreads(); ARRIVE(b); o[T] = 1; }
// Freed memory: the test frees p before the launch.
K f_uaf_load(int *p, int *o) { o[T] = p[T]; }
K f_uaf_store(int *p, int *o) { p[T] = T; }
K f_uaf_atomic(int *p, int *o) { atomicAdd(&p[T], 1); }
// Constants, and a check of the program's own.
__constant__ int fixed[4];
K f_readonly(int *p, int *o) { asm volatile("st.u32 [%0], %1;" ::"l"(&fixed[T % 4]), "r"(p[T]) : "memory"); }

K c_async(int *p, int *o) { __shared__ int s[64]; COPY(&s[T], &p[T], 4); COMMIT; WAIT(0); __syncthreads(); o[T] = s[63 - T]; }
K c_async_own(int *p, int *o) { __shared__ int s[64]; COPY(&s[T], &p[T], 4); COMMIT; WAIT(0); o[T] = s[T]; }
K c_async_stages(int *p, int *o) { __shared__ int s[2][64]; COPY(&s[0][T], &p[T], 4); COMMIT; int sum = 0; for (int i = 0; i < 4; i++) { if (i < 3) COPY(&s[~i & 1][T], &p[T], 4); COMMIT; WAIT(1); __syncthreads(); sum += s[i & 1][63 - T]; __syncthreads(); } o[T] = sum; }
K c_async_zero(int *p, int *o) { __shared__ int s[64]; asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(&s[T])), "l"(__cvta_generic_to_global(&p[T + 1])), "r"(T < 63 ? 4 : 0) : "memory"); asm volatile("cp.async.wait_all;" ::: "memory"); o[T] = s[T]; }
K c_matrix(int *p, int *o) { __shared__ __align__(16) int s[64]; s[T] = p[T]; __syncwarp(); unsigned r; LDMATRIX(r, &s[T / 32 * 32 + T % 8 * 4]); o[T] = r; }
K c_mbarrier(int *p, int *o) { __shared__ unsigned long long b; __shared__ int s[64]; if (T == 0) INIT(b, 64); __syncthreads(); for (int i = 0; i < 2; i++) { s[T ^ i] = p[T]; ARRIVE(b); int ok; do PASSED(b, i, ok); while (!ok); o[T] = s[63 - T]; __syncthreads(); } }
K c_mbarrier_split(int *p, int *o) { __shared__ unsigned long long b; __shared__ int s[32]; if (T == 0) INIT(b, 32); __syncthreads(); if (T < 32) { s[T] = p[T]; ARRIVE(b); } else { int ok; do PASSED(b, 0, ok); while (!ok); o[T] = s[63 - T]; } }
