#!/bin/sh
# Compiles every CUDA C++ source kept here to the PTX kept beside it, with the nvcc of the
# virtual environment that PTX_VENV names (wheels nvidia-cuda-nvcc, -crt, -runtime, -cccl and
# nvidia-nvvm 13.0; needs gcc). Paths of this machine are taken out of debug information.
#
#   PTX_VENV=.venv sh cuda/ptx/testdata/make.sh [folder/name ...]
#
# A first line "// variants: a b" says what to make of a source beside NAME.ptx; a line
# "// arch: sm_90" for what architecture (sm_75 unless said).
set -eu
home=$(cd "${PTX_VENV:?a virtual environment with nvcc}" && ls -d "$PWD"/lib/python3*/site-packages/nvidia/cu13)
cd "$(dirname "$0")"

compile() { # source, target, flags
	source=$1 target=$2
	shift 2
	"$home/bin/nvcc" -ptx -std=c++17 -I "$home/include" -I "$home/include/cccl" "$@" -o "$target" "$source"
	sed -i -E 's#^(\t*\.file\t[0-9]+ ")/[^"]*/include/#\1include/#; s#^(\t*\.file\t[0-9]+ ")/[^"]*/#\1#' "$target"
}

[ $# -gt 0 ] || set -- $(ls kernels/*.cu faults/*.cu | sed 's/\.cu$//')
for name; do
	arch=$(sed -n 's#^// arch: ##p' "$name.cu")
	compile "$name.cu" "$name.ptx" -arch="${arch:-sm_75}"
	for variant in $(sed -n 's#^// variants: ##p' "$name.cu"); do
		case $variant in
		fast) compile "$name.cu" "$name-fast.ptx" -arch=sm_90 --use_fast_math ;;
		G) compile "$name.cu" "$name-G.ptx" -arch="${arch:-sm_75}" -G ;;
		*) echo "$name.cu: no variant $variant" >&2; exit 1 ;;
		esac
	done
done
