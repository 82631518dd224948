// Package standin has what engines call in place of compiled code that would leave the process, or
// wait where nobody can stop it, as far as that is the same for every engine.
//
//	files.go      the process's own files, which are the session's
//	flags.go      flag.Parse and (*flag.FlagSet).Parse, which exit
//	processes.go  (*exec.Cmd).Start, Wait and what calls them, which wait
//	program.go    what is one for each process: arguments, flags, http.DefaultServeMux
//	testing.go    what package testing asks of who calls it, and tests that end without saying so
//	once.go       (*sync.Once).Do, which locks
//	questions.go  what asks the person, and is interrupted
//	reflected.go  reflect.Select and the channels of reflect.Value, which wait
package standin
