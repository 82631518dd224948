package symbols

import (
	"path"
	"reflect"
	"sync"

	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/syscall"
	"github.com/traefik/yaegi/stdlib/unrestricted"
	"github.com/traefik/yaegi/stdlib/unsafe"
)

// gaps holds what yaegi's tables lack, a function a package so that a package's table is made when
// it is first asked for. The generated files std_*.go and runtime.go fill it.
var gaps = map[string][]func() Table{}

// yaegiTables are yaegi's, the first that has a name answers. The unrestricted one stands in front,
// because the plain one puts panics in the place of os.Exit and log.Fatal.
var yaegiTables = []map[string]map[string]reflect.Value{
	unrestricted.Symbols, stdlib.Symbols, syscall.Symbols, unsafe.Symbols,
}

// made keeps the tables of the standard library packages that were asked for.
var made sync.Map // import path -> []Table

// stdTables are the tables of a standard library package, the first in front.
func stdTables(importPath string) []Table {
	if all, ok := made.Load(importPath); ok {
		return all.([]Table)
	}
	all, _ := made.LoadOrStore(importPath, makeTables(importPath))
	return all.([]Table)
}

func makeTables(importPath string) []Table {
	var all []Table
	if t := forGenerics[importPath]; t != nil {
		all = append(all, t)
	}
	for _, table := range gaps[importPath] {
		all = append(all, table())
	}
	for _, tables := range yaegiTables {
		if t := tables[yaegiKey(importPath)]; t != nil {
			all = append(all, Table(t))
		}
	}
	return all
}

// yaegiKey is the key of yaegi's tables: the import path and the package's name.
func yaegiKey(importPath string) string {
	if importPath == "math/rand/v2" {
		return "math/rand/v2/rand"
	}
	return importPath + "/" + path.Base(importPath)
}

func stdEntry(importPath, name string) (reflect.Value, bool) {
	for _, t := range stdTables(importPath) {
		if v, ok := t[name]; ok {
			return v, true
		}
	}
	return reflect.Value{}, false
}
