package callers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// Package log asks the runtime who called it. Where a logger writes places, the line is therefore
// written here, as log.Logger.output writes it; where its lines go to a slog handler, the record is
// made here.

const places = log.Lshortfile | log.Llongfile

var logging sync.Mutex // one line after the other

// line writes s with the place of the cell's function depth calls above the one that called.
func (e *Engine) line(l *log.Logger, depth int, s string) error {
	to, bridged := gorelease.LogBridgeOf(l.Writer())
	bridged = bridged && to.CapturePC
	if l.Writer() == io.Discard || l.Flags()&places == 0 && !bridged {
		return l.Output(0, s)
	}
	now := time.Now()
	pc, file, line, ok := e.caller(depth)
	if !ok {
		file, line = "???", 0
	}
	b := append(header(l, now, file, line), s...)
	if bridged {
		return hand(to, pc, b)
	}
	if len(s) == 0 || s[len(s)-1] != '\n' {
		b = append(b, '\n')
	}
	logging.Lock()
	defer logging.Unlock()
	_, err := l.Writer().Write(b)
	return err
}

func header(l *log.Logger, now time.Time, file string, line int) (b []byte) {
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
	if flags&places != 0 {
		b = fmt.Appendf(b, "%s:%d: ", file, line)
	}
	if flags&log.Lmsgprefix != 0 {
		b = append(b, l.Prefix()...)
	}
	return b
}

// hand gives a line to a handler, as log/slog.handlerWriter.Write does.
func hand(to *gorelease.LogBridge, pc uintptr, line []byte) error {
	level, ctx := to.Level.Level(), context.Background()
	if !to.Handler.Enabled(ctx, level) {
		return nil
	}
	return to.Handler.Handle(ctx, slog.NewRecord(time.Now(), level, string(bytes.TrimSuffix(line, []byte{'\n'})), pc))
}

func (e *Engine) output(l *log.Logger, depth int, s string) error {
	return e.line(l, max(depth-1, 0), s)
}

// ends are the families of functions: what follows the line.
func (e *Engine) ends() map[string]func(*log.Logger, string) {
	logged := func(l *log.Logger, s string) { _ = e.line(l, 0, s) } // package log ignores the error too
	return map[string]func(*log.Logger, string){
		"Print": logged,
		"Panic": func(l *log.Logger, s string) { logged(l, s); panic(s) },
		"Fatal": func(l *log.Logger, s string) { logged(l, s); e.Exit(1) },
	}
}

func (e *Engine) logFunctions(all map[string]reflect.Value) {
	for name, end := range e.ends() {
		all["log."+name] = reflect.ValueOf(func(v ...any) { end(log.Default(), fmt.Sprint(v...)) })
		all["log."+name+"ln"] = reflect.ValueOf(func(v ...any) { end(log.Default(), fmt.Sprintln(v...)) })
		all["log."+name+"f"] = reflect.ValueOf(func(f string, v ...any) { end(log.Default(), fmt.Sprintf(f, v...)) })
	}
	all["log.Output"] = reflect.ValueOf(func(depth int, s string) error { return e.output(log.Default(), depth, s) })
}

func (e *Engine) logMethods(all map[Method]reflect.Value) {
	for name, end := range e.ends() {
		all[method[*log.Logger](name)] = reflect.ValueOf(func(l *log.Logger, v ...any) { end(l, fmt.Sprint(v...)) })
		all[method[*log.Logger](name+"ln")] = reflect.ValueOf(func(l *log.Logger, v ...any) { end(l, fmt.Sprintln(v...)) })
		all[method[*log.Logger](name+"f")] = reflect.ValueOf(func(l *log.Logger, f string, v ...any) {
			end(l, fmt.Sprintf(f, v...))
		})
	}
	all[method[*log.Logger]("Output")] = reflect.ValueOf(e.output)
}
