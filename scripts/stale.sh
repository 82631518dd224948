#!/usr/bin/env bash
# Generated files are what `go generate` makes now. Leaves them as generated and fails where one was not.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
generated() { git ls-files cmd/vyre-kernel/preload interp/check/exportdata/std interp/engine/lower interp/grammar/syntax interp/symbols plots/display cuda/join cuda/ptx egraph/device | grep -E 'preload_|/data/|/embed_go|std_gaps|width_table|/fused_|ptx/requirements\.go|grammar/syntax/[a-z_]*\.go$|\.ptx$|preload\.zip' | grep -v _test.go | xargs sha256sum; }
before=$(generated)
$go generate ./plots/... $($go list ./interp/... | grep -v /interp/grammar$) ./cmd/...
if GOTOOLCHAIN=go1.27.4 $go version >/dev/null 2>&1; then
  $go generate ./interp/grammar
else
  echo "generated files: the copy of the compiler's parser left out (go1.27.4 cannot be had from here)"
fi
if ls .venv/lib/python3*/site-packages/nvidia/cu13/lib/libnvrtc.so.13 >/dev/null 2>&1; then
  VIRTUAL_ENV=$PWD/.venv $go generate $($go list ./cuda/... | grep -v /cuda/ptx$)
else
  echo "generated files: those made by NVRTC left out (pip install nvidia-cuda-nvrtc, or make env)"
fi
if ptxas=$(ls $PWD/.venv/lib/python3*/site-packages/nvidia/cu13/bin/ptxas 2>/dev/null); then
  PTXAS=$ptxas $go generate ./cuda/ptx
else
  echo "generated files: those made by ptxas left out (pip install nvidia-cuda-nvcc, or make env)"
fi
if ls .venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc >/dev/null 2>&1; then
  $go generate ./egraph/...
else
  echo "generated files: those made by nvcc left out (pip install nvidia-cuda-nvcc, or make env)"
fi
after=$(generated)
if [ "$before" != "$after" ]; then
  echo "stale generated files (they are up to date now, commit them):" >&2
  diff <(echo "$before") <(echo "$after") | sed -n 's/^> [0-9a-f]*//p' >&2 || true
  exit 1
fi
echo "generated files: up to date"
