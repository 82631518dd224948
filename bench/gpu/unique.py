"""What a gather and a unique of a hundred million binary rows cost torch, beside BenchmarkDedup of egraph/device."""

import time

import torch

ROWS = 100_000_000


def rows(space):
    g = torch.Generator(device="cuda").manual_seed(1)
    left, right = (torch.randint(0, space, (ROWS,), device="cuda", generator=g, dtype=torch.int32) for _ in range(2))
    k = torch.arange(ROWS // 4, device="cuda")
    for side in (left, right):
        side[3 * k + 1] = side[2 * k]
    return left, right


for space in (100_000_000, 1_000_000):
    left, right = rows(space)
    parent = torch.arange(space, device="cuda")
    times = []
    for _ in range(7):
        torch.cuda.synchronize()
        start = time.perf_counter()
        keys = parent[left] << 28 | parent[right]
        torch.cuda.synchronize()
        gathered = time.perf_counter()
        unique = torch.unique(keys)
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start, gathered - start))
    whole, gather = sorted(times)[3]
    print(f"torch {torch.__version__}, ids below {space}: gather {1e3 * gather:.1f} ms, unique {1e3 * (whole - gather):.1f} ms, together {1e3 * whole:.1f} ms, {unique.numel()} unique")
