package exportdata

import _ "embed"

//go:embed data/std_linux_arm64.zip
var stdPlatform []byte
