package display

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// deaf is a Screen that cannot ask; a person answers the prompts they know.
type deaf struct{}

func (deaf) Show(Bundle, string, bool) {}
func (deaf) Clear(bool)                {}

type person struct {
	deaf
	words map[string]string
}

var errAway = errors.New("away")

func (p person) Ask(prompt string, password bool) (string, error) {
	if password {
		prompt += "*"
	}
	if word, ok := p.words[prompt]; ok {
		return word, nil
	}
	return "", errAway
}

func TestAsk(t *testing.T) {
	defer SetScreen(SetScreen(person{words: map[string]string{"name?": "Ada", "word?*": "x y"}}))
	if got, err := Ask("name?"); got != "Ada" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if got, err := Password("word?"); got != "x y" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	var no *NotAskedError
	if _, err := Password("name?"); !errors.As(err, &no) || no.Prompt != "name?" || !errors.Is(err, errAway) {
		t.Errorf("%v", err)
	}
	SetScreen(deaf{})
	if _, err := Ask("name?"); !errors.As(err, &no) {
		t.Errorf("%v", err)
	}
	SetScreen(nil)
	if _, err := Password("word?"); !errors.As(err, &no) || !strings.Contains(err.Error(), "notebook") {
		t.Errorf("a terminal asks for a password: %v", err)
	}
}

func TestReadLine(t *testing.T) {
	r := strings.NewReader("one\r\n\ntwo")
	for _, want := range []string{"one", "", "two"} {
		if got, err := readLine(r); got != want || err != nil {
			t.Errorf("%q %v, want %q", got, err, want)
		}
	}
	if _, err := readLine(r); err != io.EOF {
		t.Errorf("%v", err)
	}
}
