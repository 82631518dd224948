package complete_test

// setup are the cells before the one that is completed.
var setup = []string{
	`import "os"`,
	`type Point struct{ X, Y int; name string }
func (p Point) Norm() float64 { return 0 }
func (p Point) Area() float64 { return 0 }
func (p Point) Name() string { return p.name }
func (p *Point) Move(dx int) {}
type Line struct{ Point; Width int }
type Shape interface { Area() float64; Name() string }
type Circle struct{ R float64 }
func (c *Circle) Area() float64 { return 0 }
func (c *Circle) Name() string { return "" }
type celsius float64
func (c celsius) Fahrenheit() float64 { return float64(c)*1.8 + 32 }
type Stack[T any] struct{ items []T }
func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }
func (s *Stack[T]) Pop() (v T) { return v }
type Pair[K comparable, V any] struct { Key K; Value V }
const maxSize = 10`,
	`point := Point{}
pointer := &point
line := Line{}
total := 0
var lines []Line
var table map[string]Point
var shape Shape = &Circle{}
var stack Stack[int]
var pair Pair[string, Point]
var nested struct { A int; Inner struct { B int; C Point } }
anonymous := struct { One int; Two string }{}
temp := celsius(20)
var fns []func() Point
var matrix [][]Point
var chanOf chan Point
var err error
func fn() Point { return point }
func first(p Point, err error) Point { return p }
func compute(n int) (Point, error) { return Point{}, nil }`,
}
