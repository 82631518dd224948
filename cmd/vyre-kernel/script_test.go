package main

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
)

func TestMain(m *testing.M) {
	testscript.Main(leaks{m}, map[string]func(){"vyre-kernel": main})
}

// leaks runs the tests and looks for what they leave behind.
type leaks struct{ *testing.M }

func (l leaks) Run() int { return leaktest.Run(l.M, "cmd/vyre-kernel", "vyre-kernel/kernel") }

// TestScripts drives the command as a person does: testdata/script/*.txtar.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("VYRE_CUDA_DEVICE", "emulated")
			e.Setenv("XDG_DATA_HOME", filepath.Join(e.WorkDir, "data"))
			return nil
		},
	})
}

func TestAPortInUseIsAnError(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	file := connection.File{Transport: "tcp", IP: "127.0.0.1", ShellPort: port, Key: "k", SignatureScheme: "hmac-sha256"}
	path := filepath.Join(t.TempDir(), "connection.json")
	if err := file.Write(path); err != nil {
		t.Fatal(err)
	}
	var out, errors strings.Builder
	if code := run([]string{"kernel", "-f", path}, &out, &errors); code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	for _, want := range []string{"shell", strconv.Itoa(port), "in use"} {
		if !strings.Contains(errors.String(), want) {
			t.Errorf("the error does not say %q: %s", want, errors.String())
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
