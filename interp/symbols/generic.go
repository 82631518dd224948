package symbols

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
	"hash"
	"hash/maphash"
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// forGenerics is what the source of generic functions needs of compiled packages
// (check/exportdata/_overlay and the release's own package maps): functions without type
// parameters, under unexported names.
var forGenerics = map[string]Table{
	"slices": {
		"nextPowerOfTwo": reflect.ValueOf(nextPowerOfTwo),
		"sortedHint":     reflect.ValueOf((*sortedHint)(nil)),
		"xorshift":       reflect.ValueOf((*xorshift)(nil)),
	},
	"maps":    {"clone": reflect.ValueOf(cloneMap)},
	"runtime": {"addCleanup": reflect.ValueOf(addCleanup)},
	"unique":  {"intern": reflect.ValueOf(intern)},
	"weak": {
		"register": reflect.ValueOf(weakRegister),
		"strong":   reflect.ValueOf(weakStrong),
	},
	"hash/maphash": {
		"comparableHash":  reflect.ValueOf(maphash.Comparable[any]),
		"writeComparable": reflect.ValueOf(maphash.WriteComparable[any]),
	},
	"crypto/hkdf": {
		"extract": reflect.ValueOf(hkdf.Extract[hash.Hash]),
		"expand":  reflect.ValueOf(hkdf.Expand[hash.Hash]),
		"key":     reflect.ValueOf(hkdf.Key[hash.Hash]),
	},
	"crypto/pbkdf2": {"key": reflect.ValueOf(pbkdf2.Key[hash.Hash])},
	"database/sql":  {"convertAssign": reflect.ValueOf(gorelease.ConvertAssign)},
}
