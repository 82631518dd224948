/* Enqueue times of the driver API from C, the figure that the Go side is held against. It loads the PTX
 * named by its argument and prints one line a call: name, a tab, nanoseconds. Each figure is the median
 * over batches of calls, with the stream empty at the start of each batch.
 *
 *   gcc -O2 -o launch bench/gpu/launch.c -lcuda && ./launch cuda/driver/drivertest/kernels.ptx
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCHES = 41, CALLS = 500 };

#define TRY(call) do { CUresult r = (call); if (r) { const char *s = "?"; cuGetErrorName(r, &s); \
	fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, s); exit(1); } } while (0)

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
	double d = *(const double *)a - *(const double *)b;
	return (d > 0) - (d < 0);
}

static CUstream stream;
static CUfunction affine;
static CUdeviceptr buffer;
static CUgraphExec exec;
static CUevent event;

static void launch(void) {
	unsigned mul = 1, add = 1, n = 0;
	void *params[] = {&buffer, &mul, &add, &n};
	TRY(cuLaunchKernel(affine, 1, 1, 1, 32, 1, 1, 0, stream, params, NULL));
}
static void graph(void) { TRY(cuGraphLaunch(exec, stream)); }
static CUgraphNode node;
static void set_graph(void) {
	static unsigned mul = 1, add = 0, n = 0;
	void *params[] = {&buffer, &mul, &add, &n};
	CUDA_KERNEL_NODE_PARAMS p = {.func = affine, .gridDimX = 1, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 32, .blockDimY = 1, .blockDimZ = 1, .kernelParams = params};
	add++;
	TRY(cuGraphExecKernelNodeSetParams(exec, node, &p));
	TRY(cuGraphLaunch(exec, stream));
}
static void ten(void) { for (int i = 0; i < 10; i++) launch(); }
static void record(void) { TRY(cuEventRecord(event, stream)); }

static void measure(const char *name, void (*call)(void)) {
	double median[BATCHES];
	for (int i = 0; i < 200; i++) call();
	TRY(cuStreamSynchronize(stream));
	for (int b = 0; b < BATCHES; b++) {
		double start = now();
		for (int i = 0; i < CALLS; i++) call();
		median[b] = (now() - start) / CALLS;
		TRY(cuStreamSynchronize(stream));
	}
	qsort(median, BATCHES, sizeof *median, ascending);
	printf("%s\t%.1f\n", name, median[BATCHES / 2]);
	fflush(stdout);
}

static void sync(void) { launch(); TRY(cuStreamSynchronize(stream)); }

int main(int argc, char **argv) {
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUgraph captured;
	static char ptx[1 << 20];
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
	if (!f || !fread(ptx, 1, sizeof ptx - 1, f)) { fprintf(stderr, "usage: launch KERNELS.ptx\n"); return 2; }
	fclose(f);
	TRY(cuInit(0));
	TRY(cuDeviceGet(&device, 0));
	TRY(cuDevicePrimaryCtxRetain(&context, device));
	TRY(cuCtxSetCurrent(context));
	TRY(cuModuleLoadData(&module, ptx));
	TRY(cuModuleGetFunction(&affine, module, "affine"));
	TRY(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	TRY(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	TRY(cuMemAlloc(&buffer, 4096));
	TRY(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	launch();
	TRY(cuStreamEndCapture(stream, &captured));
	TRY(cuGraphInstantiate(&exec, captured, 0));
	size_t nodes = 1;
	TRY(cuGraphGetNodes(captured, &node, &nodes));
	measure("launch", launch);
	measure("graph launch", graph);
	measure("graph launch, one parameter set", set_graph);
	measure("ten launches", ten);
	measure("event record", record);
	measure("launch and synchronize", sync);
	return 0;
}
