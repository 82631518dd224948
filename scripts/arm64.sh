#!/usr/bin/env bash
# Runs the tests of the packages that rest on the processor and on the runtime's layouts as arm64 binaries, under qemu-user where this
# machine is not one. With "short", a part of the programs, and nothing where there is no qemu-aarch64.
set -euo pipefail
cd "$(dirname "$0")/.."
run=()
if [ "$(uname -m)" != aarch64 ]; then
  if ! command -v qemu-aarch64 >/dev/null; then
    echo "arm64: qemu-aarch64 is not installed (apt install qemu-user)"
    [ "${1:-}" = short ] && exit 0 || exit 1
  fi
  run=(qemu-aarch64)
fi
programs='TestEngines/vm/(sessions|programs)'
[ "${1:-}" = short ] && programs='TestEngines/vm/(sessions|programs/(alive|closures|defers|faults|fusion|goroutines|panics|places|pull|rangefunc|reflection|selects|types))'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for p in interp/rtype interp/pctab interp/wake interp/engine/machine interp/engine/calls interp/engine/vm interp/engine/enginetest; do
  GOOS=linux GOARCH=arm64 CGO_ENABLED=0 ${GO:-go} test -c -o "$dir/$(basename $p)" ./$p
  filter=.
  [ "$p" = interp/engine/enginetest ] && filter=$programs
  echo "arm64: $p"
  (cd "$p" && "${run[@]}" "$dir/$(basename $p)" -test.short -test.timeout 30m -test.run "$filter")
done
