package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A group is calls that are compared with each other, so that their turns lie side by side.
type group struct {
	calls []string
	count int // of calls a turn: what a driver's queue takes, and a millisecond or so
}

var groups = []group{
	{[]string{"graph launch", "cuda.Graph.Launch", "graph launch, one parameter set", "sequence of ten launches"}, 500},
	{[]string{"launch", "launch, prepared", "launch, checked", "resident dispatch"}, 300},
	{[]string{"ten launches"}, 30},
	{[]string{"event record"}, 300},
	{[]string{"launch and synchronize"}, 60},
}

func main() {
	rounds := flag.Int("rounds", 200, "how often each peer has a turn at each call")
	core := flag.Int("core", 2, "the core that all measure on")
	flag.Parse()
	if err := run(os.Stdout, *rounds, *core, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, rounds, core int, args []string) error {
	dir, err := os.MkdirTemp("", "turns")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var peers []*peer
	defer func() {
		for _, p := range peers {
			p.end()
		}
	}()
	for i, arg := range args {
		name, command, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=COMMAND", arg)
		}
		own := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(own, 0o700); err != nil {
			return err
		}
		p, err := start(name, command, own, core)
		if err != nil {
			fmt.Fprintf(w, "%s takes no part: %s\n", name, strings.ReplaceAll(err.Error(), "\n", "; "))
			continue
		}
		peers = append(peers, p)
	}
	t := newTable()
	for round := range rounds {
		for _, g := range groups {
			if err := g.turns(peers, round, t); err != nil {
				return err
			}
		}
	}
	t.print(w)
	return nil
}

// turns gives each peer its turn at each call of the group; who is first changes from round to
// round.
func (g group) turns(peers []*peer, round int, t *table) error {
	var all []key
	who := map[string]*peer{}
	for _, call := range g.calls {
		for _, p := range peers {
			if who[p.name] = p; p.knows(call) {
				all = append(all, key{p.name, call})
			}
		}
	}
	for i := range all {
		k := all[(i+round)%len(all)]
		ns, err := who[k.peer].turn(k.call, g.count)
		if err != nil {
			return err
		}
		t.add(k, ns)
	}
	return nil
}
