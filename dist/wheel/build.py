"""Writes the Python wheels: a binary, the kernelspec that it writes of itself, papermill's translator.

    python3 dist/wheel/build.py [--host BINARY] [--out build/dist] [--version V]

Without --host the binary is cross-built for every platform. The same tree gives the same bytes: names are
sorted and dates fixed (SOURCE_DATE_EPOCH, or 1980). Needs Go and the standard library alone.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(__file__).resolve().parent / "vyre_kernel"
# Go 1.26 runs on macOS 12 and newer; the Linux binary asks nothing newer than glibc 2.17.
TAGS = {
    ("linux", "amd64"): "manylinux_2_17_x86_64.manylinux2014_x86_64",
    ("linux", "arm64"): "manylinux_2_17_aarch64.manylinux2014_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
}
MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
DESCRIBED = re.compile(r"^v?(\d+(?:\.\d+)*)(?:-(a|alpha|b|beta|rc)\.?(\d+))?(?:-(\d+)-g([0-9a-f]+))?(-dirty)?$")
COMMIT = re.compile(r"^([0-9a-f]{7,40})(-dirty)?$")
METADATA = """Metadata-Version: 2.1
Name: vyre-kernel
Version: {version}
Summary: A Jupyter kernel for Go, with CUDA and e-graphs
License: {license}
Requires-Python: >=3.9
Provides-Extra: widgets
Requires-Dist: jupyterlab_widgets>=3; extra == "widgets"
"""
ENTRY_POINTS = """[console_scripts]
vyre-kernel = vyre_kernel:main

[papermill.engine]
vyre = vyre_kernel.papermill:Engine
"""


def pep440(described):
    """The PEP 440 version of what `git describe --tags --always --dirty` says."""
    if described in ("devel", "(devel)"):  # the second is what a plain `go build` notes
        return "0.0.0"
    if m := COMMIT.match(described):
        return f"0.0.0+g{m[1]}" + (".dirty" if m[2] else "")
    if not (m := DESCRIBED.match(described)):
        raise SystemExit(f"build.py: {described!r} is no version: tag like v1.2.3 or v1.2.3-rc.1, or pass --version")
    release, kind, number, since, commit, dirty = m.groups()
    version = release + ({"alpha": "a", "beta": "b"}.get(kind, kind) + number if kind else "")
    version += f".post{since}" if since else ""
    local = [p for p in (f"g{commit}" if commit else "", "dirty" if dirty else "") if p]
    return version + ("+" + ".".join(local) if local else "")


def describe():
    done = subprocess.run(["git", "describe", "--tags", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else "devel"


def compile_for(system, machine, described, out):
    env = os.environ | {"GOOS": system, "GOARCH": machine, "CGO_ENABLED": "0"}
    flags = ["-trimpath", "-ldflags", f"-s -w -X main.version={described}"]
    subprocess.run([os.environ.get("GO", "go"), "build", *flags, "-o", out, "./cmd/vyre-kernel"], cwd=ROOT, env=env, check=True)


def host():
    key = (platform.system().lower(), MACHINES.get(platform.machine().lower()))
    if key not in TAGS:
        raise SystemExit(f"build.py: no wheel for {platform.system()} {platform.machine()}: there is one for " + ", ".join("/".join(k) for k in TAGS))
    return key


def kernelspec(runnable, scratch):
    """The files that the binary installs, but itself: name -> bytes."""
    subprocess.run([runnable, "install", "--prefix", scratch], check=True, stdout=subprocess.DEVNULL)
    folder = pathlib.Path(scratch, "share/jupyter/kernels/vyre")
    return {f.name: f.read_bytes() for f in folder.iterdir() if f.name != "vyre-kernel"}


def contents(spec, binary, version, tags):
    info, data = f"vyre_kernel-{version}.dist-info", f"vyre_kernel-{version}.data/data/share/jupyter/kernels/vyre"
    files = {f"vyre_kernel/{f.name}": f.read_bytes() for f in PACKAGE.glob("*.py")}
    files |= {f"{data}/{name}": text for name, text in spec.items()}
    files[f"{data}/vyre-kernel"] = pathlib.Path(binary).read_bytes()
    wheel = "Wheel-Version: 1.0\nGenerator: dist/wheel/build.py\nRoot-Is-Purelib: false\n"
    wheel += "".join(f"Tag: py3-none-{t}\n" for t in tags.split("."))
    licence = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version, license=" ".join(licence.decode().split()[:4]).rstrip(",")).encode()
    files[f"{info}/WHEEL"], files[f"{info}/LICENSE"] = wheel.encode(), licence
    files[f"{info}/entry_points.txt"] = ENTRY_POINTS.encode()
    return info, files


def write(path, info, files):
    """RECORD comes last, as the wheel specification asks; pip keeps the executable bit of the mode."""
    record = "".join(f"{n},sha256={digest(files[n])},{len(files[n])}\n" for n in sorted(files))
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 315532800)), 315532800))[:6]
    aside = path.with_suffix(".part")
    with zipfile.ZipFile(aside, "w") as archive:
        for name in [*sorted(files), f"{info}/RECORD"]:
            entry = zipfile.ZipInfo(name, date)
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name.endswith("/vyre-kernel") else 0o100644) << 16
            archive.writestr(entry, files.get(name, (record + f"{info}/RECORD,,\n").encode()))
    aside.replace(path)


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", metavar="BINARY", help="this platform's wheel alone, of a binary that is built")
    parser.add_argument("--out", default=ROOT / "build" / "dist", type=pathlib.Path)
    parser.add_argument("--version", help="what git describe would say")
    args = parser.parse_args()
    described = args.version or describe()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        binaries = {host(): os.path.abspath(args.host)} if args.host else {}
        for key in () if args.host else TAGS:
            binaries[key] = os.path.join(scratch, "-".join(key))
            compile_for(*key, described, binaries[key])
        spec = kernelspec(binaries[host()], scratch)
        if args.host and not args.version:  # a binary that is built knows better than the tree what it is
            described = spec["version"].decode().strip()
        version = pep440(described)
        for key, binary in binaries.items():
            for older in args.out.glob(f"vyre_kernel-*-{TAGS[key]}.whl"):
                older.unlink()
            path = args.out / f"vyre_kernel-{version}-py3-none-{TAGS[key]}.whl"
            write(path, *contents(spec, binary, version, TAGS[key]))
            print(f"{path} ({path.stat().st_size >> 20} MiB)")


if __name__ == "__main__":
    main()
