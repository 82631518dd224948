"""The magics, each through a client as a person types it."""

import re
import time
import threading

import pytest


def text(reply):
    return reply.result["text/plain"]


@pytest.mark.parametrize("cell", ["%timeit 1+1", "%timeit strconv.Itoa(7)", "%timeit strconv.Atoi(`7`)", "%timeit y := 1; _ = y", "%%timeit\nn := 0\nfor range 9 { n++ }"])
def test_timeit(kernel, cell):
    r = kernel.run(cell)
    assert r.status == "ok", r.reply["content"]
    assert re.match(r"[\d.,]+ \S+ ± [\d.,]+ \S+ a loop \(mean ± std dev of \d+ runs of [\d,]+ loops?\)", text(r))
    assert r.result["image/svg+xml"].startswith("<svg") and r.result["image/png"]
    assert kernel.run("y").status == "error", "what it declares is its own"


def test_timeit_chooses_its_loops(kernel):
    fast, slow = text(kernel.run("%timeit 1+1")), text(kernel.run("%timeit time.Sleep(25 * time.Millisecond)"))
    assert int(re.search(r"of ([\d,]+) loops", fast)[1].replace(",", "")) >= 100_000
    assert "of 1 loop)" in slow and 25 <= float(slow.split()[0]) < 60 and slow.split()[1] == "ms"


@pytest.mark.parametrize("cell, said", [
    ("%timeit 1+nope", "]:1:11: undefined: nope"), ("%%timeit\n\n  nope()", "]:3:3: undefined: nope"), ("%timeit", "nothing to execute"),
    ("%timeit []int{}[len(`a`)]", "index out of range [1]"), ("%timeit if len(`a`) == 1 { return }", "the text returns"), ("%timet 1", "did you mean %timeit?"), ("%bash", "did you mean %%bash?"),
    ("%matplotlib inline", "%help lists them"), ("%%ptx\nx", "want one Go identifier"), ("%help no.such", 'nothing here is called "no.such"'), ("%help strings.Cutt", "did you mean strings.Cut?"), ("%time", "nothing to execute"), ("%%time", "nothing to execute"),
    ("%%bash -e\nfalse\necho no", "exit status 1"), ("%%cuda 1x\n", 'found "1x"'),
    ("%%ptx broken\n.version 9.0\n.target sm_90\n.nonsense", "4"), ("!exit 3", "exit status 3"), ("!kill -9 $$", "ended by signal 9 (killed)"), ("!", "nothing to execute"), ("!true && false", "for Go's not"),
    ("%reset x", 'found "x": nothing was done'), ("%who x", "takes nothing"), ("%cd /", "os.Chdir"), ("%%html", "display.HTML"), ("%RESET", "did you mean %reset?"), ("%%bash\nexit 4", "exit status 4"),
])  # fmt: skip
def test_errors(kernel, cell, said):
    r = kernel.run(cell)
    assert r.status == "error" and said in r.reply["content"]["evalue"] + "\n".join(r.reply["content"]["traceback"])


def test_timeit_is_interrupted(kernel):
    message = kernel.client.execute("%timeit for {}")
    threading.Timer(0.3, kernel.manager.interrupt_kernel).start()
    start = time.monotonic()
    assert kernel.collect(message).reply["content"]["ename"] == "Interrupted"
    assert time.monotonic() - start < 3


def test_time(kernel):
    for cell in ("%time time.Sleep(20 * time.Millisecond); 6*7", "%%time\ntime.Sleep(20 * time.Millisecond)\n6*7"):
        r = kernel.run(cell)
        assert text(r) == "42" and 20 <= float(re.match(r"time: ([\d.]+)ms", r.stream())[1]) < 500


