package calls

// Compiled funcs are called as funcs of the shape of their signature: parameters and results that
// take the same registers move alike, whatever their types are called. a and r are the slots of
// arguments and results.

type nativeShape func(a, r []uintptr) Call

func call0(_, _ []uintptr) Call {
	return func(_, fn pointer) { (*(*func())(pointer(&fn)))() }
}

func call1[A any](a, _ []uintptr) Call {
	x := a[0]
	return func(fp, fn pointer) { (*(*func(A))(pointer(&fn)))(*ref[A](fp, x)) }
}

func call2[A, B any](a, _ []uintptr) Call {
	x, y := a[0], a[1]
	return func(fp, fn pointer) { (*(*func(A, B))(pointer(&fn)))(*ref[A](fp, x), *ref[B](fp, y)) }
}

func call0r[R any](_, r []uintptr) Call {
	d := r[0]
	return func(fp, fn pointer) { *ref[R](fp, d) = (*(*func() R)(pointer(&fn)))() }
}

func call1r[A, R any](a, r []uintptr) Call {
	x, d := a[0], r[0]
	return func(fp, fn pointer) { *ref[R](fp, d) = (*(*func(A) R)(pointer(&fn)))(*ref[A](fp, x)) }
}

func call2r[A, B, R any](a, r []uintptr) Call {
	x, y, d := a[0], a[1], r[0]
	return func(fp, fn pointer) {
		*ref[R](fp, d) = (*(*func(A, B) R)(pointer(&fn)))(*ref[A](fp, x), *ref[B](fp, y))
	}
}

func call3r[A, B, C, R any](a, r []uintptr) Call {
	x, y, z, d := a[0], a[1], a[2], r[0]
	return func(fp, fn pointer) {
		*ref[R](fp, d) = (*(*func(A, B, C) R)(pointer(&fn)))(*ref[A](fp, x), *ref[B](fp, y), *ref[C](fp, z))
	}
}

func call1rr[A, R, S any](a, r []uintptr) Call {
	x, d, e := a[0], r[0], r[1]
	return func(fp, fn pointer) {
		*ref[R](fp, d), *ref[S](fp, e) = (*(*func(A) (R, S))(pointer(&fn)))(*ref[A](fp, x))
	}
}

func call2rr[A, B, R, S any](a, r []uintptr) Call {
	x, y, d, e := a[0], a[1], r[0], r[1]
	return func(fp, fn pointer) {
		*ref[R](fp, d), *ref[S](fp, e) = (*(*func(A, B) (R, S))(pointer(&fn)))(*ref[A](fp, x), *ref[B](fp, y))
	}
}

func call3rr[A, B, C, R, S any](a, r []uintptr) Call {
	x, y, z, d, e := a[0], a[1], a[2], r[0], r[1]
	return func(fp, fn pointer) {
		*ref[R](fp, d), *ref[S](fp, e) = (*(*func(A, B, C) (R, S))(pointer(&fn)))(*ref[A](fp, x), *ref[B](fp, y),
			*ref[C](fp, z))
	}
}

