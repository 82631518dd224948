package exportdata

import _ "embed"

//go:embed data/std_linux.zip
var stdOS []byte
