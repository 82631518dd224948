package check

import (
	"fmt"
	"go/ast"
	"go/types"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
)

// A cell of declarations alone initializes its variables as go/types has it for a package: random
// ones, which name each other directly and through functions and methods. (G11)
func TestInitOrderIsThePackages(t *testing.T) {
	c := newChecker(t)
	cycles := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		src := randomPackage(r)
		split, err := cell.Split(1, src)
		if err != nil {
			t.Fatal(err)
		}
		p := c.check(lower(split))
		whole, err := cell.Split(1, "package main\n"+src)
		if err != nil {
			t.Fatal(err)
		}
		file := lower(whole)
		file.keep = &keeping{}
		q := c.check(file)
		want := initialized(q.info.InitOrder)
		if len(q.errs) > 0 {
			want = "refused"
			cycles++
		}
		p.order()
		got := "refused"
		if len(p.errs) == 0 {
			got = p.sequenced()
		}
		if got != want {
			t.Fatalf("seed %d: %s\nwant %s\n%s\n%v %v", seed, got, want, src, p.errs, q.errs)
		}
	}
	if cycles < 20 || cycles > 380 {
		t.Errorf("%d of the packages have cycles", cycles)
	}
}

// randomPackage declares variables, functions and methods that name each other.
func randomPackage(r *rand.Rand) string {
	names := func() string {
		terms := []string{"1"}
		for range r.IntN(3) {
			switch n := r.IntN(6); r.IntN(3) {
			case 0:
				terms = append(terms, fmt.Sprint("v", n))
			case 1:
				terms = append(terms, fmt.Sprintf("f%d()", n))
			default:
				terms = append(terms, fmt.Sprintf("T(2).m%d()", n))
			}
		}
		return strings.Join(terms, "+")
	}
	decls := []string{"type T int"}
	for i := range 6 {
		f := fmt.Sprintf("func f%d() int { return 1 }", i)
		m := fmt.Sprintf("func (T) m%d() int { return 2 }", i)
		if r.IntN(2) == 0 {
			f = fmt.Sprintf("func f%d() int { return %s }", i, names())
		}
		if r.IntN(2) == 0 {
			m = fmt.Sprintf("func (T) m%d() int { return %s }", i, names())
		}
		v := fmt.Sprintf("var v%d int = %s", i, names())
		switch r.IntN(4) {
		case 0:
			v = fmt.Sprintf("var v%d int", i)
		case 1:
			v = fmt.Sprintf("var v%d, w%d int = %s, %s", i, i, names(), names())
		case 2:
			v = fmt.Sprintf("var _ = %s\n%s", names(), v)
		}
		decls = append(decls, f, m, v)
	}
	r.Shuffle(len(decls), func(i, j int) { decls[i], decls[j] = decls[j], decls[i] })
	return strings.Join(decls, "\n")
}

func initialized(order []*types.Initializer) (list string) {
	for _, i := range order {
		list += i.String() + ";"
	}
	return list
}

// sequenced is the order in which entry gives variables their initializers.
func (p *pass) sequenced() (list string) {
	for _, s := range p.low.entry.Body.List {
		if a, ok := s.(*ast.AssignStmt); ok && !isZero(a) {
			list += types.ExprString(a.Lhs[0]) + " = " + types.ExprString(a.Rhs[0]) + ";"
		}
	}
	return list
}

func isZero(a *ast.AssignStmt) bool {
	call, ok := a.Rhs[0].(*ast.CallExpr)
	if !ok {
		return false
	}
	_, ok = call.Fun.(*ast.FuncLit)
	return ok
}
