package widgets

import (
	"encoding/json"
	"fmt"
	"slices"
)

// A value is a model's value on this side, with those who want to know when it changes.
type value[T comparable] struct {
	m     *model
	trait string
	now   T
	check func(T) error
	calls []func(T)
}

// newValue makes trait of m a T that the front end may change.
func newValue[T comparable](m *model, trait string, first T, check func(T) error) *value[T] {
	v := &value[T]{m: m, trait: trait, now: first, check: check}
	m.state[trait] = first
	m.take[trait] = v.take
	return v
}

// take is called under the model's lock.
func (v *value[T]) take(raw json.RawMessage) (func(), error) {
	var to T
	if err := json.Unmarshal(raw, &to); err != nil {
		return nil, &MessageError{Widget: v.m.name, Found: fmt.Sprintf("%s %.60s", v.trait, raw), Want: fmt.Sprintf("%T", to),
			Err: err}
	}
	if err := v.check(to); err != nil {
		return nil, err
	}
	return v.keep(to), nil
}

// keep stores a value and gives the calls that it asks for; the lock is held.
func (v *value[T]) keep(to T) func() {
	if to == v.now {
		return nil
	}
	v.now, v.m.state[v.trait] = to, to
	calls := slices.Clone(v.calls)
	return func() {
		for _, f := range calls {
			f(to)
		}
	}
}

func (v *value[T]) get() T {
	v.m.mu.Lock()
	defer v.m.mu.Unlock()
	return v.now
}

func (v *value[T]) set(to T) error {
	if err := v.check(to); err != nil {
		return err
	}
	v.m.mu.Lock()
	if v.m.closed {
		v.m.mu.Unlock()
		return &ClosedError{v.m.name}
	}
	changed := v.keep(to)
	if changed != nil {
		v.m.push(map[string]any{v.trait: to})
	}
	v.m.mu.Unlock()
	if changed != nil {
		changed()
	}
	return nil
}

func (v *value[T]) onChange(f func(T)) {
	if f == nil {
		v.m.fail(noFunction(v.m, "OnChange"))
		return
	}
	v.m.mu.Lock()
	defer v.m.mu.Unlock()
	v.calls = append(v.calls, f)
}

// noFunction is what a call was given for a function.
func noFunction(m *model, call string) error {
	return &ValueError{m.name, "the function of " + call, "nil", "one"}
}

func anything[T any](T) error { return nil }
