package lawtest

import (
	"fmt"
	"reflect"
	"sync"
)

// rounds is how often a method is called by two goroutines at once.
const rounds = 10

// together calls each method of a value that works from two goroutines at once: both calls are right or
// refused. Methods that Apart names, with the reason that their documentation gives, are left out.
func (c *check) together(s State) {
	v := reflect.TypeOf(s.New())
	for i := range v.NumMethod() {
		name := c.method(s, v.Method(i).Name)
		if _, ok := c.Apart[name]; ok {
			continue
		}
		for range rounds {
			receiver := reflect.ValueOf(s.New())
			for _, o := range c.twice(receiver.Method(i)) {
				c.judge(fmt.Sprintf("%s twice at once", name), o, true)
			}
		}
	}
}

func (c *check) twice(method reflect.Value) [2]outcome {
	var both [2]outcome
	var ready, done sync.WaitGroup
	ready.Add(2)
	for k := range both {
		args := c.fill(method.Type(), -1)
		done.Go(func() {
			both[k] = c.run(func() []reflect.Value {
				ready.Done()
				ready.Wait()
				return method.Call(args)
			})
		})
	}
	done.Wait()
	return both
}
