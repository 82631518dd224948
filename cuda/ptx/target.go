package ptx

import (
	"strconv"
	"strings"
)

// targetSince are the architectures with the version of PTX that knows each (section 11.1.2), those
// before version 6.0 as of 6.0.
var targetSince = func() map[string]Version {
	m := map[string]Version{}
	for _, row := range strings.Split(`6.0 20 21 30 32 35 37 50 52 53 60 61 62 70; 6.1 72; 6.3 75; 7.0 80;
		7.1 86; 7.4 87; 7.8 89 90; 8.0 90a;
		8.6 100 100a 101 101a; 8.7 120 120a; 8.8 100f 101f 103 103a 103f 120f 121 121a 121f; 9.0 88 110 110a 110f`, ";") {
		f := strings.Fields(row)
		v, _ := parseVersion(f[0])
		for _, sm := range f[1:] {
			m["sm_"+sm] = v
		}
	}
	return m
}()

// targetOptions are what may follow an architecture.
var targetOptions = map[string]bool{"debug": true, "texmode_unified": true, "texmode_independent": true,
	"map_f64_to_f32": true}

// oldest is the first version with parameter lists of kernels, newest what is known to be there;
// minors are the last minor version of each major one.
var (
	oldest = Version{1, 4}
	minors = map[int]int{1: 5, 2: 3, 3: 2, 4: 3, 5: 0, 6: 5, 7: 8, 8: 8, 9: 9}
)

func (v Version) less(o Version) bool {
	return v.Major < o.Major || v.Major == o.Major && v.Minor < o.Minor
}

func parseVersion(text string) (Version, bool) {
	major, minor, ok := strings.Cut(text, ".")
	a, errA := strconv.Atoi(major)
	b, errB := strconv.Atoi(minor)
	return Version{a, b}, ok && errA == nil && errB == nil
}

// parseHeader reads .version, .target and .address_size, with which every text begins, in this
// order.
func (p *parser) parseHeader() {
	if !p.acceptDot("version") {
		p.fail(".version: a PTX text begins with it")
	}
	v, ok := parseVersion(p.tok.text)
	if p.tok.kind != tokNumber || !ok {
		p.fail("a version such as 9.0")
	}
	if last, known := minors[v.Major]; !known || v.Minor > last || v.less(oldest) {
		p.fail("a version of PTX that there is, from %s on", oldest)
	}
	p.module.Version = v
	p.advance()
	if !p.acceptDot("target") {
		p.fail(".target behind .version")
	}
	p.parseTarget()
	if p.acceptDot("address_size") {
		p.parseAddressSize()
	}
}

func (p *parser) parseTarget() {
	since, known := targetSince[p.tok.text]
	switch {
	case !known:
		p.fail("a target such as sm_80")
	case p.module.Version.less(since) && !p.module.Version.less(Version{6, 0}):
		p.fail("a target of PTX %s: this one is of %s", p.module.Version, since)
	}
	p.module.targets = targetBit(p.tok.text)
	p.module.Target = append(p.module.Target, p.ident("a target such as sm_80"))
	for p.accept(",") {
		if !targetOptions[p.tok.text] {
			p.fail("an option of .target such as debug")
		}
		p.module.Target = append(p.module.Target, p.ident("an option"))
	}
}

func (p *parser) parseAddressSize() {
	t := p.tok
	if p.int("64") != 64 {
		p.failAt(t, "an address size of 64, the only one that architectures from sm_75 on have")
	}
}

// architecture gives the number of the module's architecture, 80 of sm_80.
func (m *Module) architecture() int {
	n, _ := strconv.Atoi(strings.TrimRight(strings.TrimPrefix(m.Target[0], "sm_"), "af"))
	return n
}

// paramLimit is the most bytes of a kernel's parameters (section 5.1.6.4).
func (m *Module) paramLimit() int {
	if m.architecture() >= 70 && !m.Version.less(Version{8, 1}) {
		return 32764
	}
	return 4352
}
