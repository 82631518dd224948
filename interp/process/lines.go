package process

import (
	"bytes"
	"io"
)

// maxHeld is how much of a line is held: one that is longer is passed on in parts.
const maxHeld = 64 << 10

// lines keeps the lines of a stream whole where a full buffer cut them: the beginning of such a
// line waits for its rest. What a process writes in less than a full buffer is passed on at once,
// with or without the end of a line: it may be a question.
type lines struct {
	to   io.Writer
	held []byte
}

// add passes on what was written. cut says that it ends where a buffer was full.
func (l *lines) add(p []byte, cut bool) {
	keep := 0
	if cut {
		keep = len(p) - 1 - bytes.LastIndexByte(p, '\n')
	}
	if keep+len(l.held) > maxHeld {
		keep = 0
	}
	if keep == len(p) {
		l.held = append(l.held, p...)
		return
	}
	if len(l.held) > 0 {
		l.held = append(l.held, p[:len(p)-keep]...)
		l.flush()
	} else {
		l.write(p[:len(p)-keep])
	}
	l.held = append(l.held, p[len(p)-keep:]...)
}

func (l *lines) holds() bool { return len(l.held) > 0 }

// flush passes on what is held.
func (l *lines) flush() {
	if len(l.held) > 0 {
		l.write(l.held)
		l.held = l.held[:0]
	}
}

// write passes on: where the cell's stream fails, there is nobody to tell.
func (l *lines) write(p []byte) { _, _ = l.to.Write(p) }
