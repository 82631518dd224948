package twins

import (
	"encoding/json"
	"errors"
	"time"
	"unsafe"
)

var seven = 7

// Values returns a value of every type, by a name. The static type of each expression is what the
// tests compare.
func Values() map[string]any {
	return map[string]any{
		"bool": Bool(true), "int": Int(3), "int8": Int8(-4), "uint16": Uint16(65535), "rune": Rune('x'),
		"uintptr": Uintptr(9), "float": Float(2.5), "float32": Float32(0.1), "complex": Complex(1 + 2i),
		"text": Text("hi"), "pointer": Pointer(nil),

		"ints": Ints{3, 1, 2}, "grid": Grid{{1, 2}, {3}}, "empty": Empty{}, "none": None{},
		"table": Table{"a": {1}, "b": nil}, "pipe": Pipe(nil), "source": Source(nil), "sink": Sink(nil),
		"func": Func(nil), "thunk": Thunk(nil), "intptr": IntPtr(nil), "any": [2]Any{1, "x"}, "wait": Wait(time.Second),
		"lock": &Lock{}, "big": Big{}, "strings3": Strings3{"a", "b"}, "floats2": Floats2{1, 2}, "ptrs1": Ptrs1{&seven},

		"list": List{1, &List{"two", nil}}, "listptr": &List{1, nil}, "tree": Tree{"a": {"b": nil}},
		"forest": Forest{{}, {{}}},
		"endo":   Endo(nil), "loop": Loop(nil), "chain": Chain(nil), "key": KeyOfOwn{"k", nil},
		"key2": KeyOfOwn2{}, "even": Even{&Odd{[]Even{{}}}}, "nodes": []Node{nil},

		"tagged": Tagged{Name: "n", private: 1}, "blank": Blank{A: 1, B: "b"}, "padded": Padded{1, 2, 3},
		"regular": Regular{1, 2, nil}, "oneptr": OnePtr{&seven}, "onemap": OneMap{map[int]int{1: 2}}, "zeros": Zeros{a: 1},
		"mixed": &Mixed{s: []string{"a"}, e: ErrEmpty},

		"stringers": []Stringer{Int(1), Pair[int, string]{1, "x"}}, "setter": []Setter{new(Int)},
		"adder": []Adder{Int(1)}, "failures": []Failure{Wrapped{ErrEmpty, 3}}, "recursive": []Recursive{nil},

		"base": Base{1}, "outer": Outer{Base{1}, &Side{2}, "o"}, "outerptr": &Outer{Base{1}, &Side{2}, "o"},
		"locked": &Locked{n: 1}, "wrapped": Wrapped{errors.New("w"), 5}, "deep": &Deep{Outer{Name: "d"}, Int(5)},
		"byalias": ByAlias{Base{4}}, "haslower": HasLower{lower{3}, json.Number("12")},

		"pair": Pair[int, string]{1, "x"}, "pairs": []Pair[Text, []Base]{{"k", []Base{{1}}}},
		"pairpair":  Pair[Pair[int, bool], map[string]*Pair[Int8, error]]{Key: Pair[int, bool]{1, true}},
		"pairtime":  Pair[time.Duration, json.Number]{time.Second, "1"},
		"pairlit":   Pair[struct{ X, y int }, interface{ M(Int) Text }]{},
		"pairfn":    Pair[*int, func(int, ...Text) (a, b error)]{},
		"pairchan":  Pair[chan<- int, chan (<-chan Int)]{},
		"pairany":   Pair[any, [2]byte]{1, [2]byte{1, 2}},
		"pairembed": Pair[struct{ Base }, struct{ Alias }]{},
		"pairunexp": Pair[int, interface{ m() }]{},
		"stack":     &Stack[Text]{[]Text{"t"}}, "opt": Opt[Base](nil), "set": Set[Text]{"a": {}},
		"rec": &Rec[Int]{v: 3},

		"anon": struct {
			A int `k:"v"`
			b string
		}{1, "x"},
		"anonembed": struct {
			Base
			n int
		}{Base{7}, 2},
		"anonembedptr": &struct {
			*Side
			Stringer
		}{&Side{1}, Int(2)},
		"anonblank": struct {
			_ int
			B string
		}{0, "x"},
		"anonrec": [1]struct{ L *List }{{&List{2, nil}}},
		"anoniface": []interface {
			Unwrap() error
			error
		}{Wrapped{ErrEmpty, 1}},
		"anonunexp": []interface{ add(Int) Int }{Int(2)},
		"mapof":     map[Pair[int, string]]Ints{{1, "a"}: {2}}, "mapnested": map[[2]Text]map[Int]*Base{{"a", "b"}: nil},
		"funcof": func(Int, *Base, ...Text) (Ints, error) { return nil, nil },
		"chanof": make(chan<- Tagged), "unsafe": unsafe.Pointer(nil), "ptrptr": new(*Base),
		"local": localValue(), "localgeneric": localGeneric[int](), "localpair": localPair(),
		"bytes": []byte("ab"), "arrays": [2][2]Text{{"a"}},
	}
}

func localValue() any {
	type T struct{ X int }
	return T{1}
}

func localPair() any {
	type T struct{ X string }
	return Pair[T, *T]{T{"l"}, nil}
}

func localGeneric[P any]() any {
	type L struct{ X P }
	return L{}
}
