package rtype_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strings"
	"testing"
	"text/template"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype/internal/twins"
)

// texts is what programs most often see of a value.
func texts(v reflect.Value) (s []string) {
	x := v.Interface()
	for _, f := range []string{"%T", "%v", "%+v"} {
		s = append(s, fmt.Sprintf(f, x))
	}
	if !strings.Contains(fmt.Sprintf("%#v", x), "0x") {
		s = append(s, fmt.Sprintf("%#v", x))
	}
	j, err := json.Marshal(x)
	return append(s, string(j), fmt.Sprint(err))
}

func TestTwinsPrintAlike(t *testing.T) {
	_, all := newTwins(t)
	for _, tw := range all {
		if tw.value.Kind() == reflect.Struct && tw.compiled.Size() > 1<<12 {
			continue
		}
		made, compiled := texts(tw.remake()), texts(tw.value)
		for i := range min(len(made), len(compiled)) {
			if made[i] != compiled[i] && !strings.Contains(made[i], "0x") {
				t.Errorf("%s: made %.200s\ncompiled %.200s", tw.name, made[i], compiled[i])
			}
		}
	}
}

func TestTwinsCompareAndCopyAlike(t *testing.T) {
	_, all := newTwins(t)
	for _, tw := range all {
		a, b := tw.remake(), tw.remake()
		if !reflect.DeepEqual(a.Interface(), b.Interface()) && reflect.DeepEqual(tw.value.Interface(), tw.value.Interface()) {
			t.Errorf("%s: a copy differs", tw.name)
		}
		if reflect.DeepEqual(a.Interface(), tw.value.Interface()) && tw.made != tw.compiled {
			t.Errorf("%s: a value of another type is equal", tw.name)
		}
		if tw.compiled.Comparable() {
			x, y := equal(a, b), equal(tw.value, tw.value)
			if x != y {
				t.Errorf("%s: == is %v, compiled %v", tw.name, x, y)
			}
			if x == "true" {
				asMapKey(t, tw.name, a, b)
			}
		}
		var zero reflect.Value
		if zero = reflect.Zero(tw.made); zero.IsZero() != reflect.Zero(tw.compiled).IsZero() || a.IsZero() != tw.value.IsZero() {
			t.Errorf("%s: IsZero differs", tw.name)
		}
	}
}

func equal(a, b reflect.Value) (s string) {
	defer func() {
		if e := recover(); e != nil {
			s = fmt.Sprint(e)
		}
	}()
	return fmt.Sprint(a.Interface() == b.Interface())
}

func asMapKey(t *testing.T, name string, a, b reflect.Value) {
	defer func() {
		if e := recover(); e != nil && !strings.Contains(fmt.Sprint(e), "unhashable") {
			panic(e)
		}
	}()
	m := reflect.MakeMap(reflect.MapOf(a.Type(), reflect.TypeFor[int]()))
	m.SetMapIndex(a, reflect.ValueOf(1))
	if v := m.MapIndex(b); !v.IsValid() {
		t.Errorf("%s: an equal key is not found in a map", name)
	}
	anyMap := map[any]int{a.Interface(): 2}
	if anyMap[b.Interface()] != 2 {
		t.Errorf("%s: an equal key is not found in a map of interfaces", name)
	}
}

// methodsThat a pair of types must agree on: conversions and method sets among all types of the package.
func TestTwinsImplementAndConvertAlike(t *testing.T) {
	_, all := newTwins(t)
	for _, x := range all {
		for _, y := range all {
			x1, y1, x2, y2 := elem(x.made), elem(y.made), elem(x.compiled), elem(y.compiled)
			if x1.ConvertibleTo(y1) != x2.ConvertibleTo(y2) || x1.AssignableTo(y1) != x2.AssignableTo(y2) {
				t.Errorf("%s to %s: made %v %v, compiled %v %v", x1, y1, x1.ConvertibleTo(y1), x1.AssignableTo(y1), x2.ConvertibleTo(y2), x2.AssignableTo(y2))
			}
			if y1.Kind() == reflect.Interface {
				if reflect.PointerTo(x1).Implements(y1) != reflect.PointerTo(x2).Implements(y2) {
					t.Errorf("*%s implements %s: made %v", x1, y1, reflect.PointerTo(x1).Implements(y1))
				}
			}
		}
	}
}

// elem unwraps the slices that hold interface types.
func elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Interface {
		return t.Elem()
	}
	return t
}

func find(t testing.TB, all []twin, name string) twin {
	t.Helper()
	for _, tw := range all {
		if tw.name == name {
			return tw
		}
	}
	t.Fatalf("no twin %s", name)
	return twin{}
}

