package display

import "fmt"

// An ArgumentError says that a call was given what it cannot work with.
type ArgumentError struct {
	// Call is the function or method, Want what would have worked and Got what was there.
	Call, Want, Got string
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s: want %s, got %s", e.Call, e.Want, e.Got)
}
