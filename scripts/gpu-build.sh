#!/bin/sh
# Builds everything that scripts/gpu-run.sh runs on a machine with a GPU and no Go: static-as-can-be test
# binaries and benchmarks under build/gpu/, which is small enough to copy.
set -eu
cd "$(dirname "$0")/.."
out=build/gpu
rm -rf "$out"
mkdir -p "$out"
export CGO_ENABLED=0 GOOS=linux GOARCH="${GOARCH:-amd64}"
test_binary() { # package, name
	go test -c -ldflags='-s -w' -o "$out/$2.test" "./$1"
}
go build -ldflags='-s -w' -o "$out/" ./bench/gpu/launch ./bench/gpu/turns ./bench/gpu/faults
go build -ldflags='-s -w' -o "$out/egraph" ./bench/egraph
# egg and egglog, where bench/egraph/run.sh has built them for a machine of this kind.
for peer in egg_peer egglog_peer; do
	[ "$GOARCH" = "$(go env GOHOSTARCH)" ] && cp "build/bench/egraph/release/$peer" "$out/" 2>/dev/null || echo "$peer left out: it is not built" >&2
done
# Packages whose tests open the device that is there, each with the folder that its tests run in.
: >"$out/suites"
for package in cuda/driver/native cuda/ptx/vm cuda cuda/join cuda/queue egraph/device; do
	name=$(echo "$package" | tr / -)
	if ls "$package"/*_test.go >/dev/null 2>&1; then
		test_binary "$package" "$name"
		echo "$name $package" >>"$out/suites"
	fi
done
# The kernel itself, which executes the notebooks there.
go build -trimpath -ldflags='-s -w' -o "$out/vyre-kernel" ./cmd/vyre-kernel
cp cuda/driver/drivertest/kernels.ptx cuda/ptx/testdata/faults/faults.ptx cuda/ptx/testdata/faults/async.ptx cuda/ptx/testdata/faults/everyday.ptx cuda/ptx/testdata/faults/bulk.ptx bench/gpu/launch.c bench/gpu/launch.py bench/gpu/unique.py bench/gpu/closure.cu bench/gpu/cell.ipynb "$out/"
git describe --always --dirty >"$out/revision" 2>/dev/null || echo unknown >"$out/revision"
ls -l "$out"
