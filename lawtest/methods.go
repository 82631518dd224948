package lawtest

import (
	"fmt"
	"reflect"
)

// methods calls each method of a state's value with the arguments that stand for its parameters.
func (c *check) methods(s State) {
	c.each(s, func(m method) {
		if !m.promoted {
			c.judge(m.name+" "+s.Name, m.call(c.fill(m.type_, -1)), s.Works)
		}
	})
}

// arguments calls each method of a value that works with nil, or zero, in place of each argument in
// turn.
func (c *check) arguments(s State) {
	c.each(s, func(m method) { c.without(m.name, m.type_, m.call) })
}

// function calls a function with all its arguments, and with nil in place of each in turn.
func (c *check) function(name string, f any) {
	v := reflect.ValueOf(f)
	call := func(args []reflect.Value) outcome { return c.run(func() []reflect.Value { return v.Call(args) }) }
	c.judge(name, call(c.fill(v.Type(), -1)), true)
	c.without(name, v.Type(), call)
}

// without makes a call with nil, or zero, in place of each argument in turn. What gets no value has
// to refuse; a zero may be one.
func (c *check) without(name string, t reflect.Type, call func([]reflect.Value) outcome) {
	for i := range t.NumIn() {
		if t.IsVariadic() && i == t.NumIn()-1 {
			continue
		}
		what := "zero"
		if nillable(t.In(i)) {
			what = "nil"
		}
		c.judge(fmt.Sprintf("%s of %s %d", name, what, i), call(c.fill(t, i)), what == "zero")
	}
}

// A method is one of a state's value, as "Buffer.Fill"; each call of it has a value of its own.
type method struct {
	name  string
	index int
	type_ reflect.Type
	call  func([]reflect.Value) outcome
	// promoted says that on a nil pointer the compiler's own code panics: the receiver is a value.
	promoted bool
}

// each visits the methods of a state's value.
func (c *check) each(s State, visit func(method)) {
	sample := reflect.ValueOf(s.New())
	defer c.Done(sample.Interface())
	t := sample.Type()
	isNil := t.Kind() == reflect.Pointer && sample.IsNil()
	for i := range t.NumMethod() {
		m := method{name: name(base(t)) + "." + t.Method(i).Name, index: i, type_: sample.Method(i).Type()}
		if isNil {
			_, m.promoted = t.Elem().MethodByName(t.Method(i).Name)
		}
		m.call = func(args []reflect.Value) outcome {
			receiver := reflect.ValueOf(s.New())
			defer c.Done(receiver.Interface())
			return c.run(func() []reflect.Value { return receiver.Method(i).Call(args) })
		}
		visit(m)
	}
}

// fill makes the arguments for a function's parameters; the one at bad, if any, is nil or zero.
func (c *check) fill(t reflect.Type, bad int) []reflect.Value {
	var args []reflect.Value
	for i := range t.NumIn() {
		if t.IsVariadic() && i == t.NumIn()-1 {
			break
		}
		in := t.In(i)
		switch made, ok := c.args[in]; {
		case i == bad || !ok:
			args = append(args, reflect.Zero(in))
		default:
			args = append(args, made.Call(nil)[0])
		}
	}
	return args
}

func nillable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Map, reflect.Chan:
		return true
	}
	return false
}
