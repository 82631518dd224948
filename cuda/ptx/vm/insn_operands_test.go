package vm

import "strings"

// divides says that an instruction's second operand must not be 0.
func (n insn) divides() bool {
	return n.class() == "int" && (strings.HasPrefix(n.text, "div.") || strings.HasPrefix(n.text, "rem."))
}
