"""Triton's kernels: each with its signature, constants and options. Two scratch pointers follow the parameters."""
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * n + i, e / tl.sum(e, axis=0), mask=i < n)


@triton.jit
def matmul(a, b, c, n, BLOCK: tl.constexpr, DEPTH: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    depth = tl.arange(0, DEPTH)
    acc = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for k in range(0, n, DEPTH):
        x = tl.load(a + rows[:, None] * n + k + depth[None, :])
        y = tl.load(b + (k + depth)[:, None] * n + cols[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + rows[:, None] * n + cols[None, :], acc)


KERNELS = {
    "add": (add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {"BLOCK": 256}, {"num_warps": 4}),
    "softmax": (softmax, {"x": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {"BLOCK": 128}, {"num_warps": 4}),
    "matmul": (matmul, {"a": "*fp16", "b": "*fp16", "c": "*fp32", "n": "i32", "BLOCK": "constexpr", "DEPTH": "constexpr"},
               {"BLOCK": 32, "DEPTH": 32}, {"num_warps": 4, "num_stages": 3}),
}
