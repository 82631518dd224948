package main

type counter struct{ n int }

func (c *counter) Add(k int) { c.n += k }

func (c counter) Get() int { return c.n }

type adder interface {
	Add(int)
	Get() int
}

func work() int {
	c := &counter{}
	var a adder = c
	for i := 0; i < 250_000; i++ {
		c.Add(i)
		a.Add(c.Get())
		a.Add(-a.Get() / 2)
	}
	return c.n
}
