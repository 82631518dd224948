package ptx

// The places in the source that .loc tells (section 11.3.1). An instruction is of the function that its kernel's
// author wrote: where a call of a header's function has become its text, of the line of the call.

// sourcePlace is a place in a source file, by the file's number.
type sourcePlace struct{ file, line, column int }

// sourcePlaces are those of a function.
type sourcePlaces struct {
	at      sourcePlace // in force
	file    int         // of the first .loc: the function's own
	own     sourcePlace // the last in that file
	inlined map[sourcePlace]sourcePlace
}

// parseLoc reads .loc FILE LINE COLUMN[, function_name LABEL[+OFFSET], inlined_at FILE LINE COLUMN].
func (p *parser) parseLoc() {
	at, s := p.place(), &p.source
	if !p.accept(",") {
		delete(s.inlined, at)
		s.plain(at)
		return
	}
	if p.ident("function_name") != "function_name" {
		p.fail("function_name before this")
	}
	p.ident("a label")
	if p.accept("+") {
		p.int("an offset")
	}
	p.expect(",")
	if p.ident("inlined_at") != "inlined_at" {
		p.fail("inlined_at before this")
	}
	if s.inlined == nil {
		s.inlined = map[sourcePlace]sourcePlace{}
	}
	s.inlined[at] = p.place()
	s.at = s.outward(at)
}

// plain is a place that is said to be inlined nowhere. Code for debuggers does not say it: there what is of another
// file than the function stands behind the line of the call.
func (s *sourcePlaces) plain(at sourcePlace) {
	if s.file == 0 {
		s.file = at.file
	}
	switch {
	case at.file == s.file && at.line > 0:
		s.own = at
	case at.file != s.file && s.own.line > 0:
		at = s.own
	}
	s.at = at
}

// outward follows the calls that were inlined to the function that is none, and gives the innermost place in the
// file of that.
func (s *sourcePlaces) outward(at sourcePlace) sourcePlace {
	chain := []sourcePlace{at}
	for len(chain) < maxDepth {
		next, ok := s.inlined[chain[len(chain)-1]]
		if !ok {
			break
		}
		chain = append(chain, next)
	}
	for _, c := range chain {
		if c.file == chain[len(chain)-1].file {
			return c
		}
	}
	return at
}

func (p *parser) place() sourcePlace {
	return sourcePlace{p.int("a file number"), p.int("a line number"), p.int("a column")}
}
