// Canary prints which facts of package gorelease hold for the Go release that builds it, with tag
// canary for one that the package does not know: make canary TIP=go1.28rc1.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// linked has what facts are of and nothing else here names.
var linked = []any{(*sync.WaitGroup).Add}

func main() {
	defer runtime.KeepAlive(linked)
	fmt.Printf("layouts of %s, built by %s\n", gorelease.Name, runtime.Version())
	failed := 0
	for _, f := range gorelease.Facts {
		if err := f.Err(); err != nil {
			failed++
			fmt.Printf("fails  %s\n       %v\n", f.Name, err)
			continue
		}
		fmt.Printf("holds  %s\n", f.Name)
	}
	fmt.Printf("%d of %d facts fail\n", failed, len(gorelease.Facts))
	if failed > 0 {
		defer os.Exit(1)
	}
}
