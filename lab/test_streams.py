"""What cells write to standard output and standard error arrives whole and in order, whoever writes it."""

import re
import sys
import threading
import time

import pytest

ORDERED = """
log.SetFlags(0)
logger := log.New(os.Stderr, "", 0)
slogger := slog.New(slog.NewTextHandler(os.Stderr, nil))
buffered := bufio.NewWriter(os.Stdout)
say := []func(n int){
	func(n int) { fmt.Println("out", n) },
	func(n int) { fmt.Fprintln(os.Stderr, "err", n) },
	func(n int) { fmt.Printf("out %d\\n", n) },
	func(n int) { println("err", n) },
	func(n int) { os.Stdout.WriteString(fmt.Sprintf("out %d\\n", n)) },
	func(n int) { log.Println("err", n) },
	func(n int) { fmt.Fprintf(buffered, "out %d\\n", n); buffered.Flush() },
	func(n int) { logger.Print("err ", n) },
	func(n int) { os.Stdout.Write([]byte(fmt.Sprint("out ", n, "\\n"))) },
	func(n int) { slogger.Warn("err", "n", n) },
	func(n int) { io.WriteString(os.Stdout, fmt.Sprint("out ", n, "\\n")) },
	func(n int) { slog.Info("err", "n", n) },
	func(n int) { fmt.Print("out ", n, "\\n") },
	func(n int) { os.Stderr.WriteString(fmt.Sprintf("err %d\\n", n)) },
	func(n int) { syscall.Write(1, fmt.Appendf(nil, "out %d\\n", n)) },
	func(n int) { syscall.Write(syscall.Stderr, fmt.Appendf(nil, "err %d\\n", n)) },
	func(n int) { os.Stdout.ReadFrom(strings.NewReader(fmt.Sprintf("out %d\\n", n))) },
	func(n int) { fmt.Fprintf(io.MultiWriter(io.Discard, os.Stderr), "err %d\\n", n) },
}
for n := range 720 { say[n%len(say)](n) }
"""


def pieces(r):
    """The streams' text in the order in which it came: (name, text)."""
    return [(c["name"], c["text"]) for c in r.of("stream")]


@pytest.fixture(params=["vm", "yaegi"])
def engine(kernel, request):
    kernel.run(f"%engine {request.param}")
    yield request.param
    kernel.run("%engine vm")


def test_the_two_streams_keep_their_order(kernel, engine):
    r = kernel.run(ORDERED)
    assert r.status == "ok", r.reply["content"]
    lines = [(name, line) for name, text in pieces(r) for line in text.splitlines()]
    assert len(lines) == 720
    for n, (name, line) in enumerate(lines):
        assert name == ("stdout" if n % 2 == 0 else "stderr"), (n, name, line)
        assert re.search(rf"\b{n}$", line), (n, line)


def test_streams_of_child_processes(kernel):
    r = kernel.run('cmd := exec.Command("sh", "-c", "for i in 1 2 3; do echo child $i; sleep 0.05; echo fault $i >&2; sleep 0.05; done")\n'
                   'cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr\nfmt.Println("before")\nif err := cmd.Run(); err != nil { panic(err) }\nfmt.Println("after")')
    assert r.status == "ok", r.reply["content"]
    text = "".join(t for _, t in pieces(r))
    assert text == "before\n" + "".join(f"child {i}\nfault {i}\n" for i in (1, 2, 3)) + "after\n"
    assert r.stream("stderr") == "fault 1\nfault 2\nfault 3\n"


ALTERNATING = "for i in 1 2 3; do echo out $i; echo err $i >&2; done; sh -c 'echo last >&2'; echo end; printf 'half '; printf 'err\\n' >&2; echo line"
ALTERNATED = [("stdout", f"out {i}\n") if k == 0 else ("stderr", f"err {i}\n") for i in (1, 2) for k in (0, 1)]
ALTERNATED += [("stdout", "out 3\n"), ("stderr", "err 3\nlast\n"), ("stdout", "end\nhalf "), ("stderr", "err\n"), ("stdout", "line\n")]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has pipes that hold one write")
@pytest.mark.parametrize("cell", [
    f"!{ALTERNATING}", f"%%bash\n{ALTERNATING}", f"c := exec.Command(`bash`, `-c`, `{ALTERNATING}`)\nc.Stdout, c.Stderr = os.Stdout, os.Stderr\nif err := c.Run(); err != nil {{ panic(err) }}",
])  # fmt: skip
def test_a_process_keeps_the_order_of_its_streams(kernel, engine, cell):
    for _ in range(20):
        merged = []
        for name, text in pieces(kernel.run(cell)):
            if merged and merged[-1][0] == name:
                merged[-1] = (name, merged[-1][1] + text)
            else:
                merged.append((name, text))
        assert merged == ALTERNATED


