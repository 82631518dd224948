package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/vyre-kernel/vyre-kernel/install"
)

func newUninstallCommand() *cobra.Command {
	var flags placeFlags
	c := &cobra.Command{
		Use:   "uninstall [--user | --sys-prefix | --prefix DIR] [--name vyre]",
		Short: "Take the kernel away again",
		Args:  exactly(0, "uninstall takes none"),
		RunE: func(c *cobra.Command, _ []string) error {
			place, err := flags.place()
			if err != nil {
				return err
			}
			folder, err := install.Uninstall(place, flags.name)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "removed %s\n", folder)
			return err
		},
	}
	flags.register(c)
	return c
}
