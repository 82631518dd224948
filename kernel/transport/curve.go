package transport

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"io"
	"net"

	"golang.org/x/crypto/curve25519"
	"golang.org/x/crypto/nacl/box"
)

// The CURVE mechanism, server's side: every peer has to know the server's public key; which key is
// the peer's own does not matter, because those who may connect share one and heartbeats make
// theirs.
//
// The handshake is HELLO, WELCOME, INITIATE, READY; after it each frame travels in a MESSAGE. Boxes
// are those of NaCl: Curve25519, XSalsa20, Poly1305.
//
// Source: https://rfc.zeromq.org/spec/26/ (CurveZMQ) and https://rfc.zeromq.org/spec/25/
// (ZMTP-CURVE).

const mechanismCurve = "CURVE"

const (
	cmdHello    = "HELLO"
	cmdWelcome  = "WELCOME"
	cmdInitiate = "INITIATE"
	cmdMessage  = "MESSAGE"

	keySize    = 32
	cookieSize = 96
	helloSize  = 2 + 72 + keySize + 8 + 64 + box.Overhead
)

// CurveKeys is the pair that the connection file gives.
type CurveKeys struct{ public, secret [keySize]byte }

// NewCurveKeys reads a pair in Z85, 40 characters each. Errors: *ProtocolError.
func NewCurveKeys(public, secret string) (*CurveKeys, error) {
	k := new(CurveKeys)
	for _, f := range []struct {
		name, text string
		key        *[keySize]byte
	}{{"public CURVE key", public, &k.public}, {"secret CURVE key", secret, &k.secret}} {
		b, err := decodeZ85(f.text)
		if err != nil || len(b) != keySize {
			return nil, refuse(f.name, fmt.Sprintf("%d characters", len(f.text)), "40 characters of Z85")
		}
		copy(f.key[:], b)
	}
	derived, err := curve25519.X25519(k.secret[:], curve25519.Basepoint)
	if err != nil || subtle.ConstantTimeCompare(derived, k.public[:]) != 1 {
		return nil, refuse("CURVE keys", "two that do not belong together", "a pair")
	}
	return k, nil
}

// curveHandshake is what a handshake knows so far.
type curveHandshake struct {
	keys           *CurveKeys
	clientShort    [keySize]byte  // C'
	public, secret *[keySize]byte // S', s'
	cookie         [cookieSize]byte
	nonce          uint64 // of the client's last message
}

// serve does the handshake and gives what the peer said of itself.
func (k *CurveKeys) serve(c net.Conn, r *bufio.Reader, kind Kind) (metadata, seal, error) {
	h := &curveHandshake{keys: k}
	hello, err := expect(r, cmdHello)
	if err == nil {
		err = h.hello(hello)
	}
	if err != nil {
		return nil, nil, err
	}
	welcome, err := h.welcome()
	if err == nil {
		_, err = c.Write(appendFrame(nil, flagCommand, encodeCommand(cmdWelcome, welcome)))
	}
	if err != nil {
		return nil, nil, err
	}
	initiate, err := expect(r, cmdInitiate)
	if err != nil {
		return nil, nil, err
	}
	m, err := h.initiate(initiate)
	if err != nil {
		return nil, nil, err
	}
	s := &curveSeal{in: h.nonce, out: 1}
	box.Precompute(&s.key, &h.clientShort, h.secret)
	ready := binary.BigEndian.AppendUint64(nil, s.out)
	ready = box.SealAfterPrecomputation(ready, encodeMetadata(string(kind), ""), shortNonce("CurveZMQREADY---", s.out),
		&s.key)
	_, err = c.Write(appendFrame(nil, flagCommand, encodeCommand(cmdReady, ready)))
	return m, s, err
}

func expect(r *bufio.Reader, want string) ([]byte, error) {
	name, data, err := readCommand(r)
	if err == nil && name != want {
		err = refuse("handshake command", name, "%s", want)
	}
	return data, err
}

// hello checks that the client knows the server's key.
func (h *curveHandshake) hello(data []byte) error {
	if len(data) != helloSize || data[0] != 1 {
		return refuse("HELLO of bytes", len(data), "%d, version 1", helloSize)
	}
	copy(h.clientShort[:], data[74:])
	// with these everybody knows what boxes are sealed with
	if _, err := curve25519.X25519(h.keys.secret[:], h.clientShort[:]); err != nil {
		return refuse("HELLO", "a key of low order", "one of a pair")
	}
	h.nonce = binary.BigEndian.Uint64(data[106:])
	_, ok := box.Open(nil, data[114:], shortNonce("CurveZMQHELLO---", h.nonce), &h.clientShort, &h.keys.secret)
	if !ok {
		return refuse("HELLO", "a box that does not open", "one made with the server's public key")
	}
	return nil
}

