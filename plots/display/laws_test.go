package display

import (
	"errors"
	"reflect"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// refusal reports whether v is one of this package's errors.
func refusal(v any) bool {
	err, ok := v.(error)
	var argument *ArgumentError
	var asked *NotAskedError
	return ok && (errors.As(err, &argument) || errors.As(err, &asked))
}

func noTwin(string) ([]byte, ImageSize, error) { return nil, ImageSize{}, errors.New("no twin") }

// Every exported call refuses what it cannot do.
func TestLaws(t *testing.T) {
	defer rasterizer.Store(rasterizer.Load())
	lawtest.Test(t, lawtest.Package{
		Types:  []any{(*Progress)(nil), (*Table)(nil)},
		States: []lawtest.State{{Name: "counting", Works: true, New: func() any { return NewProgress("x", 3) }}},
		Data: []any{Bytes(0), Column{}, HTML(""), Handle{}, JPEG(nil), JSON{}, LaTeX(""), Markdown(""), PNG(nil),
			SVG(""), Seconds(0),
			(*NotAskedError)(nil), (*ArgumentError)(nil)},
		Functions: map[string]any{"Ask": Ask, "Clear": Clear, "Count": Count, "Each": Each[[]int, int],
			"LineOf": LineOf, "OnScreen": OnScreen,
			"Password": Password, "Register": Register[struct{ law int }], "RegisterType": RegisterType,
			"RegisterRasterizer": RegisterRasterizer,
			"Show":               Show, "TextOf": TextOf, "Width": Width, "Render": Render, "SideBySide": SideBySide,
			"ShowHandle":  ShowHandle,
			"NewProgress": NewProgress, "SetScreen": SetScreen, "Card": Card, "NewTable": NewTable},
		Args: []any{func() reflect.Type { return reflect.TypeFor[struct{ law int }]() },
			func() func(any) Bundle { return func(any) Bundle { return Bundle{} } }, func() Rasterizer { return noTwin },
			func() func(struct{ law int }) Bundle { return func(struct{ law int }) Bundle { return Bundle{} } }},
		Refusal: refusal,
		Answers: map[string]string{
			"Table.Add zero": "an empty table is one", "Table.Note zero": "an empty table is one",
			"Table.HTML zero": "an empty table is one", "Table.Text zero": "an empty table is one",
			"Table.String zero": "an empty table is one", "Table.MIMEBundle zero": "an empty table is one",
			"LineOf of nil 0":     "nil is shown",
			"TextOf of nil 0":     "nil is shown",
			"Render of nil 0":     "nil is shown",
			"ShowHandle of nil 0": "nil is shown",
			"SetScreen of nil 0":  "nil is standard output, as documented",
		},
	})
}
