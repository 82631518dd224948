// Command gen makes what cells need to reach compiled packages: archives of export data (the types,
// for package check) and tables of symbols (the values, for package symbols).
//
// For the standard library it is run by go generate in interp/check/exportdata and interp/symbols:
//
//	gen -std -archives DIR
//	gen -std -tables DIR
//
// For packages that a program preloads it writes both and the Go file that registers them, into one
// folder, whose package the program then imports:
//
//	//go:generate go run github.com/vyre-kernel/vyre-kernel/interp/symbols/gen -preload . PACKAGE...
//
// @FILE stands for the packages that are named in a file, a path per line.
//
// The folder gets preload_*.go, one a package, and preload_*.zip, the export data. Files of the
// standard library are those of the release that runs gen, which their names end in. All is made
// for linux and darwin, amd64 and arm64, on any of them. Of a preloaded package the files
// generic.go and *_generic.go come along as source, so that cells can instantiate what they
// declare; they name only what is exported of their package. Packages are type-checked from source,
// nothing is compiled, and what the platforms share is written once.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	std := flag.Bool("std", false, "work on the standard library")
	archives := flag.String("archives", "", "write export data archives into this folder")
	tables := flag.String("tables", "", "write symbol tables into this folder")
	preload := flag.String("preload", "", "write tables, archives and their registration into this folder")
	flag.Parse()
	if err := run(*std, *archives, *tables, *preload, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(std bool, archives, tables, preload string, paths []string) error {
	switch {
	case std && archives != "":
		return writeStdArchives(archives)
	case std && tables != "":
		return writeStdTables(tables)
	case preload != "" && len(paths) > 0:
		paths, err := named(paths)
		if err != nil {
			return err
		}
		return writePreload(preload, paths)
	}
	flag.Usage()
	return fmt.Errorf("what to make is not said")
}

// named gives packages, those of files in the place of the files.
func named(args []string) (paths []string, err error) {
	for _, arg := range args {
		file, ok := strings.CutPrefix(arg, "@")
		if !ok {
			paths = append(paths, arg)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		paths = append(paths, strings.Fields(string(text))...)
	}
	return paths, nil
}