// welcome makes the server's short-term pair. The cookie is random and kept: this server does not
// forget a client between its two messages.
func (h *curveHandshake) welcome() ([]byte, error) {
	var err error
	if h.public, h.secret, err = box.GenerateKey(rand.Reader); err != nil {
		return nil, err
	}
	nonce := make([]byte, 16)
	if _, err := io.ReadFull(rand.Reader, nonce); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(rand.Reader, h.cookie[:]); err != nil {
		return nil, err
	}
	return box.Seal(nonce, append(h.public[:], h.cookie[:]...), longNonce("WELCOME-", nonce), &h.clientShort,
		&h.keys.secret), nil
}

// initiate checks cookie and vouch.
func (h *curveHandshake) initiate(data []byte) (metadata, error) {
	const least = keySize + 16 + 2*keySize + box.Overhead
	if len(data) < cookieSize+8+box.Overhead+least {
		return nil, refuse("INITIATE of bytes", len(data), "at least %d", cookieSize+8+box.Overhead+least)
	}
	if subtle.ConstantTimeCompare(data[:cookieSize], h.cookie[:]) != 1 {
		return nil, refuse("INITIATE", "another cookie", "the one of WELCOME")
	}
	n := binary.BigEndian.Uint64(data[cookieSize:])
	if n <= h.nonce {
		return nil, refuse("INITIATE nonce", n, "more than %d", h.nonce)
	}
	h.nonce = n
	plain, ok := box.Open(nil, data[cookieSize+8:], shortNonce("CurveZMQINITIATE", n), &h.clientShort, h.secret)
	if !ok {
		return nil, refuse("INITIATE", "a box that does not open", "one made with the keys of this handshake")
	}
	var client [keySize]byte
	copy(client[:], plain)
	vouch, ok := box.Open(nil, plain[48:128], longNonce("VOUCH---", plain[32:48]), &client, h.secret)
	if !ok || !bytes.Equal(vouch[:keySize], h.clientShort[:]) || !bytes.Equal(vouch[keySize:], h.keys.public[:]) {
		return nil, refuse("INITIATE", "a vouch that does not hold", "one for the keys of this handshake")
	}
	return parseMetadata(plain[128:])
}

func shortNonce(prefix string, n uint64) *[24]byte {
	var b [24]byte
	copy(b[:], prefix)
	binary.BigEndian.PutUint64(b[16:], n)
	return &b
}

func longNonce(prefix string, random []byte) *[24]byte {
	var b [24]byte
	copy(b[:], prefix)
	copy(b[8:], random)
	return &b
}

// curveSeal puts frames into MESSAGEs. The peer's reader uses in, its writer out.
type curveSeal struct {
	key     [keySize]byte
	in, out uint64
}

// The flags inside a MESSAGE.
const (
	innerMore    = 1
	innerCommand = 2
)

func (s *curveSeal) open(_ byte, body []byte) (byte, []byte, error) {
	name, data, err := parseCommand(body)
	if err != nil {
		return 0, nil, err
	}
	if name != cmdMessage || len(data) < 8+box.Overhead+1 {
		return 0, nil, refuse("frame", name, "a MESSAGE")
	}
	n := binary.BigEndian.Uint64(data)
	if n <= s.in {
		return 0, nil, refuse("MESSAGE nonce", n, "more than %d", s.in)
	}
	s.in = n
	plain, ok := box.OpenAfterPrecomputation(nil, data[8:], shortNonce("CurveZMQMESSAGEC", n), &s.key)
	if !ok {
		return 0, nil, refuse("MESSAGE", "a box that does not open", "one made with the keys of the handshake")
	}
	var flags byte
	if plain[0]&innerMore != 0 {
		flags |= flagMore
	}
	if plain[0]&innerCommand != 0 {
		flags |= flagCommand
	}
	return flags, plain[1:], nil
}

func (s *curveSeal) seal(frames []byte) []byte {
	sealed := make([]byte, 0, len(frames)+64)
	for len(frames) > 0 {
		flags, at, size := frameHeader(frames)
		end := at + int(size)
		sealed = s.sealFrame(sealed, flags, frames[at:end])
		frames = frames[end:]
	}
	return sealed
}

func (s *curveSeal) sealFrame(dst []byte, flags byte, body []byte) []byte {
	plain := make([]byte, 1, 1+len(body))
	if flags&flagMore != 0 {
		plain[0] |= innerMore
	}
	if flags&flagCommand != 0 {
		plain[0] |= innerCommand
	}
	plain = append(plain, body...)
	s.out++
	head := binary.BigEndian.AppendUint64(encodeCommand(cmdMessage, nil), s.out)
	dst = appendFrameHeader(dst, 0, len(head)+box.Overhead+len(plain))
	dst = append(dst, head...)
	return box.SealAfterPrecomputation(dst, plain, shortNonce("CurveZMQMESSAGES", s.out), &s.key)
}
