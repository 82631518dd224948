package exportdata

import _ "embed"

//go:embed data/std_linux_amd64.zip
var stdPlatform []byte
