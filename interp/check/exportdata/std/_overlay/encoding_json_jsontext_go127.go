package jsontext

import "encoding/json/jsontext"

func AppendFormat[Bytes ~[]byte | ~string](dst []byte, src Bytes, opts ...jsontext.Options) ([]byte, error) {
	return appendFormat(dst, []byte(src), opts...)
}

func AppendQuote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	return appendQuote(dst, []byte(src))
}

func AppendUnquote[Bytes ~[]byte | ~string](dst []byte, src Bytes) ([]byte, error) {
	return appendUnquote(dst, []byte(src))
}

func appendFormat(dst, src []byte, opts ...jsontext.Options) ([]byte, error)

func appendQuote(dst, src []byte) ([]byte, error)

func appendUnquote(dst, src []byte) ([]byte, error)