def test_output_stands_where_displays_stand(kernel):
    r = kernel.run('for i := range 3 { fmt.Println("line", i); display.Show(display.Markdown(fmt.Sprintf("*%d*\\n", i))); println("fault", i) }')
    assert r.status == "ok", r.reply["content"]
    got = [m["content"].get("text") or m["content"]["data"]["text/plain"] for m in r.outputs if m["msg_type"] in ("stream", "display_data")]
    assert "".join(got).split() == [w for i in range(3) for w in ("line", str(i), f"*{i}*", "fault", str(i))]


def test_carriage_returns_pass(kernel):
    r = kernel.run('for i := range 101 { fmt.Printf("\\r%3d%%", i) }\nfmt.Println()')
    assert r.stream() == "".join(f"\r{i:3d}%" for i in range(101)) + "\n"


def test_a_swapped_stdout_is_the_cells_own(kernel):
    r = kernel.run('r, w, _ := os.Pipe()\nwas := os.Stdout\nos.Stdout = w\nfmt.Println("captured")\nos.Stdout = was\nw.Close()\nb, _ := io.ReadAll(r)\nstrings.TrimSpace(string(b))')
    assert r.status == "ok", r.reply["content"]
    assert r.stream() == "" and r.result["text/plain"] == '"captured"'


def answer(kernel, code, *lines):
    message = kernel.client.execute(code, allow_stdin=True)
    for line in lines:
        assert kernel.client.get_stdin_msg(timeout=10)["msg_type"] == "input_request"
        kernel.client.input(line)
    return kernel.collect(message)


def test_stdin_asks_through_libraries(kernel):
    r = answer(kernel, 'in := bufio.NewScanner(os.Stdin)\nin.Scan()\nfirst := in.Text()\nin.Scan()\nfirst + "," + in.Text()', "one", "two")
    assert r.result["text/plain"] == '"one,two"'
    r = answer(kernel, 'type source struct{ io.Reader }\ns := source{os.Stdin}\nline, err := bufio.NewReader(s).ReadString(\'\\n\')\nfmt.Sprint(strings.TrimSpace(line), err)', "three")
    assert r.result["text/plain"] == '"three<nil>"'
    r = answer(kernel, "var a, b int\nn, err := fmt.Fscan(os.Stdin, &a, &b)\nfmt.Sprint(a+b, n, err)", "4 5")
    assert r.result["text/plain"] == '"9 2 <nil>"'


def test_stdin_asks_whoever_reads_it(kernel):
    """Readers that the engine does not see: function values, readers in lists, child processes."""
    for code, want in (
        ("read := bufio.NewReader\nline, err := read(os.Stdin).ReadString('\\n')\nfmt.Sprint(strings.TrimSpace(line), err)", "typed<nil>"),
        ("all := []io.Reader{os.Stdin}\nb, err := io.ReadAll(io.LimitReader(io.MultiReader(all...), 5))\nfmt.Sprint(string(b), err)", "typed<nil>"),
        ('cmd := exec.Command("head", "-n1")\ncmd.Stdin = os.Stdin\nb, err := cmd.Output()\nfmt.Sprint(strings.TrimSpace(string(b)), err)', "typed<nil>"),
    ):
        assert answer(kernel, code, "typed").result["text/plain"] == f'"{want}"'


def test_stdin_that_nobody_answers_ends(kernel):
    code = "read := bufio.NewReader\nline, err := read(os.Stdin).ReadString('\\n')\nfmt.Sprint(line, err)"
    assert kernel.run(code, allow_stdin=False).result["text/plain"] == '"EOF"'
    message = kernel.client.execute(code + "\nfor { time.Sleep(time.Millisecond) }", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=10)
    kernel.manager.interrupt_kernel()
    r = kernel.collect(message, timeout=10)
    assert r.reply["content"]["ename"] == "Interrupted"
    assert kernel.run("1+1").result["text/plain"] == "2"


def test_the_end_of_the_input(kernel):
    """Ctrl-D in a console is the answer \\x04."""
    assert answer(kernel, "b, err := io.ReadAll(os.Stdin)\nfmt.Sprintf(`%q %v`, b, err)", "one", "\x04").result["text/plain"] == '"\\"one\\\\n\\" <nil>"'
    assert answer(kernel, "!cat", "two", "\x04").stream() == "two\n"


