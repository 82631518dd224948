package main

type base struct{ total int }

func (b *base) add(n int) { b.total += n }

type logged struct {
	base
	calls int
}

func (l *logged) add(n int) {
	l.calls++
	l.base.add(n)
}

type adder interface{ add(int) }

func work() int {
	b, l := &base{}, &logged{}
	for i := 0; i < 50_000; i++ {
		for _, a := range [2]adder{b, l} {
			a.add(i)
		}
	}
	return b.total + l.total + l.calls
}
