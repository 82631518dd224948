package standin

import (
	"reflect"
	"testing"
)

// TestReflected is that only what would wait is chosen by the engine, and that faults are told in
// package reflect's words.
func TestReflected(t *testing.T) {
	asked := ""
	choose := func(word string, cases []reflect.SelectCase) (int, reflect.Value, bool) {
		asked = word
		return 0, reflect.ValueOf(7), true
	}
	full, empty := make(chan int, 1), make(chan int)
	full <- 1
	fault := func(f func()) (said any) {
		defer func() { said = recover() }()
		f()
		return nil
	}
	receive := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(empty)}
	for _, x := range []struct {
		name, asked string
		run, native func()
	}{
		{"receives what is there", "", func() { Receive(reflect.ValueOf(full), choose) }, nil},
		{"sends where there is room", "", func() { Send(reflect.ValueOf(full), reflect.ValueOf(2), choose) }, nil},
		{"receives", "chan receive", func() { Receive(reflect.ValueOf(empty), choose) }, nil},
		{"sends", "chan send", func() { Send(reflect.ValueOf(empty), reflect.ValueOf(2), choose) }, nil},
		{"selects", "select", func() { Select([]reflect.SelectCase{receive, {Dir: reflect.SelectRecv}}, choose) }, nil},
		{"by default", "", func() { Select([]reflect.SelectCase{receive, {Dir: reflect.SelectDefault}}, choose) }, nil},
		{"receives from none", "", func() { Receive(reflect.ValueOf(1), choose) }, func() { reflect.ValueOf(1).Recv() }},
		{"selects of none", "", func() {
			Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(1)}}, choose)
		},
			func() { reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(1)}}) }},
	} {
		asked = ""
		said := fault(x.run)
		if asked != x.asked {
			t.Errorf("%s: the engine was asked for %q, want %q", x.name, asked, x.asked)
		}
		if x.native == nil && said != nil || x.native != nil && !reflect.DeepEqual(said, fault(x.native)) {
			t.Errorf("%s: %v", x.name, said)
		}
	}
}
