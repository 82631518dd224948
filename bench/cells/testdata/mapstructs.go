package main

type point struct{ x, y int }

type cell struct {
	count int
	name  string
}

func work() int {
	grid := map[point]cell{}
	for i := 0; i < 20_000; i++ {
		p := point{i % 97, i % 89}
		c := grid[p]
		c.count++
		c.name = "n"
		grid[p] = c
	}
	n := 0
	for p, c := range grid {
		n += p.x + c.count
	}
	return n
}
