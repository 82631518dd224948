#!/usr/bin/env bash
# Every figure that this machine can measure, peers beside in the same run. BENCH=quick shortens it.
set -euo pipefail
cd "$(dirname "$0")/.."
quick=; [ "${BENCH:-}" = quick ] && quick=--quick
echo "== kernel beside ipykernel"
.venv/bin/python lab/bench_kernel.py $quick
echo "== Go in cells beside plain yaegi and native Go"
${GO:-go} run ./bench/cells ${quick:+-rounds 1}
echo "== Go benchmarks"
${GO:-go} test -run '^$' -bench . -benchtime "${BENCHTIME:-1s}" -benchmem ./interp/... ./cuda/... ./egraph/... ./plots/... | grep -E '^(Benchmark|pkg:)' || true
if [ -x bench/egraph/run.sh ]; then echo "== e-graphs beside egg and egglog"; bench/egraph/run.sh $quick; fi
echo "== emulated device beside numba's CUDA simulator"
bench/emulator/run.sh $quick
