package callers

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// Place is the place of the innermost frame that has one, "In[2]:3"; empty where none has.
func Place(frames []engine.Frame) string {
	for _, f := range frames {
		if f.Pos.IsValid() {
			return fmt.Sprintf("%s:%d", f.Pos.Filename, f.Pos.Line)
		}
	}
	return ""
}
