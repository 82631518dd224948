package install

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A Check is one thing that doctor looks at.
type Check struct {
	Name string
	// OK: it is there and as it should be.
	OK bool
	// Found says what is there, Advice what to do about what is not.
	Found, Advice string
}

// Checks looks for JupyterLab and for the kernelspec, and whether that one is as new as version.
func Checks(version string) []Check {
	return []Check{jupyterLab(), kernelspec(version)}
}

// labTimeout is how long JupyterLab may take to say its version, which takes it a second.
const labTimeout = 20 * time.Second

func jupyterLab() Check {
	c := Check{Name: "JupyterLab"}
	candidates := []string{"jupyter-lab"}
	if root := Environment(); root != "" {
		candidates = append(candidates, filepath.Join(root, "bin", "jupyter-lab"))
	}
	for _, name := range candidates {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), labTimeout)
		defer cancel()
		out, err := exec.CommandContext(ctx, program, "--version").Output()
		if err != nil {
			c.Found, c.Advice = fmt.Sprintf("%s does not run: %v", program, err),
				"reinstall it: pip install --force-reinstall jupyterlab"
			return c
		}
		c.OK, c.Found = true, fmt.Sprintf("%s at %s", strings.TrimSpace(string(out)), program)
		return c
	}
	c.Found, c.Advice = "not on PATH and not in an active environment",
		"pip install jupyterlab (`vyre-kernel run` needs none)"
	return c
}

func kernelspec(version string) Check {
	c := Check{Name: "kernelspec", Found: "none in " + strings.Join(SearchPath(), ", "),
		Advice: "vyre-kernel install --user"}
	for _, dir := range SearchPath() {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			folder := filepath.Join(dir, e.Name())
			if strings.HasPrefix(e.Name(), ".") || mine(folder) != nil {
				continue
			}
			return installed(folder, version)
		}
	}
	return c
}

func installed(folder, version string) Check {
	c := Check{Name: "kernelspec", Found: folder, Advice: "vyre-kernel install again, with the same options"}
	text, err := os.ReadFile(filepath.Join(folder, "kernel.json"))
	if err != nil {
		c.Found += ": " + err.Error()
		return c
	}
	var spec Kernelspec
	if err := json.Unmarshal(text, &spec); err != nil {
		c.Found += ": kernel.json: " + err.Error()
		return c
	}
	noted, _ := os.ReadFile(filepath.Join(folder, versionFile))
	if v := strings.TrimSpace(string(noted)); v != version {
		c.Found += fmt.Sprintf(" holds version %s, this is %s", v, version)
		return c
	}
	c.OK, c.Advice = true, ""
	c.Found = fmt.Sprintf("%q at %s", spec.DisplayName, folder)
	return c
}
