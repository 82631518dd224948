"""The wheels of `make dist` for every platform, where they were built: tags and binaries agree, and that of linux/arm64 answers a client
under qemu-user (apt install qemu-user libc6-arm64-cross)."""

import os
import pathlib
import shutil
import subprocess
import sys
import textwrap
import zipfile

import pytest

from conftest import ROOT
from test_dist import build

BINARY = "/data/share/jupyter/kernels/vyre/vyre-kernel"
# What a binary begins with: ELF of 64 bits and the machine (62 x86-64, 183 aarch64), Mach-O of 64 bits and the processor.
MAGIC = {
    ("linux", "amd64"): lambda b: b[:5] == b"\x7fELF\x02" and b[18] == 62,
    ("linux", "arm64"): lambda b: b[:5] == b"\x7fELF\x02" and b[18] == 183,
    ("darwin", "amd64"): lambda b: b[:8] == b"\xcf\xfa\xed\xfe\x07\x00\x00\x01",
    ("darwin", "arm64"): lambda b: b[:8] == b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01",
}
LIBC = pathlib.Path(os.environ.get("QEMU_LD_PREFIX", "/usr/aarch64-linux-gnu"))
QEMU = shutil.which("qemu-aarch64")


def wheel_for(platform):
    found = sorted((ROOT / "build/dist").glob(f"*-{build.TAGS[platform]}.whl"), key=os.path.getmtime)
    if not found:
        pytest.skip(f"there is no wheel for {'/'.join(platform)} in build/dist: make dist builds it")
    return zipfile.ZipFile(found[-1])


def binary(wheel):
    return wheel.read(next(n for n in wheel.namelist() if n.endswith(BINARY)))


@pytest.mark.parametrize("platform", build.TAGS, ids="/".join)
def test_binary(platform, tmp_path):
    wheel = wheel_for(platform)
    data = binary(wheel)
    assert MAGIC[platform](data)
    (tmp_path / "binary").write_bytes(data)
    said = subprocess.run([os.environ.get("GO", "go"), "version", "-m", tmp_path / "binary"], check=True, capture_output=True, text=True).stdout
    assert f"GOOS={platform[0]}\n" in said and f"GOARCH={platform[1]}\n" in said and "CGO_ENABLED=0\n" in said
    tags = wheel.read(next(n for n in wheel.namelist() if n.endswith("/WHEEL"))).decode()
    assert {f"Tag: py3-none-{t}" for t in build.TAGS[platform].split(".")} == {t for t in tags.splitlines() if t.startswith("Tag:")}


# The worker is a process that the kernel starts: its binary has to start like any other, in a namespace that says how.
NAMESPACE = r"""
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
printf '%s' ':arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$1:" >/proc/sys/fs/binfmt_misc/register
shift
exec "$@"
"""
CLIENT = """
    import sys
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import KernelManager
    m = KernelManager(kernel_name="arm64")
    m._kernel_spec = KernelSpec(argv=[sys.argv[1], "kernel", "-f", "{connection_file}"], display_name="arm64", language="go", interrupt_mode="message")
    m.start_kernel()
    c = m.client()
    c.start_channels()
    try:
        c.wait_for_ready(timeout=120)
        assert c.kernel_info(reply=True, timeout=60)["content"]["implementation"] == "vyre-kernel"
        for code in ["1+1", "runtime.GOARCH"]:
            shown = []
            c.execute_interactive(code, timeout=120, output_hook=lambda m: m["msg_type"] == "execute_result" and shown.append(m["content"]["data"]["text/plain"]))
            print(*shown)
    finally:
        c.stop_channels()
        m.shutdown_kernel(now=True)
"""


def test_arm64_answers(tmp_path):
    if not QEMU or not (LIBC / "lib/ld-linux-aarch64.so.1").exists():
        pytest.skip("qemu-aarch64 or the C library for it is not installed: apt install qemu-user libc6-arm64-cross")
    namespace = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*namespace, "mount", "-t", "binfmt_misc", "none", "/proc/sys/fs/binfmt_misc"], capture_output=True).returncode:
        pytest.skip("binfmt_misc cannot be mounted in a user namespace here: Linux 6.7 and unshare are needed")
    program, client = tmp_path / "vyre-kernel", tmp_path / "client.py"
    program.write_bytes(binary(wheel_for(("linux", "arm64"))))
    program.chmod(0o755)
    client.write_text(textwrap.dedent(CLIENT))
    env = os.environ | {"QEMU_LD_PREFIX": str(LIBC)}
    done = subprocess.run([*namespace, "sh", "-ec", NAMESPACE, "sh", QEMU, sys.executable, client, program], env=env, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["2", '"arm64"'], done.stdout + done.stderr
