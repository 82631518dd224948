package lawtest

import (
	"fmt"
	"reflect"
)

// methods calls each method of a state's value with the arguments that stand for its parameters.
func (c *check) methods(s State) {
	c.each(s, func(name string, t reflect.Type, call func(args []reflect.Value) outcome) {
		if promoted(s, name) {
			return
		}
		c.judge(c.label(s, name), call(c.fill(t, -1)), s.Works)
	})
}

// arguments calls each method of a value that works with nil, or zero, in place of each argument in
// turn.
func (c *check) arguments(s State) {
	c.each(s, func(name string, t reflect.Type, call func(args []reflect.Value) outcome) {
		for i := range t.NumIn() {
			if t.IsVariadic() && i == t.NumIn()-1 {
				continue
			}
			label := fmt.Sprintf("%s of %s %d", c.method(s, name), zeroName(t.In(i)), i)
			c.judge(label, call(c.fill(t, i)), !nillable(t.In(i)))
		}
	})
}

// function calls a function with all its arguments, and with nil in place of each in turn.
func (c *check) function(name string, f any) {
	v := reflect.ValueOf(f)
	t := v.Type()
	call := func(args []reflect.Value) outcome { return c.run(func() []reflect.Value { return v.Call(args) }) }
	c.judge(name, call(c.fill(t, -1)), true)
	for i := range t.NumIn() {
		if t.IsVariadic() && i == t.NumIn()-1 {
			continue
		}
		c.judge(fmt.Sprintf("%s of %s %d", name, zeroName(t.In(i)), i), call(c.fill(t, i)), !nillable(t.In(i)))
	}
}

// each visits the methods of a state's value; every call has a value of its own.
func (c *check) each(s State, visit func(name string, t reflect.Type, call func([]reflect.Value) outcome)) {
	v := reflect.TypeOf(s.New())
	for i := range v.NumMethod() {
		m := v.Method(i)
		t := reflect.ValueOf(s.New()).Method(i).Type()
		visit(m.Name, t, func(args []reflect.Value) outcome {
			receiver := reflect.ValueOf(s.New())
			return c.run(func() []reflect.Value { return receiver.Method(i).Call(args) })
		})
	}
}

// promoted reports whether a call of a nil pointer's method fails in code that the compiler wrote: the
// method has a value receiver.
func promoted(s State, method string) bool {
	v := reflect.ValueOf(s.New())
	if v.Kind() != reflect.Pointer || !v.IsNil() {
		return false
	}
	_, ok := v.Type().Elem().MethodByName(method)
	return ok
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

func (c *check) method(s State, method string) string {
	return name(base(reflect.TypeOf(s.New()))) + "." + method
}

func (c *check) label(s State, method string) string { return c.method(s, method) + " " + s.Name }

func nillable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Map, reflect.Chan:
		return true
	}
	return false
}

func zeroName(t reflect.Type) string {
	if nillable(t) {
		return "nil"
	}
	return "zero"
}
