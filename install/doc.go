// Package install makes Jupyter find the kernel.
//
// A kernelspec is a folder: kernel.json, the logos, and here also the binary, so that
// {resource_dir} in its argv finds it and no PATH is needed. paths.go says where such folders lie,
// kernelspec.go what is in one, install.go writes it aside and renames it into place, uninstall.go
// takes it away again, and checks.go tells doctor what is there.
package install
