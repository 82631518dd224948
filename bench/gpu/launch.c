/* Enqueue times of the driver API from C, the figure that the Go side is held against: a peer of bench/gpu/turns, which says how it is asked.
 *
 *   gcc -O2 -o launch bench/gpu/launch.c -lcuda && turns C="./launch cuda/driver/drivertest/kernels.ptx"
 */
#define _GNU_SOURCE
#include <cuda.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRY(call) do { CUresult r = (call); if (r) { const char *s = "?"; cuGetErrorName(r, &s); \
	fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, s); exit(1); } } while (0)

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
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

static void sync(void) { launch(); TRY(cuStreamSynchronize(stream)); }

static const struct { const char *name; void (*call)(void); } all[] = {
	{"launch", launch}, {"graph launch", graph}, {"graph launch, one parameter set", set_graph}, {"ten launches", ten},
	{"event record", record}, {"launch and synchronize", sync},
};
enum { N = sizeof all / sizeof *all };

static double turn(void (*call)(void), int calls) {
	for (int i = 0; i < calls; i++) call();
	TRY(cuStreamSynchronize(stream));
	double start = now();
	for (int i = 0; i < calls; i++) call();
	double ns = (now() - start) / calls;
	TRY(cuStreamSynchronize(stream));
	return ns;
}

static FILE *fifo(const char *name, const char *mode) {
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", getenv("TURNS") ? getenv("TURNS") : ".", name);
	FILE *f = fopen(path, mode);
	if (!f) { perror(path); exit(2); }
	return f;
}

static void serve(void) {
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(getenv("CORE") ? atoi(getenv("CORE")) : 0, &one);
	if (sched_setaffinity(0, sizeof one, &one)) perror("sched_setaffinity");
	FILE *out = fifo("out", "w"), *in = fifo("in", "r");
	for (int i = 0; i < N; i++) fprintf(out, "%s%s", i ? "\t" : "", all[i].name);
	fprintf(out, "\n");
	fflush(out);
	int calls;
	char name[100];
	while (fgets(name, sizeof name, in) && name[0] != '\n') {
		char *call = name;
		name[strcspn(name, "\n")] = 0;
		calls = (int)strtol(name, &call, 10);
		for (int i = 0; i < N; i++)
			if (!strcmp(call + 1, all[i].name)) fprintf(out, "%.2f\n", turn(all[i].call, calls));
		fflush(out);
	}
}

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
	serve();
	return 0;
}
