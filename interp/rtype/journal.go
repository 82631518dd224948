package rtype

import (
	"go/types"
	"slices"
)

// A Journal remembers what a Table makes, so that it can be undone: types made while methods are
// declared that may turn out not to be, when nothing has executed that could have seen them.
type Journal struct {
	types    []types.Type
	words    []Word
	keys     [3][]string // of structs, ifaces, locals
	families []Word
}

// Begin starts a journal, which End or Undo ends.
func (t *Table) Begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.journal = &Journal{}
}

// End keeps what was made since Begin.
func (t *Table) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.journal = nil
}

// Undo forgets what was made since Begin. Descriptors stay where they are, and nothing leads to
// them.
func (t *Table) Undo() {
	t.mu.Lock()
	defer t.mu.Unlock()
	j := t.journal
	t.journal = nil
	for _, x := range j.types {
		t.done.Delete(x)
	}
	for _, w := range j.words {
		delete(t.back, w)
	}
	for _, w := range j.families {
		gone := t.families[w]
		gone.sources(func(n *types.TypeName) {
			t.having[n] = slices.DeleteFunc(t.having[n], func(f *family) bool { return f == gone })
		})
		delete(t.families, w)
	}
	for _, k := range j.keys[0] {
		delete(t.structs, k)
	}
	for _, k := range j.keys[1] {
		delete(t.ifaces, k)
	}
	for _, k := range j.keys[2] {
		delete(t.locals, k)
	}
}

func (j *Journal) add(b *builder) {
	b.made.Iterate(func(x types.Type, _ any) { j.types = append(j.types, x) })
	for w := range b.back {
		j.words = append(j.words, w)
	}
	for w := range b.families {
		j.families = append(j.families, w)
	}
	for k := range b.structs {
		j.keys[0] = append(j.keys[0], k)
	}
	for k := range b.ifaces {
		j.keys[1] = append(j.keys[1], k)
	}
	for k := range b.locals {
		j.keys[2] = append(j.keys[2], k)
	}
}
