package interp

import (
	"go/token"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
)

// maxSources bounds the cells whose text is kept for the excerpts in stacks.
const maxSources = 500

// sources are the texts of the latest cells.
type sources struct {
	mu    sync.Mutex
	texts map[string]string
	order []string
}

func newSources() *sources { return &sources{texts: map[string]string{}} }

func (s *sources) put(n int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := cell.Name(n)
	if _, again := s.texts[name]; !again {
		s.order = append(s.order, name)
	}
	s.texts[name] = text
	if len(s.order) > maxSources {
		delete(s.texts, s.order[0])
		s.order = s.order[1:]
	}
}

func (s *sources) line(pos token.Position) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := strings.Split(s.texts[pos.Filename], "\n")
	if pos.Line < 1 || pos.Line > len(lines) || s.texts[pos.Filename] == "" {
		return "", false
	}
	return strings.TrimRight(lines[pos.Line-1], "\r"), true
}
