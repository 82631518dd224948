#!/bin/sh
# Compiles a CUDA C++ source to PTX with nvcc, that of the wheels in .venv or else the one in PATH. The PTX version
# written is the oldest that has all its instructions, so that older drivers take it.
set -eu
name=$1 version=${2:-7.0}
for nvcc in ../../.venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc "$(command -v nvcc || true)"; do
	[ -x "$nvcc" ] && break
done
$nvcc -ptx -arch=compute_80 -o "$name.tmp" "$name.cu"
{
	echo "// Code generated from $name.cu by nvcc ($($nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'), compute_80); DO NOT EDIT."
	echo "// Its algorithm, memory traffic and bounds stand above the source."
	sed -e '/^\/\//d' -e '/^$/d' -e "s/^\.version .*/.version $version/" "$name.tmp"
} >"$name.ptx"
rm "$name.tmp"
