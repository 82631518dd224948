package nvrtc

import (
	"regexp"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// A Kernel is a __global__ function.
type Kernel struct {
	// Name is what the source calls it, with its namespaces and the arguments of a template:
	// "image::blur", "scale<float>"; an overload has its parameters' types too, "over(int*)".
	Name string
	// PTXName is what the PTX calls it: mangled unless it is extern "C".
	PTXName string
	// Params are the C++ parameters, where the mangled name or the source tells them; nil
	// otherwise.
	Params []Param
}

// A Param is a parameter, without qualifiers. Name is empty where the source does not say which one
// is meant.
type Param struct{ Type, Name string }

var (
	comments = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	global   = regexp.MustCompile(`(?s)__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(?:static\s+|inline\s+)*void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(`)
	entry    = regexp.MustCompile(`(?m)^\s*(?:\.visible\s+|\.weak\s+)?\.entry\s+([\w$]+)`)
)

// findKernels pairs the entries of the PTX with the functions of the source. What a mangled name
// says of a kernel's types is what the compiler
// saw: typedefs are resolved, instances of templates told apart. The source adds the parameters'
// names, and is all there is for extern "C".
func findKernels(source, ptx string) []Kernel {
	declared := signatures(comments.ReplaceAllString(source, " "))
	var list []Kernel
	names := map[string]int{}
	for _, m := range entry.FindAllStringSubmatch(ptx, -1) {
		name, types, mangled := demangled(m[1])
		k := Kernel{Name: name, PTXName: m[1], Params: types}
		names[name]++
		if !mangled {
			k.Params = only(declared[name], -1)
		} else if named := only(declared[bare(name)], len(types)); named != nil {
			for i := range k.Params {
				k.Params[i].Name = named[i].Name
			}
		}
		list = append(list, k)
	}
	for i := range list {
		if k := &list[i]; names[k.Name] > 1 {
			k.Name = k.Signature()
		}
	}
	return list
}

// Signature is the kernel's name with its parameters' types, as overloads are told apart:
// "over(int*)".
func (k Kernel) Signature() string {
	types := make([]string, len(k.Params))
	for i, p := range k.Params {
		types[i] = p.Type
	}
	return k.Name + "(" + strings.Join(types, ", ") + ")"
}

// bare is a name without namespaces and arguments of templates.
func bare(name string) string {
	name, _, _ = strings.Cut(name, "<")
	return name[strings.LastIndex(name, ":")+1:]
}

// only is the one parameter list that can be meant: overloads have several, and a guess would be
// wrong for one of them. n below 0 is any length.
func only(lists [][]Param, n int) []Param {
	var found []Param
	for _, l := range lists {
		if l == nil || n >= 0 && len(l) != n {
			continue
		}
		if found != nil {
			return nil
		}
		found = l
	}
	if n < 0 && len(lists) > 1 {
		return nil
	}
	return found
}

// signatures reads the parameter lists of __global__ functions; one that cannot be read is nil.
func signatures(source string) map[string][][]Param {
	found := map[string][][]Param{}
	for _, m := range global.FindAllStringSubmatchIndex(source, -1) {
		params, ok := paramList(source[m[1]:])
		if !ok {
			params = nil
		}
		name := source[m[2]:m[3]]
		found[name] = append(found[name], params)
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
	declarator = regexp.MustCompile(`^(.*[\s*&>])(\w+)\s*((?:\[[^\]]*\])?)$`)
	qualifiers = regexp.MustCompile(`\b(const|volatile|__restrict__|__restrict|restrict|__grid_constant__|struct|enum|class)\b`)
	spaces     = regexp.MustCompile(`\s*([*&<>,()])\s*`)
)

// param parts a declaration into type and name. An array is a pointer, as C++ has it.
func param(decl string) (Param, bool) {
	decl, _, _ = strings.Cut(decl, "=")
	m := declarator.FindStringSubmatch(strings.TrimSpace(decl))
	if m == nil {
		return Param{}, false
	}
	t := plainType(m[1])
	if m[3] != "" {
		t += "*"
	}
	return Param{Type: t, Name: m[2]}, t != ""
}

// plainType is a type without qualifiers, which do not matter to a caller, and without spaces that
// say nothing: "unsigned long*".
func plainType(t string) string {
	t = strings.Join(strings.Fields(qualifiers.ReplaceAllString(t, " ")), " ")
	return strings.TrimSpace(strings.ReplaceAll(spaces.ReplaceAllString(t, "$1"), ",", ", "))
}

// demangled gives the qualified name in a mangled one and the types of its parameters, which have
// no names there. A name that is not mangled is itself.
func demangled(mangled string) (name string, params []Param, ok bool) {
	if !strings.HasPrefix(mangled, "_Z") {
		return mangled, nil, false
	}
	name, err1 := demangle.ToString(mangled, demangle.NoParams, demangle.NoClones)
	whole, err2 := demangle.ToString(mangled, demangle.NoClones)
	if err1 != nil || err2 != nil || name == "" {
		return mangled, nil, false
	}
	i := strings.Index(whole, name+"(")
	if i < 0 {
		return plainType(name), nil, false
	}
	types, ok := typeList(whole[i+len(name)+1:])
	return plainType(name), types, ok
}

// typeList splits the types behind an opening parenthesis.
func typeList(text string) ([]Param, bool) {
	list := []Param{}
	depth, start := 0, 0
	for i, c := range text {
		switch c {
		case '(', '[', '{', '<':
			depth++
		case ']', '}', '>':
			depth--
		}
		if depth == 0 && (c == ',' || c == ')') {
			if t := plainType(text[start:i]); t != "" {
				list = append(list, Param{Type: t})
			}
			start = i + 1
		}
		if c == ')' {
			if depth == 0 {
				return list, true
			}
			depth--
		}
	}
	return nil, false
}

// Find is the kernel that a C++ program would call by that name: with its namespaces, with the
// arguments of a template, and, where there are overloads, with the types of the parameters. Spaces
// do not count. candidates are the kernels that may have been meant where there is no one.
func (p *Program) Find(name string) (k Kernel, candidates []string, ok bool) {
	wanted := strings.TrimPrefix(plainType(name), "::")
	for _, k := range p.Kernels {
		if k.PTXName == name || k.Name == wanted || k.Name+k.typesText() == wanted {
			return k, nil, true
		}
	}
	for _, k := range p.Kernels {
		if head, _, _ := strings.Cut(k.Name, "("); head == wanted || bare(head) == bare(wanted) {
			candidates = append(candidates, k.Name)
		}
	}
	return Kernel{}, candidates, false
}

// alias gives a kernel another name, where it does not have that already.
func (p *Program) alias(name, ptxName string) {
	another := Kernel{Name: name, PTXName: ptxName}
	for _, k := range p.Kernels {
		if k.PTXName == ptxName {
			if k.Name == plainType(name) {
				return
			}
			another.Params = k.Params
		}
	}
	p.Kernels = append(p.Kernels, another)
}

// typesText is what Signature adds to the name, or nothing where the name has it.
func (k Kernel) typesText() string { return strings.TrimPrefix(k.Signature(), k.Name) }
