package main

import "sort"

type person struct {
	name string
	age  int
	city string
}

func work() int {
	cities := []string{"Oslo", "Rome", "Lima", "Bonn", "Kyiv"}
	var people []person
	for i := 0; i < 1_000; i++ {
		people = append(people, person{"p", i * 37 % 90, cities[i*i%5]})
	}
	groups := map[string][]person{}
	for _, p := range people {
		groups[p.city] = append(groups[p.city], p)
	}
	var keys []string
	for k := range groups {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	n := 0
	for i, k := range keys {
		g := groups[k]
		sort.Slice(g, func(a, b int) bool { return g[a].age < g[b].age })
		n += (i + 1) * (g[0].age + g[len(g)/2].age + len(g))
	}
	return n
}
