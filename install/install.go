package install

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

//go:embed logo/logo-32x32.png logo/logo-64x64.png logo/logo-svg.svg
var logos embed.FS

// Options of an installation. The zero value installs the running binary for the user.
type Options struct {
	Place       Place
	Name        string // empty: DefaultName
	DisplayName string // empty: DefaultDisplayName
	// Binary is the file that becomes the kernel; empty: the one that runs.
	Binary string
	// Version is noted beside the kernel, so that doctor can tell a stale one.
	Version string
}

// Install writes the kernelspec folder and returns its path. What was there under the same name is
// replaced in one rename; after a failure it is as it was. Errors: *NameError, *Error.
func Install(o Options) (string, error) {
	o.fill()
	if err := CheckName(o.Name); err != nil {
		return "", err
	}
	kernels, err := o.Place.kernels()
	if err != nil {
		return "", err
	}
	target := filepath.Join(kernels, o.Name)
	if err := o.write(kernels, target); err != nil {
		return "", &Error{Op: "install", Path: target, Err: err, Advice: advice(err)}
	}
	return target, nil
}

func (o *Options) fill() {
	if o.Name == "" {
		o.Name = DefaultName
	}
	if o.DisplayName == "" {
		o.DisplayName = DefaultDisplayName
	}
}

func advice(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "choose a place that you may write to: --user, or --prefix DIR"
	}
	return ""
}

func (o *Options) write(kernels, target string) error {
	if err := os.MkdirAll(kernels, 0o755); err != nil {
		return err
	}
	if err := ours(target); err != nil {
		return err
	}
	aside, err := os.MkdirTemp(kernels, "."+o.Name+"-new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(aside)
	if err := o.fillFolder(aside); err != nil {
		return err
	}
	return replace(aside, target)
}

// ours refuses to write over a folder that Install did not write: under the name python3, say,
// there may be another kernel.
func ours(target string) error {
	entries, err := os.ReadDir(target)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(target, "kernel.json")); err != nil {
		return errors.New("a folder of that name is there and is no kernelspec")
	}
	if err := mine(target); err != nil {
		return fmt.Errorf("%w; choose another --name", err)
	}
	return nil
}

func (o *Options) fillFolder(dir string) error {
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	spec, err := NewKernelspec(o.DisplayName).encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), spec, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, versionFile), []byte(o.Version+"\n"), 0o644); err != nil {
		return err
	}
	if err := copyLogos(dir); err != nil {
		return err
	}
	binary := o.Binary
	if binary == "" {
		if binary, err = os.Executable(); err != nil {
			return err
		}
	}
	return copyBinary(binary, filepath.Join(dir, binaryName()))
}

// versionFile lies beside kernel.json and holds Options.Version.
const versionFile = "version"

func copyLogos(dir string) error {
	entries, err := logos.ReadDir("logo")
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := logos.ReadFile(path.Join("logo", e.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func copyBinary(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// replace renames aside to target. A folder cannot be renamed over a full one, so the old one steps
// aside first and comes back where the second rename fails.
func replace(aside, target string) error {
	old := aside + "-old"
	switch err := os.Rename(target, old); {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(aside, target)
	case err != nil:
		return err
	}
	if err := os.Rename(aside, target); err != nil {
		return errors.Join(err, os.Rename(old, target))
	}
	return os.RemoveAll(old)
}
