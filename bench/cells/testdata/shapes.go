package main

type shape interface{ area() float64 }

type square struct{ side float64 }

type rect struct{ w, h float64 }

type circle struct{ r float64 }

func (s square) area() float64  { return s.side * s.side }
func (r rect) area() float64    { return r.w * r.h }
func (c *circle) area() float64 { return 3 * c.r * c.r }

func work() int {
	shapes := make([]shape, 0, 3000)
	for i := 0; i < 1000; i++ {
		x := float64(i)
		shapes = append(shapes, square{x}, rect{x, 2}, &circle{x})
	}
	total := 0.0
	for k := 0; k < 100; k++ {
		for _, s := range shapes {
			total += s.area()
		}
	}
	return int(total)
}
