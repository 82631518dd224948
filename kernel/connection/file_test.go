package connection

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const good = `{"transport":"tcp","ip":"127.0.0.1","shell_port":1,"iopub_port":2,"stdin_port":3,"control_port":4,"hb_port":5,"key":"k","signature_scheme":"hmac-sha256"}`

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, from, to, field, says string }{
		{"whole", "", "", "", ""},
		{"no transport", `"transport":"tcp",`, "", "", ""},
		{"any ports", `"shell_port":1,"iopub_port":2`, `"shell_port":0,"iopub_port":0`, "", ""},
		{"not JSON", `{`, `[`, "", "JSON object"},
		{"transport", "tcp", "udp", "transport", "want tcp or ipc"},
		{"no ip", "127.0.0.1", "", "ip", "127.0.0.1"},
		{"other scheme", "hmac-sha256", "hmac-sha512", "", ""},
		{"scheme", "hmac-sha256", "hmac-md5", "signature_scheme", "hmac-sha256, hmac-sha384"},
		{"port", `"hb_port":5`, `"hb_port":70000`, "hb_port", "70000"},
		{"port twice", `"hb_port":5`, `"hb_port":4`, "hb_port", "control_port"},
		{"port not a number", `"hb_port":5`, `"hb_port":"5"`, "", "hb_port"},
		{"half a pair", `"key":"k"`, `"key":"k","curve_publickey":"x"`, "curve_publickey, curve_secretkey", "40"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("f.json", []byte(strings.Replace(good, c.from, c.to, 1)))
			if c.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var bad *FileError
			if !errors.As(err, &bad) || bad.Field != c.field || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestWriteAndRead(t *testing.T) {
	f, err := Parse("", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c.json")
	if err := f.Write(path); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st.Mode(), err)
	}
	got, err := Read(path)
	if err != nil || *got != *f {
		t.Errorf("%+v %v", got, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".connection-*")); len(left) != 0 || err != nil {
		t.Errorf("left aside: %v %v", left, err)
	}
	if err := f.Write(filepath.Join(path, "under", "a file")); err == nil {
		t.Error("written below a file")
	}
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	long := filepath.Join(dir, "long")
	if err := os.WriteFile(long, make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "missing"), long, dir} {
		var bad *FileError
		if _, err := Read(path); !errors.As(err, &bad) || !strings.Contains(err.Error(), "-f FILE") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	tcp := &File{Transport: "tcp", IP: "::1", ShellPort: 9}
	if got := tcp.Endpoint(Shell); got != "tcp://[::1]:9" || !tcp.Loopback() {
		t.Error(got)
	}
	ipc := &File{Transport: "ipc", IP: "/tmp/k", HBPort: 5}
	if got := ipc.Endpoint(HB); got != "ipc:///tmp/k-5" || !ipc.Loopback() {
		t.Error(got)
	}
	if (&File{Transport: "tcp", IP: "0.0.0.0"}).Loopback() {
		t.Error("0.0.0.0 is everybody")
	}
}

// FuzzParse: any bytes give a file that can be listened on, or an error.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Fuzz(func(t *testing.T, raw []byte) {
		file, err := Parse("f", raw)
		if err != nil {
			return
		}
		for _, c := range Channels() {
			if network, address := file.Address(c); network == "" || address == "" {
				t.Errorf("%s of %q", c, raw)
			}
		}
	})
}
