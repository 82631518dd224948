// Planted faults and clean twins of bulk copies, which mbarrier objects complete, and of waits by cuda::barrier; named and run as those of faults.cu are.
// arch: sm_90
#include <cuda/barrier>
#define K extern "C" __global__ void
#define T threadIdx.x
#define AT(x) ((unsigned)__cvta_generic_to_shared(x))
#define INIT(b, n) do { if (T == 0) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(AT(&b)), "r"(n) : "memory"); FENCE; } __syncthreads(); } while (0)
#define FENCE asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define EXPECT(b, bytes) asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" ::"r"(AT(&b)), "r"(bytes) : "memory")
#define LOAD(to, from, bytes, b) asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(AT(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(AT(&b)) : "memory")
#define STORE(to, from, bytes) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)), "r"(AT(from)), "r"(bytes) : "memory")
#define COMMIT asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define READ(n) asm volatile("cp.async.bulk.wait_group.read " #n ";" ::: "memory")
#define DONE(n) asm volatile("cp.async.bulk.wait_group " #n ";" ::: "memory")
#define WAIT(b, parity) do { int ok; do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(AT(&b)), "r"(parity) : "memory"); while (!ok); } while (0)
#define SHARED __shared__ alignas(16) int s[64]; __shared__ unsigned long long b
K f_race_bulk_early(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s, p, 256, b); } __syncthreads(); o[T] = s[T]; WAIT(b, 0); }
K f_race_bulk_other(int *p, int *o) { SHARED; __shared__ unsigned long long c; INIT(b, 1); INIT(c, 1); if (T == 0) { EXPECT(b, 256); EXPECT(c, 0); LOAD(s, p, 256, b); } WAIT(c, 0); o[T] = s[T]; WAIT(b, 0); }
K f_race_bulk_store_over(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s, p, 256, b); } if (T == 40) s[T] = 1; WAIT(b, 0); o[T] = s[T]; }
K f_race_bulk_source(int *p, int *o) { __shared__ alignas(16) int s[64]; s[T] = p[T]; FENCE; __syncthreads(); if (T == 0) { STORE(o, s, 256); COMMIT; } s[T] = 0; if (T == 0) READ(0); }
K f_race_bulk_group(int *p, int *o) { __shared__ alignas(16) int s[2][64]; s[0][T] = s[1][T] = p[T]; FENCE; __syncthreads(); if (T == 0) { STORE(o, s[0], 256); COMMIT; STORE(p, s[1], 256); COMMIT; READ(1); s[1][0] = 5; DONE(0); } }
K f_race_bulk_unordered(int *p, int *o) { __shared__ alignas(16) int s[64]; s[T] = p[T]; FENCE; if (T == 0) { STORE(o, s, 256); COMMIT; DONE(0); } }
K f_race_bulk_blocks(int *p, int *o) { __shared__ alignas(16) int s[64]; s[T] = p[T] + blockIdx.x; FENCE; __syncthreads(); if (T == 0) { STORE(o, s, 256); COMMIT; DONE(0); } }
K f_oob_bulk_from(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s, p + 4, 256, b); } WAIT(b, 0); o[T] = s[T]; }
K f_oob_bulk_to(int *p, int *o) { __shared__ alignas(16) int s[64]; s[T] = p[T]; FENCE; __syncthreads(); if (T == 0) { STORE(o + 32, s, 256); COMMIT; DONE(0); } }
K f_oob_bulk_shared(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s + 400 * p[1], p, 256, b); } WAIT(b, 0); o[T] = s[T]; }
K f_mis_bulk_from(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 64); LOAD(s, p + 1, 64, b); } WAIT(b, 0); o[T] = s[T % 16]; }
K f_mis_bulk_to(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 64); LOAD(s + 2, p, 64, b); } WAIT(b, 0); o[T] = s[2 + T % 16]; }
K f_mis_bulk_bytes(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 24); LOAD(s, p, 8 * p[3], b); } WAIT(b, 0); o[T] = s[T % 6]; }
K f_uninit_bulk(int *p, int *o) { __shared__ alignas(16) int s[64]; if (T < 60) s[T] = p[T]; FENCE; __syncthreads(); if (T == 0) { STORE(o, s, 256); COMMIT; DONE(0); } }
K f_uninit_bulk_object(int *p, int *o) { SHARED; if (T == 0) { b = 0; LOAD(s, p, 256, b); } }
K f_dead_bulk_expect(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s, p, 128, b); } WAIT(b, 0); o[T] = s[T % 32]; }
K f_dead_bulk_parity(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s, p, 256, b); } WAIT(b, 0); WAIT(b, 1); o[T] = s[T]; }
K f_dead_barrier(int *p, int *o) { __shared__ cuda::barrier<cuda::thread_scope_block> a; if (T == 0) init(&a, 65); __syncthreads(); a.arrive_and_wait(); o[T] = p[T]; }
K f_dead_barrier_half(int *p, int *o) { __shared__ cuda::barrier<cuda::thread_scope_block> a; if (T == 0) init(&a, 64); __syncthreads(); if (T < 32) a.arrive_and_wait(); o[T] = p[T]; }
K f_uaf_bulk(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s, p, 256, b); } WAIT(b, 0); o[T] = s[T]; }

