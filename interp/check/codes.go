package check

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A Code is what an error is about: go/types' own number of it, 0 for errors that are not its.
type Code int

// The codes that cells are treated differently for.
const (
	codeUnusedImport           Code = 8
	codeInvalidInitCycle       Code = 9
	codeWrongAssignCount       Code = 17
	codeInvalidRecv            Code = 32
	codeUnexportedLitField     Code = 68
	codeUndeclaredImportedName Code = 73
	codeUndeclaredName         Code = 75
	codeMissingFieldOrMethod   Code = 76
	codeUnusedExpr             Code = 100
	codeMisplacedBreak         Code = 110
	codeMisplacedContinue      Code = 111
	codeBadTypeKeyword         Code = 115
	codeUndeclaredLabel        Code = 119
	codeDuplicateLabel         Code = 120
	codeMisplacedLabel         Code = 121
	codeUnusedLabel            Code = 122
	codeJumpOverDecl           Code = 123
	codeJumpIntoBlock          Code = 124
)

// code returns the code of an error of go/types.
func code(e types.Error) Code { return Code(gorelease.DiagnosticCode(e)) }

// An Explanation is what a person can be told about a code.
type Explanation struct {
	Name    string // as in go/types
	Means   string // what is wrong, in one sentence
	Hint    string // what can be done
	Example string // a cell that has the error
}

