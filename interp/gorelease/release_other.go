//go:build !go1.26 || (go1.28 && !canary) || !(amd64 || arm64)

package gorelease

// The layouts are verified for Go 1.26 and 1.27 on amd64 and arm64 only: docs/go-release.md says
// how another release is added. Build this module with GOTOOLCHAIN=go1.27.4 meanwhile.
const _ = interp_gorelease_is_verified_for_go1_26_and_go1_27_on_amd64_and_arm64_only
