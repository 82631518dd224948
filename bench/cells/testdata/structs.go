package main

type particle struct {
	x, y, z, vx, vy, vz float64
	id                  int
}

func step(p particle) particle {
	p.x += p.vx
	p.y += p.vy
	p.z += p.vz
	return p
}

func work() int {
	ps := make([]particle, 100)
	for i := range ps {
		ps[i] = particle{vx: float64(i), vy: 1, vz: 2, id: i}
	}
	for n := 0; n < 200; n++ {
		for i, p := range ps {
			ps[i] = step(p)
		}
	}
	return int(ps[99].x) + ps[99].id
}
