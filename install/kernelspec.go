package install

import (
	"bytes"
	"encoding/json"
	"regexp"
	"runtime"
)

// DefaultName and DefaultDisplayName are what the kernel is called where nothing else is said.
const (
	DefaultName        = "vyre"
	DefaultDisplayName = "Go (vyre)"
)

// A Kernelspec is the content of kernel.json, as the Jupyter client documentation has it.
type Kernelspec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env,omitempty"`
	Metadata      map[string]any    `json:"metadata"`
}

// NewKernelspec is the kernelspec of a kernel whose binary lies beside it.
func NewKernelspec(displayName string) Kernelspec {
	return Kernelspec{
		Argv:          []string{"{resource_dir}/" + binaryName(), "kernel", "-f", "{connection_file}"},
		DisplayName:   displayName,
		Language:      "go",
		InterruptMode: "message",
		Metadata:      map[string]any{"debugger": false, "supported_encryption": []string{"curve"}},
	}
}

func (k Kernelspec) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(k)
	return b.Bytes(), err
}

func binaryName() string {
	if runtime.GOOS == "windows" {
		return "vyre-kernel.exe"
	}
	return "vyre-kernel"
}

// jupyter_client compares names in lower case on file systems that do not tell cases apart.
var validName = regexp.MustCompile(`^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$`)

// CheckName refuses, with a *NameError, what cannot name a kernel.
func CheckName(name string) error {
	if !validName.MatchString(name) {
		return &NameError{name}
	}
	return nil
}
