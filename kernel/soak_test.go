package kernel_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
	"github.com/vyre-kernel/vyre-kernel/kernel"
	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/kerneltest"
	"github.com/vyre-kernel/vyre-kernel/kernel/transport"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// The sizes of the soak: short by default, as a release wants them with
//
//	make soak
var (
	soakClients  = flag.Int("soak.clients", 60, "clients that connect and leave")
	soakMessages = flag.Int("soak.messages", 2000, "requests sent")
	soakFlood    = flag.Int("soak.flood", 2<<20, "bytes of garbage for each port")
)

// soakSlack is how many goroutines more there may be: the test's own clients end theirs when they
// notice.
const soakSlack = 4

type footprint struct {
	goroutines, descriptors int
	heap                    uint64
}

func measure() footprint {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return footprint{runtime.NumGoroutine(), leaktest.Descriptors(), m.HeapAlloc}
}

// TestSoak does to a kernel what hostile and careless peers do, then sees that a normal client
// works and that everything is given back.
func TestSoak(t *testing.T) {
	k, c := startWith(t, kernel.Options{Worker: workerCommand(),
		Limits: transport.Limits{Stalled: 500 * time.Millisecond, Patience: 500 * time.Millisecond}})
	c.Execute("set 1")
	file := k.Connection()
	before := measure()
	began := time.Now()
	var group sync.WaitGroup
	for _, channel := range connection.Channels() {
		group.Go(func() { flood(t, file, channel) })
	}
	stalled := stall(t, file, 10)
	group.Go(func() { comeAndGo(t, file, c.Signer) })
	// A cell publishes meanwhile; subscribers that never read must not hold it for longer than a
	// stall lasts.
	if n := len(c.Execute("bytes 8388608").Text("stdout")); n != 8<<20 {
		t.Errorf("%d bytes", n)
	}
	storm(c)
	group.Wait()
	c.Beat()
	for _, s := range stalled {
		_ = s.Close()
	}
	t.Run("a normal client works", func(t *testing.T) {
		if got := kerneltest.Connect(t,
			file).Execute("get").Find("execute_result")["data"].(map[string]any)["text/plain"]; got != "1" {
			t.Errorf("%v", got)
		}
	})
	var after footprint
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		after = measure()
		// Of the heap signatures of messages are left, by which replays are known.
		if after.goroutines <= before.goroutines+soakSlack && after.descriptors <= before.descriptors &&
			after.heap < before.heap+16<<20 {
			break
		}
		if time.Now().After(end) {
			t.Errorf("not given back: before %+v, after %+v", before, after)
			_ = pprof.Lookup("goroutine").WriteTo(t.Output(), 1)
			break
		}
	}
	t.Logf("%d clients, %d requests, %d bytes of garbage a port in %v; before %+v, after %+v",
		*soakClients, *soakMessages, *soakFlood, time.Since(began).Round(time.Millisecond), before, after)
}

// stormWindow is how many requests are on their way at a time.
const stormWindow = 100

// storm sends signed requests, each of which is published twice and answered.
func storm(c *kerneltest.Client) {
	for sent := 0; sent < *soakMessages; sent += stormWindow {
		var ids []string
		for range stormWindow {
			ids = append(ids, c.Send(connection.Control, "kernel_info_request", struct{}{}))
		}
		for _, id := range ids {
			c.Collect(connection.Control, id, true)
		}
	}
}

func dial(t *testing.T, file connection.File, channel connection.Channel) net.Conn {
	network, address := file.Address(channel)
	c, err := net.Dial(network, address)
	if err != nil {
		t.Error(err)
		return nil
	}
	return c
}

// zmtp is a greeting and READY of a peer that knows ZMTP.
func zmtp(socketType string) []byte {
	b := make([]byte, 64)
	b[0], b[9], b[10] = 0xff, 0x7f, 3
	copy(b[12:], "NULL")
	body := append([]byte("\x05READY\x0bSocket-Type\x00\x00\x00"), byte(len(socketType)))
	body = append(body, socketType...)
	return append(append(b, 4, byte(len(body))), body...)
}

// flood sends garbage, before and after a handshake.
func flood(t *testing.T, file connection.File, channel connection.Channel) {
	random := rand.New(rand.NewPCG(1, 2))
	garbage := make([]byte, 64<<10)
	for i := range garbage {
		garbage[i] = byte(random.Uint32())
	}
	socketType := "DEALER"
	if channel == connection.IOPub {
		socketType = "SUB"
	}
	for sent := 0; sent < *soakFlood; sent += len(garbage) {
		c := dial(t, file, channel)
		if c == nil {
			return
		}
		_ = c.SetDeadline(time.Now().Add(5 * time.Second))
		switch sent / len(garbage) % 3 {
		case 0: // no ZMTP at all
		case 1: // frames of garbage
			_, _ = c.Write(zmtp(socketType))
		case 2: // whole messages that are none of Jupyter's
			_, _ = c.Write(append(zmtp(socketType), bytes.Repeat([]byte{1, 1, 'x', 0, 1, 'y'}, 1000)...))
		}
		_, _ = c.Write(garbage) // the kernel may have hung up
		_ = c.Close()
	}
}

