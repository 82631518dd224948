//go:build go1.27 && (!go1.28 || canary) && (amd64 || arm64)

package gorelease

// Name is the Go release whose layouts this package has.
const Name = "go1.27"

// Directive is the line of a go.mod file that asks for its language.
const Directive = "go 1.27"

// MaxMaskBytes is the longest pointer bitmap that a descriptor has ready made; the runtime builds
// longer ones on demand.
const MaxMaskBytes = 16
