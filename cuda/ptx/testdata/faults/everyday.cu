// Planted faults and clean twins as people write them: indices in two dimensions, scans, histograms, queues, structures, warps, devices' functions; named and
// run as those of faults.cu are.
// arch: sm_75
// variants: G
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define K extern "C" __global__ void
#define T threadIdx.x
struct Body { int id; float w; double mass; };
struct Node { int value; Node *next; };
__device__ __noinline__ int third(const int *p) { return p[2]; }
__device__ __noinline__ void fill(int *p, int n) { for (int i = 0; i <= n; i++) p[i] = i; }
__constant__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
// Indices.
K f_oob_row(int *p, int *o) { int x = T % 8, y = T / 8; o[y * 9 + x] = p[y * 8 + x]; }
K f_oob_stencil(int *p, int *o) { o[T] = p[T - 1 + (T == 0)] + p[T] + p[T + 1]; }
K f_oob_last_of_loop(int *p, int *o) { for (int i = T; i <= 64; i += 64) o[i] = p[i % 64]; }
K f_oob_unsigned(int *p, int *o) { unsigned n = T; o[T] = p[min(n - 1, 64u)]; }
K f_oob_reverse(int *p, int *o) { o[T] = p[64 - T]; }
K f_oob_column(int *p, int *o) { int (*m)[8] = (int (*)[8])p; o[T] = m[T % 8][T / 8 + 8 * (T == 63)]; }
K f_oob_callee(int *p, int *o) { o[T] = third(p + T); }
K f_oob_filled(int *p, int *o) { if (T == 0) fill(o, 64); }
K f_oob_element(int *p, int *o) { Body *b = (Body *)o; if (T < 20) b[T].mass = p[T]; }
K f_uninit_histogram(int *p, int *o) { __shared__ int bins[32]; if (T < 32) bins[T] = 0; __syncthreads(); atomicAdd(&bins[p[T]], 1); __syncthreads(); if (T < 32) o[T] = bins[T]; }
K f_oob_queue(int *p, int *o) { __shared__ int n; if (T == 0) n = p[30]; __syncthreads(); int at = atomicAdd(&n, 1); o[at] = p[T]; }
K f_oob_gather(int *p, int *o) { o[T] = p[p[T] * 2]; }
K f_oob_short(int *p, int *o) { ((short *)o)[T * 2 + 2] = p[T]; }
K f_oob_table(int *p, int *o) { asm volatile("ld.const.s32 %0, [%1];" : "=r"(o[T]) : "l"((size_t)__cvta_generic_to_constant(table) + 4 * T * 1000) : "memory"); }
K f_oob_copy(int *p, int *o) { int4 *to = (int4 *)o; const int4 *from = (const int4 *)p; if (T <= 16) to[T] = from[T]; }
K f_null_list(int *p, int *o) { Node *n = (Node *)(size_t)(p[T] - T); o[T] = n->value; }
K f_null_second(int *p, int *o) { Node a = {p[T], nullptr}; Node *n = p[T] >= 0 ? a.next : (Node *)o; o[T] = n->value; }
// Alignment.
K f_mis_struct(int *p, int *o) { Body *b = (Body *)(o + 1); b[T / 4].mass = p[T]; }
K f_mis_packed(int *p, int *o) { char *bytes = (char *)p; o[T] = *(short *)(bytes + 3 * (T % 20) + 1); }
K f_mis_pair(int *p, int *o) { long long *v = (long long *)(o + (T | 1) % 60); *v = 1; }
// Memory that nobody wrote.
K f_uninit_tail(int *p, int *o) { if (T < 60) o[T] = p[T]; __syncthreads(); p[T] = o[63 - T]; }
K f_uninit_halo(int *p, int *o) { __shared__ int s[66]; s[T + 1] = p[T]; __syncthreads(); o[T] = s[T] + s[T + 2]; }
K f_uninit_sum(int *p, int *o) { int sum[4]; for (int i = 0; i < 4; i++) sum[(p[i] + i) & 3] += p[T]; o[T] = sum[0] + sum[1] + sum[2] + sum[3]; }
K f_uninit_max(int *p, int *o) { __shared__ int most; __syncthreads(); atomicMax(&most, p[T]); __syncthreads(); o[T] = most; }
K f_uninit_scan(int *p, int *o) { __shared__ int s[2][64]; s[0][T] = p[T]; __syncthreads(); o[T] = s[1][T] + s[0][T]; }
// Orders that nothing gives.
K f_race_scan(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncthreads(); for (int d = 1; d < 64; d *= 2) { int v = T >= d ? s[T - d] : 0; __syncthreads(); s[T] += v; } o[T] = s[T]; }
K f_race_tile(int *p, int *o) { __shared__ int s[8][9]; for (int k = 0; k < 2; k++) { s[T / 8][T % 8] = p[T] + k; __syncthreads(); o[T] = s[T % 8][T / 8]; } }
K f_race_histogram(int *p, int *o) { __shared__ int bins[8]; if (T < 8) bins[T] = 0; __syncthreads(); bins[p[T] % 8]++; __syncthreads(); o[T] = bins[T % 8]; }
K f_race_flag(int *p, int *o) { __shared__ int ready, data; if (T == 0) ready = 0; __syncthreads(); if (T == 32) { data = p[5]; ready = 1; } if (T < 32 && ready) o[T] = data; }
K f_race_last(int *p, int *o) { __shared__ int last; if (p[T] >= 0) last = T; __syncthreads(); o[T] = last; }
K f_race_compact(int *p, int *o) { __shared__ int n; if (T == 0) n = 0; __syncthreads(); if (p[T] & 1) o[n++] = p[T]; }
K f_race_swap(int *p, int *o) { if (T < 63) { int v = p[T]; p[T] = p[T + 1]; p[T + 1] = v; } }
K f_race_blocks_edge(int *p, int *o) { int i = blockIdx.x * 32 + T; if (i < 64) o[i] = blockIdx.x; }
K f_race_bytes(int *p, int *o) { ((char *)o)[T / 2] = T; }
K f_race_struct(int *p, int *o) { __shared__ Body b[32]; b[T % 32].id = T; __syncthreads(); o[T] = b[T % 32].id; }
K f_race_butterfly(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncthreads(); for (int d = 32; d; d /= 2) { s[T] += s[T ^ d]; __syncwarp(); } o[T] = s[T]; }
// Waiting.
K f_bar_return(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; if (T & 1) { asm volatile("bar.sync 0;" ::: "memory"); o[T] = 1; } else { o[T] = 2; asm volatile("bar.sync 0;" ::: "memory"); o[T] += s[T]; asm volatile("bar.sync 0;" ::: "memory"); } }
K f_mask_tile(int *p, int *o) { if (T % 32 < 8) { auto w = cg::tiled_partition<32>(cg::this_thread_block()); o[T] = w.shfl(p[T], 0); } else if (T % 32 < 16) o[T] = __shfl_sync(0x0000ff0fu, p[T], 8); }
K f_mask_reduce(int *p, int *o) { int v = p[T]; if (T % 32 < 24) for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d); else v = __any_sync(0xff000000u, v); o[T] = v; }
K f_dead_order(int *p, int *o) { if (T == 0) { while (atomicAdd(&p[63], 0) == 63) ; o[0] = 1; } __syncthreads(); if (T == 1) atomicAdd(&p[63], 1); }
K f_dead_turn(int *p, int *o) { volatile int *turn = p; if (T < 2) { while (turn[0] != (int)T + 1) __nanosleep(20); turn[0] = T + 2; } }
K f_dead_timed(int *p, int *o) { long long begin = clock64(); while (*(volatile int *)p == 0) if (clock64() - begin > 10000) __nanosleep(100); o[T] = 1; }
K f_trap_assert(int *p, int *o) { if (p[T] > 62) __trap(); o[T] = p[T]; }

