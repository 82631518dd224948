//go:build unix

package direct

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// pairs are what Streams are made of.
var pairs = map[string]func(*testing.T) (near, far io.ReadWriteCloser){
	"pipe": func(t *testing.T) (io.ReadWriteCloser, io.ReadWriteCloser) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		return r, w
	},
	"tcp": func(t *testing.T) (io.ReadWriteCloser, io.ReadWriteCloser) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		near, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		far, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return near, far
	},
	"no descriptor": func(*testing.T) (io.ReadWriteCloser, io.ReadWriteCloser) { return net.Pipe() },
}

// each runs a test on both ends of every pair.
func each(t *testing.T, test func(t *testing.T, read, write *Stream, far io.Closer)) {
	for name, pair := range pairs {
		t.Run(name, func(t *testing.T) {
			near, far := pair(t)
			t.Cleanup(func() { near.Close(); far.Close() })
			test(t, New(near), New(far), far)
		})
	}
}

// TestAll passes much in writes of many sizes, some of which wait for the reader, to the end.
func TestAll(t *testing.T) {
	each(t, func(t *testing.T, read, write *Stream, far io.Closer) {
		var want bytes.Buffer
		for i := range 300 {
			want.Write(bytes.Repeat([]byte{byte(i)}, i*i%(3*most)+1))
		}
		all := bytes.Clone(want.Bytes())
		go func() {
			defer far.Close()
			for i := 0; len(all) > 0; i++ {
				n := min(len(all), i*i%(3*most)+1)
				if got, err := write.Write(all[:n]); got != n || err != nil {
					t.Errorf("wrote %d of %d: %v", got, n, err)
					return
				}
				all = all[n:]
			}
		}()
		got, err := io.ReadAll(read)
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%d bytes came of %d, error %v", len(got), want.Len(), err)
		}
	})
}

// TestReadWaits is the wait for what has not come yet.
func TestReadWaits(t *testing.T) {
	each(t, func(t *testing.T, read, write *Stream, _ io.Closer) {
		go func() {
			time.Sleep(20 * time.Millisecond)
			_, _ = write.Write([]byte("late"))
		}()
		b := make([]byte, 100)
		if n, err := read.Read(b); err != nil || string(b[:n]) != "late" {
			t.Errorf("read %q, error %v", b[:n], err)
		}
	})
}

// TestReady is that what has come is seen, and the end, while another goroutine waits.
func TestReady(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s := New(r)
	if s.Ready() {
		t.Error("an empty pipe is ready")
	}
	if _, err := w.Write([]byte("now")); err != nil || !s.Ready() {
		t.Errorf("what has come is not ready, or %v", err)
	}
	if _, err := s.Read(make([]byte, 10)); err != nil || s.Ready() {
		t.Errorf("what was read is ready, or %v", err)
	}
	if _ = w.Close(); !s.Ready() {
		t.Error("the end is not ready")
	}
}

// TestTryWrite fills what the system takes, and does not wait.
func TestTryWrite(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s, part, total := New(w), make([]byte, 5000), 0
	for n := len(part); n == len(part); total += n {
		n = s.TryWrite(part)
	}
	if total%len(part) == 0 || total < 1000 {
		t.Errorf("a pipe took %d bytes without a reader", total)
	}
	if n := s.TryWrite(make([]byte, most+1)); n != 0 {
		t.Errorf("%d bytes of too large a message were written", n)
	}
	_ = w.Close()
	if n := s.TryWrite(part); n != 0 {
		t.Errorf("a closed pipe took %d bytes", n)
	}
	if _, err := s.Write(part); err == nil {
		t.Error("writing to a closed pipe is no error")
	}
}

// TestDeadline is that of the connection that a Stream was made of.
func TestDeadline(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	if err := r.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := New(r).Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("error %v, want that the deadline is over", err)
	}
}

// TestAllocates is that reading and writing does not.
func TestAllocates(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	in, out, b := New(r), New(w), make([]byte, 64)
	if n := testing.AllocsPerRun(100, func() {
		_, _ = out.Write(b)
		_, _ = in.Read(b)
	}); n > 0 {
		t.Errorf("%v allocations a message", n)
	}
}
