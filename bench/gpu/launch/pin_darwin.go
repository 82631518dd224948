package main

import "errors"

// pin is refused: macOS has no threads that stay on a core, and no CUDA.
func pin(int) error { return errors.New("threads cannot be kept on a core here") }
