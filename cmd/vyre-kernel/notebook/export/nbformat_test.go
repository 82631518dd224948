package export

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// testdata/nbformat.ipynb was written by nbformat 5 (nbformat.write) and holds what is odd: line
// ends of all kinds, characters that encoders like to escape, every kind of output, attachments,
// empty things.
func TestWriteIsByteForByteWhatNbformatWrites(t *testing.T) {
	want, err := os.ReadFile("testdata/nbformat.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	n, err := Read(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, n); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("written:\n%s\nwant:\n%s", b.Bytes(), want)
	}
}

func TestWhatIsNotKnownIsKept(t *testing.T) {
	const text = `{"nbformat": 4, "nbformat_minor": 5, "metadata": {"signature": "x", "keep": 1}, "new": {"a": [1]}, "cells": [
		{"cell_type": "code", "source": "x", "metadata": {"trusted": true}, "mood": "good", "outputs": [
			{"output_type": "stream", "name": "stdout", "text": "t", "when": 7}]},
		{"cell_type": "raw", "id": "cell-1", "source": "", "metadata": {}}]}`
	n, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Write(&b, n); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"new": {`, `"mood": "good"`, `"when": 7`, `"keep": 1`, `"id": "cell-1"`,
		`"id": "cell-2"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is lost:\n%s", want, b.String())
		}
	}
	for _, gone := range []string{"signature", "trusted"} {
		if strings.Contains(b.String(), gone) {
			t.Errorf("%s is transient and was written", gone)
		}
	}
}

func TestMoreIsRefused(t *testing.T) {
	for _, c := range []struct{ text, where string }{
		{`{"nbformat": 4, "nbformat_minor": "five", "cells": []}`, "nbformat_minor"},
		{`{"nbformat": 4, "nbformat_minor": 5, "cells": [{"cell_type": "code", "source": "", "execution_count": "one"}]}`,
			"cells[0].execution_count"},
		{`{"nbformat": 4, "nbformat_minor": 5, "cells": [{"cell_type": "markdown", "source": "", "attachments": []}]}`,
			"cells[0].attachments"},
		{`{"nbformat": 4, "nbformat_minor": 5, "cells": [{"cell_type": "code", "source": "", "outputs": [{"output_type": "execute_result", "data": {}, "execution_count": 1.5}]}]}`, "cells[0].outputs[0].execution_count"},
	} {
		var format *FormatError
		if _, err := Read(strings.NewReader(c.text)); !errors.As(err, &format) || format.Where != c.where {
			t.Errorf("%s: %v", c.where, err)
		}
	}
}

func TestANSI(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a<b", "a&lt;b"},
		{"\x1b[1;31mred\x1b[0m x", `<span class="ansi-fg-1 ansi-bold">red</span> x`},
		{"\x1b[m\x1b[31ma\x1b[39mb", `<span class="ansi-fg-1">a</span>b`},
		{"\x1b[4;92;45mu\x1b[24;49mv",
			`<span class="ansi-fg-10 ansi-bg-5 ansi-underline">u</span><span class="ansi-fg-10">v</span>`},
		{"\x1b[38;5;9ma\x1b[38;5;196mb\x1b[38;2;1;2;3mc\x1b[48;5;255md",
			`<span class="ansi-fg-9">a</span><span style="color:#ff0000">b</span>` +
				`<span style="color:#010203">c</span><span style="color:#010203;background-color:#eeeeee">d</span>`},
		{"\x1b[7mswap", `<span class="ansi-swap">swap</span>`},
		{"a\x1b[2Kb\x1b]0;title\x07c\x1b]8;;x\x1b\\d\x1b(Be\x1b7f", "abcdef"},
		{"end\x1b", "end"}, {"end\x1b[3", "end"}, {"end\x1b]0;x", "end"}, {"\x1b[38;5m.", "."}, {"\x1b[38;2;1m.", "."},
		{"\x1b[?25lx", "x"},
	} {
		if got := ansiHTML(c.text); got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestOverwrite(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\r\nb", "a\nb"}, {"10%\r20%", "20%"}, {"abc\rx", "xbc"}, {"abc\r\x1b[Kx", "x"}, {"ab\b\bX", "Xb"}, {"\b\bX", "X"},
		{"é世\rX", "X世"},
		{"\x1b[31mab\x1b[0m\rc", "c\x1b[31mb\x1b[0m"}, {"\x1b[1ma\x1b[31mb\rc", "\x1b[1m\x1b[31mcb"},
		{"\x1b[31mx\na\x1b[0mb\r", "\x1b[31mx\na\x1b[0mb"}, {"a\xffb\rX", "X\xffb"}, {"no", "no"},
	} {
		if got := overwrite(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestImagesOfProse(t *testing.T) {
	beside := fstest.MapFS{"img/a.png": {Data: []byte("hello")}, "secret.txt": {Data: []byte("s")}}
	attachments := map[string]map[string]any{"b c.png": {"image/png": "aGVsbG8=\n"}, "d.svg": {"image/svg+xml": "<svg/>"}}
	for source, want := range map[string]string{
		"![x](img/a.png)":              `<img src="data:image/png;base64,aGVsbG8=" alt="x">`,
		"![x](attachment:b%20c.png)":   `<img src="data:image/png;base64,aGVsbG8=" alt="x">`,
		"![x](attachment:d.svg)":       `<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="x">`,
		"![x](https://e.org/y.png)":    `<a href="https://e.org/y.png">x</a>`,
		"![](https://e.org/y.png)":     `<a href="https://e.org/y.png">https://e.org/y.png</a>`,
		"![x](../img/a.png)":           `<a href="../img/a.png">x</a>`,
		"![x](secret.txt)":             `<a href="secret.txt">x</a>`,
		"![x](attachment:none.png)":    `x</a>`,
		"![x](data:image/png;base64,)": `<img src="data:image/png;base64,"`,
	} {
		got, err := markdownHTML(source, files{attachments, beside})
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: got %s, %v, want %s", source, got, err, want)
		}
	}
}

func TestPageFetchesAndRunsNothing(t *testing.T) {
	n := &Notebook{Minor: 5, Cells: []Cell{{Type: Markdown, Source: "# x"}}}
	var b strings.Builder
	if err := HTML(&b, n, Options{}); err != nil || !strings.Contains(b.String(),
		`content="default-src 'none'; img-src data:`) {
		t.Errorf("%v %s", err, b.String())
	}
}
