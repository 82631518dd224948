package gorelease

// stubSize: MOVL $imm32, R12 (6 bytes); JMP rel32 (5 bytes).
const stubSize = 11

func stubLoads(code []byte, i int) bool {
	return code[0] == 0x41 && code[1] == 0xBC && codeOrder.Uint32(code[2:]) == uint32(i) && code[6] == 0xE9
}
