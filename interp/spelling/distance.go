// Package spelling compares names with those that may have been meant: what check suggests for a
// name that is not declared, and magic for a command that there is not.
package spelling

// Distance is how many letters must be put in, taken out, replaced or swapped with their neighbour
// to make b of a (optimal string alignment). It compares bytes.
func Distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := 1
			if a[i-1] == b[j-1] {
				replaced = 0
			}
			n := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				n = min(n, rows[i-2][j-2]+1)
			}
			rows[i][j] = n
		}
	}
	return rows[len(a)][len(b)]
}
