package export

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

var tags = regexp.MustCompile(`<[^>]*>`)

func TestHighlight(t *testing.T) {
	for _, c := range []struct {
		source, language string
		want             []string
	}{
		{"func f(x int) string { return `a` + \"b\\\"\" } // é", "go",
			[]string{`<span class="kd">func</span>`, `<span class="nf">f</span>`, `<span class="kt">int</span>`,
				`<span class="k">return</span>`, "<span class=\"sb\">`a`</span>", `<span class="s">&#34;b\&#34;&#34;</span>`,
				`<span class="c1">// é</span>`}},
		{"x := 0x1F + 1_000 + .5e3 + '\\n' /* a\nb */; len(xs); typed := true", "Go",
			[]string{`<span class="mh">0x1F</span>`, `<span class="mi">1_000</span>`,
				`<span class="mf">.5e3</span>`, `<span class="sc">&#39;\n&#39;</span>`, `<span class="cm">/* a`,
				`<span class="cm">b */</span>`, `<span class="nb">len</span>`, `<span class="kc">true</span>`}},
		{"%%cuda\n__global__ void k(float* x) { x[threadIdx.x] = 1.5f; }", "go",
			[]string{`<span class="magic">%%cuda</span>`, `<span class="kd">__global__</span>`,
				`<span class="kt">float</span>`, `<span class="nb">threadIdx</span>`, `<span class="mf">1.5f</span>`}},
		{"%%ptx name\n@%p1 bra DONE;\nDONE: ld.global.f32 %f1, [%rd1+4];", "go",
			[]string{`<span class="nv">%p1</span>`, `<span class="k">bra</span>`, `<span class="nl">DONE</span>`,
				`<span class="kt">.f32</span>`}},
		{"%%bash\necho \"$HOME\" # x", "go", []string{`<span class="nb">echo</span>`, `<span class="c1"># x</span>`}},
		{"%%other\na < b", "go", []string{"a &lt; b"}},
		{"a < b", "python", []string{"a &lt; b"}},
	} {
		got := codeHTML(c.source, c.language)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%q lacks %s in\n%s", c.source, want, got)
			}
		}
		if text := html.UnescapeString(tags.ReplaceAllString(got, "")); text != c.source {
			t.Errorf("highlighted %q reads %q", c.source, text)
		}
	}
}

// Whatever the source, the page shows it whole.
func FuzzHighlight(f *testing.F) {
	f.Add("func f() { return \"é\x00\" }")
	f.Add("'\\''\"\\\n`")
	f.Fuzz(func(t *testing.T, source string) {
		source = strings.TrimRight(strings.ToValidUTF8(strings.ReplaceAll(source, "\r", ""), ""), "\n")
		for _, language := range Languages() {
			got := html.UnescapeString(tags.ReplaceAllString(highlight(source, language), ""))
			if got != html.UnescapeString(html.EscapeString(source)) {
				t.Errorf("%s: %q reads %q", language, source, got)
			}
		}
	})
}
