#!/bin/sh
# What Go and a cell add to a driver's calls, measured by bench/gpu/turns without a GPU, on bench/gpu/stub.c: first a driver that does nothing, then one
# that leaves the caches as an H200's does, then one that keeps the host and a device busy as that would.
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
gcc -shared -fPIC -O2 -o "$dir/libcuda.so.1" bench/gpu/stub.c
${GO:-go} build -o "$dir/" ./bench/gpu/launch ./bench/gpu/turns
[ -x build/vyre-kernel ] && cp build/vyre-kernel "$dir/" || ${GO:-go} build -o "$dir/vyre-kernel" ./cmd/vyre-kernel
cp cuda/driver/drivertest/kernels.ptx bench/gpu/cell.ipynb "$dir/"
cd "$dir"
export LD_LIBRARY_PATH="$dir" VYRE_CUDA_DEVICE=native
for mode in "0 0 0" "0 0 1" "900 1800 0"; do
	set -- $mode
	export STUB_HOST=$1 STUB_DEVICE=$2 STUB_COLD=$3
	echo "# a launch keeps the host for $1 ns and the device for $2; caches cold behind it: $3"
	./turns -rounds "${ROUNDS:-100}" -core 0 Go="./launch kernels.ptx" cell="./vyre-kernel run cell.ipynb --timeout 600s"
done
