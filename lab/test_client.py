"""The kernel as jupyter_client sees it: replies, streams, errors, interrupt, restart, and a worker that dies."""

import os
import signal
import threading
import time

import psutil
import pytest
from jupyter_client.manager import start_new_kernel

from conftest import KERNEL, Client


def test_kernel_info_on_shell_and_control(kernel):
    shell = kernel.shell("kernel_info_request").reply["content"]
    control = kernel.control("kernel_info_request")["content"]
    for info in (shell, control):
        assert info["status"] == "ok"
        assert info["implementation"] == "vyre-kernel"
        assert info["language_info"]["name"] == "go"
        assert info["language_info"]["file_extension"] == ".go"
        assert tuple(map(int, info["protocol_version"].split("."))) >= (5, 4)


def test_streams_result_and_display(kernel):
    r = kernel.run('import "fmt"\nimport "os"\nfmt.Println("out")\nfmt.Fprintln(os.Stderr, "err")\n6*7')
    assert r.status == "ok"
    assert r.stream() == "out\n"
    assert r.stream("stderr") == "err\n"
    assert r.result["text/plain"] == "42"
    assert r.states[0] == "busy" and r.states[-1] == "idle"
    assert r.reply["content"]["execution_count"] == r.of("execute_result")[0]["execution_count"]


def test_state_lives_between_cells(kernel):
    assert kernel.run("counter := 40\nfunc bump(n int) int { counter += n; return counter }").status == "ok"
    assert kernel.run("bump(2)").result["text/plain"] == "42"
    assert kernel.run("counter").result["text/plain"] == "42"


def test_std_package_is_imported_when_used(kernel):
    assert kernel.run('strings.ToUpper("go")').result["text/plain"] == '"GO"'


def test_compile_error_names_cell_line_and_column(kernel):
    r = kernel.run("a := 1\nb := a + undefinedThing\nb")
    n = r.reply["content"]["execution_count"]
    assert r.status == "error"
    (message,) = r.of("error")
    for c in (message, r.reply["content"]):
        assert c["ename"] and "undefinedThing" in c["evalue"]
        assert f"In[{n}]:2:10" in "\n".join(c["traceback"])
    assert kernel.run("a").status == "error", "nothing of a cell that does not check is remembered"


def test_panic_has_message_and_position(kernel):
    r = kernel.run("func third(s []int) int {\n\treturn s[2]\n}\nthird([]int{1})")
    n = r.reply["content"]["execution_count"]
    text = "\n".join(r.of("error")[0]["traceback"])
    assert "index out of range [2] with length 1" in r.of("error")[0]["evalue"]
    assert f"In[{n}]:2:" in text and "third" in text
    assert kernel.run("1+1").result["text/plain"] == "2"


def test_panic_in_a_goroutine_is_an_error_and_the_kernel_lives(kernel):
    r = kernel.run('import "time"\ngo func() { panic("from a goroutine") }()\ntime.Sleep(100 * time.Millisecond)')
    everything = str([m["content"] for m in r.outputs]) + str(r.reply["content"])
    assert "from a goroutine" in everything
    assert kernel.run("1+1").result["text/plain"] == "2"


