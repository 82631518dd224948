package display

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// An Asker is a Screen with a person before it who can be asked. Its method may be called by
// several goroutines at once.
type Asker interface {
	// Ask shows the prompt and waits for a line, without its end; a password is not shown as it is
	// typed.
	Ask(prompt string, password bool) (string, error)
}

// A NotAskedError tells that nobody answered, and why.
type NotAskedError struct {
	Prompt string
	Err    error
}

func (e *NotAskedError) Error() string {
	return fmt.Sprintf("display: %q was not answered: %v", e.Prompt, e.Err)
}

func (e *NotAskedError) Unwrap() error { return e.Err }

// Ask asks the person before the notebook for a line, with a prompt; without a notebook it is
// printed, and standard input read. Error: *NotAskedError, as where a notebook is executed with
// nobody there.
func Ask(prompt string) (string, error) { return ask(prompt, false) }

// Password is Ask for what is not shown as it is typed. Without a notebook it is refused.
func Password(prompt string) (string, error) { return ask(prompt, true) }

func ask(prompt string, password bool) (string, error) {
	a, ok := current().(Asker)
	if !ok {
		return "", &NotAskedError{prompt, errors.New("the screen that is set cannot ask")}
	}
	line, err := a.Ask(prompt, password)
	if err != nil {
		return "", &NotAskedError{prompt, err}
	}
	return line, nil
}

// Ask prints the prompt and reads no byte behind the line: what follows is for others who read.
func (t terminal) Ask(prompt string, password bool) (string, error) {
	if password {
		return "", errors.New("a terminal would show a password as it is typed: ask for it in a notebook")
	}
	fmt.Fprint(t.w, prompt)
	return readLine(os.Stdin)
}

// readLine reads up to a line's end or, where something came before it, that of the input.
func readLine(r io.Reader) (string, error) {
	var line strings.Builder
	for b := make([]byte, 1); ; {
		n, err := r.Read(b)
		switch {
		case n == 1 && b[0] == '\n', err == io.EOF && line.Len() > 0:
			return strings.TrimSuffix(line.String(), "\r"), nil
		case n == 1:
			line.WriteByte(b[0])
		case err != nil:
			return "", err
		}
	}
}
