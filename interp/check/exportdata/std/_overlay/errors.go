package errors

import "errors"

func AsType[E error](err error) (E, bool) {
	var e E
	ok := errors.As(err, &e)
	return e, ok
}
