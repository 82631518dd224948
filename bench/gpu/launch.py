"""Enqueue times of the same kernel from Python, a peer of bench/gpu/turns, which says how it is asked: `launch.py cupy KERNELS.ptx` with
CuPy's RawModule, `launch.py torch KERNELS.ptx` with torch, which launches add_."""
import os
import sys
import time


def serve(calls, synchronize):
    """Answers turns: calls maps names to functions."""
    os.sched_setaffinity(0, {int(os.environ["CORE"])})
    with open(os.environ["TURNS"] + "/out", "w") as out, open(os.environ["TURNS"] + "/in") as asked:
        print("\t".join(calls), file=out, flush=True)
        for line in iter(asked.readline, "\n"):
            count, name = line.rstrip("\n").split(" ", 1)
            print(turn(calls[name], int(count), synchronize), file=out, flush=True)


def turn(call, count, synchronize):
    for _ in range(count):
        call()
    synchronize()
    start = time.perf_counter_ns()
    for _ in range(count):
        call()
    spent = time.perf_counter_ns() - start
    synchronize()
    return spent / count


def with_cupy(path):
    import cupy

    kernel = cupy.RawModule(path=path).get_function("affine")
    stream = cupy.cuda.Stream(non_blocking=True)
    buffer = cupy.zeros(1024, dtype=cupy.uint32)
    args = (buffer, cupy.uint32(1), cupy.uint32(1), cupy.uint32(0))
    with stream:
        kernel((1,), (32,), args)
        stream.begin_capture()
        kernel((1,), (32,), args)
        graph = stream.end_capture()
        serve({
            "launch": lambda: kernel((1,), (32,), args),
            "graph launch": lambda: graph.launch(stream),
            "ten launches": lambda: [kernel((1,), (32,), args) for _ in range(10)],
        }, stream.synchronize)


def with_torch(_):
    import torch

    x = torch.zeros(32, device="cuda")
    x.add_(1)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        x.add_(1)
    serve({"launch": lambda: x.add_(1), "graph launch": graph.replay}, torch.cuda.synchronize)


{"cupy": with_cupy, "torch": with_torch}[sys.argv[1]](sys.argv[2])
