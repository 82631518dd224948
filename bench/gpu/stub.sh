#!/bin/sh
# What Go and a cell add to a driver's calls, measured without a GPU on bench/gpu/stub.c: bench/gpu/launch and bench/gpu/cell.ipynb in turn, three
# rounds, nanoseconds a call. First on a driver that does nothing, then on one that keeps the host and a device busy as an H200's would.
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
gcc -shared -fPIC -O2 -o "$dir/libcuda.so.1" bench/gpu/stub.c
${GO:-go} build -o "$dir/launch" ./bench/gpu/launch
[ -x build/vyre-kernel ] && cp build/vyre-kernel "$dir/" || ${GO:-go} build -o "$dir/vyre-kernel" ./cmd/vyre-kernel
cp cuda/driver/drivertest/kernels.ptx bench/gpu/cell.ipynb "$dir/"
cd "$dir"
export LD_LIBRARY_PATH="$dir" VYRE_CUDA_DEVICE=native
for ns in "0 0" "900 1800"; do
	set -- $ns
	export STUB_HOST=$1 STUB_DEVICE=$2
	echo "# a launch keeps the host for $1 ns and the device for $2"
	for round in 1 2 3; do
		./launch kernels.ptx | sed 's/^/Go\t/'
		./vyre-kernel run cell.ipynb --timeout 60s | sed -n 's/^ *cell\t/cell\t/p'
	done | sort -t"$(printf '\t')" -k1,2 -k3n | awk -F'\t' 'NR % 3 == 2 { printf "%s\t%s\t%s\n", $1, $2, $3 }'
done
