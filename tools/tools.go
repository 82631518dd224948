//go:build tools

package tools

import (
	_ "github.com/alecthomas/chroma/v2"
	_ "github.com/ebitengine/purego"
	_ "github.com/go-zeromq/zmq4"
	_ "github.com/google/uuid"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/prometheus/client_model/go"
	_ "github.com/prometheus/common/expfmt"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/traefik/yaegi/stdlib"
	_ "github.com/yuin/goldmark"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/tools/go/ssa"
	_ "golang.org/x/tools/txtar"
	_ "gonum.org/v1/plot"
)
