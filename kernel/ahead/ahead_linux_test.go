package ahead

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// freePort is one that nobody listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", loopback+":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// write makes a connection file of an address with one port that is not 0.
func write(t *testing.T, transport, ip string, port int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "connection.json")
	text := fmt.Sprintf(`{"transport":%q,"ip":%q,"shell_port":%d,"iopub_port":0,"stdin_port":0,"control_port":0,"hb_port":0,"key":"k"}`, transport, ip, port)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestListens is that a connection made ahead is accepted from the socket that was taken.
func TestListens(t *testing.T) {
	for _, form := range []string{"kernel -f FILE", "kernel -v -f FILE", "kernel -fFILE", "kernel --file FILE",
		"kernel --file=FILE -v"} {
		t.Run(form, func(t *testing.T) {
			port := freePort(t)
			address := loopback + ":" + strconv.Itoa(port)
			open.sockets = listenFor(strings.Fields(strings.ReplaceAll(form, "FILE", write(t, "tcp", loopback, port))))
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			f := Take(address)
			if f == nil || Take(address) != nil {
				t.Fatal("a socket is there to be taken once")
			}
			defer f.Close()
			l, err := net.FileListener(f)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if got, err := l.Accept(); err != nil {
				t.Error(err)
			} else {
				got.Close()
			}
		})
	}
}

// TestListensNot is for what is the kernel's to refuse, or to do.
func TestListensNot(t *testing.T) {
	busy, err := net.Listen("tcp", loopback+":0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	file := func(transport, ip string, port int) []string {
		return []string{"kernel", "-f", write(t, transport, ip, port)}
	}
	garbage := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(garbage, []byte(`{"transport": "tcp", "ip"`), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string][]string{
		"all interfaces": file("tcp", "0.0.0.0", freePort(t)), "a name": file("tcp", "localhost", freePort(t)),
		"ipc":      file("ipc", "/tmp/x", 1),
		"any port": file("tcp", loopback, 0), "no port": file("tcp", loopback, 1<<16), "negative": file("tcp", loopback, -1),
		"port in use": file("tcp", loopback, busy.Addr().(*net.TCPAddr).Port), "no JSON": {"kernel", "-f", garbage},
		"no file":         {"kernel", "-f", garbage + "0"},
		"another command": append([]string{"run"}, file("tcp", loopback, freePort(t))[1:]...), "no flag": {"kernel", "x"},
		"no value": {"kernel", "-f"}, "nothing": nil,
	}
	for name, args := range tests {
		for address, fd := range listenFor(args) {
			t.Errorf("%s: listens on %s", name, address)
			_ = syscall.Close(fd)
		}
	}
}
