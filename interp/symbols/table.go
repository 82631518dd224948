package symbols

import (
	"reflect"
	"slices"
	"sync"
)

// A Table holds the package-level names of one package.
//
//   - a function: its value, of kind Func
//   - a variable: its addressable value, reflect.ValueOf(&v).Elem()
//   - a type T: reflect.ValueOf((*T)(nil))
//
// Constants need no entry, export data has their values. A constant.Value is accepted and ignored.
type Table map[string]reflect.Value

var registry struct {
	sync.RWMutex
	tables map[string][]Table
	hidden map[string]map[string]reflect.Type
}

// Register adds a table for the package with that import path. Where tables of one path both have
// a name, the one registered last wins, so that a program can put its own in front of the standard
// library's. The table must not change afterwards. Export data for the same path goes to
// check.Register; files that gen writes do both.
func Register(path string, t Table) {
	registry.Lock()
	defer registry.Unlock()
	if registry.tables == nil {
		registry.tables = map[string][]Table{}
	}
	registry.tables[path] = append(registry.tables[path], t)
	delete(registry.hidden, path)
}

// entry is the newest entry for a name.
func entry(path, name string) (reflect.Value, bool) {
	registry.RLock()
	defer registry.RUnlock()
	tables := registry.tables[path]
	for i := len(tables) - 1; i >= 0; i-- {
		if v, ok := tables[i][name]; ok {
			return v, true
		}
	}
	return stdEntry(path, name)
}

// each calls f for every entry of a package.
func each(path string, f func(name string, v reflect.Value)) {
	registry.RLock()
	defer registry.RUnlock()
	for _, t := range slices.Concat(stdTables(path), registry.tables[path]) {
		for name, v := range t {
			f(name, v)
		}
	}
}
