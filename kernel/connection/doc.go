// Package connection reads and writes connection files: where a kernel listens, and with which
// keys. A client writes the file (or the kernel, started without one), then starts the kernel with
// its path.
//
// Source: "Making kernels for Jupyter", section "Connection files"; the CURVE keys as
// jupyter_client 8.9 writes them.
package connection
