package main

import (
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A fault in a kernel that a %%cuda cell compiled names that cell and its line, and quotes it; so
// does what does not compile.
func TestFaultsNameTheCUDACell(t *testing.T) {
	s := testSession(t)
	execute := func(n int, source string) string {
		e := s.Execute(t.Context(), worker.ExecuteRequest{Number: n, Source: source}, silent{}).Error
		if e == nil {
			return ""
		}
		return e.Value
	}
	if text := execute(7, "%%cuda wrong\n__global__ void f(int *x) {\n\ty = 3;\n}"); strings.Contains(text, "no NVRTC") ||
		strings.Contains(text, "pip install") {
		t.Skip("no NVRTC here: ", text)
	} else if !strings.Contains(text, "In[7]:3") {
		t.Errorf("%q does not name the line", text)
	}
	for n, source := range []string{"%%cuda shift\n\n__global__ void shift(int *x, int n) {\n\tint i = threadIdx.x;\n" +
		"\tif (i < n) x[i] = x[i + 1];\n}", "dev := cuda.MustOpen(\"emulated\")\nx := dev.MustUpload([]int32{1, 2, 3})",
		"k := dev.MustLoadProgram(shift).MustKernel(\"shift\")"} {
		if text := execute(n+1, source); text != "" {
			t.Fatal(text)
		}
	}
	text := execute(4, "dev.MustDispatch(k, cuda.Grid(1), cuda.Block(32), x, 3)")
	for _, want := range []string{"out of bounds in kernel shift, In[1]:5\n    if (i < n) x[i] = x[i + 1];\n",
		"(parameter x)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %q", text, want)
		}
	}
	if text := execute(5, "dev, _ = dev.Reset()\ndev.Close()"); text != "" {
		t.Error(text)
	}
}
