package callers

import (
	"context"
	"log/slog"
	"reflect"
	"time"
)

// record makes a record with the place of the cell's function and hands it to the logger's handler,
// as slog.Logger.log does.
func (e *Engine) record(ctx context.Context, l *slog.Logger, level slog.Level, msg string, add func(*slog.Record)) {
	if ctx == nil {
		ctx = context.Background()
	}
	if !l.Enabled(ctx, level) {
		return
	}
	pc, _, _, _ := e.caller(0)
	r := slog.NewRecord(time.Now(), level, msg, pc)
	add(&r)
	_ = l.Handler().Handle(ctx, r) // as slog.Logger, which ignores the error too
}

func (e *Engine) log(l *slog.Logger, ctx context.Context, level slog.Level, msg string, args ...any) {
	e.record(ctx, l, level, msg, func(r *slog.Record) { r.Add(args...) })
}

func (e *Engine) logAttrs(l *slog.Logger, ctx context.Context, level slog.Level, msg string, attrs ...slog.Attr) {
	e.record(ctx, l, level, msg, func(r *slog.Record) { r.AddAttrs(attrs...) })
}

var levels = map[string]slog.Level{"Debug": slog.LevelDebug, "Info": slog.LevelInfo, "Warn": slog.LevelWarn,
	"Error": slog.LevelError}

func (e *Engine) slogFunctions(all map[string]reflect.Value) {
	for name, level := range levels {
		all["log/slog."+name] = reflect.ValueOf(func(msg string, args ...any) {
			e.log(slog.Default(), nil, level, msg, args...)
		})
		all["log/slog."+name+"Context"] = reflect.ValueOf(func(ctx context.Context, msg string, args ...any) {
			e.log(slog.Default(), ctx, level, msg, args...)
		})
	}
	all["log/slog.Log"] = reflect.ValueOf(func(ctx context.Context, level slog.Level, msg string, args ...any) {
		e.log(slog.Default(), ctx, level, msg, args...)
	})
	all["log/slog.LogAttrs"] = reflect.ValueOf(func(ctx context.Context, level slog.Level, msg string,
		attrs ...slog.Attr) {
		e.logAttrs(slog.Default(), ctx, level, msg, attrs...)
	})
}

func (e *Engine) slogMethods(all map[Method]reflect.Value) {
	for name, level := range levels {
		all[method[*slog.Logger](name)] = reflect.ValueOf(func(l *slog.Logger, msg string, args ...any) {
			e.log(l, nil, level, msg, args...)
		})
		all[method[*slog.Logger](name+"Context")] = reflect.ValueOf(func(l *slog.Logger, ctx context.Context, msg string,
			args ...any) {
			e.log(l, ctx, level, msg, args...)
		})
	}
	all[method[*slog.Logger]("Log")] = reflect.ValueOf(e.log)
	all[method[*slog.Logger]("LogAttrs")] = reflect.ValueOf(e.logAttrs)
}
