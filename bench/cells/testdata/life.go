package main

type grid [][]byte

func (g grid) alive(x, y int) int {
	h, w := len(g), len(g[0])
	return int(g[(y+h)%h][(x+w)%w])
}

func (g grid) next() grid {
	out := make(grid, len(g))
	for y := range g {
		out[y] = make([]byte, len(g[y]))
		for x := range g[y] {
			n := 0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if dx != 0 || dy != 0 {
						n += g.alive(x+dx, y+dy)
					}
				}
			}
			if n == 3 || n == 2 && g[y][x] == 1 {
				out[y][x] = 1
			}
		}
	}
	return out
}

func work() int {
	g := make(grid, 64)
	for y := range g {
		g[y] = make([]byte, 64)
		for x := range g[y] {
			g[y][x] = byte((x*7 + y*13 + x*y) % 3 & 1)
		}
	}
	for i := 0; i < 20; i++ {
		g = g.next()
	}
	n := 0
	for _, row := range g {
		for _, c := range row {
			n += int(c)
		}
	}
	return n
}
