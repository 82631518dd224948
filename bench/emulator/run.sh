#!/usr/bin/env bash
# The emulated device beside numba's CUDA simulator: vector add and shared-memory reduction of 100,000
# floats, checks on. The emulated device runs before and after the simulator; both wall time and processor
# time are set beside each other, medians. --quick takes a hundredth for the simulator. It is installed into
# build/numba.
set -euo pipefail
cd "$(dirname "$0")/../.."
n=100000
[ "${1:-}" = --quick ] && n=1000
python=build/numba/bin/python
if [ ! -x $python ]; then
	python3 -m venv build/numba
	build/numba/bin/pip install -q numba==0.68.* numba-cuda==0.30.* nvidia-cuda-runtime==13.0.*
fi
emulated() {
	${GO:-go} test ./cuda/ptx/vm -run '^$' -bench '100k|IntegerLoop|LoadCooperative|Cores' -benchtime "${BENCHTIME:-1s}" -count 3 | grep ^Benchmark
}
emulated | tee build/numba/emulated.txt
$python bench/emulator/numba_simulator.py $n | tee build/numba/simulator.tsv
emulated | tee -a build/numba/emulated.txt
awk -v n=$n '
	function median(list, count,   i, j, t) {
		for (i = 2; i <= count; i++) for (j = i; j > 1 && list[j] < list[j-1]; j--) { t = list[j]; list[j] = list[j-1]; list[j-1] = t }
		return list[int((count + 1) / 2)]
	}
	function report(name, wall, core, count) {
		w = median(wall, count) / 1e6; c = median(core, count)
		printf "%s: simulator %.1f s (processor %.1f s), emulated %.2f ms (processor %.2f ms): %d times (processor %d times)\n",
			name, simulator[name], processor[name], w, c, simulator[name] / w * 1e3, processor[name] / c * 1e3
	}
	FNR == NR { split($0, f, "\t"); simulator[f[1]] = f[2] * 100000 / n; processor[f[1]] = f[3] * 100000 / n; next }
	/VectorAdd100k/ { aw[++as] = $3; ac[as] = $5 }
	/Reduce100k/ { rw[++rs] = $3; rc[rs] = $5 }
	END { report("vector add", aw, ac, as); report("reduction", rw, rc, rs) }' \
	build/numba/simulator.tsv build/numba/emulated.txt
