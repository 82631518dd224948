package nvrtc

import (
	"regexp"
	"strconv"
	"strings"
)

// A Kernel is a __global__ function.
type Kernel struct {
	// Name is what the source calls it, with its namespaces: "image::blur".
	Name string
	// PTXName is what the PTX calls it: mangled unless it is extern "C".
	PTXName string
	// Params are the C++ parameters, where the source could be read for them; nil otherwise.
	Params []Param
}

// A Param is a parameter as the source declares it.
type Param struct{ Type, Name string }

var (
	comments = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	global   = regexp.MustCompile(`(?s)__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(?:static\s+|inline\s+)*void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(`)
	entry    = regexp.MustCompile(`(?m)^\s*(?:\.visible\s+|\.weak\s+)?\.entry\s+([\w$]+)`)
)

// findKernels pairs the entries of the PTX with the functions of the source.
func findKernels(source, ptx string) []Kernel {
	params := signatures(comments.ReplaceAllString(source, " "))
	var list []Kernel
	for _, m := range entry.FindAllStringSubmatch(ptx, -1) {
		k := Kernel{Name: demangled(m[1]), PTXName: m[1]}
		if !strings.ContainsAny(k.Name, "<") {
			k.Params = params[k.Name[strings.LastIndex(k.Name, ":")+1:]]
		}
		list = append(list, k)
	}
	return list
}

// signatures reads the parameter lists of __global__ functions. A name that occurs twice (overloads, or
// one in each of two namespaces) has none: a guess would be wrong for one of them.
func signatures(source string) map[string][]Param {
	found := map[string][]Param{}
	for _, m := range global.FindAllStringSubmatchIndex(source, -1) {
		name := source[m[2]:m[3]]
		params, ok := paramList(source[m[1]:])
		if _, twice := found[name]; twice || !ok {
			params = nil
		}
		found[name] = params
	}
	return found
}

// paramList splits the text behind an opening parenthesis at the commas of its own level.
func paramList(text string) ([]Param, bool) {
	depth, start := 0, 0
	list := []Param{}
	add := func(end int) bool {
		decl := strings.Join(strings.Fields(text[start:end]), " ")
		if decl == "" || decl == "void" {
			return decl == "void" || len(list) == 0
		}
		p, ok := param(decl)
		list = append(list, p)
		return ok
	}
	for i, c := range text {
		switch c {
		case '(', '[', '{', '<':
			depth++
		case ']', '}', '>':
			depth--
		case ')':
			if depth == 0 {
				return list, add(i)
			}
			depth--
		case ',':
			if depth == 0 {
				if !add(i) {
					return nil, false
				}
				start = i + 1
			}
		}
	}
	return nil, false
}

var (
	declarator = regexp.MustCompile(`^(.*[\s*&])(\w+)$`)
	qualifiers = regexp.MustCompile(`\b(const|volatile|__restrict__|__restrict|restrict|__grid_constant__)\b`)
)

// param parts a declaration into type and name, without qualifiers, which do not matter to a caller.
func param(decl string) (Param, bool) {
	decl, _, _ = strings.Cut(decl, "=")
	m := declarator.FindStringSubmatch(strings.TrimSpace(decl))
	if m == nil {
		return Param{}, false
	}
	t := strings.Join(strings.Fields(qualifiers.ReplaceAllString(m[1], " ")), " ")
	t = strings.ReplaceAll(t, " *", "*")
	return Param{Type: t, Name: m[2]}, t != ""
}

// demangled gives the qualified name in an Itanium-mangled one, without parameters; instances of
// templates end in "<>". Other names are themselves. Reference: Itanium C++ ABI, 5.1.
func demangled(name string) string {
	rest, ok := strings.CutPrefix(name, "_Z")
	if !ok {
		return name
	}
	rest, nested := strings.CutPrefix(rest, "N")
	var parts []string
	for {
		part, tail, ok := sourceName(rest)
		if !ok {
			break
		}
		parts = append(parts, part)
		rest = tail
		if !nested {
			break
		}
	}
	if len(parts) == 0 {
		return name
	}
	full := strings.Join(parts, "::")
	if strings.HasPrefix(rest, "I") {
		full += "<>"
	}
	return full
}

// sourceName reads a length and as many characters.
func sourceName(s string) (name, rest string, ok bool) {
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(s[:digits])
	if err != nil || n <= 0 || n > len(s)-digits {
		return "", s, false
	}
	name, rest = s[digits:digits+n], s[digits+n:]
	if strings.HasPrefix(name, "_GLOBAL__N") {
		name = "(anonymous)"
	}
	return name, rest, true
}
