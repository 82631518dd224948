package exportdata

import _ "embed"

//go:embed data/std_darwin.zip
var stdOS []byte
