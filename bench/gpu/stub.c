/* A libcuda with nothing behind it: every call that bench/gpu/launch and bench/gpu/cell.ipynb make succeeds at once, or, where
 * STUB_HOST and STUB_DEVICE say so, a launch keeps the host for STUB_HOST nanoseconds and a device that is not there for STUB_DEVICE. With
 * STUB_COLD=1 it goes through 64 KB of code and 256 KB of data, so that the caller's are no longer in the caches nearest to the core, as behind a
 * driver's own work. What is measured on it is what Go and a cell add to a driver's calls, with no GPU. bench/gpu/stub.sh builds and uses it.
 *
 *   gcc -shared -fPIC -O2 -o libcuda.so.1 bench/gpu/stub.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int R;
static __thread void *current;
static char ctxo, fno, other[64];
static size_t offs[5] = {0, 8, 12, 16}, szs[5] = {8, 4, 4, 4};
static double host = -1, device, cold;
static volatile double until; /* when the device will be idle */

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static double setting(const char *name) {
	const char *s = getenv(name);
	return s ? atof(s) : 0;
}

/* walk is 64 KB of code, a jump in each line of 64 bytes, and 256 KB of data. */
static volatile uint64_t lines[256 << 10 >> 3] __attribute__((aligned(64)));
static void walk(void) {
	__asm__ volatile(".p2align 6\n.rept 1024\njmp 1f\n.p2align 6\n1:\n.endr");
	for (unsigned i = 0; i < sizeof lines / 8; i += 8) lines[i]++;
}

static void work(void) {
	if (host < 0) { device = setting("STUB_DEVICE"); cold = setting("STUB_COLD"); host = setting("STUB_HOST"); }
	if (cold) walk();
	if (!host && !device) return;
	double start = now(), busy = until;
	until = (busy > start ? busy : start) + device;
	while (now() < start + host) {}
}
static void wait_all(void) { if (until) while (now() < until) {} }

