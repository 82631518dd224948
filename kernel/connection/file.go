package connection

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// A File is the content of a connection file.
type File struct {
	Transport       string `json:"transport"` // tcp or ipc
	IP              string `json:"ip"`        // an address; with ipc the beginning of the sockets' paths
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HBPort          int    `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
	KernelName      string `json:"kernel_name,omitempty"`
	// The CURVE pair that kernel and clients share, Z85, 40 characters each; empty without CURVE.
	CurvePublicKey string `json:"curve_publickey,omitempty"`
	CurveSecretKey string `json:"curve_secretkey,omitempty"`
}

// A Channel is one of the five sockets.
type Channel string

// The channels, named as the file names their ports.
const (
	Shell   Channel = "shell"
	IOPub   Channel = "iopub"
	Stdin   Channel = "stdin"
	Control Channel = "control"
	HB      Channel = "hb"
)

// Channels lists all five, in the order in which they are opened.
func Channels() []Channel { return []Channel{Shell, IOPub, Stdin, Control, HB} }

// maxFile bounds what is read: a connection file has a few hundred bytes.
const maxFile = 64 << 10

// A FileError tells what is wrong with a connection file, and what to do.
type FileError struct {
	Path  string
	Field string // empty: the file as a whole
	Want  string // what should be there
	Err   error  // may be nil
}

func (e *FileError) Error() string {
	where := "connection file " + e.Path
	if e.Field != "" {
		where += ": " + e.Field
	}
	if e.Err != nil {
		where += ": " + e.Err.Error()
	}
	return where + ": " + e.Want
}

func (e *FileError) Unwrap() error { return e.Err }

// Read reads and checks a connection file. Errors: *FileError.
func Read(path string) (*File, error) {
	raw, err := readBounded(path)
	if err != nil {
		return nil, &FileError{Path: path, Err: err,
			Want: "pass the path of the file that the Jupyter client wrote (-f FILE); clients start kernels with it by " +
				"themselves"}
	}
	return Parse(path, raw)
}

func readBounded(path string) (raw []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	raw, err = io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(raw) > maxFile {
		err = fmt.Errorf("longer than %d bytes", maxFile)
	}
	return raw, err
}

// Parse checks the content of a connection file; path is for messages. Errors: *FileError.
func Parse(path string, raw []byte) (*File, error) {
	f := new(File)
	if err := json.Unmarshal(raw, f); err != nil {
		return nil, &FileError{Path: path, Err: err, Want: "want a JSON object as Jupyter clients write it"}
	}
	return f, f.check(path)
}

// Port gives the port of a channel; with ipc it is a number that ends the path.
func (f *File) Port(c Channel) int { return *f.port(c) }

func (f *File) port(c Channel) *int {
	switch c {
	case Shell:
		return &f.ShellPort
	case IOPub:
		return &f.IOPubPort
	case Stdin:
		return &f.StdinPort
	case Control:
		return &f.ControlPort
	default:
		return &f.HBPort
	}
}

// SetPort writes the port of a channel.
func (f *File) SetPort(c Channel, port int) { *f.port(c) = port }

// Address gives the network ("tcp", "unix") and address of a channel, as package net has them.
func (f *File) Address(c Channel) (network, address string) {
	if f.Transport == "ipc" {
		return "unix", f.IP + "-" + strconv.Itoa(f.Port(c))
	}
	return "tcp", net.JoinHostPort(f.IP, strconv.Itoa(f.Port(c)))
}

// Endpoint gives a channel's address as ZeroMQ has it.
func (f *File) Endpoint(c Channel) string {
	network, address := f.Address(c)
	if network == "unix" {
		return "ipc://" + address
	}
	return "tcp://" + address
}

// Loopback reports whether only this machine can reach the kernel.
func (f *File) Loopback() bool {
	if f.Transport == "ipc" || f.IP == "localhost" {
		return true
	}
	ip := net.ParseIP(f.IP)
	return ip != nil && ip.IsLoopback()
}

// Curve reports whether the file asks for encryption.
func (f *File) Curve() bool { return f.CurvePublicKey != "" || f.CurveSecretKey != "" }

// check fills in what may be absent and refuses what cannot be.
func (f *File) check(path string) error {
	bad := func(field, got, want string) error {
		return &FileError{Path: path, Field: field, Err: fmt.Errorf("found %s", got), Want: "want " + want}
	}
	if f.Transport == "" {
		f.Transport = "tcp"
	}
	if f.Transport != "tcp" && f.Transport != "ipc" {
		return bad("transport", strconv.Quote(f.Transport), "tcp or ipc")
	}
	if f.IP == "" {
		return bad("ip", "nothing", "an address such as 127.0.0.1")
	}
	if f.Transport == "tcp" && f.IP == "*" {
		f.IP = "0.0.0.0"
	}
	if f.SignatureScheme == "" {
		f.SignatureScheme = wire.SchemeHMACSHA256
	}
	if !slices.Contains(wire.Schemes(), f.SignatureScheme) {
		return bad("signature_scheme", strconv.Quote(f.SignatureScheme), "one of "+strings.Join(wire.Schemes(), ", "))
	}
	if err := f.checkPorts(bad); err != nil {
		return err
	}
	if f.Curve() && (len(f.CurvePublicKey) != 40 || len(f.CurveSecretKey) != 40) {
		return bad("curve_publickey, curve_secretkey",
			fmt.Sprintf("%d and %d characters", len(f.CurvePublicKey), len(f.CurveSecretKey)), "both, 40 characters of Z85 each")
	}
	return nil
}

func (f *File) checkPorts(bad func(field, got, want string) error) error {
	seen := map[int]Channel{}
	for _, c := range Channels() {
		port := f.Port(c)
		if port < 0 || port > 65535 {
			return bad(string(c)+"_port", strconv.Itoa(port), "a port from 0 (any free one) to 65535")
		}
		if other, ok := seen[port]; ok && port != 0 {
			return bad(string(c)+"_port", fmt.Sprintf("%d, the same as %s_port", port, other),
				"a port of its own for each channel")
		}
		seen[port] = c
	}
	return nil
}

// NewKey makes a key for signatures.
func NewKey() string { return rand.Text() }

// Write writes the file, aside and then renamed, readable by its owner alone: who has the key can
// execute code.
func (f *File) Write(path string) error {
	raw, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	aside, err := os.CreateTemp(filepath.Dir(path), ".connection-*") // created with mode 0600
	if err != nil {
		return &FileError{Path: path, Err: err, Want: "choose a folder that can be written"}
	}
	_, err = aside.Write(append(raw, '\n'))
	err = errors.Join(err, aside.Close())
	if err == nil {
		err = os.Rename(aside.Name(), path)
	}
	if err != nil {
		return &FileError{Path: path, Err: errors.Join(err, os.Remove(aside.Name())),
			Want: "choose a folder that can be written"}
	}
	return nil
}
