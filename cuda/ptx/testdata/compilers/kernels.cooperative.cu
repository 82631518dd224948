// Cooperative groups and cuda:: through NVRTC, which keeps every variable that a header declares: about 100 KB for one kernel.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/tuple>
#include <cuda/std/functional>
#include <cuda/std/iterator>
#include <cuda/std/span>
#include <cuda/pipeline>
#include <cuda/functional>
#include <cuda/std/array>
namespace cg = cooperative_groups;
extern "C" __global__ void gridsum(const float *x, float *out, int n) {
    auto g = cg::this_grid();
    auto b = cg::this_thread_block();
    auto w = cg::tiled_partition<32>(b);
    float s = 0;
    for (int i = g.thread_rank(); i < n; i += g.size()) s += x[i];
    s = cg::reduce(w, s, cg::plus<float>());
    if (w.thread_rank() == 0) cuda::atomic_ref<float, cuda::thread_scope_device>(*out).fetch_add(s, cuda::memory_order_relaxed);
    g.sync();
    if (g.thread_rank() == 0) out[1] = out[0] * 2;
}