// subscribe connects to what is published, and waits for the welcome.
func subscribe(file connection.File) (net.Conn, error) {
	network, address := file.Address(connection.IOPub)
	c, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	_, err = c.Write(append(zmtp("SUB"), 0, 1, 1))
	var got []byte
	for b := make([]byte, 4<<10); err == nil && !bytes.Contains(got, []byte(`"msg_type":"iopub_welcome"`)); {
		var n int
		n, err = c.Read(b)
		got = append(got, b[:n]...)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// stall subscribes and never reads.
func stall(t *testing.T, file connection.File, n int) []io.Closer {
	var all []io.Closer
	for range n {
		c := dial(t, file, connection.IOPub)
		if c == nil {
			return all
		}
		_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
		if _, err := c.Write(append(zmtp("SUB"), 0, 1, 1)); err != nil {
			t.Error(err)
		}
		all = append(all, c)
	}
	return all
}

// visitors is how many clients come at the same time.
const visitors = 4

// comeAndGo connects clients, each of which asks and leaves.
func comeAndGo(t *testing.T, file connection.File, signer *wire.Signer) {
	var group sync.WaitGroup
	for i := range visitors {
		group.Go(func() {
			for n := i; n < *soakClients; n += visitors {
				if err := visit(file, signer); err != nil {
					t.Errorf("client %d: %v", n, err)
				}
			}
		})
	}
	group.Wait()
}

// visit is a client that connects where clients do, is welcomed, asks on shell and control, hears a
// heartbeat, and leaves.
func visit(file connection.File, signer *wire.Signer) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	session := uuid.NewString()
	open := func(c connection.Channel, s zmq4.Socket) zmq4.Socket {
		err = errors.Join(err, s.Dial(file.Endpoint(c)))
		return s
	}
	hear := func(s zmq4.Socket, want string) {
		m, failed := s.Recv()
		if failed == nil {
			var got *wire.Message
			if got, failed = signer.Parse(m.Frames, nil); failed == nil && got.Header.MsgType != want {
				failed = errors.New(got.Header.MsgType + " came, not " + want)
			}
		}
		err = errors.Join(err, failed)
	}
	sub, err := subscribe(file) // not with zmq4, which leaves a goroutine where messages come that nobody takes
	if err != nil {
		return err
	}
	defer sub.Close()
	for _, c := range []connection.Channel{connection.Shell, connection.Control, connection.Stdin} {
		s := open(c, zmq4.NewDealer(ctx, zmq4.WithID(zmq4.SocketIdentity(session))))
		defer s.Close()
		if c == connection.Stdin || err != nil {
			continue
		}
		frames, failed := signer.Frames(&wire.Message{Header: wire.NewHeader(session, "visitor", "kernel_info_request")})
		err = errors.Join(err, failed, s.SendMulti(zmq4.NewMsgFrom(frames...)))
		hear(s, "kernel_info_reply")
	}
	beat := open(connection.HB, zmq4.NewReq(ctx))
	defer beat.Close()
	if err = errors.Join(err, beat.Send(zmq4.NewMsgString("x"))); err != nil {
		return err
	}
	if m, failed := beat.Recv(); failed != nil || string(m.Bytes()) != "x" {
		err = fmt.Errorf("heartbeat: %q %w", m.Bytes(), failed)
	}
	return err
}

// TestInterruptPassesAStalledSubscriber: output that nobody takes does not hold up an interrupt.
func TestInterruptPassesAStalledSubscriber(t *testing.T) {
	k, c := startWith(t, kernel.Options{Worker: workerCommand(), Limits: transport.Limits{Patience: time.Minute}})
	c.Execute("")
	for _, s := range stall(t, k.Connection(), 1) {
		defer s.Close()
	}
	id := c.Send(connection.Shell, "execute_request", kerneltest.Cell("bytes 1073741824"))
	time.Sleep(300 * time.Millisecond) // until the stalled one holds the cell up
	begin := time.Now()
	// whose answer would be taken with what comes of the cell before it
	c.Send(connection.Control, "interrupt_request", struct{}{})
	if got := c.Collect(connection.Shell, id, true).Content()["ename"]; got != "Interrupted" {
		t.Errorf("%v", got)
	}
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}
