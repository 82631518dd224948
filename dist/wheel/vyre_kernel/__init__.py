"""The kernel's binary as an installed command: it lies in the kernelspec folder that this wheel brought."""

import importlib.metadata
import os
import sys


def binary():
    """The path of the binary, wherever pip put it (an environment, --user, --prefix)."""
    for file in importlib.metadata.distribution("vyre-kernel").files or ():
        if file.parts[-3:] == ("kernels", "vyre", "vyre-kernel"):
            return os.path.normpath(file.locate())
    raise FileNotFoundError("the wheel's record names no vyre-kernel: reinstall it with pip install --force-reinstall")


def main():
    path = binary()
    os.execv(path, [path, *sys.argv[1:]])
