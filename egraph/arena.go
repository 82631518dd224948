package egraph

// An arena gives out small columns from larger arrays: a graph of ten nodes and a program of forty rules
// have dozens of columns, which as arrays of their own would each cost an allocation and a cold cache line.
// A column that outgrows its place moves to an array of its own.
type arena struct{ left []uint32 }

const arenaWords = 1 << 10

// column gives a column of n zeros with room for more.
func (a *arena) column(n, room int) []uint32 {
	if room > arenaWords/4 {
		return make([]uint32, n, room)
	}
	if len(a.left) < room {
		a.left = make([]uint32, arenaWords)
	}
	c := a.left[:n:room]
	a.left = a.left[room:]
	return c
}

// A headerArena is an arena of lists of columns.
type headerArena struct{ left []column }

func (a *headerArena) list(n int) []column {
	if len(a.left) < n {
		a.left = make([]column, max(n, arenaWords/8))
	}
	c := a.left[:n:n]
	a.left = a.left[n:]
	return c
}
