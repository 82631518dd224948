package term

import (
	"fmt"
	"math"
	"strings"
)

// A MalformedError is a value that is no term: it has a part that is nil or that it stands in itself, or an operator
// without a name.
type MalformedError struct{ Reason string }

func (e *MalformedError) Error() string {
	return "egraph: this is no term: " + e.Reason + "; make terms with term.Parse, term.Leaf and term.Apply"
}

// Parts are the different parts of a term, each once however often it is shared, children first. They are found
// without recursion: a term may be deeper than any stack.
type Parts struct {
	List []*Term
	at   map[*Term]int // place in list, onPath for those whose children are looked at; nil while there are few
	path []termStand
	few  [fewParts]*Term
	deep [fewLevels]termStand
}

type termStand struct {
	t    *Term
	next int
}

const (
	fewParts  = 24 // are looked through faster than a map is made
	fewLevels = 8
	onPath    = -1
	unknown   = -2
)

// PartsOf lists the parts of a term; what is none is a *MalformedError.
func PartsOf(t *Term) (*Parts, error) {
	p := &Parts{}
	p.List, p.path = p.few[:0], p.deep[:0]
	if err := p.enter(t, nil, 0); err != nil {
		return nil, err
	}
	for len(p.path) > 0 {
		s := &p.path[len(p.path)-1]
		if s.next < len(s.t.Children) {
			s.next++
			if err := p.enter(s.t.Children[s.next-1], s.t, s.next); err != nil {
				return nil, err
			}
			continue
		}
		if p.at != nil {
			p.at[s.t] = len(p.List)
		}
		p.List = append(p.List, s.t)
		p.path = p.path[:len(p.path)-1]
	}
	return p, nil
}

// enter looks at argument number arg of a term, unless it was looked at before.
func (p *Parts) enter(t, parent *Term, arg int) error {
	switch {
	case t == nil && parent == nil:
		return &MalformedError{"it is nil"}
	case t == nil:
		return &MalformedError{fmt.Sprintf("argument %d of %s is nil", arg, parent.Op)}
	}
	switch at := p.of(t); {
	case at == onPath:
		return &MalformedError{"a part with the operator " + t.Op + " stands in itself"}
	case at != unknown:
		return nil
	case len(t.Children) > 0 && t.Op == "":
		return &MalformedError{fmt.Sprintf("an operator over %d arguments has no name", len(t.Children))}
	}
	if p.at == nil && len(p.List)+len(p.path) >= fewParts {
		p.remember()
	}
	if p.at != nil {
		p.at[t] = onPath
	}
	p.path = append(p.path, termStand{t: t})
	return nil
}

func (p *Parts) remember() {
	p.at = make(map[*Term]int, 4*fewParts)
	for i, t := range p.List {
		p.at[t] = i
	}
	for _, s := range p.path {
		p.at[s.t] = onPath
	}
}

// made refuses parts that PartsOf did not make.
func (p *Parts) made() {
	if p == nil || len(p.List)+len(p.path) == 0 {
		panic(&MalformedError{"it has no parts, which PartsOf lists"})
	}
}

// Of is the place of a part in List.
func (p *Parts) Of(t *Term) int {
	p.made()
	return p.of(t)
}

func (p *Parts) of(t *Term) int {
	if p.at != nil {
		if i, ok := p.at[t]; ok {
			return i
		}
		return unknown
	}
	for i, part := range p.List {
		if part == t {
			return i
		}
	}
	for _, s := range p.path {
		if s.t == t {
			return onPath
		}
	}
	return unknown
}

// Size counts operators and leaves, each as often as it stands in the term, up to math.MaxInt.
func (p *Parts) Size() int {
	p.made()
	sizes := make([]int, len(p.List))
	for i, t := range p.List {
		n := 1
		for _, a := range t.Children {
			if s := sizes[p.of(a)]; n > math.MaxInt-s {
				n = math.MaxInt
			} else {
				n += s
			}
		}
		sizes[i] = n
	}
	return sizes[len(sizes)-1]
}

// write prints the term.
func (t *Term) write(b *strings.Builder) {
	for path := []termStand{{t: t}}; len(path) > 0; {
		s := &path[len(path)-1]
		switch {
		case len(s.t.Children) == 0:
			b.WriteString(s.t.Leaf.String())
			path = path[:len(path)-1]
		case s.next == len(s.t.Children):
			b.WriteByte(')')
			path = path[:len(path)-1]
		default:
			if s.next == 0 {
				b.WriteString("(" + Quote(s.t.Op))
			}
			b.WriteByte(' ')
			s.next++
			path = append(path, termStand{t: s.t.Children[s.next-1]})
		}
	}
}
