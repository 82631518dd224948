package ahead

// What this file imports is initialised before it: package net is too late.
import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// loopback is the one address that is listened on ahead: a kernel may refuse others.
const loopback = "127.0.0.1"

// waiting is how many connections may wait to be accepted; the system allows fewer.
const waiting = 4096

var open struct {
	sync.Mutex
	sockets map[string]int // descriptors by address
}

func init() { open.sockets = listenFor(os.Args[1:]) }

// Take gives the socket that listens at an address, host:port, for the caller to close; nil where
// there is none.
func Take(address string) *os.File {
	open.Lock()
	defer open.Unlock()
	fd, ok := open.sockets[address]
	if !ok {
		return nil
	}
	delete(open.sockets, address)
	return os.NewFile(uintptr(fd), address)
}

// listenFor listens for a program with these arguments.
func listenFor(args []string) map[string]int {
	name := connectionFile(args)
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	var file struct {
		Transport, IP string
		Shell         int `json:"shell_port"`
		IOPub         int `json:"iopub_port"`
		Stdin         int `json:"stdin_port"`
		Control       int `json:"control_port"`
		HB            int `json:"hb_port"`
	}
	if json.Unmarshal(text, &file) != nil || file.Transport != "tcp" || file.IP != loopback {
		return nil
	}
	sockets := map[string]int{}
	for _, port := range []int{file.Shell, file.IOPub, file.Stdin, file.Control, file.HB} {
		if fd, ok := listen(port); ok {
			sockets[loopback+":"+strconv.Itoa(port)] = fd
		}
	}
	return sockets
}

// connectionFile is what "kernel -f FILE" names.
func connectionFile(args []string) string {
	if len(args) < 2 || args[0] != "kernel" {
		return ""
	}
	for i, a := range args[1:] {
		for _, flag := range []string{"-f", "--file"} {
			switch rest, ok := strings.CutPrefix(a, flag); {
			case a == flag && i+2 < len(args):
				return args[i+2]
			case ok && rest != "":
				return strings.TrimPrefix(rest, "=")
			}
		}
	}
	return ""
}

// listen listens as package net does.
func listen(port int) (fd int, ok bool) {
	if port <= 0 || port > 1<<16-1 {
		return 0, false
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		return 0, false
	}
	at := &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
	if syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1) != nil || syscall.Bind(fd, at) != nil ||
		syscall.Listen(fd, waiting) != nil {
		_ = syscall.Close(fd) // it was not used
		return 0, false
	}
	return fd, true
}
