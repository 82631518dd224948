package transport

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"io"
	"maps"
	"net"
	"testing"

	"golang.org/x/crypto/curve25519"
	"golang.org/x/crypto/nacl/box"
)

// The vector is that of the specification: https://rfc.zeromq.org/spec/32/.
func TestZ85(t *testing.T) {
	raw := []byte{0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b}
	if got := encodeZ85(raw); got != "HelloWorld" {
		t.Error(got)
	}
	if got, err := decodeZ85("HelloWorld"); err != nil || !bytes.Equal(got, raw) {
		t.Errorf("%x %v", got, err)
	}
	most := []byte{0xff, 0xff, 0xff, 0xff}
	if got, err := decodeZ85(encodeZ85(most)); err != nil || !bytes.Equal(got, most) {
		t.Errorf("%x %v", got, err)
	}
	for _, bad := range []string{"Hell", "Hell\"", "#####"} {
		if b, err := decodeZ85(bad); err == nil {
			t.Errorf("%q gave %x", bad, b)
		}
	}
}

func pair(t testing.TB) (public, secret *[32]byte) {
	t.Helper()
	public, secret, err := box.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return public, secret
}

func TestCurveKeys(t *testing.T) {
	public, secret := pair(t)
	if _, err := NewCurveKeys(encodeZ85(public[:]), encodeZ85(secret[:])); err != nil {
		t.Error(err)
	}
	other, _ := pair(t)
	for _, bad := range [][2]string{
		{encodeZ85(other[:]), encodeZ85(secret[:])}, {"short", encodeZ85(secret[:])}, {encodeZ85(public[:]), ""},
	} {
		if _, err := NewCurveKeys(bad[0], bad[1]); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// curveClient is the other side of the handshake, as the specification has it.
type curveClient struct {
	c              net.Conn
	r              *bufio.Reader
	server         [32]byte
	public, secret *[32]byte // C, c
	short, shortS  *[32]byte // C', c'
	key            [32]byte
	out            uint64
	vouch          func(short, server []byte) []byte // what it vouches for; nil: for both
}

func newCurveClient(t *testing.T, c net.Conn, server *[32]byte) *curveClient {
	x := &curveClient{c: c, r: bufio.NewReader(c), server: *server}
	x.public, x.secret = pair(t)
	x.short, x.shortS = pair(t)
	return x
}

func (x *curveClient) command(name string, data []byte) {
	_, _ = x.c.Write(appendFrame(nil, flagCommand, encodeCommand(name, data)))
}

func (x *curveClient) hello() { x.command(cmdHello, x.helloData(x.short)) }

// helloData is what it says first, with a key that it says is its own.
func (x *curveClient) helloData(short *[32]byte) []byte {
	data := append([]byte{1, 0}, make([]byte, 72)...)
	data = append(data, short[:]...)
	data = binary.BigEndian.AppendUint64(data, 1)
	return box.Seal(data, make([]byte, 64), shortNonce("CurveZMQHELLO---", 1), &x.server, x.shortS)
}

func (x *curveClient) handshake(change func(initiate []byte)) error {
	_, _ = x.c.Write(greeting{mechanism: mechanismCurve}.encode())
	if _, err := readGreeting(x.r); err != nil {
		return err
	}
	x.hello()
	welcome, err := expect(x.r, cmdWelcome)
	if err != nil {
		return err
	}
	plain, ok := box.Open(nil, welcome[16:], longNonce("WELCOME-", welcome[:16]), &x.server, x.shortS)
	if !ok {
		return refuse("WELCOME", "a box that does not open", "one")
	}
	serverShort := (*[32]byte)(plain[:32])
	nonce := make([]byte, 16)
	vouched := append(append([]byte(nil), x.short[:]...), x.server[:]...)
	if x.vouch != nil {
		vouched = x.vouch(x.short[:], x.server[:])
	}
	vouch := box.Seal(nil, vouched, longNonce("VOUCH---", nonce), serverShort, x.secret)
	inner := append(append(append(append([]byte(nil), x.public[:]...), nonce...), vouch...),
		encodeMetadata("DEALER", "me")...)
	data := binary.BigEndian.AppendUint64(append([]byte(nil), plain[32:]...), 2)
	data = box.Seal(data, inner, shortNonce("CurveZMQINITIATE", 2), serverShort, x.shortS)
	if change != nil {
		change(data)
	}
	x.command(cmdInitiate, data)
	x.out = 2
	if _, err := expect(x.r, cmdReady); err != nil {
		return err
	}
	box.Precompute(&x.key, serverShort, x.shortS)
	return nil
}

func (x *curveClient) send(flags byte, body string) {
	x.out++
	data := binary.BigEndian.AppendUint64(encodeCommand(cmdMessage, nil), x.out)
	data = box.SealAfterPrecomputation(data, append([]byte{flags}, body...), shortNonce("CurveZMQMESSAGEC", x.out), &x.key)
	_, _ = x.c.Write(appendFrame(nil, 0, data))
}

func (x *curveClient) receive() (byte, string, error) {
	_, size, err := readFrameHeader(x.r)
	if err != nil {
		return 0, "", err
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(x.r, body); err != nil {
		return 0, "", err
	}
	_, data, err := parseCommand(body)
	if err != nil {
		return 0, "", err
	}
	n := binary.BigEndian.Uint64(data)
	plain, ok := box.OpenAfterPrecomputation(nil, data[8:], shortNonce("CurveZMQMESSAGES", n), &x.key)
	if !ok {
		return 0, "", refuse("MESSAGE", "a box that does not open", "one")
	}
	return plain[0], string(plain[1:]), nil
}

func curveEcho(t *testing.T) (*Listener, *[32]byte) {
	t.Helper()
	public, secret := pair(t)
	keys, err := NewCurveKeys(encodeZ85(public[:]), encodeZ85(secret[:]))
	if err != nil {
		t.Fatal(err)
	}
	return echo(t, Config{Curve: keys}), public
}

func TestCurve(t *testing.T) {
	l, public := curveEcho(t)
	x := newCurveClient(t, dial(t, l), public)
	if err := x.handshake(nil); err != nil {
		t.Fatal(err)
	}
	x.send(innerMore, "one")
	x.send(0, "two")
	x.send(innerCommand, string(encodeCommand(cmdPing, []byte{0, 1, 'c'})))
	got := map[string]byte{} // the PONG may overtake the echo
	for range 3 {
		flags, body, err := x.receive()
		if err != nil {
			t.Fatal(err)
		}
		got[body] = flags
	}
	want := map[string]byte{"one": innerMore, "two": 0, string(encodeCommand(cmdPong, []byte("c"))): innerCommand}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestCurveRefuses(t *testing.T) {
	l, public := curveEcho(t)
	wrong, _ := pair(t)
	if err := newCurveClient(t, dial(t, l), wrong).handshake(nil); err == nil {
		t.Error("a client with another server key was let in")
	}
	for name, at := range map[string]int{"cookie": 5, "nonce": cookieSize, "box": cookieSize + 40} {
		if err := newCurveClient(t, dial(t, l), public).handshake(func(b []byte) { b[at] ^= 0x80 }); err == nil {
			t.Errorf("a changed %s was let in", name)
		}
	}
	x := newCurveClient(t, dial(t, l), public)
	if err := x.handshake(nil); err != nil {
		t.Fatal(err)
	}
	x.out-- // a nonce that was used
	x.send(0, "again")
	isClosed(t, x.c)
	plainly := dial(t, l)
	_, _ = plainly.Write(greeting{mechanism: mechanismNull}.encode())
	isClosed(t, plainly)
}

func FuzzCurve(f *testing.F) {
	secret := [32]byte{1}
	public, err := curve25519.X25519(secret[:], curve25519.Basepoint)
	if err != nil {
		f.Fatal(err)
	}
	keys := &CurveKeys{public: [32]byte(public), secret: secret}
	f.Add(make([]byte, helloSize), make([]byte, 300),
		[]byte("\x07MESSAGE\x00\x00\x00\x00\x00\x00\x00\x09xxxxxxxxxxxxxxxxxxxx"))
	f.Fuzz(func(t *testing.T, hello, initiate, message []byte) {
		h := &curveHandshake{keys: keys}
		if h.hello(hello) == nil {
			t.Error("a HELLO was made without the key")
		}
		if _, err := h.welcome(); err != nil {
			t.Fatal(err)
		}
		if len(initiate) >= cookieSize {
			copy(initiate, h.cookie[:])
		}
		if _, err := h.initiate(initiate); err == nil {
			t.Error("an INITIATE was made without the key")
		}
		s := &curveSeal{}
		if _, _, err := s.open(0, message); err == nil {
			t.Error("a MESSAGE was made without the key")
		}
	})
}
