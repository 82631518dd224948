package export

import (
	"html"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
)

// Chroma's own lexers and styles are read when a program starts, all of them: 11 ms and 5 MB for
// each start of the kernel and of its worker. What cells are written in is few languages, so their
// rules stand here (lexers.go), are compiled when a page first needs them, and colours stand in
// page.css.

var formatter = sync.OnceValue(func() *chromahtml.Formatter {
	return chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true))
})

// magics names the language of a cell that begins with a cell magic.
var magics = map[string]string{"cuda": "cuda", "bash": "bash", "ptx": "ptx"}

// codeHTML highlights a code cell; what is in a language without rules stays plain.
func codeHTML(source, language string) string {
	magic, body := "", source
	if strings.HasPrefix(source, "%%") {
		magic, body, _ = strings.Cut(source, "\n")
		name, _, _ := strings.Cut(strings.TrimPrefix(magic, "%%"), " ")
		language = magics[name]
		magic = `<span class="magic">` + html.EscapeString(magic) + "</span>\n"
	}
	return magic + highlight(body, language)
}

func highlight(body, language string) string {
	lexer := lexers()[strings.ToLower(language)]
	if lexer == nil {
		return html.EscapeString(body)
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, body)
	if err != nil {
		return html.EscapeString(body)
	}
	var b strings.Builder
	if err := formatter().Format(&b, colorless, tokens); err != nil {
		return html.EscapeString(body)
	}
	return b.String()
}

// colorless is a style that leaves colours to the page's style sheet.
var colorless = chroma.MustNewStyle("page", chroma.StyleEntries{})