def test_what_a_cell_did_not_read_is_gone(kernel):
    assert answer(kernel, "var n int\nfmt.Scan(&n)\nn", "5 6").result["text/plain"] == "5"
    assert answer(kernel, "var word string\nfmt.Scanln(&word)\nword", "asked").result["text/plain"] == '"asked"'


def test_commands_ask(kernel):
    assert answer(kernel, "!read x; echo got $x", "typed").stream() == "got typed\n"
    assert answer(kernel, "%%bash\nread x\nread y\necho $x, $y", "one", "two").stream() == "one, two\n"
    assert kernel.run("!read x; echo $?", allow_stdin=False).stream() == "1\n"


@pytest.mark.parametrize("cell", [
    "!echo $$; sleep 97; echo no", "!echo $$; (sleep 97; echo no) | cat", "%%bash\necho $$\nsleep 97 | cat\necho no",
    "c := exec.Command(`sh`, `-c`, `echo $$; sleep 97; echo no`)\nc.Stdout = os.Stdout\nc.Run()",
])  # fmt: skip
def test_an_interrupt_reaches_all_processes(kernel, engine, cell):
    message = kernel.client.execute(cell)
    threading.Timer(0.3, kernel.manager.interrupt_kernel).start()
    r = kernel.collect(message, timeout=20)
    assert r.reply["content"]["ename"] == "Interrupted" and r.stream().strip().isdigit()
    for _ in range(100):
        left = kernel.run("b, _ := exec.Command(`pgrep`, `-g`, strconv.Itoa(syscall.Getpgrp()), `-f`, `sleep 97`).Output()\nstring(b)").result["text/plain"]
        if left == '""':
            return
        time.sleep(0.05)
    raise AssertionError(f"processes are left: {left}")


def test_a_question_that_is_interrupted_ends_the_cell(kernel, engine):
    message = kernel.client.execute("var word string\nfmt.Scanln(&word)\nfmt.Println(`went on`)", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=10)
    kernel.manager.interrupt_kernel()
    r = kernel.collect(message, timeout=10)
    assert r.reply["content"]["ename"] == "Interrupted" and r.stream() == ""


def test_closed_streams_are_there_in_the_next_cell(kernel, engine):
    r = kernel.run("f := os.NewFile(1, `mine`)\nfmt.Fprintln(f, `mine`)\nf.Close()\nsyscall.Close(2)\nos.Stderr.Close()\nos.Stdout.Close()")
    assert r.status == "ok" and r.stream() == "mine\n"
    r = kernel.run("runtime.GC()\nfmt.Println(`out`)\nprintln(`err`)")
    assert r.stream() == "out\n" and r.stream("stderr") == "err\n"


def test_changes_between_the_streams_stay_under_the_rate_limit(kernel):
    """JupyterLab's server shows no more than 3,000 messages in 3 seconds."""
    r = kernel.run("for i := range 2000 { fmt.Println(i); println(i) }")
    times = [m["header"]["date"].timestamp() for m in r.outputs if m["msg_type"] == "stream"]
    assert len(times) == 4000
    assert max(sum(1 for t in times if start <= t < start + 3) for start in times[::50]) < 2900
    message = kernel.client.execute("for i := 0; ; i++ { fmt.Println(i); println(i) }")
    threading.Timer(0.5, kernel.manager.interrupt_kernel).start()
    start = time.monotonic()
    assert kernel.collect(message).reply["content"]["ename"] == "Interrupted"
    assert time.monotonic() - start < 5


def test_a_panic_ends_a_question(kernel, engine):
    message = kernel.client.execute("go func() { time.Sleep(300 * time.Millisecond); panic(`meanwhile`) }()\nvar s string\nfmt.Scanln(&s)", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=10)
    assert kernel.collect(message, timeout=10).reply["content"]["ename"] == "Panic"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells which threads wait for input")
def test_the_file_of_the_input_asks(kernel, engine):
    assert answer(kernel, "!head -n1 /dev/stdin", "a line").stream() == "a line\n"
    assert answer(kernel, "b, err := os.ReadFile(`/dev/stdin`)\nfmt.Sprintf(`%q %v`, b, err)", "a", "\x04").result["text/plain"] == '"\\"a\\\\n\\" <nil>"'
    assert answer(kernel, "f, err := os.Open(`/dev/stdin`)\nif err != nil { panic(err) }\ndefer f.Close()\ns := bufio.NewScanner(f)\ns.Scan()\ns.Text()", "b").result["text/plain"] == '"b"'
    assert answer(kernel, "var s string\nfmt.Scanln(&s)\ns", "c").result["text/plain"] == '"c"'
