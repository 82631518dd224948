"""numba's CUDA simulator on the two kernels of BenchmarkVectorAdd100k and BenchmarkReduce100k of cuda/ptx/vm.

    python3 numba_simulator.py [n]        (n floats, 100000)

Needs numba and numba-cuda; prints name, a tab, seconds, a tab, seconds of processor time. The results are checked.
"""
import os, sys, time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
import numpy as np
from numba import cuda, float32

BLOCK = 256


@cuda.jit
def vadd(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@cuda.jit
def reduce(x, out):
    s = cuda.shared.array(BLOCK, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    k = BLOCK // 2
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


def timed(name, kernel, blocks, *args):
    wall, cpu = time.perf_counter(), time.process_time()
    kernel[blocks, BLOCK](*args)
    print(f"{name}\t{time.perf_counter() - wall:.3f}\t{time.process_time() - cpu:.3f}", flush=True)


n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
blocks = (n + BLOCK - 1) // BLOCK
x = np.arange(n, dtype=np.float32) % 16
c, out = np.zeros(n, np.float32), np.zeros(blocks, np.float32)
timed("vector add", vadd, blocks, x, x, c)
assert (c == 2 * x).all()
timed("reduction", reduce, blocks, x, out)
assert out.sum() == x.sum()
