"""The command-line clients of Jupyter, each as people call it, on the kernel of this environment."""

import os
import pathlib
import re
import subprocess
import sys
import time
import zipfile

import nbformat
import pexpect
import pytest

from conftest import KERNEL, ROOT

BIN = pathlib.Path(sys.prefix) / "bin"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
TOUR = NOTEBOOKS[0]


def client(*args, cwd, **kw):
    """Runs one of the environment's programs to its end; a failure shows what it said."""
    env = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"} | kw.pop("env", {})
    program, *rest = map(str, args)
    done = subprocess.run([BIN / program, *rest], cwd=cwd, env=env, capture_output=True, text=True, timeout=120, **kw)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def wheel():
    """This platform's wheel, as `make dist` left it."""
    system, machine = ("macosx", os.uname().machine) if sys.platform == "darwin" else ("manylinux", os.uname().machine)
    found = sorted((ROOT / "build" / "dist").glob(f"vyre_kernel-*{system}*{machine}.whl"))
    if not found:
        pytest.skip("no wheel for this platform in build/dist: run `make dist` first")
    return found[-1]


@pytest.fixture
def book(tmp_path):
    cells = [
        nbformat.v4.new_code_cell("var alpha int = 3\nrate := 0.5", metadata={"tags": ["parameters"]}),
        nbformat.v4.new_code_cell('import "fmt"\nfmt.Println("alpha", alpha*2)\nvar half = rate / 2'),
    ]
    spec = {"name": KERNEL, "display_name": "Go (vyre)", "language": "go"}
    path = tmp_path / "in.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": spec}), path)
    return path


def said(path):
    return nbformat.read(path, 4).cells[-1].outputs[0].text


def test_execute(book):
    client("jupyter", "execute", book, "--output", book.with_name("out.ipynb"), f"--kernel_name={KERNEL}", cwd=book.parent)
    assert said(book.with_name("out.ipynb")) == "alpha 6\n"


@pytest.mark.parametrize("form, name", [("notebook", "out.ipynb"), ("html", "out.html")])
def test_nbconvert(book, form, name):
    client("jupyter", "nbconvert", "--execute", "--to", form, "--output", name, book, cwd=book.parent)
    assert "alpha 6" in (book.parent / name).read_text()


def test_papermill(book, wheel, tmp_path):
    """The translator comes with the wheel: its Python part alone is put on the path."""
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site, [n for n in archive.namelist() if ".data/" not in n])
    out = tmp_path / "out.ipynb"
    client("papermill", book, out, "-k", KERNEL, "-p", "alpha", "7", "-p", "rate", "1", cwd=tmp_path, env={"PYTHONPATH": str(site)})
    assert said(out) == "alpha 14\n"
    assert "var rate float64 = 1\n" in nbformat.read(out, 4).cells[1].source, "the type is that of the notebook"


def for_nbval(source, copy, change=lambda text: text):
    """A copy whose cells tagged `varies` (times, devices) run without being compared."""
    nb = nbformat.read(source, 4)
    for cell in nb.cells:
        if "varies" in cell.metadata.get("tags", []):
            cell.metadata.tags.append("nbval-ignore-output")
        for output in cell.get("outputs", []):
            if "text" in output:
                output.text = change(output.text)
    nbformat.write(nb, copy)
    return copy


def nbval(path):
    return client("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", path, cwd=path.parent)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_nbval(path, tmp_path):
    """Every form of every output is compared (HTML and SVG too), pixels and widget ids apart."""
    nbval(for_nbval(path, tmp_path / path.name))


def test_nbval_sees_another_output(tmp_path):
    with pytest.raises(AssertionError, match="mismatch 'stdout'"):
        nbval(for_nbval(TOUR, tmp_path / TOUR.name, lambda text: text + "one line more\n"))


def test_console(tmp_path):
    cells = 'import "fmt"\nfmt.Println(6*7)\nexit\n'
    assert "42" in client("jupyter", "console", "--simple-prompt", "--kernel", KERNEL, cwd=tmp_path, input=cells)


def test_console_of_a_person(tmp_path):
    """In a terminal: lines that go on are indented, Ctrl-C interrupts, input is asked for, exit ends."""
    env = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PROMPT_TOOLKIT_NO_CPR": "1"}  # this terminal answers no questions
    console = pexpect.spawn(str(BIN / "jupyter"), ["console", "--kernel", KERNEL], cwd=tmp_path, env=env, encoding="utf8", timeout=30, dimensions=(40, 120))
    try:
        typed(console, "", r"In \[.*1")
        console.send("func f(n int) int {\r")
        console.expect("\\.\\.\\.: ")
        console.send("return n * 2\r")
        console.expect("\\.\\.\\.: ")
        typed(console, "}\r", r"In \[.*2")
        assert "^I" not in console.before
        typed(console, "f(21)\r", r"Out.*42.*In \[.*3")
        typed(console, "fmt.Println(5, 6)\r", r"5 6.*In \[.*4")
        typed(console, 'fmt.Println("be", "gun"); for {}\r', "be gun")
        typed(console, "\x03", r"Interrupted.*In \[.*5")
        typed(console, 'var s string; fmt.Print("na", "me? "); fmt.Scanln(&s); fmt.Println("got", s)\r', r"name\?")
        typed(console, "Ada\r", r"got Ada.*In \[.*6")
        time.sleep(0.5)
        console.send("exit\r")
        console.expect(pexpect.EOF)
    finally:
        console.close(force=True)


def typed(console, keys, what):
    """Types and waits, as a person does: for the prompt before it, and where nothing happens with another Enter (on a busy machine the
    console does not wait for is_complete's answer and goes on to the next line)."""
    time.sleep(0.5)
    console.send(keys)
    if console.expect([re.compile(what, re.S), pexpect.TIMEOUT], timeout=10):
        console.send("\r")
        console.expect(re.compile(what, re.S))


def test_run_standard_input(tmp_path):
    cells = 'import "fmt"\nfmt.Println(6*7)\n'
    assert client("jupyter", "run", f"--kernel={KERNEL}", cwd=tmp_path, input=cells).strip() == "42"


def test_run_file(tmp_path):
    (tmp_path / "cell.go").write_text('import "fmt"\nfmt.Println(6*7)\n')
    assert client("jupyter", "run", f"--kernel={KERNEL}", "cell.go", cwd=tmp_path).strip() == "42"
