package transport

import "fmt"

// A ProtocolError tells what a peer sent that ZMTP does not allow, or more than a limit allows.
type ProtocolError struct {
	What string
	Got  string
	Want string
}

func (e *ProtocolError) Error() string {
	return fmt.Sprintf("transport: %s: got %s, want %s", e.What, e.Got, e.Want)
}

func refuse(what string, got any, want string, args ...any) error {
	return &ProtocolError{What: what, Got: fmt.Sprint(got), Want: fmt.Sprintf(want, args...)}
}

// A ListenError tells where it is not possible to listen, and what to do.
type ListenError struct {
	Network, Address string
	Err              error
}

func (e *ListenError) Error() string {
	return fmt.Sprintf("transport: cannot listen on %s %s: %v: let the client choose another address (port 0 is any "+
		"free one)", e.Network, e.Address, e.Err)
}

func (e *ListenError) Unwrap() error { return e.Err }
