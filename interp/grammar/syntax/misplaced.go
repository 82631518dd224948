package syntax

import "fmt"

// misplaced finds what this parser lets pass and go/parser does not, in the words of types2.
func misplaced(root Node) (list []Error) {
	if f, ok := root.(*File); ok && f == nil {
		return nil
	}
	tags := make(map[Expr]bool)
	Inspect(root, func(n Node) bool {
		switch n := n.(type) {
		case *SwitchStmt:
			tags[n.Tag] = true
		case *TypeSwitchGuard:
			if !tags[n] {
				list = append(list, Error{StartPos(n.X), "invalid syntax tree: use of .(type) outside type switch"})
			}
		case *CallStmt:
			if !isCall(n.Call) {
				list = append(list, Error{StartPos(n.Call), "expression in " + n.Tok.String() + " must be function call"})
			}
		case *RangeClause:
			if l := elements(n.Lhs); len(l) > 2 {
				list = append(list, Error{StartPos(l[2]), "range clause permits at most two iteration variables"})
			}
		case *CommClause:
			a, ok := n.Comm.(*AssignStmt)
			if !ok || !isReceive(a.Rhs) {
				break
			}
			if count := len(elements(a.Lhs)); count > 2 {
				list = append(list, Error{StartPos(a.Rhs), fmt.Sprintf("assignment mismatch: %d variables but 1 value", count)})
			}
		}
		return true
	})
	return list
}

func isCall(x Expr) bool {
	switch Unparen(x).(type) {
	case *CallExpr, *BadExpr:
		return true
	}
	return false
}

func isReceive(x Expr) bool {
	op, ok := x.(*Operation)
	return ok && op.Op == Recv && op.Y == nil
}

func elements(x Expr) []Expr {
	if l, ok := x.(*ListExpr); ok {
		return l.ElemList
	}
	return nil
}
