#!/bin/sh
# Runs compute-sanitizer's four tools over the fault corpus on a machine with a GPU, beside what the
# emulated device says: one line a kernel, and who named how many planted faults and clean twins.
# Needs build/gpu/ from scripts/gpu-build.sh. Whole reports are left in the folder that its argument
# names (build/gpu/sanitizer by default). About 400 processes: JOBS run at a time (12).
set -u
cd "$(dirname "$0")/.."
self=$PWD/scripts/$(basename "$0")
bin=$PWD/build/gpu
out=${1:-$bin/sanitizer}
mkdir -p "$out"
out=$(cd "$out" && pwd)
home=${CUDA_HOME:-/usr/local/cuda}
sanitizer=$(command -v compute-sanitizer || ls "$home/bin/compute-sanitizer" "$home/compute-sanitizer/compute-sanitizer" 2>/dev/null | head -1)
if [ -z "$sanitizer" ]; then
	echo "compute-sanitizer is not here: it comes with the CUDA toolkit (CUDA_HOME)"
	exit 1
fi
export sanitizer bin out

# one runs a tool on a kernel of a text; a kernel that hangs is ended after 20 s. The report's last
# line says whether the tool found something.
one() { # text, kernel, tool
	report=$out/$2.$3
	timeout -k 2 20 "$sanitizer" --tool "$3" "$bin/faults" "$bin/$1.ptx" "$2" >"$report" 2>&1
	code=$?
	# A launch that fails is reported by memcheck as an API error too: only reports about the kernel count.
	if grep -E 'Invalid|Uninitialized|hazard|Race reported|Divergent|Barrier error|Misaligned|out of bounds|Out-of-range|Unaligned|not initialized' "$report" | grep -vqE '0 hazards|Program hit'; then
		echo "verdict: named" >>"$report"
	elif [ $code -ge 124 ]; then
		echo "verdict: hangs" >>"$report"
	else
		echo "verdict: -" >>"$report"
	fi
}
if [ $# -eq 4 ]; then # called by xargs below
	out=$1
	one "$2" "$3" "$4"
	exit
fi

"$sanitizer" --version | head -3
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
for text in faults async everyday bulk; do
	for kernel in $("$bin/faults" -list "$bin/$text.ptx"); do
		for tool in memcheck racecheck initcheck synccheck; do
			echo "$out $text $kernel $tool"
		done
	done
done | grep -v ' f_dead' >"$out/jobs"
for text in faults async everyday bulk; do
	for kernel in $("$bin/faults" -list "$bin/$text.ptx" | grep '^f_dead'); do
		for tool in memcheck racecheck initcheck synccheck; do
			echo "$out $text $kernel $tool"
		done
	done
done >"$out/jobs.last"
xargs -P "${JOBS:-12}" -L 1 sh "$self" <"$out/jobs"
xargs -P "${JOBS:-12}" -L 1 sh "$self" <"$out/jobs.last"

verdict() { tail -1 "$out/$1.$2" | sed 's/verdict: //'; }
for text in faults async everyday bulk; do
	for kernel in $("$bin/faults" -list "$bin/$text.ptx"); do
		printf '%s\t%s' "$kernel" "$("$bin/faults" -emulated "$bin/$text.ptx" "$kernel")"
		for tool in memcheck racecheck initcheck synccheck; do
			printf '\t%s' "$(verdict "$kernel" $tool)"
		done
		printf '\n'
	done
done >"$out/table.tsv"
printf 'kernel\temulated\tmemcheck\tracecheck\tinitcheck\tsynccheck\n'
cat "$out/table.tsv"
awk -F'\t' '
	{ planted = $1 ~ /^f_/; named = $3 == "named" || $4 == "named" || $5 == "named" || $6 == "named"
	  if (planted) { faults++; ours += $2 != "-"; theirs += named } else { twins++; oursTwins += $2 != "-"; theirsTwins += named } }
	END { printf "planted faults: %d; the emulated device names %d, compute-sanitizer %d\nclean twins: %d; the emulated device reports %d, compute-sanitizer %d\n",
		faults, ours, theirs, twins, oursTwins, theirsTwins }' "$out/table.tsv"
