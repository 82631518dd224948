package twins

//lint:file-ignore U1000 what looks unused is there to be compared by reflection

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// Named basic types.
type (
	Bool    bool
	Int     int
	Int8    int8
	Uint16  uint16
	Rune    rune
	Uintptr uintptr
	Float   float64
	Float32 float32
	Complex complex128
	Text    string
	Pointer unsafe.Pointer
)

// Named forms without methods.
type (
	Ints     []int
	Grid     [3][4]int8
	Empty    struct{}
	None     [0]func()
	Table    map[string]Ints
	Pipe     chan Int
	Source   <-chan Int
	Sink     chan<- Int
	Func     func(int, ...string) (Text, error)
	Thunk    func()
	IntPtr   *int
	Any      interface{}
	Wait     time.Duration
	Lock     sync.Mutex
	Big      [40000]*int
	Strings3 [3]string
	Floats2  [2]float64
	Ptrs1    [1]*int
)

// Recursive types.
type (
	List struct {
		Value any
		Next  *List
	}
	Tree     map[string]Tree
	Forest   []Forest
	Endo     func(Endo) Endo
	Loop     *Loop
	Chain    chan Chain
	KeyOfOwn struct {
		name string
		seen *map[KeyOfOwn]*KeyOfOwn2
	}
	KeyOfOwn2 struct {
		_    int
		key  interface{ Key() KeyOfOwn }
		byID map[[2]KeyOfOwn3]KeyOfOwn
	}
	KeyOfOwn3 struct{ f float64 }
	Even      struct{ odd *Odd }
	Odd       struct{ even []Even }
	Node      interface {
		Children() []Node
		parent() Node
	}
)

// Structs.
type (
	Tagged struct {
		Name    string `json:"name,omitempty"`
		private int
		Skip    chan int `json:"-"`
		When    time.Time
		Inner   struct {
			X float32 `xml:"attr"`
			Y float32
			z Bool
		} `json:"inner"`
	}
	Blank struct {
		A int
		_ int32
		_ string
		B Text
	}
	Padded struct {
		a int8
		b int64
		c int8
	}
	Regular struct {
		a, b int32
		p    *int
	}
	OnePtr struct{ p *int }
	OneMap struct{ m map[int]int }
	Zeros  struct {
		a int
		z struct{}
	}
	Mixed struct {
		i  interface{ M(int) }
		s  []string
		a  [3]struct{ p *int }
		f  func()
		c  complex64
		u  unsafe.Pointer
		e  error
		mu sync.Mutex
	}
)

// Methods on each form, values and pointers, exported and not.
func (i Int) String() string            { return fmt.Sprintf("Int(%d)", int(i)) }
func (i *Int) Set(v int)                { *i = Int(v) }
func (i Int) add(j Int) Int             { return i + j }
func (t Text) Error() string            { return "text: " + string(t) }
func (s Ints) Len() int                 { return len(s) }
func (s Ints) Less(i, j int) bool       { return s[i] < s[j] }
func (s Ints) Swap(i, j int)            { s[i], s[j] = s[j], s[i] }
func (t Table) Keys() (ks []string)     { return sortedKeys(t) }
func (f Func) Call(n int) (Text, error) { return f(n, "a", "b") }
func (f Thunk) Run() string             { f(); return "ran" }
func (p Pipe) Cap() int                 { return cap(p) }
func (p OnePtr) Deref() int             { return *p.p }
func (p Ptrs1) Deref() int              { return *p[0] }
func (f Float) MarshalJSON() ([]byte, error) {
	return []byte(fmt.Sprintf(`"%.2f"`, float64(f))), nil
}
func (f *Float) UnmarshalJSON(b []byte) error {
	_, err := fmt.Sscanf(strings.Trim(string(b), `"`), "%g", (*float64)(f))
	return err
}
func (l *List) Len() (n int) {
	for ; l != nil; l = l.Next {
		n++
	}
	return n
}
func (l *List) Self() *List { return l }
func (t Tree) Depth() (d int) {
	for _, s := range t {
		d = max(d, s.Depth())
	}
	return d + 1
}
func (t Tagged) Sum(xs ...int) (n int) {
	for _, x := range xs {
		n += x
	}
	return n + t.private
}
func (c Complex) Parts(f func(float64, float64) Text) (Text, int) { return f(real(c), imag(c)), 2 }
func (Empty) Hello() string                                       { return "hello" }
func (g Grid) At(i, j int) int8                                   { return g[i][j] }
func (Blank) private()                                            {}
func (b *Blank) Big(a, b1, c, d, e, f, g, h, i, j, k, l int, s string, x Float, y [3]int) string {
	return fmt.Sprint(b.A, a, b1, c, d, e, f, g, h, i, j, k, l, s, float64(x), y)
}

func sortedKeys[V any](m map[string]V) (ks []string) {
	for k := range m {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	return ks
}

// Interfaces.
type (
	Stringer interface{ String() string }
	Setter   interface {
		Stringer
		Set(int)
	}
	Adder interface {
		add(Int) Int
		String() string
	}
	Failure interface {
		error
		Unwrap() error
	}
	Recursive interface {
		Self() Recursive
		Map(map[string]Recursive) []Recursive
	}
	Number interface{ ~int | ~float64 }
)

// Embedding.
type (
	Base  struct{ ID int }
	Outer struct {
		Base
		*Side
		Name string
	}
	Side   struct{ w float64 }
	Locked struct {
		sync.Mutex
		n int
	}
	Wrapped struct {
		error
		Code Int
	}
	Deep struct {
		Outer
		Stringer
	}
	Alias    = Base
	ByAlias  struct{ Alias }
	lower    struct{ V int }
	HasLower struct {
		lower
		json.Number
	}
)

func (b Base) Describe() string    { return fmt.Sprint("base ", b.ID) }
func (b *Base) Rename(id int)      { b.ID = id }
func (s *Side) Width() float64     { return s.w }
func (w Wrapped) Unwrap() error    { return w.error }
func (l lower) Low() int           { return l.V }
func (l *lower) raise(by int)      { l.V += by }
func (b Base) privateBase() string { return "private" }

// Generics.
type (
	Pair[K comparable, V any] struct {
		Key K
		Val V
	}
	Stack[T any]      struct{ items []T }
	Opt[T any]        func(*T)
	Set[T comparable] map[T]struct{}
	Rec[T any]        struct {
		next *Rec[T]
		pair *Pair[string, Rec[T]]
		v    T
	}
)

func (p Pair[K, V]) String() string { return fmt.Sprintf("<%v %v>", p.Key, p.Val) }
func (s *Stack[T]) Push(x T)        { s.items = append(s.items, x) }
func (s Stack[T]) Top() (T, error) {
	if len(s.items) == 0 {
		var zero T
		return zero, ErrEmpty
	}
	return s.items[len(s.items)-1], nil
}
func (s Set[T]) Has(x T) bool { _, ok := s[x]; return ok }

// ErrEmpty is what an empty Stack answers.
var ErrEmpty = errors.New("empty")
