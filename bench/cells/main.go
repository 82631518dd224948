package main

import (
	"embed"
	"flag"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// programs declare func work() int, which is what is timed; its result is compared.
//
//go:embed testdata/*.go
var programs embed.FS

// options of a run.
type options struct {
	only     string
	limit    time.Duration
	rounds   int
	markdown bool
	serve    string
	yaegi    bool
}

func main() {
	var o options
	flag.StringVar(&o.only, "only", "", "programs, separated by commas; default: all")
	flag.DurationVar(&o.limit, "limit", 5*time.Minute, "after this, a round of each program that is left")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds of each program")
	flag.BoolVar(&o.markdown, "markdown", false, "print the table as Markdown")
	flag.BoolVar(&o.yaegi, "yaegi", true, "run plain yaegi too")
	flag.StringVar(&o.serve, "serve", "", "answer as an engine: vm or yaegi (used by this program itself)")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.serve != "" {
		return serve(o.serve, os.Stdin, os.Stdout)
	}
	names, err := chosen(o.only)
	if err != nil {
		return err
	}
	peers, err := startPeers(names, o.yaegi)
	if err != nil {
		return err
	}
	defer peers.close()
	table, err := measure(o, names, peers)
	if err != nil {
		return err
	}
	table.print(os.Stdout, o.markdown)
	if err := table.wrong(); err != nil {
		return err
	}
	latencies, err := measureLatency(peers)
	if err != nil {
		return err
	}
	latencies.print(os.Stdout, "check and compile of a 15-line cell", "1ms")
	begins, err := measureStart(peers.dir)
	if err != nil {
		return err
	}
	begins.print(os.Stdout, "start of a worker to the reply to an empty cell", "60ms")
	return nil
}

// chosen are the names of the programs to run, in the order of the directory.
func chosen(only string) ([]string, error) {
	files, err := programs.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	var all []string
	for _, f := range files {
		all = append(all, strings.TrimSuffix(f.Name(), ".go"))
	}
	if only == "" {
		return all, nil
	}
	want := strings.Split(only, ",")
	for _, w := range want {
		if !slices.Contains(all, w) {
			return nil, fmt.Errorf("no program %s; there are %s", w, strings.Join(all, " "))
		}
	}
	return want, nil
}

// text is the source of a program, its package clause replaced.
func text(name, clause string) (string, error) {
	b, err := programs.ReadFile(path.Join("testdata", name+".go"))
	return strings.Replace(string(b), "package main\n", clause, 1), err
}

// yaegiBudget is how much time yaegi, the slowest, may take with one program after the first round.
const yaegiBudget = 4 * time.Second

// measure takes turns: every round of a program runs it on every engine. Each program has engines
// of its own, as sessions are: what an engine keeps of the others' would be gone through by every
// cycle of its garbage collector.
func measure(o options, names []string, p *peers) (*table, error) {
	t := newTable(names)
	begin := time.Now()
	for i, name := range names {
		if i > 0 {
			if err := p.renew(); err != nil {
				return nil, err
			}
		}
		for round := range o.rounds {
			if err := p.turn(t, name, round); err != nil {
				return nil, err
			}
			if time.Since(begin) > o.limit {
				break
			}
		}
	}
	return t, nil
}

// turn runs a program on every engine.
func (p *peers) turn(t *table, name string, round int) error {
	for _, peer := range p.all {
		if round > 0 && peer == p.yaegi && t.spent(name, peer.name) > yaegiBudget {
			continue
		}
		sample, err := peer.time(name)
		if err != nil {
			return err
		}
		t.add(name, peer.name, sample)
	}
	return nil
}
