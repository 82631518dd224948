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
	go test -c -ldflags=-s -o "$out/$2.test" "./$1"
}
test_binary cuda/driver/native native
go build -ldflags=-s -o "$out/launch" ./bench/gpu/launch
for package in cuda; do
	if ls "$package"/*_test.go >/dev/null 2>&1; then
		test_binary "$package" "$(basename "$package")"
	fi
done
cp cuda/driver/drivertest/kernels.ptx bench/gpu/launch.c bench/gpu/launch.py "$out/"
git describe --always --dirty >"$out/revision" 2>/dev/null || echo unknown >"$out/revision"
ls -l "$out"
