package checks

// Cells remembers the accesses to a range of bytes: a cell per word, or per halfword or byte once
// accesses are as small. Use by one goroutine at a time.
type Cells struct {
	start  uint64 // offset of the first byte
	cells  []cell
	strong [][2]Epoch      // beside cells; nil until a strong write
	more   map[int][]Epoch // readers that cells have no room for, by cell
	log    uint8           // of the bytes per cell
}

// wordLog is the log2 of the bytes of a word, what cells are of at first.
const wordLog = 2

// NewCells makes the cells of n bytes.
func NewCells(n uint64) *Cells { return &Cells{cells: make([]cell, (n+3)>>wordLog), log: wordLog} }

// maxReaders bounds the readers of one cell that are kept by name.
const maxReaders = 64

// Observe judges an access of size bytes at off, and remembers it where it races with nothing.
func (s *Cells) Observe(off, size uint64, o *Observer) (Conflict, bool) {
	for (off|size)&(1<<s.log-1) != 0 {
		s.split()
	}
	if o.Write && o.Info&Strong != 0 && s.strong == nil {
		s.strong = make([][2]Epoch, len(s.cells))
	}
	n := 1 << s.log
	for k := (off - s.start) >> s.log; k < (off-s.start+size)>>s.log; k++ {
		if x, bad := s.observe(int(k), n, o); bad {
			return x, true
		}
	}
	return Conflict{}, false
}

func (s *Cells) observe(k, n int, o *Observer) (Conflict, bool) {
	c := &s.cells[k]
	var strong *[2]Epoch
	if s.strong != nil {
		strong = &s.strong[k]
	}
	var more []Epoch
	if s.more != nil {
		more = s.more[k]
	}
	if x, bad := o.conflict(c, strong, more, s.start+uint64(k*n), n); bad {
		return x, true
	}
	switch {
	case !o.Write:
		if !o.read(c) {
			s.keep(k, o)
		}
	case o.Info&Strong != 0:
		o.wroteStrongly(c, strong)
		s.forget(k, o)
	default:
		o.wrote(c)
		if strong != nil {
			*strong = [2]Epoch{}
		}
		if more != nil {
			delete(s.more, k)
		}
	}
	return Conflict{}, false
}

// keep adds a reader that the cell has no room for.
func (s *Cells) keep(k int, o *Observer) {
	s.forget(k, o)
	if s.more == nil {
		s.more = map[int][]Epoch{}
	}
	list := s.more[k]
	if len(list) >= maxReaders {
		list = append(list[:0], list[1:]...)
	}
	s.more[k] = append(list, o.Epoch)
}

// forget drops the further readers of a cell that the observed thread knows.
func (s *Cells) forget(k int, o *Observer) {
	list := s.more[k]
	if len(list) == 0 {
		return
	}
	kept := list[:0]
	for i := range list {
		if !o.knows(&list[i]) {
			kept = append(kept, list[i])
		}
	}
	s.more[k] = kept
}

// split halves what a cell stands for.
func (s *Cells) split() {
	s.log--
	s.cells = doubled(s.cells)
	if s.strong != nil {
		s.strong = doubled(s.strong)
	}
	more := s.more
	s.more = nil
	for k, list := range more {
		if s.more == nil {
			s.more = map[int][]Epoch{}
		}
		s.more[2*k], s.more[2*k+1] = list, append([]Epoch(nil), list...)
	}
}

func doubled[T any](old []T) []T {
	out := make([]T, 0, 2*len(old))
	for _, x := range old {
		out = append(out, x, x)
	}
	return out
}

// Clear forgets everything.
func (s *Cells) Clear() {
	clear(s.cells)
	s.strong, s.more = nil, nil
}
