package export

import (
	"sync"

	. "github.com/alecthomas/chroma/v2" //nolint:stylecheck // rules read as chroma's own do
)
