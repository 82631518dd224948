#!/usr/bin/env bash
# Random Go programs on every engine and compiled, on a machine that has neither this repository nor a network: beside this script lie the binary
# fuzzprograms (make fuzz-programs builds it, CGO_ENABLED=0) and, unpacked, a Go distribution (go/). What differs is kept in found/, and the
# last lines are the summary. Arguments are fuzzprograms' own: fuzz-programs.sh -time 8m -parallel 16
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
for needed in fuzzprograms go/bin/go; do
  [ -x "$here/$needed" ] || { echo "fuzz-programs: there is no $needed beside this script" >&2; exit 2; }
done
exec env GOTOOLCHAIN=local GOPROXY=off "$here/fuzzprograms" -go "$here/go/bin/go" -cache "$here/cache" -keep "$here/found" -parallel "$(nproc)" "$@"
