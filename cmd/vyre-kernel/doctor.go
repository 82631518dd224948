package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
	"github.com/vyre-kernel/vyre-kernel/install"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

func newDoctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say what is there (driver, devices, NVRTC, JupyterLab, kernelspec) and what to do about what is not",
		Args:  exactly(0, "doctor takes none"),
		RunE:  func(c *cobra.Command, _ []string) error { return doctor(c.OutOrStdout()) },
	}
}

// doctor prints the checks that rooms offer. What is optional and absent is no failure.
func doctor(w io.Writer) error {
	checks := append([]install.Check{engineCheck(), factsCheck()}, factChecks()...)
	checks = append(checks, deviceChecks()...)
	checks = append(checks, nvrtcCheck())
	checks = append(checks, install.Checks(versionText())...)
	for _, c := range checks {
		mark := "ok"
		if !c.OK {
			mark = "--"
		}
		if _, err := fmt.Fprintf(w, "%s  %-16s %s\n", mark, c.Name, indented(c.Found)); err != nil {
			return err
		}
		if c.Advice != "" {
			if _, err := fmt.Fprintf(w, "    %-16s %s\n", "", "-> "+c.Advice); err != nil {
				return err
			}
		}
	}
	if !checks[0].OK {
		return exitError{exitFailed}
	}
	return nil
}

// indented puts the lines of a text under each other, in the column of what was found.
func indented(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n"+strings.Repeat(" ", len("ok  ")+16+1))
}

func engineCheck() install.Check {
	if err := gorelease.Vital(); err != nil {
		return install.Check{Name: "engine", Found: err.Error(), Advice: adviceRelease}
	}
	return install.Check{Name: "engine", OK: true, Found: "cells run as " + gorelease.Name}
}

const adviceRelease = "build with the Go release that go.mod names (make build)"

// factsCheck lists what is known of the Go release and holds.
func factsCheck() install.Check {
	var names []string
	for _, f := range gorelease.Facts {
		if f.Holds() {
			names = append(names, f.Name)
		}
	}
	found := fmt.Sprintf("%d of %d facts of %s hold:", len(names), len(gorelease.Facts), gorelease.Name)
	for row := range slices.Chunk(names, 3) {
		found += "\n" + strings.Join(row, ", ")
	}
	return install.Check{Name: "Go release", OK: len(names) == len(gorelease.Facts), Found: found}
}

// factChecks are those that do not hold, each with what is off for it.
func factChecks() (checks []install.Check) {
	for _, err := range gorelease.Check() {
		checks = append(checks, install.Check{Name: err.Fact.Name, Found: err.Error(), Advice: adviceRelease})
	}
	return checks
}

func deviceChecks() []install.Check {
	var checks []install.Check
	for _, f := range cuda.Devices() {
		c := install.Check{Name: "device", OK: f.Err == nil, Found: f.String()}
		if f.Err != nil {
			c.Found = f.Err.Error()
			c.Advice = "install NVIDIA's driver to use a GPU; without one the emulated device runs the same PTX"
		}
		checks = append(checks, c)
	}
	return checks
}

func nvrtcCheck() install.Check {
	c := install.Check{Name: "NVRTC"}
	if compiler, err := nvrtc.For(cuda.DriverVersion()); err == nil {
		c.OK, c.Found = true, compiler.String()
		return c
	}
	_, searched := nvrtc.Find()
	c.Found, c.Advice = "none in "+strings.Join(searched, ", "), nvrtc.Install+" (for %%cuda cells; it needs no GPU)"
	return c
}
