#include "textflag.h"

// A stub may only touch registers that carry nothing into a Go function: R16 (internal ABI), and R26, the closure.

#define STUB(i, dispatch) MOVD $(i), R26; B dispatch(SB)
#define STUB8(i, d) STUB(i, d); STUB((i)+1, d); STUB((i)+2, d); STUB((i)+3, d); STUB((i)+4, d); STUB((i)+5, d); STUB((i)+6, d); STUB((i)+7, d)
#define STUB64(i, d) STUB8(i, d); STUB8((i)+8, d); STUB8((i)+16, d); STUB8((i)+24, d); STUB8((i)+32, d); STUB8((i)+40, d); STUB8((i)+48, d); STUB8((i)+56, d)
#define STUB512(i, d) STUB64(i, d); STUB64((i)+64, d); STUB64((i)+128, d); STUB64((i)+192, d); STUB64((i)+256, d); STUB64((i)+320, d); STUB64((i)+384, d); STUB64((i)+448, d)
#define STUB4096(i, d) STUB512(i, d); STUB512((i)+512, d); STUB512((i)+1024, d); STUB512((i)+1536, d); STUB512((i)+2048, d); STUB512((i)+2560, d); STUB512((i)+3072, d); STUB512((i)+3584, d)
#define STUB32768(i, d) STUB4096(i, d); STUB4096((i)+4096, d); STUB4096((i)+8192, d); STUB4096((i)+12288, d); STUB4096((i)+16384, d); STUB4096((i)+20480, d); STUB4096((i)+24576, d); STUB4096((i)+28672, d)

TEXT lowStubs<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB32768(0, lowDispatch<>)
	STUB32768(32768, lowDispatch<>)
	RET

TEXT highStubs<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB32768(0, highDispatch<>)
	STUB32768(32768, highDispatch<>)
	RET

TEXT lowDispatch<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVD $·stubFuncs(SB), R16
	MOVD (R16)(R26<<3), R26
	MOVD (R26), R16
	JMP (R16)

TEXT highDispatch<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVD $·stubFuncs+524288(SB), R16
	MOVD (R16)(R26<<3), R26
	MOVD (R26), R16
	JMP (R16)

// func stubsLow() unsafe.Pointer
TEXT ·stubsLow(SB), NOSPLIT, $0-8
	MOVD $lowStubs<>(SB), R0
	MOVD R0, ret+0(FP)
	RET

// func stubsHigh() unsafe.Pointer
TEXT ·stubsHigh(SB), NOSPLIT, $0-8
	MOVD $highStubs<>(SB), R0
	MOVD R0, ret+0(FP)
	RET
