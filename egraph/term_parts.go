package egraph

import (
	"fmt"
	"math"
	"strings"
)

// A TermError is a value that is no term: it has a part that is nil or that it stands in itself, or an operator
// without a name.
type TermError struct{ Reason string }

func (e *TermError) Error() string {
	return "egraph: this is no term: " + e.Reason + "; make terms with ParseTerm, Leaf and Apply"
}

// termParts are the different parts of a term, each once however often it is shared, children first. They are found
// without recursion: a term may be deeper than any stack.
type termParts struct {
	list []*Term
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

// partsOf lists the parts of a term; what is none is a *TermError.
func partsOf(t *Term) (*termParts, error) {
	p := &termParts{}
	p.list, p.path = p.few[:0], p.deep[:0]
	if err := p.enter(t, nil, 0); err != nil {
		return nil, err
	}
	for len(p.path) > 0 {
		s := &p.path[len(p.path)-1]
		if s.next < len(s.t.Args) {
			s.next++
			if err := p.enter(s.t.Args[s.next-1], s.t, s.next); err != nil {
				return nil, err
			}
			continue
		}
		if p.at != nil {
			p.at[s.t] = len(p.list)
		}
		p.list = append(p.list, s.t)
		p.path = p.path[:len(p.path)-1]
	}
	return p, nil
}

// enter looks at argument number arg of a term, unless it was looked at before.
func (p *termParts) enter(t, parent *Term, arg int) error {
	switch {
	case t == nil && parent == nil:
		return &TermError{"it is nil"}
	case t == nil:
		return &TermError{fmt.Sprintf("argument %d of %s is nil", arg, parent.Op)}
	}
	switch at := p.of(t); {
	case at == onPath:
		return &TermError{"a part with the operator " + t.Op + " stands in itself"}
	case at != unknown:
		return nil
	case len(t.Args) > 0 && t.Op == "":
		return &TermError{fmt.Sprintf("an operator over %d arguments has no name", len(t.Args))}
	}
	if p.at == nil && len(p.list)+len(p.path) >= fewParts {
		p.remember()
	}
	if p.at != nil {
		p.at[t] = onPath
	}
	p.path = append(p.path, termStand{t: t})
	return nil
}

func (p *termParts) remember() {
	p.at = make(map[*Term]int, 4*fewParts)
	for i, t := range p.list {
		p.at[t] = i
	}
	for _, s := range p.path {
		p.at[s.t] = onPath
	}
}

// of is the place of a part.
func (p *termParts) of(t *Term) int {
	if p.at != nil {
		if i, ok := p.at[t]; ok {
			return i
		}
		return unknown
	}
	for i, part := range p.list {
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

// size counts operators and leaves, each as often as it stands in the term, up to math.MaxInt.
func (p *termParts) size() int {
	sizes := make([]int, len(p.list))
	for i, t := range p.list {
		n := 1
		for _, a := range t.Args {
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
		case len(s.t.Args) == 0:
			b.WriteString(s.t.Leaf.String())
			path = path[:len(path)-1]
		case s.next == len(s.t.Args):
			b.WriteByte(')')
			path = path[:len(path)-1]
		default:
			if s.next == 0 {
				b.WriteString("(" + spelled(s.t.Op))
			}
			b.WriteByte(' ')
			s.next++
			path = append(path, termStand{t: s.t.Args[s.next-1]})
		}
	}
}
