package export

import (
	"go/token"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// lexers are the languages that cells are written in, by their names in notebooks.
var lexers = sync.OnceValue(func() map[string]chroma.Lexer {
	return map[string]chroma.Lexer{
		"go": lexer("Go", goRules), "cuda": lexer("CUDA", cudaRules), "c++": lexer("C++", cudaRules),
		"ptx": lexer("PTX", ptxRules), "bash": lexer("Bash", bashRules),
	}
})

func lexer(name string, rules []chroma.Rule) chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: name}, func() chroma.Rules { return chroma.Rules{"root": rules} })
}

func rule(pattern string, kind chroma.TokenType) chroma.Rule {
	return chroma.Rule{Pattern: pattern, Type: kind}
}

func words(list ...string) string { return `\b(?:` + strings.Join(list, "|") + `)\b` }

// goKeywords come from the scanner of Go itself.
func goKeywords() []string {
	var list []string
	for t := token.BREAK; t <= token.VAR; t++ {
		if t.IsKeyword() {
			list = append(list, t.String())
		}
	}
	return list
}

// The lexical elements of the Go specification, in the order of what must be tried first.
var goRules = []chroma.Rule{
	rule(`\s+`, chroma.TextWhitespace),
	rule(`//[^\n]*`, chroma.CommentSingle),
	rule(`(?s)/\*.*?\*/`, chroma.CommentMultiline),
	rule("`[^`]*`", chroma.LiteralStringBacktick),
	rule(`"(?:\\.|[^"\\\n])*"`, chroma.LiteralString),
	rule(`'(?:\\.[^']*|[^'\\\n])'`, chroma.LiteralStringChar),
	rule(`0[xX][0-9a-fA-F_]+(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]+)?i?`, chroma.LiteralNumberHex),
	rule(`0[bB][01_]+i?|0[oO][0-7_]+i?`, chroma.LiteralNumberInteger),
	rule(`(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?i?|[0-9][0-9_]*[eE][+-]?[0-9_]+i?`,
		chroma.LiteralNumberFloat),
	rule(`[0-9][0-9_]*i?`, chroma.LiteralNumberInteger),
	rule(words("true", "false", "nil", "iota"), chroma.KeywordConstant),
	rule(words("func", "type", "var", "const", "package", "import", "struct", "interface", "map", "chan"),
		chroma.KeywordDeclaration),
	rule(words(goKeywords()...), chroma.Keyword),
	rule(words("bool", "byte", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16", "int32",
		"int64",
		"rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "any", "comparable"), chroma.KeywordType),
	rule(words("append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
		"panic", "print", "println", "real", "recover")+`(?=\()`, chroma.NameBuiltin),
	rule(`[\p{L}_][\p{L}\p{N}_]*(?=\()`, chroma.NameFunction),
	rule(`[\p{L}_][\p{L}\p{N}_]*`, chroma.Name),
	rule(`[-+*/%&|^<>=!:~]+`, chroma.Operator),
	rule(`[()\[\]{}.,;]`, chroma.Punctuation),
	rule(`.`, chroma.Text),
}

// cKeywords and cTypes are those of C++ that kernels use, with CUDA's.
var cKeywords = []string{
	"alignas", "asm", "auto", "break", "case", "class", "const", "constexpr", "continue", "decltype", "default", "delete",
	"do",
	"else", "enum", "extern", "for", "goto", "if", "inline", "namespace", "new", "operator", "private", "public",
	"restrict", "return",
	"sizeof", "static", "static_assert", "struct", "switch", "template", "this", "typedef", "typename", "union", "using",
	"virtual",
	"volatile", "while", "__restrict__",
}

var cTypes = []string{
	"bool", "char", "double", "float", "half", "int", "long", "short", "signed", "unsigned", "void", "size_t",
	"[u]?int(?:8|16|32|64)_t",
	"__half2?", "__nv_bfloat162?", "dim3", "cudaError_t", "(?:u?char|u?short|u?int|u?long|float|double)[1234]",
}

var cudaRules = []chroma.Rule{
	rule(`\s+`, chroma.TextWhitespace),
	rule(`//[^\n]*`, chroma.CommentSingle),
	rule(`(?s)/\*.*?\*/`, chroma.CommentMultiline),
	rule(`#[^\n]*`, chroma.CommentPreproc),
	rule(`"(?:\\.|[^"\\\n])*"`, chroma.LiteralString),
	rule(`'(?:\\.[^']*|[^'\\\n])'`, chroma.LiteralStringChar),
	rule(`0[xX][0-9a-fA-F']+[uUlL]*`, chroma.LiteralNumberHex),
	rule(`(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFlL]?|[0-9]+[eE][+-]?[0-9]+[fF]?`, chroma.LiteralNumberFloat),
	rule(`[0-9][0-9']*[uUlLf]*`, chroma.LiteralNumberInteger),
	rule(words("true", "false", "nullptr"), chroma.KeywordConstant),
	rule(words("__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__", "__launch_bounds__",
		"__forceinline__", "__noinline__"), chroma.KeywordDeclaration),
	rule(words(cKeywords...), chroma.Keyword),
	rule(words(cTypes...), chroma.KeywordType),
	rule(words("threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"), chroma.NameBuiltin),
	rule(`[A-Za-z_]\w*(?=\()`, chroma.NameFunction),
	rule(`[A-Za-z_]\w*`, chroma.Name),
	rule(`[-+*/%&|^<>=!:~?]+`, chroma.Operator),
	rule(`[()\[\]{}.,;]`, chroma.Punctuation),
	rule(`.`, chroma.Text),
}

// PTX ISA, chapter 4: directives begin with a point, registers and special registers with a percent
// sign.
var ptxRules = []chroma.Rule{
	rule(`\s+`, chroma.TextWhitespace),
	rule(`//[^\n]*`, chroma.CommentSingle),
	rule(`(?s)/\*.*?\*/`, chroma.CommentMultiline),
	rule(`"[^"\n]*"`, chroma.LiteralString),
	rule(`\.(?:[bfsu](?:8|16|32|64)|f16x2|bf16|bf16x2|b128|pred)\b`, chroma.KeywordType),
	rule(`\.[a-z_][\w:]*`, chroma.KeywordDeclaration),
	rule(`%[A-Za-z_$][\w$.]*`, chroma.NameVariable),
	rule(`0[fFdDxX][0-9a-fA-F]+U?`, chroma.LiteralNumberHex),
	rule(`[0-9]+(?:\.[0-9]+)?U?`, chroma.LiteralNumber),
	rule(`@!?`, chroma.Operator),
	rule(`[$A-Za-z_][\w$]*(?=:)`, chroma.NameLabel),
	rule(`\b[a-z][a-z0-9]*(?=[.\s;])`, chroma.Keyword),
	rule(`[$A-Za-z_][\w$]*`, chroma.Name),
	rule(`[-+*|<>=!~&]`, chroma.Operator),
	rule(`[()\[\]{}.,;:]`, chroma.Punctuation),
	rule(`.`, chroma.Text),
}

var bashRules = []chroma.Rule{
	rule(`\s+`, chroma.TextWhitespace),
	rule(`#[^\n]*`, chroma.CommentSingle),
	rule(`"(?:\\.|[^"\\])*"`, chroma.LiteralStringDouble),
	rule(`'[^']*'`, chroma.LiteralStringSingle),
	rule(`\$\{[^}\n]*\}|\$[\w@#?*!$-]+`, chroma.NameVariable),
	rule(words("if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "until", "case", "esac", "function",
		"return", "export", "local", "exit", "set"), chroma.Keyword),
	rule(words("cd", "echo", "printf", "read", "test", "source", "trap", "eval", "exec", "shift"), chroma.NameBuiltin),
	rule(`[\w./+-]+`, chroma.Text),
	rule(`[|&;<>=!]+`, chroma.Operator),
	rule(`.`, chroma.Text),
}

// Languages lists what code cells are highlighted in.
func Languages() []string { return slices.Sorted(maps.Keys(lexers())) }
