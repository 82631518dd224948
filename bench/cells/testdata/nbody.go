package main

import "math"

type body struct{ x, y, z, vx, vy, vz, mass float64 }

func energy(bodies []body) float64 {
	e := 0.0
	for i := range bodies {
		b := &bodies[i]
		e += 0.5 * b.mass * (b.vx*b.vx + b.vy*b.vy + b.vz*b.vz)
		for j := i + 1; j < len(bodies); j++ {
			c := &bodies[j]
			dx, dy, dz := b.x-c.x, b.y-c.y, b.z-c.z
			e -= b.mass * c.mass / math.Sqrt(dx*dx+dy*dy+dz*dz)
		}
	}
	return e
}

func advance(bodies []body, dt float64) {
	for i := range bodies {
		b := &bodies[i]
		for j := i + 1; j < len(bodies); j++ {
			c := &bodies[j]
			dx, dy, dz := b.x-c.x, b.y-c.y, b.z-c.z
			d2 := dx*dx + dy*dy + dz*dz
			mag := dt / (d2 * math.Sqrt(d2))
			b.vx -= dx * c.mass * mag
			b.vy -= dy * c.mass * mag
			b.vz -= dz * c.mass * mag
			c.vx += dx * b.mass * mag
			c.vy += dy * b.mass * mag
			c.vz += dz * b.mass * mag
		}
	}
	for i := range bodies {
		b := &bodies[i]
		b.x += dt * b.vx
		b.y += dt * b.vy
		b.z += dt * b.vz
	}
}

func work() int {
	bodies := []body{
		{0, 0, 0, 0, 0, 0, 39.47},
		{4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037},
		{8.34, 4.12, -0.40, -1.01, 1.82, 0.008, 0.011},
		{12.89, -15.11, -0.22, 1.08, 0.86, -0.010, 0.0017},
		{15.37, -25.91, 0.17, 0.97, 0.59, -0.034, 0.0020},
	}
	for i := 0; i < 20_000; i++ {
		advance(bodies, 0.01)
	}
	return int(energy(bodies) * 1e9)
}