// Every way into a method: interface, method value, method expression, promoted, through a pointer.
func TestMethodsRun(t *testing.T) {
	_, all := newTwins(t)
	v := func(name string) reflect.Value { return find(t, all, name).remake() }

	if s := v("int").Interface().(fmt.Stringer).String(); s != "Int(3)" {
		t.Error(s)
	}
	if s := fmt.Sprint([]any{v("int").Interface(), v("text").Interface()}); s != "[Int(3) text: hi]" {
		t.Error(s)
	}
	ints := v("ints")
	sort.Sort(ints.Interface().(sort.Interface))
	if s := fmt.Sprint(ints); s != "[1 2 3]" {
		t.Error(s)
	}
	p := reflect.New(find(t, all, "int").made)
	p.Interface().(interface{ Set(int) }).Set(9)
	if s := fmt.Sprint(p.Elem()); s != "Int(9)" {
		t.Error(s)
	}
	expr, _ := find(t, all, "tagged").made.MethodByName("Sum")
	if n := expr.Func.Call([]reflect.Value{v("tagged"), reflect.ValueOf(2), reflect.ValueOf(3)})[0].Int(); n != 6 {
		t.Error("Tagged.Sum through a method expression:", n)
	}
	if n := v("tagged").MethodByName("Sum").Interface().(func(...int) int)(4, 5); n != 10 {
		t.Error("Tagged.Sum as a method value:", n)
	}
	if n := v("oneptr").Interface().(interface{ Deref() int }).Deref(); n != 7 {
		t.Error("a receiver that is one pointer:", n)
	}
	if n := v("ptrs1").MethodByName("Deref").Call(nil)[0].Int(); n != 7 {
		t.Error("a receiver that is an array of one pointer:", n)
	}
	var failure error = v("wrapped").Interface().(error)
	if errors.Unwrap(failure) == nil || failure.Error() != "w" {
		t.Error("an embedded interface's method:", failure)
	}
	if s := v("anonembed").Interface().(interface{ Describe() string }).Describe(); s != "base 7" {
		t.Error("promoted into an unnamed struct:", s)
	}
	if s := v("anonembedptr").Interface().(fmt.Stringer).String(); s != "Int(2)" {
		t.Error("promoted through a pointer:", s)
	}
	v("locked").MethodByName("Lock").Call(nil)
	if s := v("pair").Interface().(fmt.Stringer).String(); s != "<1 x>" {
		t.Error(s)
	}
}

// A method with more arguments than registers, of all classes.
func TestManyArguments(t *testing.T) {
	_, all := newTwins(t)
	tw := find(t, all, "blank")
	p := reflect.New(tw.made)
	p.Elem().Field(0).SetInt(42)
	method := p.MethodByName("Big")
	var in, twin []reflect.Value
	for i := range 12 {
		in = append(in, reflect.ValueOf(i))
	}
	twin = append(append(twin, in...), reflect.ValueOf("s"), reflect.ValueOf(twins.Float(1.5)), reflect.ValueOf([3]int{7, 8, 9}))
	in = append(in, reflect.ValueOf("s"), as(reflect.ValueOf(twins.Float(1.5)), find(t, all, "float").made), reflect.ValueOf([3]int{7, 8, 9}))
	want := reflect.ValueOf(&twins.Blank{A: 42}).MethodByName("Big").Call(twin)[0].String()
	if got := method.Call(in)[0].String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestJSONRoundTrip(t *testing.T) {
	_, all := newTwins(t)
	for _, name := range []string{"tagged", "outer", "haslower", "pair", "float", "table"} {
		tw := find(t, all, name)
		text, err := json.Marshal(tw.remake().Interface())
		if err != nil {
			t.Fatal(name, err)
		}
		made, compiled := reflect.New(tw.made), reflect.New(tw.compiled)
		e1, e2 := json.Unmarshal(text, made.Interface()), json.Unmarshal(text, compiled.Interface())
		if fmt.Sprint(e1) != fmt.Sprint(e2) || fmt.Sprintf("%+v", made.Elem()) != fmt.Sprintf("%+v", compiled.Elem()) {
			t.Errorf("%s: %s: made %+v (%v), compiled %+v (%v)", name, text, made.Elem(), e1, compiled.Elem(), e2)
		}
	}
}

func TestTemplates(t *testing.T) {
	_, all := newTwins(t)
	tmpl := template.Must(template.New("").Parse(`{{.Name}} {{.ID}} {{.Describe}} {{.Base.Describe}} {{.Width}}`))
	tw := find(t, all, "outer")
	var made, compiled bytes.Buffer
	if err := tmpl.Execute(&made, tw.remake().Interface()); err != nil {
		t.Fatal(err)
	}
	if err := tmpl.Execute(&compiled, tw.value.Interface()); err != nil {
		t.Fatal(err)
	}
	if made.String() != compiled.String() {
		t.Errorf("made %s, compiled %s", &made, &compiled)
	}
}
