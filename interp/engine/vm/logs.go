package vm

import (
	"fmt"
	"io"
	"log"
	"path/filepath"
	"reflect"
	"sync"
	"time"
)

// Package log asks the runtime who called it, which knows no places of cells. Where a logger writes places, the line is therefore
// written here, as log.Logger.output writes it.

const logPlaces = log.Lshortfile | log.Llongfile

var logging sync.Mutex // one line after the other

// logLine writes s with the place of the cell's function depth calls above the one that called.
func logLine(l *log.Logger, depth int, s string) error {
	if l.Flags()&logPlaces == 0 || l.Writer() == io.Discard {
		return l.Output(0, s)
	}
	now := time.Now()
	_, file, line, ok := caller(depth)
	if !ok {
		file, line = "???", 0
	}
	b := append(logHeader(l, now, file, line), s...)
	if len(s) == 0 || s[len(s)-1] != '\n' {
		b = append(b, '\n')
	}
	logging.Lock()
	defer logging.Unlock()
	_, err := l.Writer().Write(b)
	return err
}

func logHeader(l *log.Logger, now time.Time, file string, line int) (b []byte) {
	flags := l.Flags()
	if flags&log.Lmsgprefix == 0 {
		b = append(b, l.Prefix()...)
	}
	if flags&log.LUTC != 0 {
		now = now.UTC()
	}
	if flags&log.Ldate != 0 {
		b = now.AppendFormat(b, "2006/01/02 ")
	}
	switch {
	case flags&log.Lmicroseconds != 0:
		b = now.AppendFormat(b, "15:04:05.000000 ")
	case flags&log.Ltime != 0:
		b = now.AppendFormat(b, "15:04:05 ")
	}
	if flags&log.Lshortfile != 0 {
		file = filepath.Base(file)
	}
	b = fmt.Appendf(b, "%s:%d: ", file, line)
	if flags&log.Lmsgprefix != 0 {
		b = append(b, l.Prefix()...)
	}
	return b
}

func logOutput(l *log.Logger, depth int, s string) error { return logLine(l, max(depth-1, 0), s) }

// logged writes s for a function of package log, which ignores the error too.
func logged(l *log.Logger, s string) { _ = logLine(l, 0, s) }

func logPanic(l *log.Logger, s string) {
	logged(l, s)
	panic(s)
}

func logFatal(l *log.Logger, s string) {
	logged(l, s)
	exit(1)
}

// replaceLogs puts these functions into the tables of what is replaced.
func replaceLogs() {
	for name, end := range map[string]func(*log.Logger, string){"Print": logged, "Panic": logPanic, "Fatal": logFatal} {
		replaced["log."+name] = reflect.ValueOf(func(v ...any) { end(log.Default(), fmt.Sprint(v...)) })
		replaced["log."+name+"ln"] = reflect.ValueOf(func(v ...any) { end(log.Default(), fmt.Sprintln(v...)) })
		replaced["log."+name+"f"] = reflect.ValueOf(func(f string, v ...any) { end(log.Default(), fmt.Sprintf(f, v...)) })
		replacedMethods[method[*log.Logger](name)] = reflect.ValueOf(func(l *log.Logger, v ...any) { end(l, fmt.Sprint(v...)) })
		replacedMethods[method[*log.Logger](name+"ln")] = reflect.ValueOf(func(l *log.Logger, v ...any) { end(l, fmt.Sprintln(v...)) })
		replacedMethods[method[*log.Logger](name+"f")] = reflect.ValueOf(func(l *log.Logger, f string, v ...any) { end(l, fmt.Sprintf(f, v...)) })
	}
	replaced["log.Output"] = reflect.ValueOf(func(depth int, s string) error { return logOutput(log.Default(), depth, s) })
	replacedMethods[method[*log.Logger]("Output")] = reflect.ValueOf(logOutput)
}
