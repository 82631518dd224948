"""The kernel beside ipykernel, on one machine in one run, interleaved: medians and ratios.

    .venv/bin/python lab/bench_kernel.py [--quick]
"""

import argparse
import os
import statistics
import subprocess
import sys
import threading
import time

import psutil
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

KERNELS = {"vyre": "vyre", "ipykernel": "python3"}
NULL = "build/null"  # bench/null: a kernel that does nothing, which tells what the client takes


def start(name):
    """Seconds from starting the process to its kernel_info_reply."""
    manager = KernelManager(kernel_name=name)
    if name == NULL:
        manager._kernel_spec = KernelSpec(argv=[os.path.abspath(NULL), "{connection_file}"], display_name=name, language="null", interrupt_mode="message")
    begin = time.perf_counter()
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    client.hb_channel.pause()
    while True:
        client.kernel_info()
        try:
            client.get_shell_msg(timeout=5)
            break
        except Exception:  # queue.Empty: asked again until the kernel is up
            pass
    took = time.perf_counter() - begin
    client.wait_for_ready(timeout=60)
    return manager, client, took


def until_idle(client, message_id, each=lambda m: None):
    while True:
        m = client.get_iopub_msg(timeout=60)
        if m["parent_header"].get("msg_id") != message_id:
            continue
        each(m)
        if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
            break
    while client.get_shell_msg(timeout=60)["parent_header"].get("msg_id") != message_id:
        pass


def execute(client, code, each=lambda m: None):
    begin = time.perf_counter()
    until_idle(client, client.execute(code), each)
    return time.perf_counter() - begin


def output(client, code, want):
    got = [0]

    def each(m):
        if m["msg_type"] == "stream":
            got[0] += len(m["content"]["text"])

    took = execute(client, code, each)
    assert got[0] == want, f"{got[0]} of {want} bytes came before idle"
    return took


def complete(client, code):
    begin = time.perf_counter()
    message_id = client.complete(code)
    while client.get_shell_msg(timeout=60)["parent_header"].get("msg_id") != message_id:
        pass
    return time.perf_counter() - begin


def while_a_cell_runs(manager, client, count):
    """A completion's time while a cell runs to that while none does, interleaved: ipykernel does not answer then."""
    code, idle, busy = COMPLETIONS[PREFIX][0], [], []
    for _ in range(count):
        time.sleep(0.02)
        idle.append(complete(client, code))
        message_id = client.execute("time.Sleep(time.Hour)")
        time.sleep(0.02)
        busy.append(complete(client, code))
        manager.interrupt_kernel()
        until_idle(client, message_id)
    return statistics.median(busy) / statistics.median(idle)


def interrupt(manager, client, code):
    message_id = client.execute(code)
    time.sleep(0.3)
    begin = [0.0]

    def fire():
        begin[0] = time.perf_counter()
        manager.interrupt_kernel()

    threading.Timer(0.05, fire).start()
    until_idle(client, message_id)
    return time.perf_counter() - begin[0]


def idle_memory(manager):
    """Bytes: the proportional share of the kernel process and its children."""
    p = psutil.Process(manager.provisioner.process.pid)
    return sum(q.memory_full_info().pss for q in [p, *p.children(recursive=True)])


# A cell that calls, as 1+1 does not.
CALL = {"vyre": "counter.Len() + 1", "ipykernel": "len(counter) + 1"}

PREFIX = "a member of a package, by its beginning"

# Where a person completes, in both languages: (Go, Python).
COMPLETIONS = {
    PREFIX: ("strings.To", "os.path.jo"),
    "all members of a package": ("os.", "os."),
    "all members of a variable": ("counter.", "counter."),
    "a name, by its beginning": ("cou", "cou"),
    "a local of a function half written": (
        "func work(lines []string) {\n\ttotal := 0\n\tfor _, line := range lines {\n\t\twords := strings.Fields(line)\n\t\ttotal += len(words)\n\t\twor",
        "def work(lines):\n    total = 0\n    for line in lines:\n        words = line.split()\n        total += len(words)\n        wor",
    ),
}

