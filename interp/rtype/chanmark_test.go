package rtype

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

type wide struct {
	text [40]string
	rest [300]*int
}

func TestMarkedChannels(t *testing.T) {
	check(t, make(chan int), 7)
	check(t, make(chan struct{}), struct{}{})
	check(t, make(chan string), "seven")
	check(t, make(chan *int), new(int))
	check(t, make(chan [3]string), [3]string{"a", "b", "c"})
	check(t, make(chan wide), wide{text: [40]string{39: "last"}, rest: [300]*int{299: new(int)}})
	check(t, make(chan [][]byte), [][]byte{{1}, {2}})
	check(t, make(chan any), any("x"))
}

// check makes a channel of the plain one's type that is marked, and uses it.
func check[T any](t *testing.T, plain chan T, v T) {
	t.Run(fmt.Sprintf("%T", v), func(t *testing.T) {
		w := WordOf(reflect.TypeOf(plain))
		for _, size := range []int{0, 1, 100} {
			p := MakeChan(MarkedChan(w), size)
			ch := *(*chan T)(unsafe.Pointer(&p))
			if !Marked(p) || Marked(*(*unsafe.Pointer)(unsafe.Pointer(&plain))) || Marked(nil) {
				t.Fatal("marked, plain, nil:", Marked(p), Marked(*(*unsafe.Pointer)(unsafe.Pointer(&plain))), Marked(nil))
			}
			if cap(ch) != size || reflect.TypeOf(ch) != reflect.TypeOf(plain) {
				t.Fatalf("%T of %d", ch, cap(ch))
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				for range max(size, 3) {
					ch <- v
				}
				close(ch)
			}()
			n := 0
			for got := range ch {
				runtime.GC()
				if n++; !reflect.DeepEqual(got, v) {
					t.Errorf("got %v, want %v", got, v)
				}
				if n == 3 {
					break
				}
			}
			for range ch {
			}
			<-done
		}
	})
}
