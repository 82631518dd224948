# Reads lines of program, call and nanoseconds, tabs between, several of each, and prints medians with least and most, and what the
# figures of enqueueing are about: Go beside C, cells beside CuPy, and what is made of several calls beside the bare one.
BEGIN { FS = "\t" }
NF == 3 {
	if (!(($1, $2) in count)) { order[++n] = $1 SUBSEP $2 }
	v[$1, $2, ++count[$1, $2]] = $3 + 0
}
function sort_of(key,    i, j, t) {
	for (i = 2; i <= count[key]; i++)
		for (j = i; j > 1 && v[key, j - 1] > v[key, j]; j--) { t = v[key, j]; v[key, j] = v[key, j - 1]; v[key, j - 1] = t }
}
function median(key,    c) {
	c = count[key]
	return c % 2 ? v[key, (c + 1) / 2] : (v[key, c / 2] + v[key, c / 2 + 1]) / 2
}
function ratio(what, a, b, most) {
	if (!(a in count) || !(b in count)) { printf "%-62s not measured\n", what; return }
	printf "%-62s %.3f%s\n", what, median(a) / median(b), most ? " (wanted: under " most ")" : ""
}
END {
	for (i = 1; i <= n; i++) {
		sort_of(order[i])
		split(order[i], part, SUBSEP)
		printf "%-6s %-34s %9.1f  (%.1f-%.1f)\n", part[1], part[2], median(order[i]), v[order[i], 1], v[order[i], count[order[i]]]
	}
	S = SUBSEP
	ratio("launch, Go / C", "Go" S "launch", "C" S "launch", "1.1")
	ratio("launch prepared, Go / C", "Go" S "launch, prepared", "C" S "launch", "")
	ratio("graph launch, Go / C", "Go" S "graph launch", "C" S "graph launch", "1.1")
	ratio("launch from a cell / CuPy", "cell" S "launch", "CuPy" S "launch", "1")
	ratio("graph launch from a cell / CuPy", "cell" S "graph launch", "CuPy" S "graph launch", "1")
	ratio("resident dispatch, Go / bare launch, C", "Go" S "resident dispatch", "C" S "launch", "1.5")
	ratio("graph launch with one parameter set, Go / bare, Go", "Go" S "graph launch, one parameter set", "Go" S "graph launch, front", "2")
	ratio("graph launch with one parameter set, Go / bare, C", "Go" S "graph launch, one parameter set", "C" S "graph launch", "2")
	ratio("the same in C", "C" S "graph launch, one parameter set", "C" S "graph launch", "")
	ratio("sequence of ten launches, Go / ten launches, C", "Go" S "sequence of ten launches", "C" S "ten launches", "")
}
