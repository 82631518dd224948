package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"

	"github.com/vyre-kernel/vyre-kernel/kernel/ahead"
	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/transport"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// sockets are the five of a kernel.
type sockets map[connection.Channel]*transport.Socket

// listen opens all five, and notes the ports that the system chose.
func (k *Kernel) listen() error {
	k.sockets = sockets{}
	var keys *transport.CurveKeys
	if k.file.Curve() {
		var err error
		if keys, err = transport.NewCurveKeys(k.file.CurvePublicKey, k.file.CurveSecretKey); err != nil {
			return fmt.Errorf("kernel: connection file: %w", err)
		}
	}
	for _, c := range connection.Channels() {
		network, address := k.file.Address(c)
		config := transport.Config{Network: network, Address: address, Kind: transport.Router, Curve: keys, Limits: k.limits,
			Log: k.log.With("channel", c)}
		if network == "tcp" {
			config.Listening = ahead.Take(address)
		}
		if c == connection.IOPub {
			config.Kind, config.Welcome = transport.Publisher, k.welcome
		}
		s, err := transport.Open(config)
		if err != nil {
			return fmt.Errorf("kernel: %s_port: %w", c, err)
		}
		k.sockets[c] = s
		if tcp, ok := s.Addr().(*net.TCPAddr); ok {
			k.file.SetPort(c, tcp.Port)
		}
	}
	k.iopub.socket.Store(k.sockets[connection.IOPub])
	return nil
}

func (s sockets) close() error {
	var err error
	for _, c := range connection.Channels() {
		if socket := s[c]; socket != nil {
			err = errors.Join(err, socket.Close())
		}
	}
	return err
}

// welcome is the first message that a subscriber gets.
func (k *Kernel) welcome(topic []byte) [][]byte {
	content, err := wire.Encode(map[string]string{"subscription": string(topic)})
	if err != nil {
		return nil
	}
	frames, err := k.signer.Frames(&wire.Message{
		Identities: [][]byte{append([]byte(nil), topic...)},
		Header:     wire.NewHeader(k.session, username, "iopub_welcome"), Content: content,
	})
	if err != nil {
		k.log.Error("iopub_welcome", "topic", strconv.Quote(string(topic)), "error", err)
	}
	return frames
}

// serveSockets starts a reader for each socket that gets messages.
func (k *Kernel) serveSockets() {
	k.readers.Go(func() { k.beat(k.sockets[connection.HB]) })
	for c, take := range map[connection.Channel]func(*wire.Message){
		connection.Shell: k.takeShell, connection.Control: k.takeControl, connection.Stdin: k.takeStdin,
	} {
		k.readers.Go(func() { k.read(c, take) })
	}
}

// beat sends back what comes.
func (k *Kernel) beat(s *transport.Socket) {
	for {
		frames, err := s.Recv()
		if err != nil {
			return
		}
		s.Send(frames)
	}
}

// read takes messages off a socket until it closes. What is no message of ours is logged and
// dropped.
func (k *Kernel) read(c connection.Channel, take func(*wire.Message)) {
	for {
		frames, err := k.sockets[c].Recv()
		if err != nil {
			return
		}
		m, err := k.signer.Parse(frames, &k.replays)
		if err != nil {
			k.malformed(c, m, len(frames), err)
			continue
		}
		take(m)
	}
}

// malformed answers a request of which the header alone can be read, and drops whatever else is no
// message.
func (k *Kernel) malformed(c connection.Channel, m *wire.Message, frames int, err error) {
	var format *wire.FormatError
	if c == connection.Stdin || m == nil || m.Header.MsgType == "" || !json.Valid(m.RawHeader) ||
		!errors.As(err, &format) {
		k.log.Warn("message dropped", "channel", c, "frames", frames, "error", err)
		return
	}
	k.refuse(newRequest(m, c), &RequestError{Name: "MalformedRequest", Value: err.Error()})
}

// send answers on a socket, signed, to where the request came from.
func (k *Kernel) send(c connection.Channel, m *wire.Message) {
	frames, err := k.signer.Frames(m)
	if err != nil {
		k.log.Error("message not sent", "channel", c, "type", m.Header.MsgType, "error", err)
		return
	}
	k.sockets[c].Send(frames)
}
