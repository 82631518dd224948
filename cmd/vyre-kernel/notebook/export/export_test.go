package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

const small = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "m",
   "metadata": {},
   "source": [
    "# Title & more\n",
    "\n",
    "| a | b |\n",
    "|---|---|\n",
    "| 1 | 2 |"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "c",
   "metadata": {
    "tags": [
     "varies"
    ]
   },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "10%\r",
      "20%\r",
      "100%\n",
      "<done>\n"
     ]
    },
    {
     "data": {
      "image/png": "aGVsbG8=",
      "text/html": [
       "<table><tr><td>x</td></tr></table>"
      ],
      "text/plain": [
       "x"
      ]
     },
     "execution_count": 3,
     "metadata": {},
     "output_type": "execute_result"
    },
    {
     "data": {
      "application/json": {
       "big": 12345678901234567890
      },
      "image/png": "aGVsbG8="
     },
     "metadata": {
      "image/png": {
       "width": 320
      }
     },
     "output_type": "display_data"
    },
    {
     "ename": "Panic",
     "evalue": "boom",
     "output_type": "error",
     "traceback": [
      "\u001b[1;31mPanic\u001b[0m: <boom>"
     ]
    }
   ],
   "source": [
    "fmt.Println(\"a < b\")"
   ]
  }
 ],
 "metadata": {
  "language_info": {
   "name": "go"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func TestWriteGivesBackWhatNbformatWrote(t *testing.T) {
	n, err := Read(strings.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, n); err != nil {
		t.Fatal(err)
	}
	if b.String() != small {
		t.Errorf("written:\n%s\nwant:\n%s", b.String(), small)
	}
	if got := n.Cells[1].Tags(); len(got) != 1 || got[0] != "varies" {
		t.Errorf("tags %q", got)
	}
}

func TestPageHoldsEverything(t *testing.T) {
	n, err := Read(strings.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := HTML(&b, n, Options{Note: "executed <today>"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title>Title &amp; more</title>", "<th>a</th>", "In&nbsp;[3]", "&lt;done&gt;", "<table><tr><td>x</td></tr></table>",
		`<img alt="" src="data:image/png;base64,aGVsbG8=" width="320">`,
		`<span class="ansi-fg-1 ansi-bold">Panic</span>: &lt;boom&gt;`,
		"executed &lt;today&gt;", `class="s"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, unwanted := range []string{"20%", "<script", "http://", "https://"} {
		if strings.Contains(b.String(), unwanted) {
			t.Errorf("the page holds %q", unwanted)
		}
	}
}

func TestWhatIsNotANotebookIsRefused(t *testing.T) {
	for _, c := range []struct{ name, text, where, found string }{
		{"empty", "", "the end", "empty"},
		{"not JSON", "{\n x", "line 2, column 2", "invalid character"},
		{"a list", "[]", "the top", "a list"},
		{"no version", "{}", "nbformat", "nothing"},
		{"old", `{"nbformat": 3}`, "nbformat", "3"},
		{"no cells", `{"nbformat": 4}`, "cells", "nothing"},
		{"odd cell", `{"nbformat": 4, "cells": [7]}`, "cells[0]", "7"},
		{"odd type", `{"nbformat": 4, "cells": [{"cell_type": "poem", "source": ""}]}`, "cells[0].cell_type", "poem"},
		{"no source", `{"nbformat": 4, "cells": [{"cell_type": "code"}]}`, "cells[0].source", "nothing"},
		{"odd line", `{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["a", 1]}]}`, "cells[0].source[1]", "1"},
		{"odd output", `{"nbformat": 4, "cells": [{"cell_type": "code", "source": "", "outputs": [{"output_type": "smell"}]}]}`, "cells[0].outputs[0].output_type", "smell"},
		{"odd data", `{"nbformat": 4, "cells": [{"cell_type": "code", "source": "", "outputs": [{"output_type": "display_data", "data": {"text/plain": 4}}]}]}`, "cells[0].outputs[0].data[text/plain]", "4"},
		{"trailing", `{"nbformat": 4, "cells": []} {}`, "line 1", "more text"},
	} {
		_, err := Read(strings.NewReader(c.text))
		var format *FormatError
		if !errors.As(err, &format) || !strings.HasPrefix(format.Where, c.where) || !strings.Contains(format.Found, c.found) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{"nbformat": 4, "cells": [{"cell_type": "raw", "source": "x"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		var first, second, page bytes.Buffer
		if err := Write(&first, n); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if err := Write(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written twice, not the same (%v)", err)
		}
		if !json.Valid(first.Bytes()) {
			t.Fatal("not JSON")
		}
		if err := HTML(&page, n, Options{}); err != nil && !strings.Contains(err.Error(), "base64") {
			t.Fatal(err)
		}
	})
}
