package main

type op struct{ code, arg int }

func run(program []op, n int) int {
	acc := 0
	for i := 0; i < n; i++ {
		switch o := program[i%len(program)]; o.code {
		case 0:
			acc += o.arg
		case 1:
			acc -= o.arg
		case 2:
			acc ^= o.arg
		case 3:
			acc *= 3
		case 4:
			acc %= 1_000_003
		case 5:
			acc |= 1
		case 6:
			acc++
		default:
			acc--
		}
	}
	return acc
}

func work() int {
	program := []op{{0, 5}, {3, 0}, {2, 77}, {1, 9}, {7, 0}, {4, 0}, {6, 0}, {5, 0}}
	return run(program, 300_000)
}
