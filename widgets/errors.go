package widgets

import "fmt"

// A ValueError is a value that a widget cannot take.
type ValueError struct {
	Widget, Trait string
	Value         any
	Want          string
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("%s: %s is %v, want %s", e.Widget, e.Trait, e.Value, e.Want)
}

// A ClosedError is a widget that is told something after it was closed, by Close or by a page.
type ClosedError struct{ Widget string }

func (e *ClosedError) Error() string {
	return e.Widget + ": the widget was closed, and no page shows it: make another one, or close it later"
}

// A SignatureError is a function that cannot be called with the values of the widgets beside it.
type SignatureError struct{ Found, Want string }

func (e *SignatureError) Error() string {
	return fmt.Sprintf("Interact: the function is %s, want %s", e.Found, e.Want)
}

// A MessageError is a message of the front end that this protocol does not know.
type MessageError struct {
	Widget, Found, Want string
	Err                 error // why it could not be read, or nil
}

func (e *MessageError) Error() string {
	text := fmt.Sprintf("%s: the front end sent %s, want %s", e.Widget, e.Found, e.Want)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *MessageError) Unwrap() error { return e.Err }
