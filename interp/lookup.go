package interp

import (
	"context"
	"go/types"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/complete"
	"github.com/vyre-kernel/vyre-kernel/interp/magic"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// Complete answers what could stand at the cursor.
func (s *Session) Complete(_ context.Context, req worker.CompleteRequest) worker.CompleteReply {
	cursor := min(max(req.Cursor, 0), len(req.Source))
	line := req.Source[strings.LastIndexByte(req.Source[:cursor], '\n')+1 : cursor]
	if strings.HasPrefix(line, "%") && !strings.Contains(line, " ") {
		return commands(line, cursor)
	}
	if argument, ok := strings.CutPrefix(line, "%engine "); ok {
		return s.engineArgument(strings.TrimLeft(argument, " "), cursor)
	}
	text, ok := s.goText(req.Source, cursor)
	if !ok {
		return worker.CompleteReply{Start: cursor, End: cursor}
	}
	start, end, list := s.complete.At(text, cursor)
	return worker.CompleteReply{Start: start, End: end, Matches: list}
}

// goText is the Go text that the cursor is in, with as many bytes before it as in the cell: its
// own, or what a command takes. There is none where the text is a shell's, or a device's.
func (s *Session) goText(source string, cursor int) (string, bool) {
	start := strings.LastIndexByte(source[:cursor], '\n') + 1
	line, _, _ := strings.Cut(source[start:], "\n")
	calls, rest := magic.Split(source, s.declares)
	if n := len(calls); n > 0 && strings.HasPrefix(calls[n-1].Name, "%%") && strings.Contains(source[:cursor], "\n") {
		if c := calls[n-1]; cursor >= len(source)-len(c.Body) {
			return c.Source, c.TakesGo()
		}
	}
	isGo := len(rest) == len(source) && rest[start:start+len(line)] == line
	switch line = strings.TrimLeft(line, " \t"); {
	case isGo: // also where it begins with !, or as text with %
	case strings.HasPrefix(line, "!"), strings.HasPrefix(line, "%%"):
		return "", false
	case strings.HasPrefix(line, "%"):
		name, _, _ := strings.Cut(line, " ")
		one, _ := magic.Split(line, nil)
		before := start + strings.Index(source[start:], line)
		if cursor < before+len(name) || !one[0].TakesGo() {
			return "", false
		}
		return strings.Repeat(" ", before) + one[0].Source, true
	}
	if len(rest) != len(source) { // nothing but commands
		return source, true
	}
	return rest, true
}

func commands(line string, cursor int) worker.CompleteReply {
	r := worker.CompleteReply{Start: cursor - len(line), End: cursor}
	for _, name := range magic.Names() {
		if help, ok := magic.Help(name); ok && strings.HasPrefix(name, line) {
			r.Matches = append(r.Matches, worker.Completion{Text: name, Kind: "keyword", Signature: help})
		}
	}
	return r
}

// engineArgument completes the name after %engine.
func (s *Session) engineArgument(begun string, cursor int) worker.CompleteReply {
	r := worker.CompleteReply{Start: cursor - len(begun), End: cursor}
	for _, name := range s.engineNames() {
		if strings.HasPrefix(name, begun) {
			r.Matches = append(r.Matches, worker.Completion{Text: name, Kind: "keyword", Signature: "an engine"})
		}
	}
	return r
}

// What inspection shows of a value: lines, and characters in all.
const (
	inspectedLines = 10
	inspectedText  = 800
)

// Inspect answers what the name at the cursor is: its declaration, its documentation, and of a
// variable its value in short.
func (s *Session) Inspect(_ context.Context, req worker.InspectRequest) worker.InspectReply {
	text, ok := s.describe(req.Source, req.Cursor)
	if !ok {
		return worker.InspectReply{}
	}
	return worker.InspectReply{Found: true, Bundle: display.Bundle{Data: map[string]any{display.TypeText: text}}}
}

// Describe is Inspect for a command: with what a package exports, and with a type's methods.
func (p *commandSession) Describe(name string) (string, bool) {
	subject, ok := p.s.complete.Named(name)
	if !ok {
		return "", false
	}
	text := p.s.about(subject)
	if index := subject.Index(); len(index) > 0 {
		text += "\n\n" + strings.Join(index, "\n")
	}
	return text, true
}

// Neighbours are names that one could have meant instead of one that nothing has.
func (p *commandSession) Neighbours(name string) []string { return p.s.complete.Neighbours(name) }

// describe says what is at the cursor of a text.
func (s *Session) describe(source string, cursor int) (string, bool) {
	text, ok := s.goText(source, min(max(cursor, 0), len(source)))
	if !ok {
		return "", false
	}
	subject, ok := s.complete.Inspect(text, cursor)
	if !ok {
		return "", false
	}
	return s.about(subject), true
}

// about is the declaration of a subject, the value of a variable, and the documentation.
func (s *Session) about(subject *complete.Subject) string {
	parts := []string{subject.Signature}
	if v, ok := subject.Object.(*types.Var); ok {
		if value := cutText(s.valueText(v, display.TextOf), inspectedLines, inspectedText); strings.Contains(value, "\n") {
			parts = append(parts, "value:", value)
		} else if value != "" {
			parts = append(parts, "value: "+value)
		}
	}
	if subject.Doc != "" {
		parts = append(parts, "", subject.Doc)
	}
	return strings.Join(parts, "\n")
}