// nativeShapes are the signatures common in the standard library; the letters are shapeLetters.
var nativeShapes = map[string]nativeShape{
	"": call0, "P": call1[pointer], "I": call1[uint64], "S": call1[string], "E": call1[pair], "L": call1[[]byte],
	"PI": call2[pointer, uint64], "PP": call2[pointer, pointer], "EP": call2[pair, pointer], "SL": call2[string, []byte],
	"PE": call2[pointer, pair],
	":I": call0r[uint64], ":F": call0r[float64], ":P": call0r[pointer], ":S": call0r[string], ":E": call0r[pair],
	"F:F": call1r[float64, float64], "I:S": call1r[uint64, string], "I:I": call1r[uint64, uint64],
	"S:S": call1r[string, string],
	"S:E": call1r[string, pair], "S:I": call1r[string, uint64], "S:P": call1r[string, pointer],
	"L:S": call1r[[]byte, string], "E:S": call1r[pair, string],
	"P:I": call1r[pointer, uint64], "P:S": call1r[pointer, string], "P:P": call1r[pointer, pointer],
	"P:E": call1r[pointer, pair], "P:B": call1r[pointer, uint8],
	"P:L": call1r[pointer, []byte], "L:L": call1r[[]byte, []byte], "E:E": call1r[pair, pair], "E:P": call1r[pair, pointer],
	"W:B": call1r[uint32, uint8],
	"W:W": call1r[uint32, uint32], "F:B": call1r[float64, uint8], "S:L": call1r[string, []byte],
	"L:E": call1r[[]byte, pair], "P:F": call1r[pointer, float64],
	"I:F": call1r[uint64, float64], "F:I": call1r[float64, uint64], "I:E": call1r[uint64, pair],
	"W:I": call1r[uint32, uint64], "P:W": call1r[pointer, uint32],
	"SS:B": call2r[string, string, uint8], "SS:I": call2r[string, string, uint64], "SS:S": call2r[string, string, string],
	"SI:S": call2r[string, uint64, string],
	"SS:L": call2r[string, string, []byte], "LS:S": call2r[[]byte, string, string], "SL:S": call2r[string, []byte, string],
	"SL:E": call2r[string, []byte, pair],
	"FF:F": call2r[float64, float64, float64], "PI:I": call2r[pointer, uint64, uint64],
	"PI:B": call2r[pointer, uint64, uint8], "LL:I": call2r[[]byte, []byte, uint64],
	"LL:B": call2r[[]byte, []byte, uint8], "EE:B": call2r[pair, pair, uint8], "II:S": call2r[uint64, uint64, string],
	"II:I": call2r[uint64, uint64, uint64],
	"PP:P": call2r[pointer, pointer, pointer], "PB:E": call2r[pointer, uint8, pair], "SB:I": call2r[string, uint8, uint64],
	"PS:S": call2r[pointer, string, string],
	"SW:I": call2r[string, uint32, uint64], "PI:P": call2r[pointer, uint64, pointer],
	"PW:W":  call2r[pointer, uint32, uint32],
	"SSI:S": call3r[string, string, uint64, string], "SSS:S": call3r[string, string, string, string],
	"SSI:L": call3r[string, string, uint64, []byte],
	"PPP:P": call3r[pointer, pointer, pointer, pointer], "PII:B": call3r[pointer, uint64, uint64, uint8],
	"PWW:B": call3r[pointer, uint32, uint32, uint8],
	"L:IE":  call1rr[[]byte, uint64, pair], "S:IE": call1rr[string, uint64, pair], "S:FE": call1rr[string, float64, pair],
	"S:LE": call1rr[string, []byte, pair],
	"S:PE": call1rr[string, pointer, pair], "P:SE": call1rr[pointer, string, pair],
	"F:IF": call1rr[float64, uint64, float64], "S:SE": call1rr[string, string, pair],
	"S:WI": call1rr[string, uint32, uint64], "L:WI": call1rr[[]byte, uint32, uint64], "E:LE": call1rr[pair, []byte, pair],
	"P:IE": call1rr[pointer, uint64, pair],
	"P:EB": call1rr[pointer, pair, uint8], "P:WI": call1rr[pointer, uint32, uint64],
	"SL:IE": call2rr[string, []byte, uint64, pair], "EL:IE": call2rr[pair, []byte, uint64, pair],
	"PS:IE": call2rr[pointer, string, uint64, pair],
	"PL:IE": call2rr[pointer, []byte, uint64, pair], "SI:FE": call2rr[string, uint64, float64, pair],
	"PW:IE": call2rr[pointer, uint32, uint64, pair],
	"PE:EB": call2rr[pointer, pair, pair, uint8], "SS:SB": call2rr[string, string, string, uint8],
	"ES:IE":  call2rr[pair, string, uint64, pair],
	"ESL:IE": call3rr[pair, string, []byte, uint64, pair], "SII:IE": call3rr[string, uint64, uint64, uint64, pair],
	"SSL:IE": call3rr[string, string, []byte, uint64, pair],
}