K c_bulk(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s, p, 256, b); } WAIT(b, 0); o[T] = s[63 - T]; }
K c_bulk_two(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s, p, 128, b); LOAD(s + 32, p + 32, 128, b); } WAIT(b, 0); o[T] = s[63 - T]; }
K c_bulk_late(int *p, int *o) { SHARED; INIT(b, 2); if (T == 0) LOAD(s, p, 256, b); __syncthreads(); if (T == 1) EXPECT(b, 256); if (T == 2) EXPECT(b, 0); WAIT(b, 0); o[T] = s[T]; }
K c_bulk_stages(int *p, int *o) { __shared__ alignas(16) int s[2][64]; __shared__ unsigned long long b[2]; INIT(b[0], 1); INIT(b[1], 1); int sum = 0; if (T == 0) { EXPECT(b[0], 256); LOAD(s[0], p, 256, b[0]); } for (int i = 0; i < 4; i++) { if (T == 0 && i < 3) { EXPECT(b[~i & 1], 256); LOAD(s[~i & 1], p, 256, b[~i & 1]); } WAIT(b[i & 1], i / 2 & 1); sum += s[i & 1][63 - T]; __syncthreads(); } o[T] = sum; }
K c_bulk_back(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 256); LOAD(s, p, 256, b); } WAIT(b, 0); s[T] += 1; FENCE; __syncthreads(); if (T == 0) { STORE(o, s, 256); COMMIT; READ(0); } __syncthreads(); s[T] = 0; if (T == 0) DONE(0); }
K c_bulk_part(int *p, int *o) { SHARED; INIT(b, 1); if (T == 0) { EXPECT(b, 128); LOAD(s, p, 128, b); } if (T >= 32) s[T] = p[T]; WAIT(b, 0); __syncthreads(); o[T] = s[63 - T]; }
K c_barrier(int *p, int *o) { __shared__ cuda::barrier<cuda::thread_scope_block> a; __shared__ int s[64]; if (T == 0) init(&a, 64); __syncthreads(); s[T] = p[T]; a.arrive_and_wait(); o[T] = s[63 - T]; a.arrive_and_wait(); s[T] = 0; }
K c_barrier_async(int *p, int *o) { __shared__ cuda::barrier<cuda::thread_scope_block> a; __shared__ int s[64]; if (T == 0) init(&a, 64); __syncthreads(); cuda::memcpy_async(&s[T], &p[T], sizeof(int), a); a.arrive_and_wait(); o[T] = s[63 - T]; }
