package hkdf

import "hash"

func Extract[H hash.Hash](h func() H, secret, salt []byte) ([]byte, error) {
	return extract(func() hash.Hash { return h() }, secret, salt)
}

func Expand[H hash.Hash](h func() H, pseudorandomKey []byte, info string, keyLength int) ([]byte, error) {
	return expand(func() hash.Hash { return h() }, pseudorandomKey, info, keyLength)
}

func Key[Hash hash.Hash](h func() Hash, secret, salt []byte, info string, keyLength int) ([]byte, error) {
	return key(func() hash.Hash { return h() }, secret, salt, info, keyLength)
}

func extract(h func() hash.Hash, secret, salt []byte) ([]byte, error)

func expand(h func() hash.Hash, pseudorandomKey []byte, info string, keyLength int) ([]byte, error)

func key(h func() hash.Hash, secret, salt []byte, info string, keyLength int) ([]byte, error)
