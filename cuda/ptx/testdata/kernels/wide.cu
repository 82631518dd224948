// variants: G
// 128-bit integers, virtual calls, structs by value, tables of functions, bit fields: what compilers write as calls of functions and as
// chains of carries.
#include <stdint.h>

// Eight words of 128 bits a thread from two.
extern "C" __global__ void wide(const unsigned __int128 *in, unsigned __int128 *out) {
	unsigned i = threadIdx.x;
	unsigned __int128 a = in[2 * i], b = in[2 * i + 1];
	__int128 s = (__int128)a, t = (__int128)b;
	out += 8 * i;
	out[0] = a * b;
	out[1] = a / b;
	out[2] = a % b;
	out[3] = (unsigned __int128)(s / t);
	out[4] = (unsigned __int128)(s % t);
	out[5] = (a - b) << (i & 127);
	out[6] = (unsigned __int128)(s >> (i * 3 & 127));
	out[7] = (unsigned __int128)(a < b) + 2 * (unsigned __int128)(s < t) + a / (uint32_t)(b | 1) + b / 1000003;
}

struct Shape {
	int id;
	__device__ Shape(int id) : id(id) {}
	__device__ virtual int area(int k) const { return id * k; }
};

struct Square : Shape {
	long long side;
	__device__ Square(int id, long long side) : Shape(id), side(side) {}
	__device__ int area(int k) const override { return (int)(side * side) + k; }
};

struct Disc : Square {
	double r;
	__device__ Disc(int id, double r) : Square(id, 3), r(r) {}
	__device__ int area(int k) const override { return (int)(r * r * 3.0) - k + Square::area(k); }
};

// Seven bytes behind c are nobody's.
struct Mixed {
	int v[20];
	double d;
	char c;
};

__device__ __noinline__ Mixed mix(Mixed m, int k) {
	for (int i = 0; i < 20; i++) m.v[(i * 7 + k) % 20] += m.v[i] * k;
	m.d = m.d * 0.5 + k;
	m.c += k;
	return m;
}

struct Bits {
	unsigned a : 3;
	int b : 7;
	unsigned long long c : 37;
	int d : 11;
};

__device__ __noinline__ long long fields(int x) {
	Bits b = {};
	b.a = x;
	b.b = x * 3;
	b.c = (unsigned long long)x * 0x123456789ull;
	b.d = -x;
	b.c += b.a;
	b.b -= b.d;
	return (long long)b.a + b.b * 1000ll + (long long)(b.c % 1000003) + b.d;
}

__device__ __noinline__ int quotient(int a, int b) { return a / (b ? b : 1); }
__device__ __noinline__ int remainder_(int a, int b) { return a % (b ? b : 3); }
__device__ __noinline__ int shifts(int a, int b) { return (a << (b & 31)) ^ (a >> (b & 15)); }

extern "C" __global__ void objects(long long *out) {
	int t = threadIdx.x;
	out += 4 * t;
	Square s(t, t + 2);
	Disc d(t, t * 0.5);
	Shape p(t + 1);
	const Shape *all[3] = {&s, &d, &p};
	out[0] = all[t % 3]->area(t * 5);
	int (*calls[3])(int, int) = {quotient, remainder_, shifts};
	unsigned sum = 0;
	for (int i = 0; i < 6; i++) sum = sum * 7 + calls[(t + i) % 3](t * 1000 - i * 77, i - 3);
	out[1] = sum;
	out[2] = fields(t * 13 - 50);
	Mixed m;
	for (int i = 0; i < 20; i++) m.v[i] = i * t;
	m.d = t * 1.25;
	m.c = (char)(t * 9);
	m = mix(mix(m, t % 5), 3);
	unsigned long long hash = 0;
	for (int i = 0; i < 20; i++) hash = hash * 31 + m.v[i];
	out[3] = (long long)hash + (long long)m.d + m.c;
}
