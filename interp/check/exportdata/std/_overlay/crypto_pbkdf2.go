package pbkdf2

import "hash"

func Key[Hash hash.Hash](h func() Hash, password string, salt []byte, iter, keyLength int) ([]byte, error) {
	return key(func() hash.Hash { return h() }, password, salt, iter, keyLength)
}

func key(h func() hash.Hash, password string, salt []byte, iter, keyLength int) ([]byte, error)
