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
# Random PTX is decided as ptxas does.
if ptxas=${PTXAS:-$(ls "$PWD"/.venv/lib/python3*/site-packages/nvidia/cu13/bin/ptxas 2>/dev/null)}; then
  echo "== random lines and texts against ptxas"
  PTXAS=$ptxas ${GO:-go} test ./cuda/ptx -count=1 -timeout 2h -run AsPtxas -ptxas.rounds "${PTXASROUNDS:-20}"
else
  echo "== random lines and texts against ptxas: left out, ptxas was not found (make env)"
fi