#define NEED if (!current) return 201
#define OK0(n) R n() { return 0; }
R cuInit(unsigned f) { return 0; }
R cuDriverGetVersion(int*v) { *v=13000; return 0; }
R cuDeviceGetCount(int*n) { *n=1; return 0; }
R cuDeviceGet(int*d,int i) { *d=i; return 0; }
R cuDeviceGetName(char*s,int n,int d) { strncpy(s,"Stub",n); return 0; }
R cuDeviceGetUuid_v2(uint8_t*u,int d) { memset(u,1,16); return 0; }
R cuDeviceTotalMem_v2(size_t*n,int d) { *n=1ull<<37; return 0; }
R cuDeviceGetAttribute(int*v,int a,int d) { *v=a==75?9:a==76?0:a==1?1024:a==16?132:a==39?2048:a==10?32:1024; return 0; }
R cuDevicePrimaryCtxRetain(void**c,int d) { *c=&ctxo; return 0; }
OK0(cuDevicePrimaryCtxRelease_v2) OK0(cuDevicePrimaryCtxReset_v2)
R cuDevicePrimaryCtxGetState(int d,unsigned*f,int*a) { *f=0; *a=1; return 0; }
R cuCtxSetCurrent(void*c) { current=c; return 0; }
R cuCtxSynchronize(void) { wait_all(); return 0;  }
R cuCtxGetStreamPriorityRange(int*a,int*b) { *a=0; *b=-5; return 0; }
R cuMemGetInfo_v2(size_t*f,size_t*t) { *f=1ull<<36; *t=1ull<<37; return 0; }
static R al(void**p,size_t n){*p=calloc(1,n+64);return 0;}
R cuMemAlloc_v2(void**p,size_t n) { return al(p,n); }
R cuMemFree_v2(void*p) { free(p); return 0; }
R cuMemAllocAsync(void**p,size_t n,void*s) { return al(p,n); }
R cuMemFreeAsync(void*p,void*s) { free(p); return 0; }
R cuMemHostAlloc(void**p,size_t n,unsigned f) { return al(p,n); }
R cuMemFreeHost(void*p) { free(p); return 0; }
R cuMemsetD8Async(void*d,uint8_t v,size_t n,void*s) { memset(d,v,n); return 0; }
R cuMemsetD8_v2(void*d,uint8_t v,size_t n) { memset(d,v,n); return 0; }
R cuMemcpyHtoD_v2(void*d,void*s,size_t n) { memcpy(d,s,n); return 0; }
R cuMemcpyDtoH_v2(void*d,void*s,size_t n) { memcpy(d,s,n); return 0; }
R cuMemcpyHtoDAsync_v2(void*d,void*s,size_t n,void*q) { memcpy(d,s,n); return 0; }
R cuMemcpyDtoHAsync_v2(void*d,void*s,size_t n,void*q) { memcpy(d,s,n); return 0; }
R cuModuleLoadDataEx(void**m,const char*i,unsigned n,unsigned*o,void**v) { *m=other; return 0; }
OK0(cuModuleUnload)
R cuModuleGetFunction(void**f,void*m,const char*n) { *f=&fno; return 0; }
R cuModuleGetFunctionCount(unsigned*n,void*m) { *n=1; return 0; }
R cuModuleEnumerateFunctions(void**f,unsigned n,void*m) { if(n)f[0]=&fno; return 0; }
R cuFuncGetName(const char**n,void*f) { *n="affine"; return 0; }
R cuFuncGetParamInfo(void*f,size_t i,size_t*o,size_t*s) { if(i>3)return 1; *o=offs[i]; *s=szs[i]; return 0; }
R cuFuncGetAttribute(int*v,int a,void*f) { *v=1024; return 0; }
OK0(cuFuncSetAttribute)
static unsigned long params[8];
static R take(void**p){ if(p) for(int i=0;i<4;i++) memcpy(&params[i],p[i],szs[i]); return 0;}
R cuLaunchKernel(void*f,unsigned a,unsigned b,unsigned c,unsigned d,unsigned e,unsigned g,unsigned sh,void*st,void**p,void**x) { NEED; if(f!=&fno) return 400; work(); return take(p); }
R cuLaunchKernelEx(void*c,void*f,void**p,void**x) { NEED; return take(p); }
R cuStreamCreateWithPriority(void**s,unsigned f,int p) { *s=malloc(8); return 0; }
R cuStreamDestroy_v2(void*s) { free(s); return 0; }
R cuStreamSynchronize(void *s) { wait_all(); return 0;  }
R cuStreamQuery(void *s) { return now() < until ? 600 : 0;  }
OK0(cuStreamWaitEvent)
R cuEventCreate(void**e,unsigned f) { *e=malloc(8); return 0; }
OK0(cuEventRecord) OK0(cuEventSynchronize) OK0(cuEventQuery)
R cuEventElapsedTime(float*m,void*a,void*b) { *m=1; return 0; }
R cuEventDestroy_v2(void*e) { free(e); return 0; }
OK0(cuStreamBeginCapture_v2)
R cuStreamBeginCaptureToGraph() { return 0; }
R cuStreamEndCapture(void*s,void**g) { *g=malloc(8); return 0; }
static void *node = (void *)0x40;
R cuStreamGetCaptureInfo_v2(void*s,int*st,uint64_t*id,void**g,void***d,size_t*n) { *st=1; if(id)*id=1; if(g)*g=other; if(d)*d=&node; if(n)*n=1; return 0; }
OK0(cuStreamUpdateCaptureDependencies)
R cuGraphGetNodes(void*g,void**ns,size_t*n) { if(ns&&*n)ns[0]=node; *n=1; return 0; }
R cuGraphGetEdges(void*g,void**a,void**b,size_t*n) { *n=0; return 0; }
R cuGraphNodeGetType(void*n,int*t) { *t=0; return 0; }
R cuGraphKernelNodeGetParams_v2(void*n,void*p) { return 0; }
R cuGraphInstantiateWithFlags(void**e,void*g,uint64_t f) { *e=malloc(8); return 0; }
R cuGraphInstantiate(void**e,void*g,uint64_t f) { *e=malloc(8); return 0; }
R cuGraphDestroy(void*g) { return 0; }
R cuGraphLaunch(void*e,void*s) { NEED; work(); return 0; }
OK0(cuGraphUpload)
struct np{void*f;unsigned d[6],sh;void**p,**x,*k,*c;};
R cuGraphExecKernelNodeSetParams_v2(void*e,void*n,struct np*p) {  if(p->f!=&fno) return 400; work(); return take(p->p); }
OK0(cuGraphExecDestroy)
OK0(cuGraphCreate) OK0(cuCtxGetLimit) OK0(cuCtxSetLimit)
R cuOccupancyMaxActiveBlocksPerMultiprocessor(int*n,void*f,int b,size_t s) { *n=8; return 0; }