def test_who_and_reset(kernel):
    kernel.run("%reset")
    kernel.run("type T struct{ A int }\nconst c = 3\nfunc f(int) string { return `` }\nv := []T{{1}}")
    rows = [line.split()[:2] for line in text(kernel.run("%who")).splitlines()[2:]]
    assert rows == [["T", "type"], ["c", "constant"], ["f", "function"], ["v", "variable"]]
    assert "text/html" in kernel.run("%who").result
    assert [line.split(maxsplit=3)[3] for line in text(kernel.run("%who")).splitlines() if line.startswith("v ")] == ["[]T{{A: 1}}"], "in one line"
    assert kernel.run("%reset").status == "ok"
    assert kernel.run("v").status == "error"


def test_shell(kernel):
    assert kernel.run("!echo out; echo err >&2").stream() == "out\n"
    assert kernel.run("%%bash\nfor i in 1 2 3; do echo $i; done").stream() == "1\n2\n3\n"
    assert text(kernel.run("!true\n1+1")) == "2", "Go goes on after a command"


def test_a_line_that_is_not_for_the_shell(kernel):
    assert kernel.run("ready := false\nls := false").status == "ok"
    assert text(kernel.run("!ready")) == "true" and text(kernel.run("!ready && !ls")) == "true"
    assert kernel.run("!ls / | head -1").stream() and kernel.run("!ready=yes; echo $ready").stream() == "yes\n"
    r = kernel.run("!echo a \\\n  b\n1 + 1")
    assert r.stream() == "a b\n" and text(r) == "2"


def test_help_lists_all(kernel):
    names = [line.split()[0] for line in text(kernel.run("%help")).splitlines()[2:]]
    assert {"!", "%%bash", "%%cuda", "%%ptx", "%%time", "%%timeit", "%help", "%reset", "%time", "%timeit", "%who"} <= set(names)


def test_help_of_a_name_goes_to_the_pager(kernel):
    kernel.run("paged := []int{1, 2}")
    for name, said in (("paged", "value: "), ("strings.Cut", "Cut slices s around"), ("cuda", "func MustOpen("), ("plotter", "func NewLine("),
                       ("cuda.Device", "func (*cuda.Device) MustUpload("), ("cuda.Device.MustUpload", "MustUpload is Upload"), ("append", "append adds elements"), ("%who", "list what cells declared")):
        r = kernel.run(f"%help {name}")
        (page,) = r.reply["content"]["payload"]
        assert page["source"] == "page" and said in page["data"]["text/plain"], page
        assert r.of("execute_result") == []
    assert kernel.run("%who").reply["content"]["payload"] == []


def test_ptx(kernel):
    r = kernel.run("%%ptx nothing\n.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry nothing() { ret; }\n")
    assert r.status == "ok", r.reply["content"]
    assert text(r) == "PTX 9.0 for sm_90: nothing"
    r = kernel.run("%%ptx strange\n.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry strange() {\n  .reg .b32 %r<2>;\n  mov.u33 %r1, 5;\n  ret;\n}\n")
    assert text(r).splitlines() == ["PTX 9.0 for sm_90: strange", "The emulated device would not load it: strange:7:3: mov.u33: modifier .u33 is not of this form"]
    assert "nothing" in text(kernel.run('cuda.MustOpen("emulated").MustLoadPTX(nothing).MustKernel("nothing")'))


def complete(kernel, code, cursor=None):
    content = kernel.shell("complete_request", {"code": code, "cursor_pos": len(code) if cursor is None else cursor}).reply["content"]
    return content, {m: code[: content["cursor_start"]] + m for m in content["matches"]}


@pytest.mark.parametrize("code, want", [
    ("%ti", {"%time", "%timeit"}), ("%%", {"%%bash", "%%cuda", "%%ptx", "%%time", "%%timeit"}), ("%who\n%res", {"%reset"}),
])  # fmt: skip
def test_names_complete(kernel, code, want):
    content, _ = complete(kernel, code)
    assert set(content["matches"]) >= want and all(m.startswith("%") for m in content["matches"])


def test_go_after_a_magic_completes(kernel):
    content, _ = complete(kernel, "%timeit strings.ToUpp")
    assert "ToUpper" in content["matches"]
