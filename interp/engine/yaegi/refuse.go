package yaegi

import (
	"go/token"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// instead ends every refusal's reason.
const instead = "; %engine vm executes it"

func refuse(pos token.Position, what, reason string) {
	panic(&engine.Refusal{Pos: pos, What: what, Reason: reason + instead})
}
