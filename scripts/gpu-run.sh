#!/bin/sh
# Runs on a machine with a GPU what scripts/gpu-build.sh built: the conformance suite on the driver, the
# front's tests, and the benchmarks beside C and Python in the same run. Prints a summary; whole logs are
# left in the folder that its argument names (build/gpu/out by default). Needs a C compiler and nvcc's
# cuda.h for the C peer; Python peers are left out, by name, where they are not installed.
set -u
cd "$(dirname "$0")/.."
bin=$PWD/build/gpu
out=${1:-$bin/out}
mkdir -p "$out"
out=$(cd "$out" && pwd)
failed=0
# Where tests and %%cuda cells find NVRTC: the wheel of the Python that is here, or the toolkit.
home=${CUDA_HOME:-/usr/local/cuda}
export CUDA_HOME=$home VIRTUAL_ENV=${VIRTUAL_ENV:-$(python3 -c 'import sys; print(sys.prefix)' 2>/dev/null)}

say() { printf '%s\n' "$*"; }

# suite runs a test binary in its package's folder and prints its counts and failures.
suite() { # name, folder
	name=$1 folder=$2
	case $name in
	cuda-ptx-vm) set -- "-insn.record=$out/insns.gz" ;; # what the GPU gave, for cuda/ptx/testdata/hardware
	*) set -- ;;
	esac
	(cd "$folder" && timeout 200 "$bin/$name.test" -test.v -test.timeout 180s "$@" </dev/null) >"$out/$name.log" 2>&1
	code=$?
	say "$name: $(grep -c -- '--- PASS' "$out/$name.log") passed, $(grep -c -- '--- FAIL' "$out/$name.log") failed, $(grep -c -- '--- SKIP' "$out/$name.log") skipped (exit $code)"
	if [ $code -ne 0 ]; then
		failed=1
		grep -v -- '--- PASS\|=== RUN\|=== NAME\|=== CONT' "$out/$name.log" | head -60
	fi
	grep -B1 -- '--- SKIP' "$out/$name.log" | grep -v '^--$' | head -20
}

say "# $(date -u +%Y-%m-%d) revision $(cat "$bin/revision")"
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
while read -r name folder; do
	suite "$name" "$folder"
done <"$bin/suites"

kernel=$bin/vyre-kernel
[ -x "$kernel" ] || kernel=$PWD/build/vyre-kernel

# All on one core, in turns of a millisecond: bench/gpu/turns says why.
say "# enqueueing: C, Go, cells and Python in turn"
gcc -O2 -I"$home/include" -o "$out/launch_c" "$bin/launch.c" -L"$home/lib64/stubs" -lcuda || say "no C peer: gcc or cuda.h is not here"
VYRE_CUDA_DEVICE=native "$bin/turns" -rounds "${ROUNDS:-200}" -core $(($(nproc) / 2)) C="$out/launch_c $bin/kernels.ptx" Go="$bin/launch $bin/kernels.ptx" \
	cell="$kernel run $bin/cell.ipynb --timeout 600s" CuPy="python3 $bin/launch.py cupy $bin/kernels.ptx" torch="python3 $bin/launch.py torch $bin/kernels.ptx" || failed=1

if [ -x "$bin/egraph-device.test" ]; then
	say "# e-graphs on the device: closure, deduplication, saturation; torch and a loop in CUDA C++ beside"
	(cd egraph/device && timeout 300 "$bin/egraph-device.test" -test.run xxx -test.bench . -test.benchtime 1x </dev/null) 2>&1 | tee "$out/egraph-device.bench"
	python3 "$bin/unique.py" 2>"$out/torch.log" || say "no torch: $(tail -1 "$out/torch.log")"
	if "$(command -v nvcc || echo "$home/bin/nvcc")" -O2 -arch=native -o "$out/closure" "$bin/closure.cu" 2>"$out/nvcc.log"; then "$out/closure"; else say "no CUDA C++ peer: $(tail -1 "$out/nvcc.log")"; fi
fi

say "# e-graphs on the host, $(nproc) cores"
math="$PWD/egraph/testdata/math.rules $PWD/egraph/testdata/math.terms"
for round in 1 2 3; do
	for threads in 1 2 4 8; do
		"$bin/egraph" math $math 11 "$threads"
	done
	[ -x "$bin/egg_peer" ] && "$bin/egg_peer" math $math 11
	[ -x "$bin/egglog_peer" ] && "$bin/egglog_peer" $math 11
done 2>&1 | grep -v 'last iteration' | sort | tee "$out/egraph-host.bench"
for threads in 1 2 8; do
	"$bin/egraph" math $math 12 "$threads"
	GOMAXPROCS=$threads "$bin/egraph" closure 100000 4000000 50000 false
	GOMAXPROCS=$threads "$bin/egraph" closure 1000000 4000000 500000 true
done 2>&1 | tee -a "$out/egraph-host.bench"
[ -x "$bin/egg_peer" ] && "$bin/egg_peer" closure 100000 4000000 50000 false
[ -x "$bin/egglog_peer" ] && timeout 120 "$bin/egglog_peer" $math 12

say "# notebooks, executed on this device; what was shown lies in $out/notebooks"
mkdir -p "$out/notebooks"
for notebook in notebooks/0*.ipynb; do
	name=$(basename "$notebook" .ipynb)
	start=$(date +%s)
	if VYRE_CUDA_DEVICE=native timeout 300 "$kernel" run "$notebook" -o "$out/notebooks/$name.ipynb" --html "$out/notebooks/$name.html" --timeout 120s >"$out/notebooks/$name.log" 2>&1; then
		say "$name: executed in $(($(date +%s) - start)) s"
	else
		failed=1
		say "$name: failed"
		tail -20 "$out/notebooks/$name.log"
	fi
done
exit $failed
