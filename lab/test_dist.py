"""The wheel as people get it: into a fresh environment, a notebook executed, out again with nothing left."""

import base64
import hashlib
import importlib.util
import math
import os
import subprocess
import sys
import zipfile

import nbformat
import pytest
from papermill.exceptions import PapermillException

from conftest import ROOT
from test_clients import wheel  # noqa: F401 (a fixture)


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = load("wheel_build", "dist/wheel/build.py")
go = load("vyre_papermill", "dist/wheel/vyre_kernel/papermill.py")


def files(root):
    return {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and "__pycache__" not in p.parts}


def test_fresh_environment(wheel, tmp_path):  # noqa: F811
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PYTHON"))} | {"HOME": str(tmp_path), "VIRTUAL_ENV": str(venv)}
    env["PATH"] = f"{venv}/bin:/usr/bin:/bin"
    cache = subprocess.run([sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True).stdout.strip()

    def pip(*args):
        subprocess.run([venv / "bin/pip", "--disable-pip-version-check", "-q", "--cache-dir", cache, *args], check=True, env=env)

    pip("install", "-c", ROOT / "lab/requirements.txt", "nbclient")
    before = files(venv)
    pip("install", "--no-deps", wheel)
    binary = venv / "share/jupyter/kernels/vyre/vyre-kernel"
    assert os.access(binary, os.X_OK)
    subprocess.run([venv / "bin/vyre-kernel", "version"], check=True, env=env, stdout=subprocess.DEVNULL)

    code = nbformat.v4.new_code_cell("import \"fmt\"\nfmt.Println(6*7)")
    book = nbformat.v4.new_notebook(cells=[code], metadata={"kernelspec": {"name": "vyre", "display_name": "Go", "language": "go"}})
    nbformat.write(book, tmp_path / "in.ipynb")
    subprocess.run([venv / "bin/jupyter-execute", "--inplace", tmp_path / "in.ipynb"], check=True, env=env, cwd=tmp_path, timeout=60)
    assert nbformat.read(tmp_path / "in.ipynb", 4).cells[0].outputs[0].text == "42\n"

    pip("uninstall", "-y", "vyre-kernel")
    assert files(venv) == before
    assert not (venv / "share/jupyter/kernels/vyre").exists()


def test_record_names_every_file(wheel):  # noqa: F811
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        rows = [r.rsplit(",", 2) for r in archive.read(next(n for n in names if n.endswith("/RECORD"))).decode().splitlines()]
        assert [r[0] for r in rows] == names
        for name, digest, size in rows[:-1]:
            data = archive.read(name)
            assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert int(size) == len(data)


def test_widgets_are_an_extra(wheel):  # noqa: F811
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(next(n for n in archive.namelist() if n.endswith("/METADATA"))).decode().splitlines()
    assert "Provides-Extra: widgets" in metadata
    assert [m for m in metadata if m.startswith("Requires-Dist:")] == ['Requires-Dist: jupyterlab_widgets>=3; extra == "widgets"']


@pytest.mark.parametrize(
    "described, want",
    [
        ("devel", "0.0.0"),
        ("bb380d5", "0.0.0+gbb380d5"),
        ("bb380d5-dirty", "0.0.0+gbb380d5.dirty"),
        ("v1.2.3", "1.2.3"),
        ("v1.2.3-dirty", "1.2.3+dirty"),
        ("v1.2.3-4-gbb380d5", "1.2.3.post4+gbb380d5"),
        ("v1.2.3-rc.1", "1.2.3rc1"),
    ],
)
def test_version(described, want):
    assert build.pep440(described) == want


def test_version_refused():
    with pytest.raises(SystemExit, match="no version"):
        build.pep440("release-of-tuesday")


@pytest.mark.parametrize(
    "value, want",
    [
        (7, "var x int = 7"),
        (-(2**63), "var x int = -9223372036854775808"),
        (True, "var x bool = true"),
        (1.0, "var x float64 = 1.0"),
        (1e22, "var x float64 = 1e+22"),
        (-0.0, "var x float64 = math.Copysign(0, -1)"),
        (float("-inf"), "var x float64 = math.Inf(-1)"),
        (None, "var x any = nil"),
        ('a"b\\c\n', 'var x string = "a\\"b\\\\c\\n"'),
        ("\x00\ufeffé😀", 'var x string = "\\u0000\\ufeffé😀"'),
        ([1, 2], "var x []int = []int{1, 2}"),
        ([1, 2.5], "var x []float64 = []float64{1, 2.5}"),
        ([2**53 + 1, 0.5], "var x []any = []any{9007199254740993, 0.5}"),
        ([], "var x []any = []any{}"),
        ([[1], ["a"]], 'var x []any = []any{[]int{1}, []string{"a"}}'),
        ({"a": 1}, 'var x map[string]int = map[string]int{"a": 1}'),
        ({"a": None, "b": "c"}, 'var x map[string]any = map[string]any{"a": nil, "b": "c"}'),
    ],
)
def test_translate(value, want):
    assert go.GoTranslator.codify({"x": value}).splitlines()[-1] == want


@pytest.mark.parametrize(
    "declared, value, want",
    [
        ("x := 0.5", 1, "var x float64 = 1"),
        ("x := 0.5 // a rate", 2**53 + 1, "var x int = 9007199254740993"),
        ("x := 3", 2.5, "var x float64 = 2.5"),
        ("x := 3", True, "var x bool = true"),
        ("var x float32 = 1", 2, "var x float32 = 2"),
        ("var x float32", 1e39, "var x float64 = 1e+39"),
        ("var x float32 = 1", math.inf, "var x float64 = math.Inf(1)"),
        ("var x uint64 = 1", 2**64 - 1, "var x uint64 = 18446744073709551615"),
        ("x := uint8(1)", 255, "var x uint8 = 255"),
        ("x := uint8(1)", 256, "var x int = 256"),
        ("x := []float64{1, 2}", [3, 4], "var x []float64 = []float64{3, 4}"),
        ("x := []string{}", [], "var x []string = []string{}"),
        ('x := map[string]float64{"a": 1}', {"b": 2}, 'var x map[string]float64 = map[string]float64{"b": 2}'),
        ("var x map[string][]int = nil", {"b": [1]}, 'var x map[string][]int = map[string][]int{"b": []int{1}}'),
        ("var x any = 1", [1, "a"], 'var x any = []any{1, "a"}'),
        ("x := f(2)", 1, "var x int = 1"),
        ("var x T = 2", 1, "var x int = 1"),
    ],
)
def test_declared_type_stays(declared, value, want):
    cell = nbformat.v4.new_code_cell(declared)
    go.GoTranslator.inspect(cell)
    assert go.GoTranslator.codify({"x": value}).splitlines()[-1] == want
    del cell
    assert go.GoTranslator.codify({"x": 1}).splitlines()[-1] == "var x int = 1", "the cell is gone"


@pytest.mark.parametrize("parameters", [{"x": 2**63}, {"int": 1}, {"any": 1}, {"nil": 1}, {"math": math.nan}, {"x": "\ud800"}, {"range": 1}, {"a-b": 1}, {"_": 1}, {"init": 1}, {"1a": 1}])
def test_translate_refused(parameters):
    with pytest.raises(PapermillException):
        go.GoTranslator.codify(parameters)


def test_translated_runs(kernel):
    values = {
        "i": -(2**63), "f": 0.1, "z": -0.0, "b": True, "n": None, "l": [1, 2.5], "d": {"k": [1]},
        "s": "q\"\\\n\t\x00\x7f\ufeffé😀${`",
    }  # fmt: skip
    assert kernel.run(go.GoTranslator.codify(values)).status == "ok"
    said = kernel.run('import "fmt"\nfmt.Printf("%d %v %v %v %v %v %v %x", i, f, z, b, n, l, d, s)').stream()
    assert said == f"{-(2**63)} 0.1 -0 true <nil> [1 2.5] map[k:[1]] {values['s'].encode().hex()}"
