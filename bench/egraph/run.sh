#!/usr/bin/env bash
# e-graph benchmarks: egraph beside egg and egglog (built from crates.io into build/bench/egraph), one
# after the other in one run. --quick leaves out the second round and what takes minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
quick=; [ "${1:-}" = --quick ] && quick=1
out=$PWD/build/bench/egraph
rules=$PWD/egraph/testdata/math.rules terms=$PWD/egraph/testdata/math.terms
mkdir -p "$out"
${GO:-go} build -o "$out/ours" ./bench/egraph
${GO:-go} test -c -o "$out/ours.test" ./egraph
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

# copy_egg copies egg's source, which cargo fetched: its tests need a lock file of their own.
copy_egg() {
  local host source
  host=$(rustc -vV | sed -n 's/^host: //p')
  source=$(cargo metadata --format-version 1 --filter-platform "$host" --manifest-path bench/egraph/peers/Cargo.toml |
    grep -o '"manifest_path":"[^"]*/egg-[0-9.]*/Cargo.toml"' | head -1 | cut -d'"' -f4)
  mkdir -p "$out/egg-tests"
  cp -R "$(dirname "$source")/." "$out/egg-tests/"
  rm -f "$out/egg-tests/rust-toolchain"
}

# egg_tests runs egg's own tests; what the compiler says is in egg-tests.log.
egg_tests() {
  (cd "$out/egg-tests" && CARGO_TARGET_DIR="$out/egg-tests-target" EGG_BENCH_CSV="$out/egg.csv" \
    cargo test -q -j"${JOBS:-1}" --release --test math --test lambda -- --test-threads=1 >"$out/egg-tests.log" 2>&1)
}

# theorems prints the time of every test of egg's that egraph has too: the best of some runs.
theorems() {
  rm -f "$out/egg.csv" "$out/ours.csv"
  copy_egg
  for round in 1 2 3 4 5; do
    egg_tests
    (cd egraph && EGRAPH_BENCH_CSV="$out/ours.csv" "$out/ours.test" -test.run 'TestEggMath|TestEggLambda' >/dev/null)
  done
  awk -F, '
    { name = $1; sub(/^(lambda|math)_/, "", name) }
    FNR == NR { if (!(name in egg) || $2 < egg[name]) egg[name] = $2; next }
    !(name in ours) || $2 < ours[name] { ours[name] = $2 }
    END {
      for (name in ours) if (name in egg) {
        printf "theorem %-18s egraph %9.1f us egg %9.1f us ratio %.2f\n", name, ours[name]*1e6, egg[name]*1e6, ours[name]/egg[name]
        a += ours[name]; b += egg[name]
      }
      printf "theorems together       egraph %9.1f us egg %9.1f us ratio %.2f\n", a*1e6, b*1e6, a/b
    }' "$out/egg.csv" "$out/ours.csv" | sort
}

for round in 1 2; do
  [ -n "$quick" ] && [ "$round" = 2 ] && break
  "$out/ours" math $rules $terms 11 1
  "$out/ours" math $rules $terms 11
  [ -n "$peers" ] && "$out/release/egg_peer" math $rules $terms 11
  [ -n "$peers" ] && "$out/release/egglog_peer" $rules $terms 11
done
for case in "1000 1000000 500 false" "100000 1000000 50000 false" "100000 4000000 50000 false" "1000000 4000000 500000 true"; do
  "$out/ours" closure $case
  [ -n "$peers" ] && "$out/release/egg_peer" closure $case
done
[ -n "$peers" ] && theorems
"$out/ours" growth $rules $terms
[ -n "$quick" ] && exit 0
"$out/ours" math $rules $terms 12 1
"$out/ours" math $rules $terms 12
[ -n "$peers" ] && "$out/release/egglog_peer" $rules $terms 12
exit 0
