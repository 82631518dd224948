package transport

import (
	"encoding/binary"
	"strings"
)

// The commands that are known here.
const (
	cmdReady     = "READY"
	cmdError     = "ERROR"
	cmdPing      = "PING"
	cmdPong      = "PONG"
	cmdSubscribe = "SUBSCRIBE"
	cmdCancel    = "CANCEL"
)

// parseCommand splits the body of a command frame: length and name, then data.
func parseCommand(body []byte) (name string, data []byte, err error) {
	if len(body) == 0 || int(body[0]) > len(body)-1 || body[0] == 0 {
		return "", nil, refuse("command", len(body), "a name and its length")
	}
	n := 1 + int(body[0])
	return string(body[1:n]), body[n:], nil
}

func encodeCommand(name string, data []byte) []byte {
	body := make([]byte, 0, 1+len(name)+len(data))
	body = append(body, byte(len(name)))
	body = append(body, name...)
	return append(body, data...)
}

// metadata are the properties that the sides tell each other; names in lower case.
type metadata map[string]string

const (
	propSocketType = "Socket-Type"
	propIdentity   = "Identity"
	maxIdentity    = 255
	maxProperties  = 64
)

func parseMetadata(b []byte) (metadata, error) {
	m := metadata{}
	for len(b) > 0 {
		n := int(b[0])
		if n == 0 || len(b) < 1+n+4 {
			return nil, refuse("metadata", len(b), "a name, its length and that of the value")
		}
		name := strings.ToLower(string(b[1 : 1+n]))
		b = b[1+n:]
		size := binary.BigEndian.Uint32(b)
		b = b[4:]
		if uint64(size) > uint64(len(b)) {
			return nil, refuse("metadata value of bytes", size, "at most the %d left", len(b))
		}
		m[name] = string(b[:size])
		b = b[size:]
		if len(m) > maxProperties {
			return nil, refuse("metadata properties", len(m), "at most %d", maxProperties)
		}
	}
	return m, nil
}

func appendProperty(dst []byte, name, value string) []byte {
	dst = append(dst, byte(len(name)))
	dst = append(dst, name...)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(value)))
	return append(dst, value...)
}

// encodeMetadata writes the two properties that matter.
func encodeMetadata(socketType, identity string) []byte {
	b := appendProperty(nil, propSocketType, socketType)
	return appendProperty(b, propIdentity, identity)
}

func (m metadata) socketType() string { return m[strings.ToLower(propSocketType)] }
func (m metadata) identity() string   { return m[strings.ToLower(propIdentity)] }
