package nvrtc

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// compiler gives the machine's NVRTC, or skips with what was looked at.
func compiler(t testing.TB) *Compiler {
	t.Helper()
	c, err := For(0)
	var absent *NotFoundError
	if errors.As(err, &absent) {
		t.Skipf("no NVRTC here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const saxpy = `extern "C" __global__ void saxpy(int n, float alpha, const float *__restrict__ x, float *y) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = alpha * x[i] + y[i];
}
`

func TestCompile(t *testing.T) {
	c := compiler(t)
	p, err := c.Compile(saxpy, Options{Name: "cell 1", Compute: driver.ComputeCapability{Major: 9, Minor: 0}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, %s, %s", c, p.Arch, p.Elapsed)
	if p.Arch != "compute_90" || !strings.Contains(p.PTX, ".target sm_90") || !strings.Contains(p.PTX, ".entry saxpy") {
		t.Errorf("arch %s, PTX %.200s", p.Arch, p.PTX)
	}
	want := []Kernel{{Name: "saxpy", PTXName: "saxpy", Params: []Param{{"int", "n"}, {"float", "alpha"}, {"float*", "x"}, {"float*", "y"}}}}
	if !reflect.DeepEqual(p.Kernels, want) {
		t.Errorf("%+v", p.Kernels)
	}
}

func TestErrorsAreAtTheCellsLines(t *testing.T) {
	c := compiler(t)
	_, err := c.Compile("__global__ void k(float *x) {\n\tx[0] = undefined_name;\n}\n", Options{Name: "cell 7", FirstLine: 3})
	var bad *CompileError
	if !errors.As(err, &bad) || len(bad.Diagnostics) == 0 {
		t.Fatalf("%T %v", err, err)
	}
	d := bad.Diagnostics[0]
	if d.File != "cell 7" || d.Line != 4 || d.Severity != "error" || !strings.Contains(d.Message, "undefined_name") || !strings.Contains(d.Excerpt, "^") {
		t.Errorf("%+v", d)
	}
	if !strings.HasPrefix(err.Error(), "cell 7:4: error: ") {
		t.Error(err)
	}
}

func TestNamesOfKernels(t *testing.T) {
	c := compiler(t)
	p, err := c.Compile(`namespace image { __global__ void blur(float *a, unsigned n) { if (n) a[0] = 1; } }
template <class T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }
`, Options{Instances: []string{"scale<float>", "scale<int>"}})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, k := range p.Kernels {
		names[k.Name] = k.PTXName
		if !strings.Contains(p.PTX, ".entry "+k.PTXName+"(") {
			t.Errorf("%s is not an entry of the PTX", k.PTXName)
		}
	}
	for _, want := range []string{"image::blur", "scale<float>", "scale<int>"} {
		if names[want] == "" {
			t.Errorf("no kernel %s in %v", want, names)
		}
	}
}

func TestMissingHeaderSaysWhichWheel(t *testing.T) {
	c := compiler(t)
	_, err := (&Compiler{Path: c.Path, Version: c.Version, Archs: c.Archs, call: c.call}).Compile("#include <cuda/atomic>\n", Options{})
	if err == nil || !strings.Contains(err.Error(), "pip install nvidia-cuda-cccl") {
		t.Error(err)
	}
	_, err = c.Compile("#include <vector>\n", Options{})
	if err == nil || !strings.Contains(err.Error(), "no C or C++ standard library") {
		t.Error(err)
	}
}

func TestOptionsReachTheCompiler(t *testing.T) {
	c := compiler(t)
	p, err := c.Compile("extern \"C\" __global__ void k(int *x) { x[0] = ANSWER; }", Options{Defines: map[string]string{"ANSWER": "42"}, LineInfo: true, FastMath: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.PTX, "42") || !strings.Contains(p.PTX, ".loc") {
		t.Error(p.PTX)
	}
	_, err = c.Compile(saxpy, Options{Extra: []string{"--no-such-option"}})
	var bad *CompileError
	if !errors.As(err, &bad) {
		t.Errorf("%T %v", err, err)
	}
	if _, err := c.Compile("a\nb\x00", Options{Name: "cell"}); err == nil || !strings.Contains(err.Error(), "cell:2") {
		t.Errorf("a zero byte: %v", err)
	}
}

func TestVersionFits(t *testing.T) {
	c := &Compiler{Path: "x", Version: 13050, Archs: []driver.ComputeCapability{{Major: 7, Minor: 5}, {Major: 9, Minor: 0}, {Major: 12, Minor: 0}}}
	_, err := c.Compile(saxpy, Options{Driver: 13000})
	var newer *VersionError
	if !errors.As(err, &newer) || !strings.Contains(err.Error(), `"nvidia-cuda-nvrtc==13.0.*"`) {
		t.Error(err)
	}
	for _, a := range []struct {
		compute driver.ComputeCapability
		want    string
	}{
		{driver.ComputeCapability{}, "compute_75"}, {driver.ComputeCapability{Major: 8, Minor: 6}, "compute_75"},
		{driver.ComputeCapability{Major: 9}, "compute_90"}, {driver.ComputeCapability{Major: 10, Minor: 3}, "compute_90"}, {driver.ComputeCapability{Major: 13}, "compute_120"},
	} {
		if got, err := c.arch(a.compute); got != a.want || err != nil {
			t.Errorf("%s: %s %v", a.compute, got, err)
		}
	}
	var old *ArchError
	if _, err := c.arch(driver.ComputeCapability{Major: 7}); !errors.As(err, &old) {
		t.Errorf("sm_70: %v", err)
	}
}

// tree makes empty files.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFindKnowsTheLayouts(t *testing.T) {
	venv := tree(t, "lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13", "lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc-builtins.so.13.0",
		"lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.alt.so.13", "lib/python3.12/site-packages/nvidia/cu13/include/cccl/cuda/atomic",
		"lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "lib/python3.12/site-packages/nvidia/cuda_runtime/include/cuda_fp16.h")
	toolkit := tree(t, "lib64/libnvrtc.so.12", "lib64/libnvrtc.so.12.9.86", "include/cuda_fp16.h")
	named := tree(t, "libnvrtc.so.13")
	t.Setenv("VIRTUAL_ENV", venv)
	t.Setenv("CUDA_HOME", toolkit)
	t.Setenv(LibraryVariable, filepath.Join(named, "libnvrtc.so.13"))
	found, searched := Find()
	site := filepath.Join(venv, "lib/python3.12/site-packages/nvidia")
	want := []Candidate{
		{Path: filepath.Join(named, "libnvrtc.so.13"), Major: 13},
		{Path: filepath.Join(site, "cu13/lib/libnvrtc.so.13"), Major: 13, Includes: []string{filepath.Join(site, "cu13/include"), filepath.Join(site, "cu13/include/cccl")}},
		{Path: filepath.Join(site, "cuda_nvrtc/lib/libnvrtc.so.12"), Major: 12, Includes: []string{filepath.Join(site, "cuda_runtime/include")}},
		{Path: filepath.Join(toolkit, "lib64/libnvrtc.so.12"), Major: 12, Includes: []string{filepath.Join(toolkit, "include")}},
	}
	for _, w := range want {
		if !slices.ContainsFunc(found, func(c Candidate) bool { return reflect.DeepEqual(c, w) }) {
			t.Errorf("%+v is not in %+v", w, found)
		}
	}
	if !slices.Contains(searched, filepath.Join(site, "cu13/lib")) {
		t.Errorf("searched %q", searched)
	}
}

func TestKernelPrefix(t *testing.T) {
	for exe, want := range map[string]string{
		"/home/a/venv/share/jupyter/kernels/vyre/vyre-kernel": "/home/a/venv",
		"/usr/local/bin/vyre-kernel":                          "",
		"/share/jupyter/kernels/vyre/vyre-kernel":             "",
	} {
		if got := kernelPrefix(exe); got != want {
			t.Errorf("%s: %q", exe, got)
		}
	}
}

func TestNotFoundSaysWhatToInstall(t *testing.T) {
	err := &NotFoundError{Searched: []string{"/a", "/b: too old"}}
	for _, want := range []string{"/a", "/b: too old", "pip install nvidia-cuda-nvrtc==13.0.88", "no GPU is needed"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
}

func TestReadLog(t *testing.T) {
	log := "cell 2(5): error: identifier \"foo\" is undefined\n  \tx = foo;\n      \t    ^\n\n" +
		"cell 2(9): warning #177-D: variable \"a\" was declared but never referenced\n  int a;\n      ^\n\n" +
		"Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n1 error detected in the compilation of \"cell 2\".\n" +
		"nvrtc: error: invalid value for --gpu-architecture (-arch)\n"
	got := readLog(log)
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	if d := got[0]; d.Line != 5 || d.File != "cell 2" || !strings.HasSuffix(d.Excerpt, "^") {
		t.Errorf("%+v", d)
	}
	if d := got[1]; d.Severity != "warning" || d.Line != 9 || strings.Contains(d.Excerpt, "detected in") {
		t.Errorf("%+v", d)
	}
	if d := got[2]; d.Severity != "error" || d.Line != 0 {
		t.Errorf("%+v", d)
	}
}

func TestSignatures(t *testing.T) {
	for _, c := range []struct{ source, name, want string }{
		{`__global__ void k(int n, const float* __restrict__ x)`, "k", "[{int n} {float* x}]"},
		{`__global__ void __launch_bounds__(256, 2) k(unsigned long long *p)`, "k", "[{unsigned long long* p}]"},
		{`__global__ __launch_bounds__(256) void k(Pair<int, float> p, float v[4], Pair<int, int>q)`, "k", "[{Pair<int, float> p} {float* v} {Pair<int, int> q}]"},
		{`__global__ void k(const int &n, struct Big b, unsigned  long * const *p, A<B<int> > a)`, "k", "[{int& n} {Big b} {unsigned long** p} {A<B<int>> a}]"},
		{`__global__ void k()`, "k", "[]"},
		{`__global__ void k(void)`, "k", "[]"},
		{`__global__ void k(Pair<int, float> p, const __grid_constant__ Big b)`, "k", "[{Pair<int, float> p} {Big b}]"},
		{`__global__ void k(int a) {} __global__ void k(float a) {}`, "k", "[]"},
		{`__global__ void k(int a`, "k", "[]"},
	} {
		got := only(signatures(c.source)[c.name], -1)
		text := "["
		for i, p := range got {
			if i > 0 {
				text += " "
			}
			text += "{" + p.Type + " " + p.Name + "}"
		}
		if text+"]" != c.want {
			t.Errorf("%s: %s]", c.source, text)
		}
	}
}

func TestDemangled(t *testing.T) {
	for mangled, want := range map[string]string{
		"saxpy": "saxpy -", "_Z5saxpyifPfS_": "saxpy(int, float, float*, float*)", "_ZN5image4blurEPfj": "image::blur(float*, unsigned int)",
		"_Z5scaleIfEvPT_S0_": "scale<float>(float*, float)", "_ZN12_GLOBAL__N_11kEv": "(anonymous namespace)::k()", "_Z": "_Z -", "_Z99short": "_Z99short -", "_Z0": "_Z0 -",
		"_Z1kPKfiPPiRKi4int36float4": "k(float*, int, int**, int&, int3, float4)", "_Z1fILi3EEvPfPFviE": "f<3>(float*, void(*)(int))",
		"_Z1fI3FooIiEEvT_": "f<Foo<int>>(Foo<int>)", "_Z7reduceTI4PlusIfEJfEEvPfT_DpT0_": "reduceT<Plus<float>, float>(float*, Plus<float>, float)",
		"_Z1f6__halfP13__nv_bfloat16yx": "f(__half, __nv_bfloat16*, unsigned long long, long long)",
	} {
		name, params, ok := demangled(mangled)
		got := Kernel{Name: name, Params: params}.Signature()
		if !ok {
			got = name + " -"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", mangled, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	const ptx = ".entry _Z4overPi(\n.entry _Z4overPf(\n.entry _Z4addkIfEvPT_S0_(\n.entry _Z4addkIiEvPT_S0_(\n.entry _ZN1a5innerEPi(\n.entry plain(\n"
	p := &Program{Kernels: findKernels("template <class T> __global__ void addk(T *p, T by); namespace a { __global__ void inner(int *x); }\n"+
		"__global__ void over(int *a); __global__ void over(float *b); extern \"C\" __global__ void plain(int a[4]);", ptx)}
	for name, want := range map[string]string{
		"over": "one of over(int*), over(float*)", "over(int *)": "_Z4overPi", "over(float*)": "_Z4overPf", "addk": "one of addk<float>, addk<int>", "addk< int >": "_Z4addkIiEvPT_S0_",
		"addk<float>": "_Z4addkIfEvPT_S0_", "a::inner": "_ZN1a5innerEPi", "::a::inner": "_ZN1a5innerEPi", "a::inner(int*)": "_ZN1a5innerEPi", "inner": "one of a::inner", "plain": "plain",
		"_Z4overPf": "_Z4overPf", "none": "one of ",
	} {
		k, candidates, ok := p.Find(name)
		got := k.PTXName
		if !ok {
			got = "one of " + strings.Join(candidates, ", ")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for i, want := range []string{"int*", "float*", "float* p, float by", "int* p, int by", "int* x", "int* a"} {
		if got := p.Kernels[i].parameters(); got != want {
			t.Errorf("%s: %s, want %s", p.Kernels[i].Name, got, want)
		}
	}
}

func FuzzReaders(f *testing.F) {
	f.Add(saxpy, "_ZN5image4blurEPfj", "cell(3): error: x\n")
	f.Add("__global__ void k(a<b(c[", "_Z18446744073709551616x", "(1): error: ")
	f.Fuzz(func(t *testing.T, source, name, log string) {
		signatures(source)
		if full, _, _ := demangled(name); full == "" && name != "" {
			t.Errorf("%q became nothing", name)
		}
		for _, d := range readLog(log) {
			if d.Severity == "" {
				t.Errorf("%+v", d)
			}
		}
	})
}

// TestMust holds every call that returns an error to having a Must form of its parameters.
func TestMust(t *testing.T) { lawtest.MustForms(t) }
