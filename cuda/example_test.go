package cuda_test

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda"
)

const addOne = `
.version 8.0
.target sm_75
.address_size 64

.visible .entry add_one(.param .u64 x, .param .u32 n)
{
	.reg .pred %p;
	.reg .u32 %i, %n, %v;
	.reg .u64 %x, %off;
	mov.u32 %i, %tid.x;
	ld.param.u32 %n, [n];
	setp.ge.u32 %p, %i, %n;
	@%p bra done;
	ld.param.u64 %x, [x];
	mul.wide.u32 %off, %i, 4;
	add.u64 %x, %x, %off;
	ld.global.u32 %v, [%x];
	add.u32 %v, %v, 1;
	st.global.u32 [%x], %v;
done:
	ret;
}
`

// A launch on the emulated device; cuda.MustOpen() without an argument takes the GPU if there is one.
func Example() {
	dev := cuda.MustOpen("emulated")
	defer dev.Close()
	kernel := dev.MustLoadPTX(addOne).MustKernel("add_one")
	x := dev.MustUpload([]uint32{1, 2, 3})
	run := dev.MustDispatch(kernel, cuda.Grid(1), cuda.Block(32), x, 3)
	fmt.Println(kernel)
	fmt.Println(run.Threads, "threads:", cuda.MustSlice[uint32](x))
	// Output:
	// add_one(.u64 x, .u32 n)
	// 32 threads: [2 3 4]
}

// Work is recorded once and replayed with other parameters.
func ExampleDevice_Capture() {
	dev := cuda.MustOpen("emulated")
	defer dev.Close()
	kernel := dev.MustLoadPTX(addOne).MustKernel("add_one")
	x, y := dev.MustUpload([]uint32{1, 2, 3}), dev.MustUpload([]uint32{10, 20, 30})
	g := dev.MustCapture(func(s *cuda.Stream) {
		_ = s.Launch(kernel, cuda.Grid(1), cuda.Block(32), x, 3, cuda.Named("first"))
		_ = s.Launch(kernel, cuda.Grid(1), cuda.Block(32), x, 2)
	})
	defer g.Close()
	g.MustTime(1) // runs twice: once to upload the graph, once to be measured
	fmt.Println(cuda.MustSlice[uint32](x))
	if err := g.SetArg("first", "x", y); err != nil {
		fmt.Println(err)
	}
	g.MustTime(1)
	fmt.Println(cuda.MustSlice[uint32](x), cuda.MustSlice[uint32](y))
	// Output:
	// [5 6 5]
	// [7 8 5] [12 22 32]
}

// A resident dispatch binds buffers when it is submitted and reads back what it is asked for.
func ExampleKernel_Plan() {
	dev := cuda.MustOpen("emulated")
	defer dev.Close()
	plan := dev.MustLoadPTX(addOne).MustKernel("add_one").MustPlan(cuda.Grid(1), cuda.Block(32), cuda.InOut("x"), 4, cuda.Iterations(5))
	x := dev.MustUpload([]uint32{0, 1, 2, 3})
	out, err := plan.Run([]*cuda.Buffer{x}, x.Range(4, 4))
	fmt.Println(out, err)
	// Output:
	// [[6 0 0 0]] <nil>
}
