// Kernels with one planted fault each (f_...), and clean twins (c_...) that look
// suspicious and are legal. p has 64 ints, initialised; o has 64 ints, not initialised.
// variants: G
#include <cooperative_groups.h>
#define K extern "C" __global__ void
#define T threadIdx.x
// Out of bounds.
K f_oob_load(int *p, int *o) { o[T] = p[T + 32]; }
K f_oob_store(int *p, int *o) { o[T + 1] = p[T]; }
K f_oob_negative(int *p, int *o) { o[T] = p[(int)T - 1]; }
K f_oob_far(int *p, int *o) { o[T] = p[T * 100000]; }
K f_oob_atomic(int *p, int *o) { atomicAdd(&p[T + 1], 1); }
K f_oob_vector(int *p, int *o) { ((int4 *)o)[T] = make_int4(1, 2, 3, 4); }
K f_oob_shared(int *p, int *o) { extern __shared__ int s[]; s[T + p[1]] = 1; }
K f_oob_local(int *p, int *o) { int a[8]; for (int i = 0; i < 8; i++) a[i] = p[i]; o[T] = a[p[T] + 1]; }
K f_null(int *p, int *o) { *(int *)(size_t)p[T] = 3; }
K f_oob_last_lane(int *p, int *o) { if (T == 63) o[64] = 1; else o[T] = 1; }
K f_oob_byte(int *p, int *o) { ((char *)o)[T * 4 + 4] = 1; }
// Misaligned.
K f_mis_load(int *p, int *o) { o[T] = *(int *)((char *)p + T * 2 + 1); }
K f_mis_double(int *p, int *o) { *(double *)(o + (T / 2 | 1)) = 1.0; }
K f_mis_vector(int *p, int *o) { asm volatile("st.global.v4.s32 [%0], {%1, %1, %1, %1};" ::"l"(__cvta_generic_to_global(o + 2)), "r"(p[T]) : "memory"); }
K f_mis_atomic(int *p, int *o) { atomicAdd((int *)((char *)p + 2), 1); }
K f_mis_shared(int *p, int *o) { __shared__ char s[256]; *(int *)(s + T + p[1]) = 1; o[T] = s[T]; }
// Uninitialised.
K f_uninit_global(int *p, int *o) { p[T] = o[T] + 1; }
K f_uninit_shared(int *p, int *o) { __shared__ int s[64]; if (T < 32) s[T] = p[T]; __syncthreads(); o[T] = s[63 - T]; }
K f_uninit_local(int *p, int *o) { int a[16]; for (int i = 0; i < 8; i++) a[p[i]] = i; o[T] = a[p[8] + T % 8]; }
K f_uninit_atomic(int *p, int *o) { atomicAdd(&o[T], 1); }
// Races.
K f_race_shared_raw(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; o[T] = s[63 - T]; }
K f_race_shared_war(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncthreads(); int v = s[63 - T]; s[T] = v + 1; __syncthreads(); o[T] = s[T]; }
K f_race_shared_waw(int *p, int *o) { __shared__ int s[8]; s[T % 8] = p[T]; __syncthreads(); o[T] = s[T % 8]; }
K f_race_reduce(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncthreads(); for (int k = 32; k; k >>= 1) if (T < k) s[T] += s[T + k]; o[T] = s[0]; }
K f_race_warp(int *p, int *o) { __shared__ int s[32]; s[T & 31] = p[T]; o[T] = s[(T + 1) & 31]; }
K f_race_global_blocks(int *p, int *o) { o[T] = p[T] + blockIdx.x; }
K f_race_global_sum(int *p, int *o) { p[0] += T; }
K f_race_atomic_plain(int *p, int *o) { if (T < 32) atomicAdd(&p[0], 5); else p[0] = T; }
K f_race_init_atomic(int *p, int *o) { __shared__ int c; if (T == 0) c = p[0]; atomicAdd(&c, 1); __syncthreads(); o[T] = c; }
K f_race_half_barrier(int *p, int *o) { __shared__ int s[64]; if (T < 32) { s[T] = p[T]; __syncwarp(); } o[T] = s[T & 31]; }
K f_race_global_flag(int *p, int *o) { if (blockIdx.x == 0 && T == 0) { p[1] = 9; *(volatile int *)p = 1; } else if (T == 0) { if (*(volatile int *)p == 1) o[1] = p[1]; } }
// Barriers.
K f_bar_branch(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; if (T % 2) { __syncthreads(); o[T] = s[T ^ 1]; } else { __syncthreads(); o[T] = s[T]; } }
K f_bar_loop(int *p, int *o) { for (int i = 0; i < p[T] % 3; i++) { o[T] = i; asm volatile("bar.sync 0;" ::: "memory"); } asm volatile("bar.sync 1;" ::: "memory"); }
K f_bar_count(int *p, int *o) { asm volatile("bar.sync 1, 96;" ::: "memory"); o[T] = 1; }
K f_bar_number(int *p, int *o) { asm volatile("bar.sync %0;" ::"r"(p[T] + 16) : "memory"); o[T] = 1; }
// Masks.
K f_mask_self(int *p, int *o) { o[T] = __shfl_sync(0x0000ffffu, p[T], 0); }
K f_mask_absent(int *p, int *o) { if (T & 1) o[T] = __shfl_xor_sync(0xffffffffu, p[T], 2); __syncthreads(); }
K f_mask_source(int *p, int *o) { if (T < 16) o[T] = __shfl_sync(0x0000ffffu, p[T], 20); }
K f_mask_vote(int *p, int *o) { if (T % 32 < 8) o[T] = __ballot_sync(0xffffffffu, p[T]); else o[T] = __any_sync(0xffffff00u | p[0], p[T]); __syncthreads(); }
// Deadlock.
K f_dead_spin(int *p, int *o) { while (*(volatile int *)p != 77) ; o[T] = 1; }
K f_dead_lock(int *p, int *o) { while (atomicCAS(&p[1], 1, 2) != 1) ; while (atomicCAS(&p[1], 1, 2) != 1) ; o[T] = 1; }
K f_dead_bar(int *p, int *o) { if (T < 32) asm volatile("bar.sync 2, 64;" ::: "memory"); else asm volatile("bar.sync 3, 64;" ::: "memory"); o[T] = 1; }
K f_trap(int *p, int *o) { if (T == 5) __trap(); o[T] = p[T]; }

