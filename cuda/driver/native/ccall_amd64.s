//go:build linux

#include "textflag.h"

GLOBL ·trampoline(SB), NOPTR|RODATA, $8
DATA ·trampoline(SB)/8, $enter<>(SB)

GLOBL ·trampolineOfPair(SB), NOPTR|RODATA, $8
DATA ·trampolineOfPair(SB)/8, $enterPair<>(SB)

// enterPair(block *pairCall) calls the block's C function with its two arguments.
TEXT enterPair<>(SB), NOSPLIT, $16
	MOVQ DI, 8(SP)
	MOVQ 0(DI), R10
	MOVQ 16(DI), SI
	MOVQ 8(DI), DI
	XORL AX, AX
	CALL R10
	MOVQ 8(SP), DI
	MOVQ AX, 24(DI)
	XORL AX, AX
	RET

// enter(block *ccall), called with C's convention on the thread's own stack, calls the C functions of the
// block: six arguments in registers, the others on the stack, which is aligned to 16 there. Only
// registers that C functions need not keep are used.
TEXT enter<>(SB), NOSPLIT, $64
	MOVQ DI, 56(SP)
	MOVQ DI, R11
	MOVQ 104(R11), R10
	TESTQ R10, R10
	JEQ call
	MOVQ 112(R11), DI
	XORL AX, AX
	CALL R10
	MOVQ 56(SP), R11
	MOVLQZX AX, AX
	MOVQ AX, 120(R11)
	TESTL AX, AX
	JNE refused
call:
	MOVQ 56(R11), R10
	MOVQ R10, 0(SP)
	MOVQ 64(R11), R10
	MOVQ R10, 8(SP)
	MOVQ 72(R11), R10
	MOVQ R10, 16(SP)
	MOVQ 80(R11), R10
	MOVQ R10, 24(SP)
	MOVQ 88(R11), R10
	MOVQ R10, 32(SP)
	MOVQ 8(R11), DI
	MOVQ 16(R11), SI
	MOVQ 24(R11), DX
	MOVQ 32(R11), CX
	MOVQ 40(R11), R8
	MOVQ 48(R11), R9
	XORL AX, AX
	MOVQ 0(R11), R10
	CALL R10
	MOVQ 56(SP), DI
	MOVQ AX, 96(DI)
refused:
	XORL AX, AX
	RET
