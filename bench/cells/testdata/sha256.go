package main

var k [64]uint32

func rotate(x uint32, n int) uint32 { return x>>n | x<<(32-n) }

func block(h *[8]uint32, p []byte) {
	var w [64]uint32
	for i := 0; i < 16; i++ {
		w[i] = uint32(p[4*i])<<24 | uint32(p[4*i+1])<<16 | uint32(p[4*i+2])<<8 | uint32(p[4*i+3])
	}
	for i := 16; i < 64; i++ {
		a, b := w[i-15], w[i-2]
		w[i] = w[i-16] + (rotate(a, 7) ^ rotate(a, 18) ^ a>>3) + w[i-7] + (rotate(b, 17) ^ rotate(b, 19) ^ b>>10)
	}
	s := *h
	for i := 0; i < 64; i++ {
		t1 := s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + (s[4]&s[5] ^ ^s[4]&s[6]) + k[i] + w[i]
		t2 := (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + (s[0]&s[1] ^ s[0]&s[2] ^ s[1]&s[2])
		s[7], s[6], s[5], s[4], s[3], s[2], s[1], s[0] = s[6], s[5], s[4], s[3]+t1, s[2], s[1], s[0], t1+t2
	}
	for i := range h {
		h[i] += s[i]
	}
}

func work() int {
	for i := range k {
		k[i] = uint32(i) * 2654435761
	}
	h := [8]uint32{1, 2, 3, 4, 5, 6, 7, 8}
	p := make([]byte, 64)
	for n := 0; n < 100; n++ {
		p[n%64]++
		block(&h, p)
	}
	return int(h[0])
}
