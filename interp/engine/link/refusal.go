package link

import (
	"errors"
	"fmt"
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// Refusal makes an *engine.Refusal of what a Maker or a Table panicked with.
func (s *Session[T]) Refusal(r any) error {
	err, ok := r.(error)
	if !ok {
		err = fmt.Errorf("%v", r)
	}
	var refused *engine.Refusal
	if errors.As(err, &refused) {
		return refused
	}
	var untyped *rtype.TypeError
	if errors.As(err, &untyped) {
		return &engine.Refusal{What: "type " + types.TypeString(untyped.Type, types.RelativeTo(nil)), Reason: untyped.Reason}
	}
	var full *rtype.GainError
	if errors.As(err, &full) {
		return &engine.Refusal{What: "a new method of " + types.TypeString(full.Type, types.RelativeTo(nil)),
			Reason: full.Reason}
	}
	return &engine.Refusal{What: "this cell", Reason: err.Error() + s.options.Instead}
}
