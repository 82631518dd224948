"""numba's kernels. An array is seven parameters: meminfo, parent, nitems, itemsize, data, shape, strides."""
from numba import cuda, float32, int32, void


def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]


def block_sum(x, out):
    s = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    k = 64
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        cuda.atomic.add(out, 0, s[0])


KERNELS = {
    "saxpy": (saxpy, void(float32, float32[::1], float32[::1])),
    "block_sum": (block_sum, void(float32[::1], float32[::1])),
}
