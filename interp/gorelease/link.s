// Functions without bodies in link.go are linked from the runtime; this file tells the compiler to allow them.
