package lawtest

import (
	"flag"
	"fmt"
	"math/rand"
	"reflect"
	"sync"
)

// pairsTried is how many pairs of different methods are called at once.
var pairsTried = flag.Int("laws.pairs", 300, "pairs of calls that the law tests make at once, drawn from all; 0: all")

// A pairedCall is a method of a value that works.
type pairedCall struct {
	state  State
	index  int // among the states
	method int
	name   string
}

// pairs calls different methods from two goroutines at once: of one value, or of two that work
// together. Where a parameter is of the other value's type, that is its argument. Both calls are
// right or refused.
func (c *check) pairs() {
	calls := c.pairedCalls()
	n := len(calls)
	if *pairsTried == 0 || *pairsTried >= n*n {
		for i := range calls {
			for j := range calls {
				c.pair(calls[i], calls[j])
			}
		}
		return
	}
	draw := rand.New(rand.NewSource(1))
	for range *pairsTried {
		c.pair(calls[draw.Intn(n)], calls[draw.Intn(n)])
	}
}

func (c *check) pairedCalls() []pairedCall {
	var calls []pairedCall
	for i, s := range c.States {
		if !s.Works {
			continue
		}
		c.each(s, func(m method) {
			if !c.apart(m.name) {
				calls = append(calls, pairedCall{s, i, m.index, m.name})
			}
		})
	}
	return calls
}

func (c *check) pair(a, b pairedCall) {
	values := []reflect.Value{reflect.ValueOf(a.state.New())}
	if a.index != b.index {
		values = append(values, reflect.ValueOf(b.state.New()))
	}
	last := values[len(values)-1]
	outcomes := c.atOnce(values[0].Method(a.method), last.Method(b.method), values)
	c.judge(fmt.Sprintf("%s beside %s", a.name, b.name), outcomes[0], true)
	c.judge(fmt.Sprintf("%s beside %s", b.name, a.name), outcomes[1], true)
	for _, v := range values {
		c.Done(v.Interface())
	}
}

// atOnce calls two methods from two goroutines; their parameters are the shared values where these
// are of their types.
func (c *check) atOnce(a, b reflect.Value, shared []reflect.Value) [2]outcome {
	var both [2]outcome
	var ready, done sync.WaitGroup
	ready.Add(2)
	for k, method := range []reflect.Value{a, b} {
		args := c.fill(method.Type(), -1)
		for i, arg := range args {
			for _, v := range shared {
				if v.Type() == arg.Type() {
					args[i] = v
				}
			}
		}
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
