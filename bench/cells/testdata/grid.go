package main

type point struct{ x, y int }

const size = 60

func work() int {
	grid := make([][]byte, size)
	for y := range grid {
		grid[y] = make([]byte, size)
		for x := range grid[y] {
			if (x*7+y*13)%5 == 0 && x != y {
				grid[y][x] = '#'
			}
		}
	}
	distance := map[point]int{{0, 0}: 0}
	queue := []point{{0, 0}}
	steps := []point{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		for _, d := range steps {
			q := point{p.x + d.x, p.y + d.y}
			if q.x < 0 || q.y < 0 || q.x >= size || q.y >= size || grid[q.y][q.x] == '#' {
				continue
			}
			if _, seen := distance[q]; !seen {
				distance[q] = distance[p] + 1
				queue = append(queue, q)
			}
		}
	}
	sum := 0
	for _, d := range distance {
		sum += d
	}
	return sum
}