K c_row(int *p, int *o) { int x = T % 8, y = T / 8; o[y * 8 + x] = p[x * 8 + y]; }
K c_stencil(int *p, int *o) { int left = T ? p[T - 1] : 0, right = T < 63 ? p[T + 1] : 0; o[T] = left + p[T] + right; }
K c_wraps(int *p, int *o) { o[T] = p[(T + 63) & 63] + p[(T + 1) & 63]; }
K c_past_and_back(int *p, int *o) { int *q = p + 100; q -= 100; o[T] = q[T]; }
K c_scan(int *p, int *o) { __shared__ int s[64]; s[T] = p[T]; __syncthreads(); for (int d = 1; d < 64; d *= 2) { int v = T >= d ? s[T - d] : 0; __syncthreads(); s[T] += v; __syncthreads(); } o[T] = s[T]; }
K c_histogram(int *p, int *o) { __shared__ int bins[8]; if (T < 8) bins[T] = 0; __syncthreads(); atomicAdd(&bins[p[T] % 8], 1); __syncthreads(); o[T] = bins[T % 8]; }
K c_tile(int *p, int *o) { __shared__ int s[8][9]; for (int k = 0; k < 2; k++) { s[T / 8][T % 8] = p[T]; __syncthreads(); o[T] = s[T % 8][T / 8]; __syncthreads(); } }
K c_queue(int *p, int *o) { __shared__ int n; if (T == 0) n = 0; __syncthreads(); if (p[T] & 1) o[atomicAdd(&n, 1)] = p[T]; }
K c_ballot_compact(int *p, int *o) { unsigned m = __ballot_sync(0xffffffffu, p[T] & 1); if (p[T] & 1) o[T / 32 * 32 + __popc(m & ((1u << T % 32) - 1))] = p[T]; }
K c_leader(int *p, int *o) { unsigned m = __activemask(); int leader = __ffs(m) - 1, v = 0; if ((int)(T % 32) == leader) v = p[T]; o[T] = __shfl_sync(m, v, leader); }
K c_fields_apart(int *p, int *o) { __shared__ Body b[32]; if (T < 32) b[T].id = p[T]; else b[T - 32].w = p[T]; __syncthreads(); o[T] = b[T % 32].id + (int)b[T % 32].w; }
K c_union(int *p, int *o) { union { float f; int i; } u; u.f = p[T]; o[T] = u.i; }
K c_flag_fence(int *p, int *o) { __shared__ int data; __shared__ int ready; if (T == 0) ready = 0; __syncthreads(); if (T == 32) { data = p[5]; __threadfence_block(); atomicExch(&ready, 1); } if (T == 0) { while (atomicAdd(&ready, 0) == 0) ; __threadfence_block(); o[0] = data; } }
K c_last_block(int *p, int *o) { if (T < 32) atomicAdd(&p[T], 1); __threadfence(); __syncthreads(); __shared__ int turn; if (T == 0) turn = atomicAdd(&p[40], 1); __syncthreads(); if (turn == 40) o[T] = atomicAdd(&p[T % 32], 0); }
K c_butterfly(int *p, int *o) { int v = p[T]; for (int d = 16; d; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d); o[T] = v; }
K c_tiles(int *p, int *o) { auto t = cg::tiled_partition<8>(cg::this_thread_block()); int v = p[T]; for (int d = 4; d; d /= 2) v += t.shfl_down(v, d); if (t.thread_rank() == 0) o[T / 8] = v; }
K c_coalesced(int *p, int *o) { if (p[T] % 3) { auto g = cg::coalesced_threads(); o[T] = g.shfl(p[T], 0) + g.size(); } }
K c_gives_up(int *p, int *o) { long long begin = clock64(); while (*(volatile int *)p == 0 && clock64() - begin < 10000) ; o[T] = 1; }
K c_local_array(int *p, int *o) { int a[16]; for (int i = 0; i < 16; i++) a[(p[i] + T) & 15] = i; int s = 0; for (int i = 0; i < 16; i++) s += a[i]; o[T] = s; }
K c_volatile_turns(int *p, int *o) { volatile int *turn = p; if (T < 2) { while (turn[0] != (int)T) __nanosleep(20); turn[0] = T + 1; } }
K c_unaligned_bytes(int *p, int *o) { char *bytes = (char *)p; int v; memcpy(&v, bytes + T, 4); o[T] = v; }
