package exportdata

import _ "embed"

//go:embed data/std_darwin_arm64.zip
var stdPlatform []byte
