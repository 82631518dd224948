package vm

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

func hostFib(n uint32) uint32 {
	if n < 2 {
		return n
	}
	return hostFib(n-1) + hostFib(n-2)
}

func hostAck(m, n uint32) uint32 {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return hostAck(m-1, 1)
	}
	return hostAck(m-1, hostAck(m, n-1))
}

func hostHanoi(n, from, to int32, heights *[3]int32, trace *uint32) {
	if n == 0 {
		return
	}
	other := 3 - from - to
	hostHanoi(n-1, from, other, heights, trace)
	heights[from]--
	heights[to]++
	*trace = *trace*31 + uint32(from*3+to)
	hostHanoi(n-1, other, to, heights, trace)
}

type treeNode struct {
	left, right int32
	value       float64
}

func hostWalk(nodes []treeNode, at int32, sum float64) float64 {
	if at < 0 {
		return sum
	}
	sum = hostWalk(nodes, nodes[at].left, sum*0.5) + nodes[at].value
	return hostWalk(nodes, nodes[at].right, sum)
}

func hostStep(which, n, k int32) int32 {
	switch {
	case which == 2:
		return 100*n + k
	case which == 0 && n <= 0:
		return k
	case which == 0:
		return 1 + hostStep((n+k)%3, n-1, k+1)
	case n <= 0:
		return -k
	}
	return 3*hostStep(n*k%3, n/2, k+2) - n
}

func hostChain(depth int32, above *[4]int32) int32 {
	var mine [4]int32
	for i := range mine {
		mine[i] = depth*10 + int32(i)
	}
	if depth > 0 {
		above[depth%4] += hostChain(depth-1, &mine)
	}
	return mine[0] + mine[1] + mine[2] + mine[3]
}

// eachThread runs a kernel of one block and compares what each thread gives.
func eachThread[T comparable](t *testing.T, m *machine, kernel string, threads, values int,
	want func(i int) []T, args ...any) {
	t.Helper()
	t.Run(kernel, func(t *testing.T) {
		out := upload(m, make([]T, threads*values))
		m.run(kernel, 1, uint32(threads), append(args[:len(args):len(args)], out)...)
		got := download[T](m, out, threads*values)
		for i := range threads {
			if w := want(i); !slices.Equal(got[i*values:(i+1)*values], w) {
				t.Fatalf("%s, thread %d: %v, want %v", kernel, i, got[i*values:(i+1)*values], w)
			}
		}
	})
}

// Functions that call themselves, each other, and through pointers give what Go gives.
func TestRecursion(t *testing.T) {
	m := load(t, "recursion", Checked())
	eachThread(t, m, "fibonacci", 96, 1, func(i int) []uint32 { return []uint32{hostFib(uint32(i%13)) + uint32(i)} })
	eachThread(t, m, "ackermann", 64, 1, func(i int) []uint32 { return []uint32{hostAck(uint32(i%3), uint32(i/3%5))} })
	eachThread(t, m, "hanoi", 70, 4, func(i int) []int32 {
		h, trace := [3]int32{int32(i % 7)}, uint32(1)
		hostHanoi(int32(i%7), 0, 2, &h, &trace)
		return []int32{h[0], h[1], h[2], int32(trace)}
	})
	eachThread(t, m, "parity", 50, 1, func(i int) []int32 { return []int32{2 + int32(i%24)%2} })
	queens := []int32{1, 0, 0, 2, 10, 4}
	eachThread(t, m, "nqueens", 40, 1, func(i int) []int32 { return []int32{queens[i%6]} })
	eachThread(t, m, "pointers", 64, 1, func(i int) []int32 { return []int32{hostStep(int32(i%3), int32(i), int32(i/8))} })
	eachThread(t, m, "frames", 45, 1, func(i int) []int32 {
		var top [4]int32
		s := hostChain(int32(i%9), &top)
		return []int32{s + 1000*(top[0]+top[1]+top[2]+top[3])}
	})
	nodes := make([]treeNode, 64)
	for i := range nodes {
		nodes[i] = treeNode{-1, -1, float64(i)*1.25 - 7}
		if 2*i+2 < len(nodes) {
			nodes[i].left, nodes[i].right = int32(2*i+1), int32(2*i+2)
		}
	}
	eachThread(t, m, "tree", 64, 1, func(i int) []float64 {
		return []float64{hostWalk(nodes, int32(i%16), float64(i))}
	}, upload(m, nodes))
	eachThread(t, m, "together", 128, 1, func(i int) []int32 { return []int32{hostTogether(127 - i)} })
}

// hostTogether is what kernel together computes: every warp sums its 32 values.
func hostTogether(thread int) int32 {
	s := int32(5 + hostFib(uint32(thread%8)))
	for l := thread &^ 31; l < thread|31+1; l++ {
		s += int32(l)
	}
	return s
}

func TestQuicksort(t *testing.T) {
	m := load(t, "recursion", Checked())
	const each, threads = 40, 64
	a := ints(each*threads, 1000)
	p := upload(m, a)
	m.run("quicksort", 1, threads, p, each)
	for i := range threads {
		slices.Sort(a[i*each : (i+1)*each])
	}
	same(t, "sorted", download[int32](m, p, len(a)), a)
}

// A stack that is too small is a fault of the threads that go too deep; the limit of the launch counts.
func TestStackOverflow(t *testing.T) {
	m := loadText(t, "recursion", keptText(t, "recursion"), Checked())
	out := m.alloc(4 * 32)
	_, err := m.try("endless", 1, 32, out, 5000)
	var f *Fault
	if !errors.As(err, &f) || f.Kind != driver.FaultStackOverflow || len(f.Lanes) != 1 || f.Lanes[0].X != 5 ||
		!strings.Contains(f.Detail, "of 1024 are in use") || f.Kind.Code() != driver.ErrorIllegalAddress {
		t.Fatalf("%v, want a stack overflow of thread 5", err)
	}
	if f.Line == 0 || f.Instruction == "" {
		t.Errorf("the fault has no place: %+v", f)
	}
	one := Dim3{X: 1, Y: 1, Z: 1}
	l := Launch{Grid: one, Block: Dim3{X: 32, Y: 1, Z: 1}, StackBytes: 5000 * 64}
	if _, err := m.tryWith("endless", l, out, 5000); err != nil {
		t.Fatal(err)
	}
}
