package exportdata

import _ "embed"

//go:embed data/std_darwin_amd64.zip
var stdPlatform []byte