K c_guard(int *p, int *o) { if (T + 1 < 64) o[T] = p[T + 1]; }
K c_one_past(int *p, int *o) { int *end = p + 64; int s = 0; for (int *q = p; q != end; q++) s += *q; o[T] = s; }
K c_same_value(int *p, int *o) { if (p[T] >= 0) o[0] = 1; }
K c_same_value_shared(int *p, int *o) { __shared__ int any; any = 0; __syncthreads(); if (p[T] > 3) any = 1; __syncthreads(); o[T] = any; }
K c_atomic(int *p, int *o) { atomicAdd(&p[0], 1); atomicMax(&p[0], T); }
K c_warp_sync(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncwarp(); o[T] = s[T ^ 1]; }
K f_bar_early_exit(int *p, int *o) { if (T >= 40) return; __shared__ int s[64]; s[T] = p[T]; __syncthreads(); o[T] = s[39 - T]; }
K c_uniform_branch(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; if (blockIdx.x == 0) __syncthreads(); else __syncthreads(); o[blockIdx.x * 32 + T % 32] = blockIdx.x ? 1 : s[T % 32]; }
K c_warps_apart(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; if (T < 32) asm volatile("bar.sync 0;" ::: "memory"); else asm volatile("bar.sync 0;" ::: "memory"); o[T] = s[63 - T]; }
K c_named(int *p, int *o) { __shared__ int s[64]; if (T < 32) { s[T] = p[T]; asm volatile("bar.arrive 1, 64;" ::: "memory"); } else { asm volatile("bar.sync 1, 64;" ::: "memory"); o[T] = s[T - 32]; } }
K c_half_mask(int *p, int *o) { unsigned m = T & 16 ? 0xffff0000u : 0x0000ffffu; o[T] = __shfl_xor_sync(m, p[T], 3); }
K c_active(int *p, int *o) { if (T % 3 == 0) o[T] = __popc(__activemask()); }
K c_padding(int *p, int *o) { __shared__ int2 s[64]; s[T].x = p[T]; int2 v = s[T]; o[T] = v.x; }
K c_lock(int *p, int *o) { bool done = false; while (!done) if (atomicCAS(&p[40], 40, 1) == 40) { p[41] += 1; __threadfence(); atomicExch(&p[40], 40); done = true; } }
K c_producer(int *p, int *o) { __shared__ volatile int flag; __shared__ int data; if (T == 0) flag = 0; __syncthreads(); if (T == 0) { data = 5; __threadfence_block(); flag = 1; } else if (T == 32) { while (!flag) ; __threadfence_block(); o[0] = data; } }
K c_bytes(int *p, int *o) { __shared__ char s[64]; s[T] = p[T]; __syncthreads(); o[T] = s[63 - T]; }
K c_own_words(int *p, int *o) { p[T] += 1; p[T] *= 2; o[T] = p[T]; }
K c_double_buffer(int *p, int *o) { __shared__ int s[2][64]; s[0][T] = p[T]; __syncthreads(); for (int i = 0; i < 4; i++) { s[~i & 1][T] = s[i & 1][63 - T]; __syncthreads(); } o[T] = s[0][T]; }
K c_block_order(int *p, int *o) { if (T == 0) { while (atomicAdd(&p[0], 0) != blockIdx.x) ; __threadfence(); p[1] += 3; __threadfence(); atomicAdd(&p[0], 1); } }
K c_diverged(int *p, int *o) { int v = p[T]; for (int i = 0; i < v; i++) { if (i & 1) v -= 1; else o[T] = i; } __syncthreads(); o[T] = v; }
