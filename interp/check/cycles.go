package check

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// Generic declarations of several cells can ask for instances of each other without end, each with
// longer type arguments, which go/types looks for within one package only: F[T] calls G[T] in one
// cell, and G[T] calls F[[]T] in another. As there, a flow goes from a type parameter to those that
// are instantiated with it, and lengthens where it is instantiated with something made of it; there
// must be no way back to where it began that lengthens.

// A flow is one of these.
type flow struct {
	from, to *types.TypeParam
	longer   bool
	at       token.Pos
	as       types.Type
}

// cycles notes an error where the cell's flows close a cycle with those of earlier cells.
func (p *pass) cycles() {
	if len(p.errs) > 0 || p.low.cell.Program != nil {
		return
	}
	own := p.flows(&sourced{info: p.info})
	if len(own) == 0 {
		return
	}
	all := own
	p.env.generic.each(func(s *sourced) { all = append(all, p.flows(s)...) })
	for _, f := range own {
		there, back := reached(f.to, all, false), reached(f.from, all, true)
		if !there[f.from] {
			continue
		}
		for _, g := range all {
			if g.longer && there[g.from] && back[g.from] && there[g.to] && back[g.to] {
				p.errs = append(p.errs, types.Error{Fset: p.low.cell.Fset, Pos: f.at,
					Msg: fmt.Sprintf("instantiation cycle: over declarations of earlier cells, %s instantiated as %s leads to itself",
						g.to, g.as)})
				return
			}
		}
	}
}

// reached are the type parameters that flows lead to from one, itself among them, or lead from to
// it.
func reached(from *types.TypeParam, all []flow, back bool) map[*types.TypeParam]bool {
	found := map[*types.TypeParam]bool{from: true}
	for n := 0; n < len(found); {
		n = len(found)
		for _, f := range all {
			a, b := f.from, f.to
			if back {
				a, b = b, a
			}
			if found[a] {
				found[b] = true
			}
		}
	}
	return found
}

// flows are those of a cell.
func (p *pass) flows(s *sourced) (list []flow) {
	of := receiverParams(s.info)
	for id, in := range s.info.Instances {
		params := p.paramsOf(s.info.Uses[id])
		for i := range in.TypeArgs.Len() {
			arg := types.Unalias(in.TypeArgs.At(i))
			for q := range paramsIn(arg) {
				if i < params.Len() {
					list = append(list, flow{of.declared(q), of.declared(params.At(i)), arg != types.Type(q), id.Pos(), arg})
				}
			}
		}
	}
	return list
}

// paramsOf are the type parameters of what is instantiated: of what the cell declares in its place,
// where earlier code follows that.
func (p *pass) paramsOf(o types.Object) *types.TypeParamList {
	if o == nil || o.Pkg() == nil || o.Pkg().Path() != "main" {
		return nil
	}
	if now := p.pkg.Scope().Lookup(o.Name()); now != nil && p.env.objects[o.Name()] == o && sameKind(o, now) {
		o = now
	}
	switch t := types.Unalias(o.Type()).(type) {
	case *types.Signature:
		return t.TypeParams()
	case *types.Named:
		return t.TypeParams()
	}
	return nil
}

// A paramMap leads from the names that a method has for its type's parameters to these.
type paramMap map[*types.TypeParam]*types.TypeParam

func receiverParams(info *types.Info) paramMap {
	of := paramMap{}
	for _, o := range info.Defs {
		m, ok := o.(*types.Func)
		if !ok || m.Signature().RecvTypeParams().Len() == 0 {
			continue
		}
		params := engine.ReceiverOf(m).TypeParams()
		for i := range min(params.Len(), m.Signature().RecvTypeParams().Len()) {
			of[m.Signature().RecvTypeParams().At(i)] = params.At(i)
		}
	}
	return of
}

func (m paramMap) declared(q *types.TypeParam) *types.TypeParam {
	if t := m[q]; t != nil {
		return t
	}
	return q
}

// paramsIn are the type parameters of which a type is made.
func paramsIn(t types.Type) map[*types.TypeParam]bool {
	w := paramWalk{map[*types.TypeParam]bool{}, map[types.Type]bool{}}
	w.walk(t)
	return w.found
}

type paramWalk struct {
	found map[*types.TypeParam]bool
	seen  map[types.Type]bool
}

func (w paramWalk) walk(t types.Type) {
	t = types.Unalias(t)
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.TypeParam:
		w.found[t] = true
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			w.walk(a)
		}
	default:
		engine.Parts(t, w.walk)
	}
}
