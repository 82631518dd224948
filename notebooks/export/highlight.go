package export

import (
	"html"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

var formatter = chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true))

// codeHTML highlights a code cell. A cell magic names another language; what no lexer knows stays plain.
func codeHTML(source, language string) string {
	magic, body := "", source
	if strings.HasPrefix(source, "%%") {
		magic, body, _ = strings.Cut(source, "\n")
		name, _, _ := strings.Cut(strings.TrimPrefix(magic, "%%"), " ")
		if l, ok := map[string]string{"cuda": "cuda", "bash": "bash", "ptx": "gas"}[name]; ok {
			language = l
		}
		magic = `<span class="magic">` + html.EscapeString(magic) + "</span>\n"
	}
	lexer := lexers.Get(language)
	if lexer == nil {
		return html.EscapeString(source)
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, body)
	if err != nil {
		return html.EscapeString(source)
	}
	var b strings.Builder
	if err := formatter.Format(&b, styles.Get("github"), tokens); err != nil {
		return html.EscapeString(source)
	}
	return magic + strings.TrimRight(b.String(), "\n")
}

// highlightCSS is the style sheet of the highlighted code, light and dark.
func highlightCSS() (string, error) {
	var b strings.Builder
	if err := formatter.WriteCSS(&b, styles.Get("github")); err != nil {
		return "", err
	}
	b.WriteString("@media (prefers-color-scheme: dark) {\n")
	if err := formatter.WriteCSS(&b, styles.Get("github-dark")); err != nil {
		return "", err
	}
	b.WriteString("}\n")
	return b.String(), nil
}
