package main

type board [9][9]int

func (b *board) fits(r, c, n int) bool {
	for i := 0; i < 9; i++ {
		if b[r][i] == n || b[i][c] == n || b[r/3*3+i/3][c/3*3+i%3] == n {
			return false
		}
	}
	return true
}

func (b *board) solve(tries *int) bool {
	for r := 0; r < 9; r++ {
		for c := 0; c < 9; c++ {
			if b[r][c] != 0 {
				continue
			}
			for n := 1; n <= 9; n++ {
				*tries++
				if b.fits(r, c, n) {
					b[r][c] = n
					if b.solve(tries) {
						return true
					}
					b[r][c] = 0
				}
			}
			return false
		}
	}
	return true
}

func work() int {
	rows := []string{"53..7....", "6..195...", ".98....6.", "8...6...3", "4..8.3..1", "7...2...6", ".6....28.", "...419..5", "....8..79"}
	var b board
	for r, row := range rows {
		for c, x := range row {
			if x != '.' {
				b[r][c] = int(x - '0')
			}
		}
	}
	tries := 0
	if !b.solve(&tries) {
		return -1
	}
	return tries
}
