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

# egg_tests runs egg's own tests so many times in a process; what the compiler says is in egg-tests.log.
egg_tests() {
  (cd "$out/egg-tests" && CARGO_TARGET_DIR="$out/egg-tests-target" EGG_BENCH_CSV="$out/egg.csv" EGG_BENCH_ROUNDS=$1 \
    cargo test -q -j"${JOBS:-1}" --release --test warm warm -- --exact >"$out/egg-tests.log" 2>&1)
}

# theorems prints the time of every test of egg's that egraph has too, the median of many runs, in processes
# that take turns.
# The checks between runs make more garbage than the runs do: GOGC=400 has it collected less often meanwhile.
theorems() {
  copy_egg
  cp bench/egraph/peers/warm.rs "$out/egg-tests/tests/"
  printf '\n[[test]]\nname = "warm"\npath = "tests/warm.rs"\n' >>"$out/egg-tests/Cargo.toml"
  EGG_BENCH_CSV= egg_tests 1
  rm -f "$out/egg.csv" "$out/ours.csv"
  for round in 1 2 3 4 5; do
    egg_tests 24
    (cd egraph && GOGC=400 EGRAPH_BENCH_CSV="$out/ours.csv" EGRAPH_BENCH_ROUNDS=24 "$out/ours.test" -test.run 'TestEggAgain' >/dev/null)
  done
  median "$out/egg.csv" >"$out/egg.median"
  median "$out/ours.csv" >"$out/ours.median"
  join "$out/ours.median" "$out/egg.median" | awk '
    { printf "theorem %-18s egraph %9.1f us egg %9.1f us ratio %.2f\n", $1, $2*1e6, $3*1e6, $2/$3; a += $2; b += $3 }
    END { printf "theorems together       egraph %9.1f us egg %9.1f us ratio %.2f\n", a*1e6, b*1e6, a/b }'
}

# median prints the median time of each test in a file.
median() {
  sed -E 's/^(lambda|math)_//' "$1" | LC_ALL=C sort -t, -k1,1 -k2,2g | awk -F, '
    $1 != name { if (n) print name, t[int((n+1)/2)]; name = $1; n = 0 }
    { t[++n] = $2 }
    END { if (n) print name, t[int((n+1)/2)] }'
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
for case in "300 0" "500 700"; do
  "$out/ours" reach $case
  "$out/ours" reach $case full
  [ -n "$peers" ] && "$out/release/egglog_peer" reach $case
done
[ -n "$peers" ] && theorems
"$out/ours" growth $rules $terms
[ -n "$quick" ] && exit 0
"$out/ours" math $rules $terms 12 1
"$out/ours" math $rules $terms 12
[ -n "$peers" ] && "$out/release/egglog_peer" $rules $terms 12
exit 0
