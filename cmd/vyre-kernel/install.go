package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/vyre-kernel/vyre-kernel/install"
)

// placeFlags are what install and uninstall share.
type placeFlags struct {
	user, sysPrefix bool
	prefix, name    string
}

func (f *placeFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.user, "user", false, "in the user's own folder (the default)")
	c.Flags().BoolVar(&f.sysPrefix, "sys-prefix", false, "in the active Python environment")
	c.Flags().StringVar(&f.prefix, "prefix", "", "in the environment whose root is `DIR`")
	c.Flags().StringVar(&f.name, "name", install.DefaultName, "what Jupyter calls the kernel")
}

func (f *placeFlags) place() (install.Place, error) {
	n := 0
	for _, set := range []bool{f.user, f.sysPrefix, f.prefix != ""} {
		if set {
			n++
		}
	}
	if n > 1 {
		return install.Place{}, usageError{errors.New("--user, --sys-prefix and --prefix exclude each other")}
	}
	if err := install.CheckName(f.name); err != nil {
		return install.Place{}, usageError{err}
	}
	return install.Place{SysPrefix: f.sysPrefix, Prefix: f.prefix}, nil
}

func newInstallCommand() *cobra.Command {
	var flags placeFlags
	var displayName string
	c := &cobra.Command{
		Use:   "install [--user | --sys-prefix | --prefix DIR] [--name vyre] [--display-name D]",
		Short: "Make JupyterLab offer the kernel",
		Args:  exactly(0, "install takes none"),
		RunE: func(c *cobra.Command, _ []string) error {
			place, err := flags.place()
			if err != nil {
				return err
			}
			folder, err := install.Install(install.Options{Place: place, Name: flags.name, DisplayName: displayName,
				Version: versionText()})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "installed %q at %s\n", displayName, folder)
			return err
		},
	}
	flags.register(c)
	c.Flags().StringVar(&displayName, "display-name", install.DefaultDisplayName, "what people see")
	return c
}
