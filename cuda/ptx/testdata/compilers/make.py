"""Writes the PTX beside the sources in this folder, one file a compiler.

    python3 make.py [clang] [rustc] [triton] [numba] [nvrtc]

Needs what it is asked for, and no GPU: clang-19 (Debian), rustc nightly, and from PyPI triton 3.9,
numba-cuda[cu13] with cuda-toolkit 13.0, nvidia-cuda-nvrtc 13.0 and nvidia-cuda-nvrtc-cu12 12.9.
"""
import ctypes, glob, os, re, site, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(HERE)


def write(name, text):
    text = re.sub(r'(\.file\t?\s*\d+ )"[^"]*?/?([^"/]*)"( "([^"/]*)")?', lambda m: m[1] + '"' + (m[4] or m[2]) + '"', text)
    text = text.rstrip("\x00")
    with open(name, "w") as f:
        f.write(text if text.endswith("\n") else text + "\n")
    print(name, len(text))


def clang():
    for level in "O2", "O0":
        subprocess.check_call(["clang-19", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75", "--cuda-feature=+ptx74", "-nocudainc",
                               "-nocudalib", "-" + level, "-S", "kernels.clang.cu", "-o", f"clang-{level}.ptx"])


def rustc():
    for name, flags in ("O", ["-O"]), ("debug", ["-C", "opt-level=0", "-C", "overflow-checks=off", "-C", "debug-assertions=off"]):
        subprocess.check_call(["rustc", "+nightly", "--target", "nvptx64-nvidia-cuda", "--emit=asm", "-C", "target-cpu=sm_75",
                               "kernels.rs", "-o", f"rustc-{name}.ptx"] + flags)


def triton():
    import triton as T
    from triton.backends.compiler import GPUTarget
    import kernels_triton as k
    for arch, version in (80, 84), (90, 86):
        for name, (fn, signature, constants, options) in k.KERNELS.items():
            # As at run time for arguments that are multiples of 16, so that copies are wide and asynchronous.
            attrs = {(i,): [["tt.divisibility", 16]] for i, t in enumerate(signature.values()) if t != "constexpr"} if name == "matmul" else {}
            src = T.compiler.ASTSource(fn=fn, signature=signature, constexprs=constants, attrs=attrs)
            options = dict(options, ptx_version=version)
            write(f"triton-{name}-sm{arch}.ptx", T.compile(src, target=GPUTarget("cuda", arch, 32), options=options).asm["ptx"])


def numba():
    import kernels_numba as k
    from numba import cuda
    for name, (fn, signature) in k.KERNELS.items():
        for debug in False, True:
            ptx, _ = cuda.compile_ptx(fn, signature, cc=(8, 0), device=False, debug=debug, opt=not debug)
            write(f"numba-{name}{'-debug' if debug else ''}.ptx", ptx)


def nvrtc():
    packages = site.getsitepackages()[0] + "/nvidia/"
    headers = [b"-std=c++17", b"-I" + (packages + "cu13/include").encode(), b"-I" + (packages + "cu13/include/cccl").encode()]
    for name, folder in ("12", "cuda_nvrtc/lib"), ("13", "cu13/lib"):
        for lib in glob.glob(packages + folder + "/libnvrtc-builtins.so*"):
            ctypes.CDLL(lib, mode=ctypes.RTLD_GLOBAL)
        rtc = ctypes.CDLL(glob.glob(packages + folder + "/libnvrtc.so." + name)[0])
        for variant, options in ("", [b"-arch=compute_75"]), ("-G", [b"-arch=compute_75", b"-G"]):
            write(f"nvrtc{name}{variant}.ptx", run_nvrtc(rtc, "kernels.nvrtc.cu", options))
    write("nvrtc13-cooperative.ptx", run_nvrtc(rtc, "kernels.cooperative.cu", [b"-arch=compute_80"] + headers))


def run_nvrtc(rtc, file, options):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert rtc.nvrtcCreateProgram(ctypes.byref(program), open(file, "rb").read(), file.encode(), 0, None, None) == 0
    if rtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)):
        rtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        rtc.nvrtcGetProgramLog(program, log)
        sys.exit(log.value.decode())
    rtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    assert rtc.nvrtcGetPTX(program, text) == 0
    return text.value.decode()


if __name__ == "__main__":
    for name in sys.argv[1:] or ["clang", "rustc", "triton", "numba", "nvrtc"]:
        globals()[name]()
