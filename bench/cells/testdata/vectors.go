package main

type vec [3]float64

func (a vec) add(b vec) vec       { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) scale(f float64) vec { return vec{a[0] * f, a[1] * f, a[2] * f} }
func (a vec) dot(b vec) float64   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func work() int {
	p, v, g := vec{0, 0, 10}, vec{1, 2, 0}, vec{0, 0, -9.81}
	e := 0.0
	for i := 0; i < 5_000; i++ {
		v = v.add(g.scale(0.001))
		p = p.add(v.scale(0.001))
		if p[2] < 0 {
			p[2], v[2] = -p[2], -v[2]*0.9
		}
		e += v.dot(v)
	}
	return int(e * 1000)
}
