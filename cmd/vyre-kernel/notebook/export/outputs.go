package export

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strings"
)

// richest lists the MIME types a page can show, the one it would rather show first, and how.
var richest = []struct {
	mime string
	html func(value any, metadata map[string]any) (string, error)
}{
	{"text/html", func(v any, _ map[string]any) (string, error) {
		return `<div class="rich">` + textOf(v) + "</div>",
			nil
	}},
	{"image/svg+xml", svgHTML},
	{"image/png", imageHTML("image/png")},
	{"image/jpeg", imageHTML("image/jpeg")},
	{"image/gif", imageHTML("image/gif")},
	{"text/markdown", func(v any, _ map[string]any) (string, error) { return markdownHTML(textOf(v), files{}) }},
	{"text/latex", func(v any, _ map[string]any) (string, error) {
		return pre("latex", html.EscapeString(textOf(v))),
			nil
	}},
	{"text/plain", func(v any, _ map[string]any) (string, error) { return pre("text", ansiHTML(textOf(v))), nil }},
	{"application/json", func(v any, _ map[string]any) (string, error) {
		text, err := json.MarshalIndent(v, "", "  ")
		return pre("text", html.EscapeString(string(text))), err
	}},
}

func outputHTML(o *Output) (string, error) {
	switch o.Type {
	case Stream:
		return pre("stream "+o.Name, ansiHTML(overwrite(o.Text))), nil
	case Error:
		return pre("error", ansiHTML(strings.Join(o.Traceback, "\n"))), nil
	}
	for _, form := range richest {
		if v, ok := o.Data[form.mime]; ok {
			metadata, _ := o.Metadata[form.mime].(map[string]any)
			return form.html(v, metadata)
		}
	}
	return pre("text", "(no form of this output can be shown on a page)"), nil
}

func pre(class, content string) string { return `<pre class="` + class + `">` + content + "</pre>" }

func textOf(v any) string {
	s, _ := v.(string)
	return s
}

// svgHTML gives the picture as an image of its own, so that its styles and ids stay inside it.
func svgHTML(v any, metadata map[string]any) (string, error) {
	return imageHTML("image/svg+xml")(base64.StdEncoding.EncodeToString([]byte(textOf(v))), metadata)
}

func imageHTML(mime string) func(any, map[string]any) (string, error) {
	return func(v any, metadata map[string]any) (string, error) {
		size := ""
		for _, side := range []string{"width", "height"} {
			if n, ok := metadata[side]; ok {
				size += fmt.Sprintf(` %s="%s"`, side, html.EscapeString(fmt.Sprint(n)))
			}
		}
		data := strings.Join(strings.Fields(textOf(v)), "")
		if _, err := base64.StdEncoding.DecodeString(data); err != nil {
			return "", &FormatError{Where: mime, Want: "base64", Found: err.Error()}
		}
		return fmt.Sprintf(`<img alt="" src="data:%s;base64,%s"%s>`, mime, data, size), nil
	}
}