// Explanations are those of the codes that cells meet.
var Explanations = map[Code]Explanation{
	10: {"DuplicateDecl", "a name is declared twice in one scope",
		"rename one of them; another cell may declare it again",
		"func f() {}\nfunc f() {}"},
	11: {"InvalidDeclCycle", "a type contains itself",
		"hold it by pointer, slice or map",
		"type T struct { t T }"},
	13: {"InvalidConstInit", "a constant is given what is computed when the program runs",
		"declare a variable instead",
		"func f() int { return 1 }\nconst c = f()"},
	15: {"InvalidConstType", "a constant has a type that constants cannot have",
		"constants are numbers, strings and booleans",
		"const c []int = 1"},
	16: {"UntypedNilUse", "nil stands where its type is not known",
		"write the type: var x *T",
		"x := nil"},
	codeWrongAssignCount: {"WrongAssignCount", "the two sides of an assignment differ in number",
		"use _ for values that are not wanted",
		"a, b := 1"},
	18: {"UnassignableOperand", "something is assigned to that has no place of its own",
		"assign to a variable, field or element",
		"\"a\" = \"b\""},
	19: {"NoNewVar", ":= declares no variable that is new",
		"use =",
		"func f() { a := 1; a := 2; _ = a }"},
	23: {"IncompatibleAssign", "a value has a type that its destination does not take",
		"convert it, or change one of the types",
		"var s string = 1"},
	24: {"UnaddressableFieldAssign", "a field of a map's element is assigned to",
		"assign the whole element, or hold pointers in the map",
		"m := map[string]struct{ x int }{}\nm[\"a\"].x = 1"},
	25: {"NotAType", "a value stands where a type is wanted",
		"name a type",
		"v := 1\nvar w v"},
	26: {"InvalidArrayLen", "the length of an array is no constant that is not negative",
		"use a slice for a length that is computed",
		"n := 3\nvar a [n]int"},
	28: {"IncomparableMapKey", "the key type of a map cannot be compared with ==",
		"use a type without slices, maps and functions",
		"var m map[[]int]string"},
	codeInvalidRecv: {"InvalidRecv", "a receiver is no type of this package that may have methods",
		"declare a type of your own: type T struct{ ... }",
		"func (x int) M() {}"},
	33: {"DuplicateFieldAndMethod", "a field and a method have the same name",
		"rename one of them",
		"type T struct { x int }\nfunc (T) x() {}"},
	34: {"DuplicateMethod", "a method is declared twice",
		"remove one of them",
		"type T int\nfunc (T) M() {}\nfunc (T) M() {}"},
	41: {"TooManyValues", "a call gives several values where one is wanted",
		"assign them first: a, b := f()",
		"func f() (int, int) { return 1, 2 }\nx := 1 + f()"},
	42: {"NotAnExpr", "a type stands where a value is wanted",
		"convert or construct: T(x), T{}",
		"x := int"},
	43: {"TruncatedFloat", "a constant loses its fraction",
		"use a float type",
		"var i int = 1.5"},
	44: {"NumericOverflow", "a constant is too large for its type",
		"use a larger type",
		"var b int8 = 1000"},
	45: {"UndefinedOp", "an operator is not defined for its operand",
		"convert the operand",
		"x := !1"},
	46: {"MismatchedTypes", "the operands of an operator have different types",
		"convert one of them",
		"var a int32 = 1\nvar b int64 = 2\nc := a + b"},
	47: {"DivByZero", "an integer is divided by the constant zero",
		"check the divisor",
		"x := 1 / 0"},
	49: {"UnaddressableOperand", "the address is taken of what has none",
		"put the value into a variable first",
		"p := &1"},
	50: {"InvalidIndirection", "* is applied to what is no pointer",
		"remove the *",
		"x := 1\ny := *x"},
	51: {"NonIndexableOperand", "an index follows what has no elements",
		"index slices, arrays, strings, maps and pointers to arrays",
		"x := 1\ny := x[0]"},
	52: {"InvalidIndex", "an index is no integer within bounds",
		"use an integer that is not negative and below the length",
		"a := [2]int{}\nb := a[5]"},
	54: {"NonSliceableOperand", "a slice is taken of what has no elements in a row",
		"slice slices, strings and arrays in variables",
		"x := 1\ny := x[:]"},
	58: {"InvalidReceive", "a value is received from what is no channel, or one for sending",
		"check the direction of the channel",
		"x := 1\ny := <-x"},
	59: {"InvalidSend", "a value is sent to what is no channel, or one for receiving",
		"check the direction of the channel",
		"var c <-chan int\nc <- 1"},
	60: {"DuplicateLitKey", "a literal has one key twice",
		"remove one of them",
		"m := map[string]int{\"a\": 1, \"a\": 2}"},
	61: {"MissingLitKey", "a map literal has an element without key",
		"write key: value",
		"m := map[string]int{1}"},
	64: {"MixedStructLit", "a struct literal has some fields with names and some without",
		"name all or none",
		"type T struct { a, b int }\nt := T{a: 1, 2}"},
	66: {"MissingLitField", "a struct literal names a field that there is not",
		"check the spelling of the field",
		"type T struct { a int }\nt := T{b: 1}"},
	codeUndeclaredImportedName: {"UndeclaredImportedName", "a package declares no such name",
		"look what it exports behind its name and a dot, with Tab",
		"import \"strings\"\nx := strings.Nothing"},
	codeUndeclaredName: {"UndeclaredName", "a name is not declared here",
		"declare it, import it, or run the cell that declares it",
		"x := y"},
	codeMissingFieldOrMethod: {"MissingFieldOrMethod", "a type has no such field or method",
		"look what it has behind a dot, with Tab",
		"var s struct{ a int }\nx := s.b"},
	83: {"InvalidAppend", "append is given what is no slice",
		"its first argument is the slice that grows",
		"x := append(1, 2)"},
	90: {"InvalidLen", "len is given what has no length",
		"it takes strings, arrays, slices, maps and channels",
		"x := len(1)"},
	94: {"InvalidAssert", "a type is asserted of what is no interface",
		"convert instead: T(x)",
		"x := 1\ny := x.(int)"},
	95: {"ImpossibleAssert", "a type is asserted that lacks the interface's methods",
		"give the type the methods, or assert its pointer",
		"var e error\nx := e.(int)"},
	96: {"InvalidConversion", "a value cannot be converted to a type",
		"package strconv converts between numbers and text",
		"x := 1\ny := []int(x)"},
	codeUnusedExpr: {"UnusedExpr", "the value of an expression is not used",
		"assign it to _; only the end of a cell shows a value",
		"1 + 2\nx := 1"},
	101: {"UnusedVar", "a local variable is not used",
		"remove it, or assign it to _",
		"func f() { x := 1 }"},
	102: {"MissingReturn", "a function that has results can end without return",
		"return a value on each path",
		"func f() int { }"},
	103: {"WrongResultCount", "return gives another number of values than the function has",
		"return as many as the signature says",
		"func f() (int, int) { return 1 }"},
	105: {"InvalidCond", "a condition is no boolean",
		"compare: x != 0",
		"func f() { if 1 { } }"},
	109: {"InvalidRangeExpr", "range goes over what has no elements",
		"slices, maps, strings, channels, integers and iterators have",
		"for range 1.5 { }"},
	codeMisplacedBreak: {"MisplacedBreak", "break stands outside of a loop, switch or select",
		"use return",
		"func f() { break }"},
	codeMisplacedContinue: {"MisplacedContinue", "continue stands outside of a loop",
		"use return",
		"func f() { continue }"},
	113: {"DuplicateCase", "a switch has a case twice",
		"remove one of them",
		"switch 1 { case 1: case 1: }"},
	codeUndeclaredLabel: {"UndeclaredLabel", "a jump names a label that there is not",
		"write the label before the statement",
		"func f() { goto L }"},
	codeDuplicateLabel: {"DuplicateLabel", "a label is declared twice",
		"rename one of them",
		"func f() { L: for { break L }; L: for { break L } }"},
	codeMisplacedLabel: {"MisplacedLabel", "break or continue names a label that is not around it",
		"put the label at the loop that is meant",
		"func f() { L: if true { for { break L } }; goto L }"},
	codeUnusedLabel: {"UnusedLabel", "a label is not used",
		"remove it",
		"func f() { L: }"},
	codeJumpOverDecl: {"JumpOverDecl", "goto jumps over the declaration of a variable",
		"declare it before the goto",
		"func f() { goto L; x := 1; _ = x; L: }"},
	codeJumpIntoBlock: {"JumpIntoBlock", "goto jumps into a block",
		"move the label out of the block",
		"func f() { goto L; { L: } }"},
	126: {"WrongArgCount", "a call has too many or too few arguments",
		"look at the signature with Shift+Tab",
		"func f(a int) {}\nfunc g() { f() }"},
	127: {"InvalidCall", "what is called is no function",
		"remove the ()",
		"x := 1\nx()"},
	136: {"NotAGenericType", "type arguments follow what has no type parameters",
		"remove them",
		"var x int[string]"},
	137: {"WrongTypeArgCount", "an instance has another number of type arguments than parameters",
		"give one for each",
		"type T[A, B any] struct{}\nvar t T[int]"},
	138: {"CannotInferTypeArgs", "type arguments cannot be found from the arguments of a call",
		"write them: f[int](x)",
		"func f[T any]() {}\nfunc g() { f() }"},
	139: {"InvalidTypeArg", "a type argument does not satisfy its constraint",
		"give the type what the constraint asks for",
		"func f[T comparable](T) {}\nfunc g() { f([]int{}) }"},
	142: {"MisplacedConstraintIface", "an interface with types in it is the type of a value",
		"use it as a constraint only",
		"var x interface{ int | string }"},
}
