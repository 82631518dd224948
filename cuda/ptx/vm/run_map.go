package vm

// The loops below are small enough to be inlined with the function literal that
// they are given: each instruction gets a loop of its own with its operation
// inside, and no call a lane.

func map1[R, A any](d []R, a []A, f func(A) R) {
	a = a[:len(d)]
	for i := range d {
		d[i] = f(a[i])
	}
}

func map2[R, A, B any](d []R, a []A, b []B, f func(A, B) R) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = f(a[i], b[i])
	}
}

func map3[R, A, B, C any](d []R, a []A, b []B, c []C, f func(A, B, C) R) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = f(a[i], b[i], c[i])
	}
}

// unaryOp, binaryOp and ternaryOp are operations over lanes that wait for their slots.
type (
	unaryOp   func(d, a slot) step
	binaryOp  func(d, a, b slot) step
	ternaryOp func(d, a, b, c slot) step
)

func lift1[R, A any](f func(d []R, a []A)) unaryOp {
	return func(d, a slot) step {
		return func(b *block) {
			o := out[R](b, d)
			f(o, in[A](b, a, 0))
			put(b, d, o)
		}
	}
}

func lift2[R, A, B any](f func(d []R, a []A, b []B)) binaryOp {
	return func(d, x, y slot) step {
		return func(b *block) {
			o := out[R](b, d)
			f(o, in[A](b, x, 0), in[B](b, y, 1))
			put(b, d, o)
		}
	}
}

func lift3[R, A, B, C any](f func(d []R, a []A, b []B, c []C)) ternaryOp {
	return func(d, x, y, z slot) step {
		return func(b *block) {
			o := out[R](b, d)
			f(o, in[A](b, x, 0), in[B](b, y, 1), in[C](b, z, 2))
			put(b, d, o)
		}
	}
}

// each1, each2 and each3 make an operation from a function of one lane.
func each1[R, A any](f func(A) R) unaryOp {
	return lift1(func(d []R, a []A) { map1(d, a, f) })
}

func each2[R, A, B any](f func(A, B) R) binaryOp {
	return lift2(func(d []R, a []A, b []B) { map2(d, a, b, f) })
}

func each3[R, A, B, C any](f func(A, B, C) R) ternaryOp {
	return lift3(func(d []R, a []A, b []B, c []C) { map3(d, a, b, c, f) })
}
