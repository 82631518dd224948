package exportdata

import _ "embed"

//go:embed data/std.zip
var stdCommon []byte
