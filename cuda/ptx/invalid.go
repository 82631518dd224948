package ptx

// Invalid reports whether an instruction that Match refuses is a mistake of the text: there is no
// such opcode, or all its modifiers are the opcode's and do not go together. Others may be legal
// PTX that has no row.
func Invalid(in *Instruction) bool {
	rows := formsByOp[in.Op]
	if len(rows) == 0 {
		return leftOut[in.Op] == ""
	}
	for _, m := range in.Mods {
		if !knownModifier(rows, m) {
			return false
		}
	}
	return true
}

func knownModifier(rows []*Form, m string) bool {
	t, isType := typesByName[m]
	for _, f := range rows {
		if f.takes(m) {
			return true
		}
		for _, list := range f.types {
			if isType && containsType(list, t) {
				return true
			}
		}
	}
	return isType
}
