package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
)

func work() int {
	sum, buffer := 0, make([]byte, 64)
	for i := 0; i < 500; i++ {
		for j := 0; j+8 <= len(buffer); j += 8 {
			binary.LittleEndian.PutUint64(buffer[j:], uint64(i*j+i))
		}
		text := base64.StdEncoding.EncodeToString(buffer)
		back, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return -1
		}
		sum += int(crc32.ChecksumIEEE(back)%97) + len(hex.EncodeToString(back[:8]))
	}
	return sum
}
