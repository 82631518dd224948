#!/usr/bin/env bash
# e-graph benchmarks: egraph beside egg and egglog (built from crates.io into build/bench/egraph), one
# after the other in one run. --quick leaves out the second round and the largest case.
set -euo pipefail
cd "$(dirname "$0")/../.."
quick=; [ "${1:-}" = --quick ] && quick=1
out=$PWD/build/bench/egraph
rules=egraph/testdata/math.rules terms=egraph/testdata/math.terms
mkdir -p "$out"
${GO:-go} build -o "$out/ours" ./bench/egraph
peers=
if command -v cargo >/dev/null; then
  if CARGO_TARGET_DIR="$out" cargo build -q -j"${JOBS:-1}" --release --features egglog --manifest-path bench/egraph/peers/Cargo.toml; then
    peers=1
  else
    echo "egg and egglog left out: they do not build here" >&2
  fi
else
  echo "egg and egglog left out: no cargo" >&2
fi
for round in 1 2; do
  [ -n "$quick" ] && [ "$round" = 2 ] && break
  "$out/ours" math $rules $terms 11
  [ -n "$peers" ] && "$out/release/egg_peer" math $rules $terms 11
  [ -n "$peers" ] && "$out/release/egglog_peer" $rules $terms 11
done
for case in "1000 1000000 500 false" "100000 1000000 50000 false" "100000 4000000 50000 false" "1000000 4000000 500000 true"; do
  "$out/ours" closure $case
  [ -n "$peers" ] && "$out/release/egg_peer" closure $case
done
[ -n "$quick" ] && exit 0
"$out/ours" math $rules $terms 12
