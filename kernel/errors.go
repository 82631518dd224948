package kernel

import "fmt"

// A RequestError is an answer to a request that cannot be done: its fields are those of an error
// reply.
type RequestError struct {
	Name  string // ename
	Value string // evalue
}

func (e *RequestError) Error() string { return e.Name + ": " + e.Value }

func malformed(msgType string, err error) error {
	return &RequestError{Name: "MalformedRequest", Value: fmt.Sprintf("the content of %s cannot be read: %v", msgType,
		err)}
}

// A RemoteError is the refusal to listen where others than this machine can connect, unencrypted.
type RemoteError struct{ IP string }

func (e *RemoteError) Error() string {
	return fmt.Sprintf("kernel: the connection file asks to listen on %s without encryption: whoever reaches it sees "+
		"all messages; "+
		"let the client use 127.0.0.1, or CURVE (KernelManager.transport_encryption), or allow it (vyre-kernel kernel "+
		"--allow-remote)", e.IP)
}
