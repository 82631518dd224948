// variants: G
// arch: sm_90
// Functions that call themselves, each other, and through pointers; lanes go to different depths.

__device__ __noinline__ unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

extern "C" __global__ void fibonacci(unsigned *out)
{
	out[threadIdx.x] = fib(threadIdx.x % 13) + threadIdx.x;
}

__device__ __noinline__ unsigned ack(unsigned m, unsigned n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ack(m - 1, 1);
	return ack(m - 1, ack(m, n - 1));
}

extern "C" __global__ void ackermann(unsigned *out) { out[threadIdx.x] = ack(threadIdx.x % 3, threadIdx.x / 3 % 5); }

__device__ __noinline__ void move(int n, int from, int to, int *heights, unsigned *trace)
{
	if (n == 0)
		return;
	int other = 3 - from - to;
	move(n - 1, from, other, heights, trace);
	heights[from]--;
	heights[to]++;
	*trace = *trace * 31 + from * 3 + to;
	move(n - 1, other, to, heights, trace);
}

// The pegs are a local array of the kernel, whose address goes down.
extern "C" __global__ void hanoi(int *out)
{
	int n = threadIdx.x % 7;
	int heights[3] = {n, 0, 0};
	unsigned trace = 1;
	move(n, 0, 2, heights, &trace);
	int *o = out + 4 * threadIdx.x;
	for (int i = 0; i < 3; i++)
		o[i] = heights[i];
	o[3] = (int)trace;
}

__device__ __noinline__ bool odd(unsigned n);
__device__ __noinline__ bool even(unsigned n) { return n == 0 ? true : odd(n - 1); }
__device__ __noinline__ bool odd(unsigned n) { return n == 0 ? false : even(n - 1); }

extern "C" __global__ void parity(int *out) { out[threadIdx.x] = even(threadIdx.x % 24) ? 2 : 3; }

struct Board {
	int n;
	unsigned columns, up, down;
};

__device__ __noinline__ int queens(Board b, int row)
{
	if (row == b.n)
		return 1;
	int count = 0;
	for (int c = 0; c < b.n; c++) {
		unsigned x = 1u << c, u = 1u << (row + c), d = 1u << (row - c + b.n);
		if (b.columns & x || b.up & u || b.down & d)
			continue;
		Board next = {b.n, b.columns | x, b.up | u, b.down | d};
		count += queens(next, row + 1);
	}
	return count;
}

// Structures by value.
extern "C" __global__ void nqueens(int *out)
{
	Board b = {1 + (int)threadIdx.x % 6, 0, 0, 0};
	out[threadIdx.x] = queens(b, 0);
}

__device__ __noinline__ void sort(int *a, int lo, int hi)
{
	if (lo >= hi)
		return;
	int pivot = a[(lo + hi) / 2], i = lo, j = hi;
	while (i <= j) {
		while (a[i] < pivot)
			i++;
		while (a[j] > pivot)
			j--;
		if (i <= j) {
			int t = a[i];
			a[i++] = a[j];
			a[j--] = t;
		}
	}
	sort(a, lo, j);
	sort(a, i, hi);
}

extern "C" __global__ void quicksort(int *a, int each) { sort(a + threadIdx.x * each, 0, each - 1); }

struct Node {
	int left, right;
	double value;
};

__device__ __noinline__ double walk(const Node *nodes, int at, double sum)
{
	if (at < 0)
		return sum;
	sum = walk(nodes, nodes[at].left, sum * 0.5);
	sum += nodes[at].value;
	return walk(nodes, nodes[at].right, sum);
}

extern "C" __global__ void tree(const Node *nodes, double *out) { out[threadIdx.x] = walk(nodes, threadIdx.x % 16, threadIdx.x); }

// Through pointers: a function that is called by address makes such a call itself.
typedef int (*Step)(int n, int k);
__device__ __noinline__ int down(int n, int k);
__device__ __noinline__ int half(int n, int k);
__device__ __noinline__ int stop(int n, int k) { return 100 * n + k; }
__device__ Step steps[] = {down, half, stop};

__device__ __noinline__ int down(int n, int k) { return n <= 0 ? k : 1 + steps[(n + k) % 3](n - 1, k + 1); }
__device__ __noinline__ int half(int n, int k) { return n <= 0 ? -k : 3 * steps[(n * k) % 3](n / 2, k + 2) - n; }

extern "C" __global__ void pointers(int *out) { out[threadIdx.x] = steps[threadIdx.x % 3](threadIdx.x, threadIdx.x / 8); }

// Every frame has a local array, and the callee writes to that of its caller.
__device__ __noinline__ int chain(int depth, int *above)
{
	int mine[4];
	for (int i = 0; i < 4; i++)
		mine[i] = depth * 10 + i;
	if (depth > 0)
		above[depth % 4] += chain(depth - 1, mine);
	int s = 0;
	for (int i = 0; i < 4; i++)
		s += mine[i];
	return s;
}

extern "C" __global__ void frames(int *out)
{
	int top[4] = {0, 0, 0, 0};
	int s = chain(threadIdx.x % 9, top);
	out[threadIdx.x] = s + 1000 * (top[0] + top[1] + top[2] + top[3]);
}

// A barrier behind calls from which lanes come back at different times, and a shuffle within.
__device__ __noinline__ int gather(int n, int v)
{
	if (n == 0)
		return v;
	v += __shfl_xor_sync(0xffffffff, v, 1 << n % 5);
	return gather(n - 1, v) + 1;
}

extern "C" __global__ void together(int *out)
{
	__shared__ int all[128];
	all[threadIdx.x] = gather(5, threadIdx.x) + (int)fib(threadIdx.x % 8);
	__syncthreads();
	out[threadIdx.x] = all[127 - threadIdx.x];
}

__device__ __noinline__ int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1) * 3; }

extern "C" __global__ void endless(int *out, int n) { out[threadIdx.x] = deep(threadIdx.x == 5 ? n : 2); }
