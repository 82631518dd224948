// Package wire is the form of Jupyter messages: what they hold (message.go), how they become the
// frames of a multipart ZeroMQ message and back (frames.go), the signature over them
// (signature.go), and how one that came before is known (replay.go). It opens no socket.
//
// A message on the wire is: the identities that a ROUTER socket routes by, the delimiter <IDS|MSG>,
// the signature in hexadecimal, header, parent header, metadata and content as JSON, then any
// number of raw buffers. Every byte of it is foreign: Parse gives a message or an error, never a
// panic.
//
// Source: "Messaging in Jupyter", version 5.5, section "The wire protocol".
package wire
