#!/usr/bin/env bash
# Every fuzz target of the repository in turn, FUZZTIME each (default 1m).
set -euo pipefail
cd "$(dirname "$0")/.."
for package in $(git ls-files '*_test.go' | xargs grep -l '^func Fuzz' | xargs -n1 dirname | sort -u); do
  for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$package"/*_test.go | sed 's/^func //'); do
    echo "== $package $target"
    ${GO:-go} test "./$package" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-1m}"
  done
done
