package nvrtc

import (
	"fmt"
	"sync"
)

var kept struct {
	sync.Mutex
	programs map[string]*Program
}

// Keep remembers a program under a name, for Compiled. It is how a notebook's %%cuda cell hands
// what it compiled to Go cells.
func Keep(name string, p *Program) {
	kept.Lock()
	defer kept.Unlock()
	if kept.programs == nil {
		kept.programs = map[string]*Program{}
	}
	kept.programs[name] = p
}

// A NameError says that no program was kept under a name.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("nvrtc: no program is called %q; a cell that begins with %%%%cuda %s compiles one", e.Name, e.Name)
}

// Compiled is the program that was kept last under the name. The error is a *NameError.
func Compiled(name string) (*Program, error) {
	kept.Lock()
	defer kept.Unlock()
	if p, ok := kept.programs[name]; ok {
		return p, nil
	}
	return nil, &NameError{name}
}

// MustCompiled is Compiled for cells: it panics with the error.
func MustCompiled(name string) *Program {
	p, err := Compiled(name)
	if err != nil {
		panic(err)
	}
	return p
}
