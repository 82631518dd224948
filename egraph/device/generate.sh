#!/bin/sh
# Compiles a CUDA C++ source to PTX with nvcc, the one in PATH or that of the wheels in .venv. The PTX version
# written is the oldest that has all its instructions, so that older drivers take it.
set -eu
name=$1 version=${2:-7.0}
nvcc=$(command -v nvcc || echo ../../.venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)
$nvcc -ptx -arch=compute_80 -o "$name.tmp" "$name.cu"
{
	echo "// Code generated from $name.cu by nvcc ($($nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'), compute_80); DO NOT EDIT."
	echo "// Its algorithm, memory traffic and bounds stand above the source."
	sed -e '/^\/\//d' -e '/^$/d' -e "s/^\.version .*/.version $version/" "$name.tmp"
} >"$name.ptx"
rm "$name.tmp"
