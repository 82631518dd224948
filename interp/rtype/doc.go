// Package rtype makes the runtime's own type descriptors for go/types types, so that values of
// types which cells declare are ordinary Go values: %T and %v, Stringer inside slices, errors.As,
// encoding/json, text/template, type switches, map keys, interface equality and package reflect see
// what they would see had the types been compiled into the binary.
//
// The way of the data: a types.Type comes to (*Table).Of (table.go). Unnamed types are asked of
// package reflect, which keeps one descriptor for each, compiled ones included (build.go); basic
// types are its own (basic.go); what reflect cannot make is made here (descriptor.go; name.go and
// names.go write names): named types (named.go) with size and pointer bitmap from layout.go,
// equality from equality.go, structs with embedded or blank fields (struct.go), interfaces with
// methods (iface.go), pointers that have methods (pointer.go). Methods (method.go) enter through
// stubs (stub.go), each of which jumps into a func value that is bound to the engine's code when
// first called. Named types of compiled packages come from a
// NativeTypes, or are found in what links them (harvest.go); Bind (native.go) teaches the table
// their unnamed parts.
//
// A type that later cells declare methods of gains them where it stands (gain.go): a second method
// table takes the place of the first (arena.go has room for both), and what the runtime and
// encoding/json remember of the methods that it did not have is found and corrected by package
// gorelease. What a cell that fails made is taken back (journal.go).
//
// An engine also needs the runtime's own operations on memory of a type; these are here as thin,
// checked names over linknames that package gorelease has: memory.go, maps.go,
// chans.go (chanmark.go tells whose a channel is), word.go (interfaces and itabs), funcs.go (func
// values), equal.go, pointers.go (which words hold pointers), frame.go (types for an engine's
// frames).
//
// # What it rests on
//
// Layouts (abi.go names them), private functions and stubs are those of package gorelease, whose
// facts are checked before the first Table is made.
//
// # Lifetime
//
// The garbage collector does not follow the type word of an interface value, so a descriptor, once
// handed out, is never freed: under 5 KB for a named type with two methods (of which 0.5 KB is room
// for methods that it may gain), and one or two of StubCount stubs a method. A front end should
// therefore keep a type that is declared again unchanged.
//
// The types of an engine's frames are freed, but for those of frames of 32 KiB and more, of which
// there is one for each shape (frame.go).
package rtype