def test_interrupt_keeps_state(kernel):
    kernel.run("kept := 7")
    kernel.run("go func() { for { time.Sleep(time.Second) } }()")  # while it runs, no wait is a deadlock
    for code in ("for {}", "select {}", "time.Sleep(time.Hour)", "<-make(chan int)", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()"):
        message = kernel.client.execute(code)
        threading.Timer(0.3, kernel.manager.interrupt_kernel).start()
        start = time.monotonic()
        r = kernel.collect(message, timeout=20)
        assert time.monotonic() - start < 2.0, code
        assert r.status == "error" and "nterrupt" in r.reply["content"]["ename"], code
    assert kernel.run("kept").result["text/plain"] == "7"


@pytest.mark.parametrize("processors", [None, "1"])
def test_interrupt_of_a_loop_behind_short_cells(processors):
    """Short cells leave the worker's threads asleep; one has to hear the interrupt while the loop has a processor for itself."""
    manager, client = start_new_kernel(kernel_name=KERNEL, startup_timeout=60, env=os.environ | ({"GOMAXPROCS": processors} if processors else {}))
    kernel = Client(manager, client)
    try:
        for _ in range(5):
            for _ in range(3):
                kernel.run("1+1")
            message = client.execute("for {}")
            time.sleep(0.2)
            client.control_channel.send(client.session.msg("interrupt_request", {}))
            assert kernel.collect(message, timeout=10).reply["content"]["ename"] == "Interrupted"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_second_interrupt_where_compiled_code_does_not_return(kernel):
    kernel.run("kept := 7")
    message = kernel.client.execute('fmt.Println("before")\nvar p [2]int\nsyscall.Pipe(p[:])\nsyscall.Read(p[0], make([]byte, 1))')
    time.sleep(0.5)
    kernel.manager.interrupt_kernel()
    said = ""
    while "Interrupt once more" not in said:  # after three seconds
        m = kernel.client.get_iopub_msg(timeout=10)
        if m["msg_type"] == "stream" and m["parent_header"].get("msg_id") == message:
            said += m["content"]["text"]
    assert said.startswith("before\n")
    start = time.monotonic()
    kernel.manager.interrupt_kernel()
    r = kernel.collect(message, timeout=20)
    assert time.monotonic() - start < 2.0
    assert r.reply["content"]["ename"] == "WorkerDied"
    everything = "\n".join(r.reply["content"]["traceback"])
    assert "second interrupt" in everything and "state of this session is lost" in everything
    assert kernel.run("kept").status == "error"
    assert kernel.run("1+1").result["text/plain"] == "2"


def test_a_value_whose_method_panics_is_shown_as_such(kernel):
    r = kernel.run('type Bad struct{}\nfunc (Bad) String() string { panic("boom") }\nBad{}')
    assert r.status == "ok" and "boom" in r.result["text/plain"]


def test_cuda_cell_needs_no_gpu(kernel):
    r = kernel.run('%%cuda twice\nextern "C" __global__ void twice(float *x, int n) {\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) x[i] *= 2;\n}')
    assert r.status == "ok", r.reply["content"]
    r = kernel.run("cu := cuda.MustOpen()\nv := cu.MustUpload([]float32{1, 2, 3})\n"
                   'cu.MustDispatch(cu.MustLoadProgram(twice).MustKernel("twice"), cuda.Grid(1), cuda.Block(32), v, int32(3))\ncuda.MustSlice[float32](v)')
    assert r.result["text/plain"] == "[]float32{2, 4, 6}"
    r = kernel.run("%%cuda wrong\n__global__ void f(int *x) {\n    y = 3;\n}")
    assert r.status == "error" and "]:3: " in r.reply["content"]["evalue"], "the compiler's message names the cell's line"


def test_heartbeat_while_busy(kernel):
    message = kernel.client.execute("time.Sleep(2 * time.Second)")
    time.sleep(0.3)
    assert kernel.client.hb_channel.is_beating()
    info = kernel.control("kernel_info_request", timeout=1)
    assert info["content"]["status"] == "ok", "control answers while a cell runs"
    assert kernel.collect(message).status == "ok"


def test_unknown_request_is_answered_or_logged_and_the_kernel_goes_on(kernel):
    message = kernel.client.session.msg("no_such_request", {})
    kernel.client.shell_channel.send(message)
    assert kernel.run("2+2").result["text/plain"] == "4"


def test_user_expressions_and_silent(kernel):
    r = kernel.run("ux := 5", user_expressions={"twice": "ux*2", "bad": "ux.nope"})
    got = r.reply["content"]["user_expressions"]
    assert got["twice"]["data"]["text/plain"] == "10"
    assert got["bad"]["status"] == "error"
    before = kernel.run("1").reply["content"]["execution_count"]
    assert kernel.run("2", silent=True).of("execute_result") == []
    assert kernel.run("3").reply["content"]["execution_count"] == before + 1


def test_abort_after_error(kernel):
    first = kernel.client.execute('time.Sleep(300 * time.Millisecond); panic("stop")')
    second = kernel.client.execute('fmt.Println("must not run")')
    kernel.collect(first)
    r = kernel.collect(second)
    assert r.status == "aborted" and r.stream() == ""


def test_questions_of_a_cell(kernel):
    """display.Ask has a prompt; display.Password is not shown as it is typed, nor published."""
    code = 'name, err := display.Ask("name? ")\nword, err := display.Password("word: ")\nfmt.Println(name, len(word), err)'
    message = kernel.client.execute(code, allow_stdin=True)
    for prompt, password, answer in (("name? ", False, "Ada"), ("word: ", True, "sésame")):
        ask = kernel.client.get_stdin_msg(timeout=10)
        assert ask["content"] == {"prompt": prompt, "password": password} and ask["parent_header"]["msg_id"] == message
        kernel.client.input(answer)
    r = kernel.collect(message)
    assert r.stream() == "Ada 7 <nil>\n" and "sésame" not in str(r.outputs)


def test_questions_nobody_answers(kernel):
    said = kernel.run('_, err := display.Password("word: ")\nerr', allow_stdin=False).result["text/plain"]
    assert said.startswith('display: "word: " was not answered: ') and "does not allow" in said
    message = kernel.client.execute('display.Ask("name? ")', allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=10)
    kernel.control("interrupt_request")
    r = kernel.collect(message)
    assert r.status == "error" and r.reply["content"]["ename"] == "Interrupted"


def test_input(kernel):
    message = kernel.client.execute('var answer string\nfmt.Print("name? ")\nfmt.Scanln(&answer)\nanswer', allow_stdin=True)
    ask = kernel.client.get_stdin_msg(timeout=10)
    assert ask["msg_type"] == "input_request"
    kernel.client.input("gopher")
    assert kernel.collect(message).result["text/plain"] == '"gopher"'


def test_os_exit_ends_the_cell_only(kernel):
    kernel.run("still := 1")
    r = kernel.run("os.Exit(3)")
    assert r.status == "error" and "3" in r.reply["content"]["evalue"]
    assert kernel.run("still").result["text/plain"] == "1"


def worker_process(kernel):
    supervisor = psutil.Process(kernel.manager.provisioner.process.pid)
    return next(p for p in supervisor.children() if "worker" in p.cmdline())


def test_death_of_the_worker_is_an_error_in_the_cell(kernel):
    kernel.run("lost := 1")
    message = kernel.client.execute("time.Sleep(time.Minute)")
    time.sleep(0.5)
    os.kill(worker_process(kernel).pid, signal.SIGKILL)
    r = kernel.collect(message, timeout=20)
    assert r.status == "error"
    assert "state" in "\n".join(r.reply["content"]["traceback"]).lower()
    assert kernel.run("lost").status == "error", "a fresh worker knows nothing of the old state"
    assert kernel.run("1+1").result["text/plain"] == "2"


def test_fatal_crash_is_quoted(kernel):
    r = kernel.run("m := map[int]int{}\nfor range 8 { go func() { for { m[1]++ } }() }\ntime.Sleep(5 * time.Second)", timeout=30)
    if r.status == "error":  # the runtime's detector is best effort
        assert "concurrent map" in "\n".join(r.reply["content"]["traceback"])
    else:
        kernel.manager.interrupt_kernel()
    kernel.run("%reset")
    assert kernel.run("1+1").result["text/plain"] == "2"


def test_restart_and_shutdown(kernel):
    kernel.run("gone := 1")
    kernel.manager.restart_kernel()
    kernel.client.wait_for_ready(timeout=30)
    assert kernel.run("gone").status == "error"
    pid = kernel.manager.provisioner.process.pid
    assert kernel.run("1+1").result["text/plain"] == "2"
    children = psutil.Process(pid).children(recursive=True)
    kernel.manager.shutdown_kernel()
    gone, alive = psutil.wait_procs([*children], timeout=5)
    assert not alive
