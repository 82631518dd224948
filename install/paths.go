package install

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// A Place is where kernelspecs go: one of User, SysPrefix or a Prefix.
type Place struct {
	// SysPrefix installs into the Python environment that is active.
	SysPrefix bool
	// Prefix, where not empty, is the root of an environment: share/jupyter/kernels under it.
	Prefix string
	// Neither: the user's own data folder.
}

var errNoEnvironment = errors.New("no Python environment is active: VIRTUAL_ENV and CONDA_PREFIX are not set")

// kernels is the folder under which a place keeps its kernelspecs.
func (p Place) kernels() (string, error) {
	switch {
	case p.Prefix != "":
		root, err := filepath.Abs(p.Prefix)
		return filepath.Join(root, "share", "jupyter", "kernels"), err
	case p.SysPrefix:
		root := Environment()
		if root == "" {
			return "", &Error{Op: "install", Path: "--sys-prefix", Err: errNoEnvironment,
				Advice: "activate one, or say --prefix DIR, or --user"}
		}
		return filepath.Join(root, "share", "jupyter", "kernels"), nil
	}
	data, err := UserData()
	return filepath.Join(data, "kernels"), err
}

// Environment is the root of the active Python environment, empty where none is.
func Environment() string {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if root := os.Getenv(name); root != "" {
			return root
		}
	}
	return ""
}

// UserData is Jupyter's data folder of the user, as jupyter_core finds it.
func UserData() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" && runtime.GOOS != "darwin" {
		return filepath.Join(dir, "jupyter"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", &Error{Op: "install", Path: "--user", Err: err,
			Advice: "set HOME or JUPYTER_DATA_DIR, or say --prefix DIR"}
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// SearchPath lists the folders in which Jupyter looks for kernelspecs, first found first taken.
func SearchPath() []string {
	var dirs []string
	for dir := range splitList(os.Getenv("JUPYTER_PATH")) {
		dirs = append(dirs, filepath.Join(dir, "kernels"))
	}
	if data, err := UserData(); err == nil {
		dirs = append(dirs, filepath.Join(data, "kernels"))
	}
	if root := Environment(); root != "" {
		dirs = append(dirs, filepath.Join(root, "share", "jupyter", "kernels"))
	}
	return append(dirs, "/usr/local/share/jupyter/kernels", "/usr/share/jupyter/kernels")
}

func splitList(list string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, dir := range filepath.SplitList(list) {
			if dir != "" && !yield(dir) {
				return
			}
		}
	}
}
