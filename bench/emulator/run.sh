#!/usr/bin/env bash
# The emulated device beside numba's CUDA simulator: vector add and shared-memory reduction of 100,000
# floats, checks on. --quick takes a hundredth for the simulator. It is installed into build/numba.
set -euo pipefail
cd "$(dirname "$0")/../.."
n=100000
[ "${1:-}" = --quick ] && n=1000
python=build/numba/bin/python
if [ ! -x $python ]; then
	python3 -m venv build/numba
	build/numba/bin/pip install -q numba==0.68.* numba-cuda==0.30.*
fi
$python bench/emulator/numba_simulator.py $n | tee build/numba/simulator.tsv
${GO:-go} test ./cuda/ptx/vm -run '^$' -bench '100k|IntegerLoop|LoadCooperative|Cores' -benchtime "${BENCHTIME:-1s}" -count 3 | grep ^Benchmark | tee build/numba/emulated.txt
awk -v n=$n '
	FNR == NR { split($0, f, "\t"); wall[f[1]] = f[2] * 100000 / n; next }
	/VectorAdd100k/ { if (!a || $3 < a) a = $3 }
	/Reduce100k/ { if (!r || $3 < r) r = $3 }
	END { printf "vector add: simulator %.1f s, emulated %.2f ms, %d times\nreduction: simulator %.1f s, emulated %.2f ms, %d times\n",
		wall["vector add"], a / 1e6, wall["vector add"] / a * 1e9, wall["reduction"], r / 1e6, wall["reduction"] / r * 1e9 }' \
	build/numba/simulator.tsv build/numba/emulated.txt
