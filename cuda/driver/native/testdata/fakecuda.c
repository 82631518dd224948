/* A library with the names of libcuda and just enough behaviour to see what the Go side passes: it
 * keeps a current context per thread, refuses calls without one, records the last launch, and fails
 * where it is told to. Built by the tests with the system's C compiler. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

typedef int CUresult;
static __thread void *current;
static int version = 13000, devices = 1, alive;
static int fail_call, fail_code; /* 1 alloc, 2 launch, 3 parameter layout */
static char context_object, function_object;

void fake_set(int what, int value) {
	if (what == 0) version = value;
	if (what == 1) devices = value;
	if (what == 2) fail_call = value;
	if (what == 3) fail_code = value;
}
int fake_alive(void) { return alive; }

struct { unsigned dims[6], shared; void *stream; uint8_t params[256]; size_t size; int cooperative; int count; } last;
void *fake_last(void) { return &last; }

#define NEED if (!current) return 201
CUresult cuInit(unsigned f) { return devices ? 0 : 100; }
CUresult cuDriverGetVersion(int *v) { *v = version; return 0; }
CUresult cuDeviceGetCount(int *n) { *n = devices; return 0; }
CUresult cuDeviceGet(int *d, int i) { if (i < 0 || i >= devices) return 101; *d = i; return 0; }
CUresult cuDeviceGetName(char *s, int n, int d) { strncpy(s, "Fake GPU", n); return 0; }
CUresult cuDeviceGetAttribute(int *v, int a, int d) { *v = a == 75 ? 9 : a == 76 ? 0 : a; return 0; }
CUresult cuDeviceTotalMem_v2(size_t *n, int d) { *n = 1ull << 37; return 0; }
CUresult cuDeviceGetUuid_v2(uint8_t *u, int d) { for (int i = 0; i < 16; i++) u[i] = i; return 0; }
CUresult cuDevicePrimaryCtxRetain(void **c, int d) { *c = &context_object; return 0; }
CUresult cuDevicePrimaryCtxRelease_v2(int d) { return 0; }
CUresult cuDevicePrimaryCtxReset_v2(int d) { return 0; }
CUresult cuCtxSetCurrent(void *c) { current = c; return 0; }
/* A map is the address that it is of and the twelfth argument. */
CUresult cuTensorMapEncodeTiled(size_t *m, int type, int rank, size_t at, void *dims, void *strides, void *box, void *steps,
	int interleave, int swizzle, int promotion, int fill) {
	NEED;
	m[0] = at;
	m[1] = fill;
	return 0;
}
CUresult cuTensorMapReplaceAddress(size_t *m, size_t at) {
	NEED;
	m[0] = at;
	return 0;
}
CUresult cuCtxSynchronize(void) { NEED; return 0; }
CUresult cuMemGetInfo_v2(size_t *f, size_t *t) { NEED; *f = 5; *t = 7; return 0; }

CUresult cuMemAlloc_v2(void **p, size_t n) { NEED; if (fail_call == 1) return fail_code; if (!n) return 1; *p = malloc(n); alive++; return 0; }
CUresult cuMemFree_v2(void *p) { NEED; free(p); alive--; return 0; }
CUresult cuMemHostAlloc(void **p, size_t n, unsigned f) { NEED; *p = malloc(n); alive++; return 0; }
CUresult cuMemFreeHost(void *p) { NEED; free(p); alive--; return 0; }
CUresult cuMemcpyHtoD_v2(void *d, void *s, size_t n) { NEED; memcpy(d, s, n); return 0; }
CUresult cuMemcpyDtoH_v2(void *d, void *s, size_t n) { NEED; memcpy(d, s, n); return 0; }
CUresult cuMemsetD16_v2(uint16_t *d, uint16_t v, size_t n) { NEED; for (size_t i = 0; i < n; i++) d[i] = v; return 0; }

CUresult cuModuleLoadDataEx(void **m, const char *image, unsigned n, unsigned *opt, void **val) {
	NEED;
	char *errors = 0;
	for (unsigned i = 0; i < n; i++) if (opt[i] == 5) errors = val[i];
	if (strncmp(image, ".version", 8)) { strcpy(errors, "ptxas fatal: no version"); return 218; }
	*m = malloc(1); alive++; return 0;
}
CUresult cuModuleUnload(void *m) { NEED; free(m); alive--; return 0; }
CUresult cuModuleGetFunction(void **f, void *m, const char *name) { NEED; if (strcmp(name, "k")) return 500; *f = &function_object; return 0; }
CUresult cuModuleGetGlobal_v2(void **p, size_t *n, void *m, const char *name) { NEED; if (strcmp(name, "g")) return 500; *p = (void *)64; *n = 12; return 0; }
CUresult cuFuncGetParamInfo(void *f, size_t i, size_t *o, size_t *s) { NEED; if (fail_call == 3) return fail_code; if (i > 1) return 1; *o = 8 * i; *s = 8 - 4 * i; return 0; }

