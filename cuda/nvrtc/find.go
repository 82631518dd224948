package nvrtc

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// LibraryVariable is the environment variable that names the NVRTC library to use, as a path.
const LibraryVariable = "VYRE_NVRTC"

// Install is the command that brings a compiler and the headers kernels usually want.
const Install = "pip install nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85"

// A NotFoundError says that there is no NVRTC here, where it was looked for, and what to install.
type NotFoundError struct {
	// Searched are the places, each with what was found wrong where there was something.
	Searched []string
}

func (e *NotFoundError) Error() string {
	var b strings.Builder
	b.WriteString("NVRTC, the CUDA C++ compiler, was not found; looked at")
	for _, place := range e.Searched {
		b.WriteString("\n  " + place)
	}
	b.WriteString("\nWhat to do: " + Install +
		" (in the notebook's Python environment), or set CUDA_HOME; no GPU is needed")
	return b.String()
}

// A Candidate is an NVRTC library that was found and not yet opened.
type Candidate struct {
	// Path is the library's; a bare name is for the loader to find.
	Path string
	// Major is the CUDA version in its name.
	Major int
	// Includes are folders with CUDA's headers that belong to it.
	Includes []string
}

// A root is a folder that may hold libraries, in one of the layouts of wheels and toolkits.
type root struct {
	folder string
	// includes are relative to folder.
	includes []string
}

var libraryName = regexp.MustCompile(`^libnvrtc\.(?:so\.(\d+)|(\d+)(?:\.\d+)?\.dylib)`)

// Find lists the libraries that are here, the places that the environment names first, and the
// places that were looked at.
func Find() (found []Candidate, searched []string) {
	if path := os.Getenv(LibraryVariable); path != "" {
		searched = append(searched, path+" ("+LibraryVariable+")")
		if c, ok := candidate(path, nil); ok {
			found = append(found, c)
		}
	}
	for _, r := range roots() {
		searched = append(searched, r.folder)
		found = append(found, r.libraries()...)
	}
	for _, major := range []int{13, 12} {
		name := fmt.Sprintf("libnvrtc.so.%d", major)
		searched = append(searched, name+" (the loader's path)")
		found = append(found, Candidate{Path: name, Major: major})
	}
	return found, searched
}

// candidate reads a library's path.
func candidate(path string, includes []string) (Candidate, bool) {
	m := libraryName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return Candidate{}, false
	}
	if _, err := os.Stat(path); err != nil {
		return Candidate{}, false
	}
	major, err := strconv.Atoi(m[1] + m[2])
	return Candidate{Path: path, Major: major, Includes: includes}, err == nil
}

// libraries lists the libraries of a folder, newest first. A name and the longer name it links to
// are one.
func (r root) libraries() []Candidate {
	entries, err := os.ReadDir(r.folder)
	if err != nil {
		return nil
	}
	var includes []string
	for _, rel := range r.includes {
		dir := filepath.Join(r.folder, rel)
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			includes = append(includes, dir)
		}
	}
	seen := map[int]bool{}
	var found []Candidate
	for _, e := range entries {
		if c, ok := candidate(filepath.Join(r.folder, e.Name()), includes); ok && !seen[c.Major] {
			seen[c.Major] = true
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b Candidate) int { return b.Major - a.Major })
	return found
}

// roots are the places to look at: Python environments, then toolkits.
func roots() []root {
	var list []root
	for _, prefix := range pythonPrefixes() {
		for _, pattern := range []string{"lib/python3*/site-packages", "lib64/python3*/site-packages",
			"lib/python3*/dist-packages"} {
			sites, _ := filepath.Glob(filepath.Join(prefix, pattern)) // the pattern is well-formed
			for _, site := range sites {
				list = append(list, wheelRoots(site)...)
			}
		}
	}
	for _, home := range toolkits() {
		list = append(list, root{filepath.Join(home, "lib64"), []string{"../include", "../include/cccl"}},
			root{filepath.Join(home, "targets", target(), "lib"), []string{"../include", "../include/cccl"}})
	}
	return list
}

func target() string {
	if runtime.GOARCH == "arm64" {
		return "sbsa-linux"
	}
	return "x86_64-linux"
}

// wheelRoots are the layouts of NVIDIA's wheels: CUDA 13 in one folder, CUDA 12 a folder a
// component.
func wheelRoots(site string) []root {
	nvidia := filepath.Join(site, "nvidia")
	if _, err := os.Stat(nvidia); err != nil {
		return []root{{folder: nvidia}}
	}
	return []root{
		{filepath.Join(nvidia, "cu13", "lib"), []string{"../include", "../include/cccl"}},
		{filepath.Join(nvidia, "cuda_nvrtc", "lib"), []string{"../include", "../../cuda_runtime/include",
			"../../cuda_cccl/include"}},
	}
}

// pythonPrefixes are the environments a notebook may run in: the one this kernel was installed
// into, those that variables name, and that of the first python3 of the path.
func pythonPrefixes() []string {
	var list []string
	add := func(prefix string) {
		if prefix != "" && !slices.Contains(list, prefix) {
			list = append(list, prefix)
		}
	}
	if exe, err := os.Executable(); err == nil {
		add(kernelPrefix(exe))
	}
	add(os.Getenv("VIRTUAL_ENV"))
	add(os.Getenv("CONDA_PREFIX"))
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, "python3")); err == nil && filepath.IsAbs(dir) {
			add(filepath.Dir(filepath.Clean(dir)))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		add(filepath.Join(home, ".local"))
	}
	return list
}

// kernelPrefix is the environment whose share/jupyter/kernels holds a binary; empty for others.
func kernelPrefix(exe string) string {
	marker := filepath.Join("share", "jupyter", "kernels") + string(filepath.Separator)
	if i := strings.Index(exe, string(filepath.Separator)+marker); i > 0 {
		return exe[:i]
	}
	return ""
}

// toolkits are the folders of installed CUDA toolkits.
func toolkits() []string {
	var list []string
	for _, v := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if home := os.Getenv(v); home != "" {
			list = append(list, home)
		}
	}
	installed, _ := filepath.Glob("/usr/local/cuda*") // the pattern is well-formed
	slices.Sort(installed)
	slices.Reverse(installed)
	return append(list, installed...)
}