CODE = {
    "vyre": dict(prepare='import "fmt"\nvar counter bytes.Buffer', lines='for i := range 200000 { fmt.Println("line", i) }',
                 flood='kb := strings.Repeat("x", 1023)\nfor range 50000 { fmt.Println(kb) }', loop="for {}"),
    "ipykernel": dict(prepare="import os, collections; counter = collections.Counter()", lines="for i in range(200000): print('line', i)",
                      flood="kb = 'x' * 1023\nfor _ in range(50000): print(kb)", loop="while True: pass"),
}
LINES = sum(len(f"line {i}\n") for i in range(200000))


def floor(by, peer):
    """The columns of the kernel that does nothing, where it was measured."""
    if "null" not in by:
        return ""
    null = statistics.median(by["null"])
    return f"{null * 1e3:9.2f} ms{null / peer:8.3f}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--quick", action="store_true", help="a tenth of the repetitions")
    quick = arguments.parse_args().quick
    starts, trips, rows = 3 if quick else 9, 100 if quick else 1000, {}
    took = {n: [] for n in KERNELS}
    for _ in range(starts):
        for n, spec in KERNELS.items():
            manager, client, seconds = start(spec)
            took[n].append(seconds)
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    rows["process start to kernel_info_reply"] = took
    live = {n: start(spec)[:2] for n, spec in KERNELS.items()}
    for n, (_, client) in live.items():
        execute(client, CODE[n]["prepare"])
    time.sleep(2)
    memory = {n: [idle_memory(m)] for n, (m, _) in live.items()}
    subprocess.run([os.environ.get("GO", "go"), "build", "-o", NULL, "./bench/null"], check=True, env=os.environ | {"CGO_ENABLED": "0"})
    null = {"null": start(NULL)[:2]}

    def measure(title, count, work, kernels=live):
        rows[title] = {n: [] for n in kernels}
        for _ in range(count):
            for n, (m, c) in kernels.items():
                rows[title][n].append(work(n, m, c))

    measure("1+1 to idle and reply", trips, lambda n, m, c: execute(c, "1+1"), live | null)
    measure("a call on a variable, to idle and reply", trips, lambda n, m, c: execute(c, CALL.get(n, "1+1")), live | null)
    for title, codes in COMPLETIONS.items():
        by_prefix = title == PREFIX
        measure(f"completion: {title}", trips // 4 if by_prefix else 10 if quick else 50,
                lambda n, m, c, codes=codes: complete(c, dict(zip(KERNELS, codes)).get(n, codes[0])), live | null if by_prefix else live)
    ratios = [statistics.median(rows[t]["vyre"]) / statistics.median(rows[t]["ipykernel"]) for t in rows if t.startswith("completion")]
    manager, client = live["vyre"]
    beside = while_a_cell_runs(manager, client, 10 if quick else 50)
    measure("200,000 short lines", 1 if quick else 5, lambda n, m, c: output(c, CODE[n]["lines"], LINES))
    measure("50 MB in 1 KB lines", 1 if quick else 5, lambda n, m, c: output(c, CODE[n]["flood"], 50000 * 1024))
    measure("interrupt of an endless loop", 2 if quick else 7, lambda n, m, c: interrupt(m, c, CODE[n]["loop"]))
    for m, c in (live | null).values():
        c.stop_channels()
        m.shutdown_kernel(now=True)

    print(f"{'median of n':54}{'n':>6}{'vyre':>12}{'ipykernel':>12}{'ratio':>8}{'null':>12}{'ratio':>8}")
    for title, by in rows.items():
        a, b = (statistics.median(by[n]) for n in KERNELS)
        print(f"{title:54}{len(by['vyre']):6}{a * 1e3:9.2f} ms{b * 1e3:9.2f} ms{a / b:8.3f}{floor(by, b)}")
    print(f"{'completion: median of the ratios above':54}{len(ratios):6}{statistics.median(ratios):38.3f}")
    print(f"{'completion while a cell runs, to while none does':54}{'':6}{beside:38.3f}")
    a, b = (memory[n][0] / 2**20 for n in KERNELS)
    print(f"{'idle memory, all processes (PSS)':54}{1:6}{a:9.1f} MB{b:9.1f} MB{a / b:8.3f}")


if __name__ == "__main__":
    sys.exit(main())
