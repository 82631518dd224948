package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the Go release that cells speak, and the platform",
		Args:  exactly(0, "version takes none"),
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(c.OutOrStdout(), "vyre-kernel %s, %s, %s/%s\n", versionText(), runtime.Version(), runtime.GOOS,
				runtime.GOARCH)
			return err
		},
	}
}
