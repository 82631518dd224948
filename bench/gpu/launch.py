"""Enqueue times of the same kernel from Python, as peers: CuPy's RawModule, and cuda.bindings where it is
installed. One line a call: library, name and nanoseconds, with tabs between. torch launches add_."""
import statistics
import sys
import time

BATCHES, CALLS = 21, 300


def measure(name, call, synchronize):
    for _ in range(200):
        call()
    synchronize()
    median = []
    for _ in range(BATCHES):
        start = time.perf_counter_ns()
        for _ in range(CALLS):
            call()
        median.append((time.perf_counter_ns() - start) / CALLS)
        synchronize()
    library, what = name.split(" ", 1)
    print(f"{library}\t{what}\t{statistics.median(median):.1f}", flush=True)


def with_cupy(path):
    import cupy

    kernel = cupy.RawModule(path=path).get_function("affine")
    stream = cupy.cuda.Stream(non_blocking=True)
    buffer = cupy.zeros(1024, dtype=cupy.uint32)
    args = (buffer, cupy.uint32(1), cupy.uint32(1), cupy.uint32(0))
    with stream:
        measure("CuPy launch", lambda: kernel((1,), (32,), args), stream.synchronize)
        stream.begin_capture()
        kernel((1,), (32,), args)
        graph = stream.end_capture()
        measure("CuPy graph launch", lambda: graph.launch(stream), stream.synchronize)
        measure("CuPy ten launches", lambda: [kernel((1,), (32,), args) for _ in range(10)], stream.synchronize)


def with_torch(_):
    import torch

    x = torch.zeros(32, device="cuda")
    measure("torch launch", lambda: x.add_(1), torch.cuda.synchronize)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        x.add_(1)
    measure("torch graph launch", graph.replay, torch.cuda.synchronize)


for peer in (with_cupy, with_torch):
    try:
        peer(sys.argv[1])
    except ImportError as absent:
        print(f"# {peer.__name__}: {absent}")
