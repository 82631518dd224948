//go:build !go1.26 || go1.27 || !(amd64 || arm64)

package rtype

// The layouts in abi.go are verified for Go 1.26 on amd64 and arm64 only. To move to another release: compare
// abi.go with its internal/abi, run this package's tests with it on both architectures, then change the constraints here and in
// release_go126.go. Build this module with GOTOOLCHAIN=go1.26.8 meanwhile.
const _ = interp_rtype_is_verified_for_go1_26_on_amd64_and_arm64_only
