// Planted faults and clean twins of what orders threads: the idioms of NVIDIA's guides and samples, and each with what people leave out; named and run as
// those of faults.cu are, "grid" cooperatively in four blocks, "block" and "flag" in two.
// arch: sm_80
// variants: G
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
#define K extern "C" __global__ void
#define T threadIdx.x
#define B blockIdx.x
#define OBJECT(b) ((unsigned)__cvta_generic_to_shared(&b))
#define INIT(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(OBJECT(b)), "r"(n) : "memory")
#define ARRIVE(b) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(OBJECT(b)) : "memory")
#define WAIT(b, parity) do { int ok; do asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(OBJECT(b)), "r"(parity) : "memory"); while (!ok); } while (0)
#define SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define JOIN(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")
#define STORE(order, p, v) asm volatile("st." #order ".gpu.global.s32 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "r"(v) : "memory")
#define LOAD(order, v, p) asm volatile("ld." #order ".gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(__cvta_generic_to_global(p)) : "memory")
__device__ __noinline__ int root(int *parent, int x) { while (parent[x] != x) x = parent[x]; return x; }
// Bytes of a word.
K c_short_in_place(int *p, int *o) { ((short *)p)[T] += 1; }
K c_byte_in_place(int *p, int *o) { ((unsigned char *)p)[T] ^= 1; }
K c_short_pairs(int *p, int *o) { __shared__ short s[64]; s[T] = p[T]; s[T] += 1; __syncthreads(); s[T] = s[T] * 2; __syncthreads(); o[T] = s[63 - T]; }
K c_byte_mix(int *p, int *o) { __shared__ unsigned char s[256]; ((int *)s)[T] = p[T]; __syncthreads(); int v = s[T]; __syncthreads(); s[T] = v + 1; __syncthreads(); o[T] = s[63 - T]; }
K f_race_short_next(int *p, int *o) { short *s = (short *)p; if (T < 63) s[T] += s[T + 1]; }
K f_race_byte_next(int *p, int *o) { unsigned char *s = (unsigned char *)p; if (T) s[T] ^= s[T - 1]; }
K f_race_byte_word(int *p, int *o) { __shared__ int s[16]; ((char *)s)[T] = p[T]; o[T] = s[T / 4]; }
K f_race_short_readers(int *p, int *o) { __shared__ short s[64]; s[T] = p[T]; __syncthreads(); o[T] = s[T ^ 1] + s[T]; s[T] = 0; }
// Values.
K f_race_zero(int *p, int *o) { p[0] += p[T] > 100; }
K f_race_zero_block(int *p, int *o) { if (T == 0) p[0] += p[1] > 100; }
K f_race_unchanged(int *p, int *o) { __shared__ int s[64]; s[T] = 0; __syncthreads(); int v = s[(T + 1) & 63]; s[T] = v; __syncthreads(); o[T] = s[T]; }
K f_race_flag_read(int *p, int *o) { __shared__ int any; if (T == 0) any = p[0]; __syncthreads(); if (p[T] & 1) any = 1; if (p[T] > 5) o[T] = any; }
K c_same_vector(int *p, int *o) { *(int4 *)o = make_int4(1, 2, 3, 4); }
K c_same_pair(int *p, int *o) { int2 v = ((int2 *)p)[T % 8]; ((int2 *)o)[T % 8] = v; }
K c_same_tile(int *p, int *o) { __shared__ __align__(16) int s[64]; ((int4 *)s)[T % 16] = ((int4 *)p)[T % 16]; __syncthreads(); o[T] = s[63 - T]; }
K c_same_flag(int *p, int *o) { if (p[T] > 3) o[0] = 1; }
K c_same_unrolled(int *p, int *o) { __shared__ int any; any = 0; __syncthreads(); for (int i = 0; i < 4; i++) if (p[T] > i) any = 1; __syncthreads(); o[T] = any; }
K f_race_vector(int *p, int *o) { *(int4 *)o = make_int4(p[T], 2, 3, 4); }
K f_race_vector_half(int *p, int *o) { ((int2 *)o)[T / 2] = make_int2(1, T); }
// Atomics.
K c_cas_first_load(int *p, int *o) { int old = p[0], assumed; do { assumed = old; old = atomicCAS(p, assumed, assumed + (int)T); } while (assumed != old); }
K c_cas_double_block(int *p, int *o) { unsigned long long *a = (unsigned long long *)p, old = *a, assumed; do { assumed = old; old = atomicCAS(a, assumed, __double_as_longlong(1 + __longlong_as_double(assumed))); } while (assumed != old); }
K c_cas_shared(int *p, int *o) { __shared__ int m; if (T == 0) m = -1; __syncthreads(); int old = m, assumed; while (old < p[T]) { assumed = old; old = atomicCAS(&m, assumed, p[T]); if (old == assumed) break; } __syncthreads(); o[T] = m; }
K c_look_first_block(int *p, int *o) { if (p[0] < (int)T) atomicMax(p, T); }
K c_beside(int *p, int *o) { if (T < 32) atomicAdd(&p[0], 5); else o[T] = p[0]; }
K c_beside_block(int *p, int *o) { if (B) atomicAdd(&p[0], 5); else o[T] = p[0]; }
K c_union(int *p, int *o) { int a = root(p, T), b = root(p, T / 2); while (a != b) { if (a < b) { int t = a; a = b; b = t; } int old = atomicCAS(&p[a], a, b); if (old == a) break; a = root(p, old); b = root(p, b); } __syncthreads(); o[T] = root(p, T); }
K c_visited(int *p, int *o) { __shared__ int seen[16], n; if (T < 16) seen[T] = 0; if (T == 0) n = 0; __syncthreads(); int k = p[T] % 16; if (!seen[k] && atomicExch(&seen[k], 1) == 0) o[atomicAdd(&n, 1)] = k; }
K c_hash(int *p, int *o) { __shared__ int keys[128], values[128]; keys[T] = keys[T + 64] = -1; __syncthreads(); int k = p[T] * 7 % 128; while (true) { int old = atomicCAS(&keys[k], -1, p[T]); if (old == -1 || old == p[T]) { values[k] = T; break; } k = (k + 1) % 128; } __syncthreads(); o[T] = values[k]; }
K c_histogram_merged_block(int *p, int *o) { __shared__ int bins[8]; if (T < 8) bins[T] = 0; __syncthreads(); atomicAdd(&bins[p[T] % 8], 1); __syncthreads(); if (T < 8) atomicAdd(&p[T], bins[T]); }
K c_scope_block(int *p, int *o) { atomicAdd_block(&p[B * 32], 1); }
K f_race_scope_block(int *p, int *o) { atomicAdd_block(&p[0], 1); }
K f_race_store_beside(int *p, int *o) { if (T == 5) p[0] = 0; else atomicAdd(&p[0], 1); }
K f_race_histogram_early(int *p, int *o) { __shared__ int bins[8]; if (T < 8) bins[T] = 0; __syncthreads(); atomicAdd(&bins[p[T] % 8], 1); if (T < 8) o[T] = bins[T]; }
K f_race_histogram_late(int *p, int *o) { __shared__ int bins[8]; if (T < 8) bins[T] = 0; atomicAdd(&bins[p[T] % 8], 1); __syncthreads(); if (T < 8) o[T] = bins[T]; }
K f_race_total_block(int *p, int *o) { atomicAdd(&p[0], p[T]); __syncthreads(); if (B == 1 && T == 0) o[0] = p[0]; else if (T == 0) p[0] = 1; }
K f_race_total(int *p, int *o) { atomicAdd(&p[0], p[T + 0 * T]); if (T == 0) o[0] = p[0]; }
K f_race_width(int *p, int *o) { if (T == 40) atomicAdd((unsigned long long *)p, 5ull); else if (T == 0) o[0] = p[1]; }
// Fences and flags.
K f_race_fence_only(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __threadfence_block(); o[T] = s[63 - T]; }
K f_race_fence_block(int *p, int *o) { if (B == 0) { if (T == 0) p[5] = 9; __threadfence(); } else { __threadfence(); o[T] = p[5]; } }
K c_flag(int *p, int *o) { volatile int *flag = p; if (T == 0 && B == 0) { p[5] = 9; __threadfence(); *flag = 7; } if (T == 0 && B == 1) { while (*flag != 7) ; __threadfence(); o[0] = p[5]; } }
K c_flag_barrier(int *p, int *o) { volatile int *flag = p; if (B == 0) { p[T / 2 + 32] = T / 2; __syncthreads(); if (T == 0) { __threadfence(); *flag = 7; } } else { if (T == 0) { while (*flag != 7) ; __threadfence(); } __syncthreads(); o[T] = p[T / 2 + 32]; } }
K c_flag_release(int *p, int *o) { if (T == 0 && B == 0) { p[5] = 9; STORE(release, p, 7); } if (T == 0 && B == 1) { int v; do LOAD(acquire, v, p); while (v != 7); o[0] = p[5]; } }
K c_flag_exchange(int *p, int *o) { if (T == 0 && B == 0) { p[5] = 9; __threadfence(); atomicExch(&p[0], 7); } if (T == 0 && B == 1) { while (atomicAdd(&p[0], 0) != 7) ; __threadfence(); o[0] = p[5]; } }
K c_flag_chain(int *p, int *o) { volatile int *flag = p; if (B == 0) { if (T == 0) { p[5] = 9; __threadfence(); *flag = 7; } } else { if (T == 0) { while (*flag != 7) ; __threadfence(); flag[1] = 7; } if (T == 40) { while (flag[1] != 7) ; __threadfence(); o[0] = p[5]; } } }
K f_race_flag_writer(int *p, int *o) { volatile int *flag = p; if (T == 0 && B == 0) { p[5] = 9; *flag = 7; } if (T == 0 && B == 1) { while (*flag != 7) ; __threadfence(); o[0] = p[5]; } }
K f_race_flag_reader(int *p, int *o) { volatile int *flag = p; if (T == 0 && B == 0) { p[5] = 9; __threadfence(); *flag = 7; } if (T == 0 && B == 1) { while (*flag != 7) ; o[0] = p[5]; } }
K f_race_flag_scope(int *p, int *o) { volatile int *flag = p; if (T == 0 && B == 0) { p[5] = 9; __threadfence_block(); *flag = 7; } if (T == 0 && B == 1) { while (*flag != 7) ; __threadfence(); o[0] = p[5]; } }
K f_race_flag_others(int *p, int *o) { volatile int *flag = p; if (B == 0) { p[T / 2 + 32] = T / 2; if (T == 0) { __threadfence(); *flag = 7; } } else { if (T == 0) { while (*flag != 7) ; __threadfence(); } __syncthreads(); o[T] = p[T / 2 + 32]; } }
K f_race_flag_relaxed(int *p, int *o) { if (T == 0 && B == 0) { p[5] = 9; STORE(relaxed, p, 7); } if (T == 0 && B == 1) { int v; do LOAD(acquire, v, p); while (v != 7); o[0] = p[5]; } }
K f_race_flag_unacquired(int *p, int *o) { if (T == 0 && B == 0) { p[5] = 9; STORE(release, p, 7); } if (T == 0 && B == 1) { int v; do LOAD(relaxed, v, p); while (v != 7); o[0] = p[5]; } }
K f_race_flag_plain(int *p, int *o) { if (T == 0 && B == 0) { p[5] = 9; __threadfence(); p[0] = 7; } if (T == 0 && B == 1) o[0] = p[0]; }
K c_last_flag(int *p, int *o) { volatile int *results = o; __shared__ bool last; if (T == 0) { results[B] = p[B]; __threadfence(); last = atomicInc((unsigned *)&p[0], 1) == 1; } __syncthreads(); if (last && T == 0) { o[2] = results[0] + results[1]; p[0] = 0; } }
K c_last_plain_flag(int *p, int *o) { __shared__ bool last; if (T == 0) { o[B] = p[B]; __threadfence(); last = atomicAdd(&p[0], 1) == 1; } __syncthreads(); if (last && T == 40) o[2] = o[0] + o[1]; }
K f_race_last_flag(int *p, int *o) { __shared__ bool last; if (T == 0) { o[B] = p[B]; last = atomicAdd(&p[0], 1) == 1; } __syncthreads(); if (last && T == 40) o[2] = o[0] + o[1]; }
K c_lookback_flag(int *p, int *o) { volatile unsigned long long *state = (unsigned long long *)p; __shared__ int before; int sum = __syncthreads_count(p[T / 2 + 16] & 1); if (T == 0) { unsigned long long v = 0; if (B) do v = state[0]; while (v >> 32 != 77); before = (int)v; state[B] = 77ull << 32 | (before + sum); } __syncthreads(); if (T < 32) o[B * 32 + T] = before + T; }
K c_lookback_two_flag(int *p, int *o) { volatile int *status = p; __shared__ int before; if (T == 0) { before = 0; if (B) { while (status[0] != 77) ; __threadfence(); before = p[8]; } p[8 + B] = before + 3; __threadfence(); status[B] = 77; } __syncthreads(); if (T < 32) o[B * 32 + T] = before; }
K c_ticket_flag(int *p, int *o) { __shared__ int id; if (T == 0) id = atomicAdd(&p[0], 1); __syncthreads(); if (T < 32) o[id * 32 + T] = id; }
K c_lock_flag(int *p, int *o) { if (T == 0) { while (atomicCAS(&p[0], 0, 1) != 0) ; __threadfence(); p[5] += 1; __threadfence(); atomicExch(&p[0], 0); } }
K f_race_lock_flag(int *p, int *o) { if (T == 0) { while (atomicCAS(&p[0], 0, 1) != 0) ; p[5] += 1; atomicExch(&p[0], 0); } }
K f_race_unlock_flag(int *p, int *o) { if (T == 0) { while (atomicCAS(&p[0], 0, 1) != 0) ; __threadfence(); p[5] += 1; __threadfence(); p[0] = 0; } }
K c_push_block(int *p, int *o) { int at = atomicAdd(&p[63], 1) - 63; if (at < 64) o[at] = T; }
// Grids.
K c_grid_stencil(int *p, int *o) { auto g = cg::this_grid(); int i = B * 16 + T % 16; int *a = p, *b = o; for (int k = 0; k < 4; k++) { if (T < 16) b[i] = a[(i + 63) & 63] + a[i] + a[(i + 1) & 63]; g.sync(); int *t = a; a = b; b = t; } }
K c_grid_in_place(int *p, int *o) { auto g = cg::this_grid(); int i = B * 16 + T % 16; for (int k = 0; k < 4; k++) { int v = p[(i + 63) & 63] + p[(i + 1) & 63]; g.sync(); if (T < 16) p[i] = v; g.sync(); } }
K c_grid_sum(int *p, int *o) { auto g = cg::this_grid(); if (T == 0) o[B] = p[B]; g.sync(); if (B == 2 && T == 5) o[4] = o[0] + o[1] + o[2] + o[3]; }
K f_race_grid_stencil(int *p, int *o) { auto g = cg::this_grid(); int i = B * 16 + T % 16; for (int k = 0; k < 4; k++) { int v = p[(i + 63) & 63] + p[(i + 1) & 63]; g.sync(); if (T < 16) p[i] = v; } }
K f_race_grid_block(int *p, int *o) { if (T == 0) p[B] = 7; __syncthreads(); if (B == 2 && T == 5) o[4] = p[0] + p[1] + p[2] + p[3]; }
// Warps and parts of them.
K c_warp_reduce(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncwarp(); for (int d = 16; d; d /= 2) { int v = T % 32 < d ? s[T + d] : 0; __syncwarp(); s[T] += v; __syncwarp(); } o[T] = s[T & 32]; }
K f_race_warp_reduce(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncwarp(); for (int d = 16; d; d /= 2) { if (T % 32 < d) s[T] += s[T + d]; } o[T] = s[T & 32]; }
K c_warp_volatile(int *p, int *o) { __shared__ volatile int s[64]; s[T] = p[T]; for (int d = 16; d; d /= 2) if (T % 32 < d) s[T] += s[T + d]; o[T] = s[T & 32]; }
K c_half_warp(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncwarp(T & 16 ? 0xffff0000u : 0xffffu); o[T] = s[T ^ 5]; }
K f_race_half_warp(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncwarp(T & 16 ? 0xffff0000u : 0xffffu); o[T] = s[T ^ 21]; }
K c_masks_chained(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncwarp(T & 16 ? 0xffff0000u : 0xffffu); if (T % 32 < 8 || T % 32 >= 24) __syncwarp(0xff0000ffu); if (T % 32 == 0) o[T] = s[T + 20]; }
K c_tile_shared(int *p, int *o) { __shared__ int s[64]; auto t = cg::tiled_partition<8>(cg::this_thread_block()); s[T] = p[T]; t.sync(); o[T] = s[T ^ 7]; }
K f_race_tile_shared(int *p, int *o) { __shared__ int s[64]; auto t = cg::tiled_partition<8>(cg::this_thread_block()); s[T] = p[T]; t.sync(); o[T] = s[T ^ 8]; }
K c_tile_writes(int *p, int *o) { __shared__ int s[64]; auto t = cg::tiled_partition<4>(cg::this_thread_block()); s[T] = p[T]; for (int i = 0; i < 3; i++) { t.sync(); int v = s[T ^ 3] + s[T ^ 1]; t.sync(); s[T] = v; } t.sync(); o[T] = s[T ^ 2]; }
K c_coalesced_sync(int *p, int *o) { __shared__ int s[64]; if (p[T] % 3) { auto g = cg::coalesced_threads(); s[T / 32 * 32 + g.thread_rank()] = p[T]; g.sync(); o[T] = s[T / 32 * 32 + (g.thread_rank() + 1) % g.size()]; } }
K c_block_reduce(int *p, int *o) { __shared__ int s[2]; int v = p[T]; for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d); if (T % 32 == 0) s[T / 32] = v; __syncthreads(); if (T == 0) o[0] = s[0] + s[1]; }
K f_race_block_reduce(int *p, int *o) { __shared__ int s[2]; int v = p[T]; for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d); if (T % 32 == 0) s[T / 32] = v; __syncwarp(); if (T == 0) o[0] = s[0] + s[1]; }
// Barriers with names, objects, results.
K c_specialised(int *p, int *o) { __shared__ int s[32]; int sum = 0; for (int i = 0; i < 4; i++) if (T < 32) { if (i) SYNC(2, 64); s[T] = p[T] + i; JOIN(1, 64); } else { SYNC(1, 64); sum += s[63 - T]; if (i < 3) JOIN(2, 64); } if (T >= 32) o[T] = sum; }
K f_race_specialised(int *p, int *o) { __shared__ int s[32]; int sum = 0; for (int i = 0; i < 4; i++) if (T < 32) { s[T] = p[T] + i; JOIN(1, 64); SYNC(2, 32); } else { SYNC(1, 64); sum += s[63 - T]; } if (T >= 32) o[T] = sum; }
K c_named_groups(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; SYNC(1 + T / 32, 32); int v = s[T ^ 31]; asm volatile("bar.sync 0;" ::: "memory"); o[T] = v + s[63 - T]; }
K f_race_named_groups(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; SYNC(1 + T / 32, 32); o[T] = s[63 - T]; }
K c_objects(int *p, int *o) { __shared__ unsigned long long full, empty; __shared__ int s[32]; if (T == 0) { INIT(full, 32); INIT(empty, 32); } __syncthreads(); int sum = 0; for (int i = 0; i < 4; i++) if (T < 32) { if (i) WAIT(empty, (i - 1) & 1); s[T] = p[T] + i; ARRIVE(full); } else { WAIT(full, i & 1); sum += s[63 - T]; ARRIVE(empty); } if (T >= 32) o[T] = sum; }
K f_race_objects(int *p, int *o) { __shared__ unsigned long long full; __shared__ int s[32]; if (T == 0) INIT(full, 32); __syncthreads(); int sum = 0; for (int i = 0; i < 4; i++) if (T < 32) { s[T] = p[T] + i; ARRIVE(full); } else { WAIT(full, i & 1); sum += s[63 - T]; } if (T >= 32) o[T] = sum; }
K f_race_arrived(int *p, int *o) { __shared__ unsigned long long full; __shared__ int s[64]; if (T == 0) INIT(full, 64); __syncthreads(); s[T] = p[T]; ARRIVE(full); o[T] = s[63 - T]; WAIT(full, 0); }
K c_votes(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; int n = __syncthreads_count(p[T] & 1); o[T] = s[63 - T] + n; __syncthreads_or(n); s[T] = 0; }
K c_pipeline(int *p, int *o) { __shared__ int s[2][64]; int sum = 0; __pipeline_memcpy_async(&s[0][T], &p[T], 4); __pipeline_commit(); for (int i = 0; i < 4; i++) { if (i < 3) __pipeline_memcpy_async(&s[~i & 1][T], &p[T], 4); __pipeline_commit(); __pipeline_wait_prior(1); __syncthreads(); sum += s[i & 1][63 - T]; __syncthreads(); } o[T] = sum; }
K f_race_pipeline(int *p, int *o) { __shared__ int s[2][64]; int sum = 0; __pipeline_memcpy_async(&s[0][T], &p[T], 4); __pipeline_commit(); for (int i = 0; i < 4; i++) { if (i < 3) __pipeline_memcpy_async(&s[~i & 1][T], &p[T], 4); __pipeline_commit(); __pipeline_wait_prior(1); __syncthreads(); sum += s[i & 1][63 - T]; } o[T] = sum; }
// Barriers that lanes of a warp do not come to.
K f_bar_beside(int *p, int *o) { if (T < 40) asm volatile("bar.sync 0;" ::: "memory"); }
K f_bar_exited(int *p, int *o) { if (T >= 40) return; __shared__ int s[64]; s[T] = p[T]; __syncthreads(); o[T] = s[39 - T]; }
K f_bar_trips(int *p, int *o) { for (int i = 0; i < 1 + p[T] % 2; i++) asm volatile("bar.sync 0;" ::: "memory"); }
K f_bar_trips_ends(int *p, int *o) { __shared__ int s[64]; for (int i = T; i < 100; i += 64) { s[T] = p[i % 64]; __syncthreads(); o[T] = s[T ^ 1]; __syncthreads(); } }
K c_bar_warps(int *p, int *o) { if (T >= 32) return; __shared__ int s[32]; s[T] = p[T]; __syncthreads(); o[T] = s[31 - T]; }
K c_bar_loop(int *p, int *o) { __shared__ int s[64]; for (int i = T; i < 128; i += 64) { s[T] = p[i % 64]; __syncthreads(); o[T] = s[T ^ 1]; __syncthreads(); } }
K c_bar_unaligned(int *p, int *o) { if (T < 40) asm volatile("barrier.sync 0;" ::: "memory"); }
// Programs.
K c_bitonic(int *p, int *o) { __shared__ int s[64]; s[T] = 63 - p[T]; for (int k = 2; k <= 64; k *= 2) for (int j = k / 2; j; j /= 2) { __syncthreads(); int i = T ^ j; if (i > T) { int a = s[T], b = s[i]; if ((a > b) == ((T & k) == 0)) { s[T] = b; s[i] = a; } } } __syncthreads(); o[T] = s[T]; }
K f_race_bitonic(int *p, int *o) { __shared__ int s[64]; s[T] = 63 - p[T]; for (int k = 2; k <= 64; k *= 2) { __syncthreads(); for (int j = k / 2; j; j /= 2) { int i = T ^ j; if (i > T) { int a = s[T], b = s[i]; if ((a > b) == ((T & k) == 0)) { s[T] = b; s[i] = a; } } } } __syncthreads(); o[T] = s[T]; }
K c_split(int *p, int *o) { __shared__ int s[64], f[64]; s[T] = p[T] * 37 % 64; for (int bit = 0; bit < 6; bit++) { __syncthreads(); int v = s[T], b = v >> bit & 1; f[T] = !b; __syncthreads(); for (int d = 1; d < 64; d *= 2) { int x = T >= d ? f[T - d] : 0; __syncthreads(); f[T] += x; __syncthreads(); } int zeros = f[63]; int at = b ? zeros + T - f[T] : f[T] - 1; __syncthreads(); s[at] = v; } __syncthreads(); o[T] = s[T]; }
K c_blelloch(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; for (int d = 1; d < 64; d *= 2) { __syncthreads(); int i = (T + 1) * 2 * d - 1; if (i < 64) s[i] += s[i - d]; } __syncthreads(); if (T == 0) s[63] = 0; for (int d = 32; d; d /= 2) { __syncthreads(); int i = (T + 1) * 2 * d - 1; if (i < 64) { int t = s[i - d]; s[i - d] = s[i]; s[i] += t; } } __syncthreads(); o[T] = s[T]; }
K c_product(int *p, int *o) { __shared__ int a[8][8], b[8][8]; int x = T % 8, y = T / 8, sum = 0; for (int k = 0; k < 3; k++) { a[y][x] = p[T] + k; b[y][x] = p[63 - T] - k; __syncthreads(); for (int i = 0; i < 8; i++) sum += a[y][i] * b[i][x]; __syncthreads(); } o[T] = sum; }
K f_race_product(int *p, int *o) { __shared__ int a[8][8], b[8][8]; int x = T % 8, y = T / 8, sum = 0; for (int k = 0; k < 3; k++) { a[y][x] = p[T] + k; b[y][x] = p[63 - T] - k; __syncthreads(); for (int i = 0; i < 8; i++) sum += a[y][i] * b[i][x]; } o[T] = sum; }
K c_life(int *p, int *o) { __shared__ unsigned char s[2][8][8]; int x = T % 8, y = T / 8; s[0][y][x] = p[T] % 3 == 0; for (int k = 0; k < 4; k++) { __syncthreads(); int n = 0; for (int i = -1; i < 2; i++) for (int j = -1; j < 2; j++) n += s[k & 1][(y + i) & 7][(x + j) & 7]; s[~k & 1][y][x] = n == 3 || n == 4 && s[k & 1][y][x]; } __syncthreads(); o[T] = s[0][y][x]; }
K f_race_life(int *p, int *o) { __shared__ unsigned char s[8][8]; int x = T % 8, y = T / 8; s[y][x] = p[T] % 3 == 0; for (int k = 0; k < 4; k++) { __syncthreads(); int n = 0; for (int i = -1; i < 2; i++) for (int j = -1; j < 2; j++) n += s[(y + i) & 7][(x + j) & 7]; s[y][x] = n == 3; } __syncthreads(); o[T] = s[y][x]; }
K c_floyd(int *p, int *o) { __shared__ int d[8][8]; int x = T % 8, y = T / 8; d[y][x] = x == y ? 0 : p[T] + 1; for (int k = 0; k < 8; k++) { __syncthreads(); int v = d[y][k] + d[k][x]; if (v < d[y][x]) d[y][x] = v; } __syncthreads(); o[T] = d[y][x]; }
K c_frontier(int *p, int *o) { __shared__ int q[64], n, level[64]; level[T] = T ? -1 : 0; if (T == 0) n = 1, q[0] = 0; __syncthreads(); for (int l = 0; l < 6; l++) { int have = n; __syncthreads(); if ((int)T < have) for (int e = 1; e <= 2; e++) { int v = 2 * q[T] + e; if (v < 64 && atomicCAS(&level[v], -1, l + 1) == -1) { int at = atomicAdd(&n, 1); if (at < 64) q[at] = v; } } __syncthreads(); } o[T] = level[T]; }
