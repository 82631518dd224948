package vm

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func numbers(n int, f func(r *rand.Rand) float32) []float32 {
	r := random(uint64(n))
	v := make([]float32, n)
	for i := range v {
		v[i] = f(r)
	}
	return v
}

func ints(n, below int) []int32 {
	r := random(uint64(n))
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(r.IntN(below))
	}
	return v
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s[%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func near(t *testing.T, what string, got float64, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// The same kernels compiled with --use_fast_math for sm_90, and unoptimised with
// debug information (-G).
func TestVariants(t *testing.T) {
	defer func() { variant = "" }()
	tests := map[string]func(*testing.T){
		"warps": TestWarpKernels, "compact": TestCompact, "grid": TestGridSync, "lock": TestSpinLockInsideAWarp, "last": TestLastBlock,
		"matmul": TestMatmul, "transpose": TestTranspose, "bodies": TestNBody, "integers": TestIntegerFunctions,
		"programs": TestPrograms, "tables": TestHashTableAndUnionFind, "calls": TestSearchLocalsCalls, "switch": TestSwitchStruct, "print": TestPrintf, "fourier": TestFourierAndAttention, "mersenne": TestMersenneTwister,
	}
	for name, test := range map[string]func(*testing.T){"wide": TestWideIntegers, "objects": TestObjects,
		"recursion": TestRecursion, "sort": TestQuicksort, "clusters": TestClusters} {
		variant = "-G"
		t.Run(name+variant, test)
	}
	for _, variant = range []string{"-fast", "-G"} {
		for name, test := range tests {
			t.Run(name+variant, test)
		}
	}
	for name, test := range map[string]func(*testing.T){"functions": TestMathFunctions, "halves": TestHalfPrecision} {
		t.Run(name+variant, test)
	}
}

// keptText gives a kept text of cuda/ptx, for tests that are not run on a GPU.
func keptText(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "kernels", name+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