/* A node gives its parameters back as a list in the order size, buffer, to see that order does not matter. */
CUresult cuGraphCreate(void **g, unsigned f) { NEED; *g = malloc(1); alive++; return 0; }
CUresult cuGraphDestroy(void *g) { NEED; free(g); alive--; return 0; }
struct node { void *f; unsigned dims[6], shared; void **params, **extra, *kern, *ctx; };
static CUresult keep(void **, void **);
static size_t node_size;
static void *node_extra[5];
CUresult cuGraphAddKernelNode_v2(void **n, void *g, void **deps, size_t count, struct node *p) {
	NEED;
	if (count && (size_t)deps[0] != 0x40 + count - 1) return 1;
	memcpy(last.dims, p->dims, sizeof last.dims); last.shared = p->shared;
	*n = (void *)(0x40 + count);
	return keep(p->params, p->extra);
}
CUresult cuGraphKernelNodeGetParams_v2(void *n, struct node *p) {
	NEED;
	memset(p, 0, sizeof *p);
	p->f = &function_object;
	memcpy(p->dims, last.dims, sizeof last.dims); p->shared = last.shared;
	node_size = last.size;
	void *list[5] = {(void *)2, &node_size, (void *)1, last.params, 0};
	memcpy(node_extra, list, sizeof list);
	p->extra = node_extra;
	return 0;
}

static CUresult keep(void **params, void **extra) {
	if (params) {
		if (extra) return 1;
		last.size = 12;
		memcpy(last.params, params[0], 8);
		memcpy(last.params + 8, params[1], 4);
		last.count++;
		return fail_call == 2 ? fail_code : 0;
	}
	if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4]) return 1;
	last.size = *(size_t *)extra[3];
	memcpy(last.params, extra[1], last.size);
	last.count++;
	return fail_call == 2 ? fail_code : 0;
}
CUresult cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned sh, void *st, void **params, void **extra) {
	NEED;
	if (f != &function_object) return 400;
	unsigned d[6] = {gx, gy, gz, bx, by, bz};
	memcpy(last.dims, d, sizeof d); last.shared = sh; last.stream = st; last.cooperative = 0;
	return keep(params, extra);
}
struct config { unsigned dims[6], shared; void *stream; struct { unsigned id, pad; int value[16]; } *attrs; unsigned n; };
CUresult cuLaunchKernelEx(struct config *c, void *f, void **params, void **extra) {
	NEED;
	memcpy(last.dims, c->dims, sizeof last.dims); last.shared = c->shared; last.stream = c->stream;
	last.cooperative = c->n == 1 && c->attrs->id == 2 && c->attrs->value[0] == 1;
	return keep(params, extra);
}

CUresult cuStreamCreateWithPriority(void **s, unsigned f, int p) { NEED; *s = malloc(1); alive++; return 0; }
CUresult cuStreamDestroy_v2(void *s) { NEED; free(s); alive--; return 0; }
CUresult cuStreamSynchronize(void *s) { NEED; return 0; }
CUresult cuStreamGetCaptureInfo_v2(void *s, int *status, uint64_t *id, void **g, void **d, size_t *n) { NEED; *status = 0; return 0; }
CUresult cuEventCreate(void **e, unsigned f) { NEED; *e = malloc(1); alive++; return 0; }
CUresult cuEventRecord(void *e, void *s) { NEED; last.stream = s; return 0; }
CUresult cuEventDestroy_v2(void *e) { NEED; free(e); alive--; return 0; }
CUresult cuEventElapsedTime(float *ms, void *a, void *b) { NEED; *ms = 2.5f; return 0; }

/* Host functions run on a thread of the library's own, as with a real driver. */
struct host { void (*fn)(void *); void *data; };
static void *host_thread(void *p) { struct host *h = p; h->fn(h->data); free(h); return 0; }
CUresult cuLaunchHostFunc(void *s, void (*fn)(void *), void *data) {
	NEED;
	pthread_t t;
	struct host *h = malloc(sizeof *h);
	h->fn = fn; h->data = data;
	if (pthread_create(&t, 0, host_thread, h)) return 304;
	pthread_detach(t);
	return 0;
}

/* An executable graph whose kernel node takes new parameters only where a context is current; 5 refuses them whatever is current. */
CUresult cuGraphInstantiateWithFlags(void **e, void *g, uint64_t f) { NEED; *e = malloc(1); alive++; return 0; }
CUresult cuGraphExecDestroy(void *e) { NEED; free(e); alive--; return 0; }
CUresult cuGraphLaunch(void *e, void *s) { NEED; last.count++; return 0; }
CUresult cuGraphExecKernelNodeSetParams_v2(void *e, void *n, struct node *p) {
	if (fail_call == 5) return fail_code;
	if (!current) return 1;
	if (p->f != &function_object) return 400;
	return keep(p->params, p->extra);
}
