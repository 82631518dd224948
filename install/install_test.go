package install

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fake is a file that stands for the binary.
func fake(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "built-elsewhere")
	if err := os.WriteFile(name, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestInstallTwiceThenUninstallLeavesNothing(t *testing.T) {
	prefix := t.TempDir()
	o := Options{Place: Place{Prefix: prefix}, Version: "1", Binary: fake(t, "first")}
	for _, content := range []string{"first", "second"} {
		o.Binary = fake(t, content)
		folder, err := Install(o)
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(prefix, "share/jupyter/kernels/vyre"); folder != want {
			t.Fatalf("installed at %s, want %s", folder, want)
		}
		checkFolder(t, folder, content)
	}
	if _, err := Uninstall(o.Place, ""); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(prefix, "share/jupyter/kernels"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := Uninstall(o.Place, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("uninstalled twice: %v", err)
	}
}

func checkFolder(t *testing.T, folder, content string) {
	t.Helper()
	for name, mode := range map[string]fs.FileMode{"kernel.json": 0o644, "vyre-kernel": 0o755, "logo-32x32.png": 0o644,
		"logo-64x64.png": 0o644, "logo-svg.svg": 0o644, "version": 0o644} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode().Perm()&mode != mode {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	var spec Kernelspec
	text, _ := os.ReadFile(filepath.Join(folder, "kernel.json"))
	if err := json.Unmarshal(text, &spec); err != nil {
		t.Fatal(err)
	}
	if spec.Argv[0] != "{resource_dir}/vyre-kernel" || spec.InterruptMode != "message" || spec.Language != "go" ||
		spec.DisplayName != DefaultDisplayName {
		t.Errorf("kernel.json is %s", text)
	}
	if got, _ := os.ReadFile(filepath.Join(folder, "vyre-kernel")); string(got) != content {
		t.Errorf("the binary is %q, want %q", got, content)
	}
}

func TestWhatCannotBeInstalledIsRefused(t *testing.T) {
	prefix := t.TempDir()
	taken := filepath.Join(prefix, "share/jupyter/kernels/taken")
	if err := os.MkdirAll(taken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(taken, "novel.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(prefix, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "")
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"a name with a slash", Options{Name: "../x", Place: Place{Prefix: prefix}}, "cannot name a kernel"},
		{"an upper case name", Options{Name: "Vyre", Place: Place{Prefix: prefix}}, "cannot name a kernel"},
		{"no environment", Options{Place: Place{SysPrefix: true}}, "--prefix DIR"},
		{"somebody's folder", Options{Name: "taken", Place: Place{Prefix: prefix}}, "no kernelspec"},
		{"a file for a prefix", Options{Place: Place{Prefix: file}}, "not a directory"},
		{"no binary", Options{Binary: filepath.Join(prefix, "none"), Place: Place{Prefix: prefix}}, "no such file"},
	} {
		if c.o.Binary == "" {
			c.o.Binary = fake(t, "x")
		}
		if _, err := Install(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(prefix, "share/jupyter/kernels")); len(entries) != 1 {
		t.Errorf("failures left something behind: %v", entries)
	}
}

func TestAnotherKernelStays(t *testing.T) {
	prefix := t.TempDir()
	other := filepath.Join(prefix, "share/jupyter/kernels/python3")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "kernel.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Uninstall(Place{Prefix: prefix}, "python3"); err == nil {
		t.Error("another kernel was taken away")
	}
	if _, err := Install(Options{Name: "python3", Place: Place{Prefix: prefix}, Binary: fake(t, "x")}); err == nil ||
		!strings.Contains(err.Error(), "--name") {
		t.Errorf("another kernel was written over: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

func TestPlaces(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", "/data")
	t.Setenv("VIRTUAL_ENV", "/venv")
	t.Setenv("JUPYTER_PATH", "/one::/two")
	for _, c := range []struct {
		place Place
		want  string
	}{
		{Place{}, "/data/kernels"},
		{Place{SysPrefix: true}, "/venv/share/jupyter/kernels"},
		{Place{Prefix: "/opt/x"}, "/opt/x/share/jupyter/kernels"},
	} {
		if got, err := c.place.kernels(); err != nil || got != c.want {
			t.Errorf("%+v: %s, %v; want %s", c.place, got, err, c.want)
		}
	}
	want := "/one/kernels /two/kernels /data/kernels /venv/share/jupyter/kernels /usr/local/share/jupyter/kernels " +
		"/usr/share/jupyter/kernels"
	if got := strings.Join(SearchPath(), " "); got != want {
		t.Errorf("search path %s", got)
	}
}

func TestChecksTellAStaleKernel(t *testing.T) {
	prefix := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	t.Setenv("JUPYTER_PATH", "")
	t.Setenv("VIRTUAL_ENV", prefix)
	if c := kernelspec("1"); c.OK || !strings.Contains(c.Advice, "install") {
		t.Errorf("nothing installed: %+v", c)
	}
	if _, err := Install(Options{Place: Place{SysPrefix: true}, Version: "1", Binary: fake(t, "x")}); err != nil {
		t.Fatal(err)
	}
	if c := kernelspec("1"); !c.OK {
		t.Errorf("installed: %+v", c)
	}
	if c := kernelspec("2"); c.OK || !strings.Contains(c.Found, "holds version 1") {
		t.Errorf("stale: %+v", c)
	}
}

func TestJupyterLabCheck(t *testing.T) {
	t.Setenv("CONDA_PREFIX", "")
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("PATH", t.TempDir())
	if c := jupyterLab(); c.OK || !strings.Contains(c.Advice, "pip install jupyterlab") {
		t.Errorf("none: %+v", c)
	}
	for _, where := range []string{"PATH", "VIRTUAL_ENV"} {
		t.Setenv("PATH", "/nowhere")
		root := t.TempDir()
		bin := filepath.Join(root, "bin")
		if err := os.Mkdir(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(bin, "jupyter-lab")
		for script, want := range map[string]bool{"#!/bin/sh\necho 4.6.6\n": true, "#!/bin/sh\nexit 3\n": false} {
			if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			t.Setenv(where, map[string]string{"PATH": bin, "VIRTUAL_ENV": root}[where])
			if c := jupyterLab(); c.OK != want || want && c.Found != "4.6.6 at "+program || !want &&
				!strings.Contains(c.Advice, "reinstall") {
				t.Errorf("%s, %q: %+v", where, script, c)
			}
		}
	}
	if all := Checks("1"); len(all) != 2 || all[0].Name == all[1].Name {
		t.Errorf("%+v", all)
	}
}

func TestBrokenKernelspecIsTold(t *testing.T) {
	data := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", data)
	t.Setenv("JUPYTER_PATH", "")
	folder, err := Install(Options{Version: "1", Binary: fake(t, "x")})
	if err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(folder, "kernel.json")
	if err := os.WriteFile(spec, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c := kernelspec("1"); c.OK || !strings.Contains(c.Found, "kernel.json") {
		t.Errorf("%+v", c)
	}
	if err := os.Remove(spec); err != nil {
		t.Fatal(err)
	}
	if c := kernelspec("1"); c.OK || !strings.Contains(c.Found, "no such file") {
		t.Errorf("%+v", c)
	}
}

func TestUserDataFollowsJupyter(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", "")
	t.Setenv("HOME", "/home/x")
	for xdg, want := range map[string]string{"": "/home/x/.local/share/jupyter", "/xdg": "/xdg/jupyter"} {
		t.Setenv("XDG_DATA_HOME", xdg)
		if runtime.GOOS == "darwin" {
			want = "/home/x/Library/Jupyter"
		}
		if got, err := UserData(); err != nil || got != want {
			t.Errorf("XDG_DATA_HOME=%q: %s, %v; want %s", xdg, got, err, want)
		}
	}
}
