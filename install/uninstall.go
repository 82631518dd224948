package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Uninstall takes the kernelspec folder of that name away and returns its path. Errors: *NameError,
// *Error (where nothing is there, it wraps fs.ErrNotExist).
func Uninstall(place Place, name string) (string, error) {
	if name == "" {
		name = DefaultName
	}
	if err := CheckName(name); err != nil {
		return "", err
	}
	kernels, err := place.kernels()
	if err != nil {
		return "", err
	}
	target := filepath.Join(kernels, name)
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		return "", &Error{Op: "uninstall", Path: target, Err: err,
			Advice: "`jupyter kernelspec list` tells where kernels are"}
	}
	if err := mine(target); err != nil {
		return "", &Error{Op: "uninstall", Path: target, Err: err}
	}
	if err := os.RemoveAll(target); err != nil {
		return "", &Error{Op: "uninstall", Path: target, Err: err}
	}
	return target, nil
}

// mine reports whether a folder is one that Install wrote; another kernel's stays.
func mine(target string) error {
	if _, err := os.Stat(filepath.Join(target, binaryName())); err != nil {
		return errors.New("that kernelspec was not installed by vyre-kernel")
	}
	return nil
}
