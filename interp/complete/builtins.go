package complete

// builtins are Go's predeclared functions, as package builtin declares them, and what they do.
var builtins = map[string][2]string{
	"append": {"func append(slice []Type, elems ...Type) []Type",
		"append adds elements to the end of a slice, in a new array where the old one has no room; its result is the " +
			"slice to go on with."},
	"cap": {"func cap(v Type) int",
		"cap is the capacity: of an array or a slice how many elements its memory has room for, of a channel how many " +
			"its buffer has."},
	"clear": {"func clear[T ~[]Type | ~map[Type]Type1](t T)",
		"clear deletes all entries of a map, and sets all elements of a slice to zero values."},
	"close": {"func close(c chan<- Type)",
		"close says that nothing more will be sent on a channel: who receives gets what is buffered and then zero " +
			"values, at once."},
	"complex": {"func complex(r, i FloatType) ComplexType",
		"complex makes a complex number of its real and imaginary parts."},
	"copy": {"func copy(dst, src []Type) int",
		"copy copies elements from a slice, or bytes from a string, into another slice, and gives how many: as many as " +
			"the shorter has."},
	"delete": {"func delete(m map[Type]Type1, key Type)",
		"delete removes the entry of a key from a map; where there is none it does nothing."},
	"imag": {"func imag(c ComplexType) FloatType", "imag is the imaginary part of a complex number."},
	"len": {"func len(v Type) int",
		"len is the length: the elements of an array, slice or map, the bytes of a string, what waits in a channel's buffer."},
	"make": {"func make(t Type, size ...IntegerType) Type",
		"make makes a slice (of a length and, if given, a capacity), a map or a channel (with a buffer, if given)."},
	"max": {"func max[T cmp.Ordered](x T, y ...T) T", "max is the largest of its arguments, of floats NaN if one is."},
	"min": {"func min[T cmp.Ordered](x T, y ...T) T",
		"min is the smallest of its arguments, of floats NaN if one is."},
	"new": {"func new(Type) *Type",
		"new is a pointer to a new variable of a type, which is zero; of an expression, to a new variable of its value."},
	"panic": {"func panic(v any)",
		"panic ends the function: deferred calls run, then those of its caller, and so on; a recover in one of them " +
			"stops it, else it is the cell's error."},
	"print": {"func print(args ...Type)",
		"print writes its arguments to standard error; fmt.Print writes to standard output."},
	"println": {"func println(args ...Type)",
		"println writes its arguments to standard error, with spaces between them and a newline; fmt.Println writes to " +
			"standard output."},
	"real": {"func real(c ComplexType) FloatType", "real is the real part of a complex number."},
	"recover": {"func recover() any",
		"recover, called by a deferred function, stops a panic and gives its value; elsewhere it is nil."},
}
