package egraph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// TestOneGoroutineAtATime calls every method of a graph, and of what holds one, while another call has it: each is
// refused by a *BusyError, leaves the graph to the other, and works when that is over. // law (e)
func TestOneGoroutineAtATime(t *testing.T) {
	arguments := map[reflect.Type]any{
		reflect.TypeFor[context.Context](): context.Background(),
		reflect.TypeFor[string]():          "(f x y)", reflect.TypeFor[*term.Term](): term.MustParse("(f x)"),
		reflect.TypeFor[*Rules]():      NewRules(NewRule("r").Match("(f ?x ?y)").Replace("?x")),
		reflect.TypeFor[CostFunc]():    CostFunc(ASTSize),
		reflect.TypeFor[NodeCost]():    NodeCost(OneEach),
		reflect.TypeFor[term.Atom]():   term.Symbol("x"),
		reflect.TypeFor[[]RunOption](): []RunOption(nil),
	}
	for _, make := range []func(g *EGraph) any{
		func(g *EGraph) any { return g },
		func(g *EGraph) any { return g.Bulk() },
		func(g *EGraph) any { x, _ := g.NewExtractor(ASTSize); return x },
	} {
		g := fewNodes()
		v := reflect.ValueOf(make(g))
		for i := range v.NumMethod() {
			name := v.Type().Elem().Name() + "." + v.Type().Method(i).Name
			if name == "Extractor.Cost" { // it reads columns of its own
				continue
			}
			m := v.Method(i)
			var args []reflect.Value
			for j := range m.Type().NumIn() {
				in := m.Type().In(j)
				switch a, ok := arguments[in]; {
				case m.Type().IsVariadic() && j == m.Type().NumIn()-1:
				case ok:
					args = append(args, reflect.ValueOf(a))
				case in.Kind() == reflect.Func:
					args = append(args, reflect.MakeFunc(in, func([]reflect.Value) []reflect.Value {
						return []reflect.Value{reflect.Zero(in.Out(0))}
					}))
				case in.Kind() == reflect.Interface:
					args = append(args, reflect.ValueOf(&bytes.Buffer{}))
				default:
					args = append(args, reflect.Zero(in))
				}
			}
			if err := g.enter("the test"); err != nil {
				t.Fatal(err)
			}
			var busy *BusyError
			if err := refusedWith(m, args); !errors.As(err, &busy) {
				t.Errorf("%s beside another call: %v", name, err)
			}
			if !g.busy.Load() {
				t.Fatalf("%s took the graph from the other call", name)
			}
			g.leave()
			if err := refusedWith(m, args); errors.As(err, &busy) {
				t.Errorf("%s behind the other call: %v", name, err)
			}
			if g.busy.Load() {
				t.Fatalf("%s does not give the graph back", name)
			}
		}
	}
}

// refusedWith is the error that a call answers, panics with or puts into what it answers.
func refusedWith(m reflect.Value, args []reflect.Value) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err, _ = p.(error)
		}
	}()
	for _, r := range m.Call(args) {
		if r.Kind() == reflect.Pointer && !r.IsNil() && r.Elem().Kind() == reflect.Struct {
			if f := r.Elem().FieldByName("Err"); f.IsValid() {
				r = f
			}
		}
		if e, ok := r.Interface().(error); ok {
			err = e
		}
	}
	return err
}

// A function that a run asks may use the graph; another goroutine that does so when the function returns is found.
// // law (e)
func TestFunctionsBorrowTheGraph(t *testing.T) {
	g := fewNodes()
	rules := MustParseRules("r: (f ?x ?y) => (h ?x) if (test ?x)", Where("test", func(g *EGraph, ids []ID) bool {
		return g.Nodes() > 0 && g.Same(ids[0], ids[0]) && g.MustAdd("new") > 0
	}))
	if r := g.Run(rules); r.Err != nil {
		t.Error(r.Err)
	}
	var entered, over sync.WaitGroup
	rules = MustParseRules("r: (f ?x ?y) => (k ?x) if (test ?x)", Where("test", func(g *EGraph, ids []ID) bool {
		entered.Add(1)
		over.Go(func() {
			_ = g.Search("?x", ids[0], func(map[string]ID) bool { return true })
			if err := g.enter("the other"); err != nil {
				t.Error(err)
			}
			entered.Done()
			time.Sleep(10 * time.Millisecond)
			g.leave()
		})
		entered.Wait()
		return true
	}))
	var busy *BusyError
	if r := g.Run(rules); !errors.As(r.Err, &busy) {
		t.Error(r)
	}
	over.Wait()
	checked(t, g)
}

// Calls of many goroutines are right or refused, and the graph is whole behind them. // law (e)
func TestManyGoroutines(t *testing.T) {
	g := fewNodes()
	var done sync.WaitGroup
	for i := range 8 {
		done.Go(func() {
			for j := range 500 {
				id, err := g.Add(fmt.Sprintf("(f x%d y%d)", i, j))
				if err == nil {
					_, err = g.Union(id, 0)
				}
				var busy *BusyError
				if err != nil && !errors.As(err, &busy) {
					t.Error(err)
				}
			}
		})
	}
	done.Wait()
	g.Rebuild()
	checked(t, g)
}
