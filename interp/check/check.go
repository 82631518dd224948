package check

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A Checker checks the cells of one session, each against those that were committed. Its methods
// may be called by several goroutines.
type Checker struct {
	mu  sync.Mutex
	im  *importer
	env *env

	// Compiled tells which instances of generic functions an engine has: units come without their
	// bodies. nil: none. It is set before the first Check.
	Compiled func(f *types.Func, args []types.Type) bool
}

// New makes a Checker. names are packages that every cell can use by name without importing them:
// name to import path.
func New(names map[string]string) (*Checker, error) {
	if err := gorelease.Vital(); err != nil {
		return nil, err
	}
	im, err := newImporter()
	if err != nil {
		return nil, err
	}
	c := &Checker{im: im, env: newEnv()}
	maps.Copy(c.env.imports, names)
	return c, nil
}

// A Checked cell can be loaded by an engine and, after that, committed.
type Checked struct {
	Unit *engine.Unit
	// Shown are the static types of the values that the last expression gives, or the last
	// expressions: Listed.
	Shown  []types.Type
	Listed bool
	// Constant is the value of a cell that is one constant expression. There is no code of it, and
	// no SSA in Unit: it is committed and neither loaded nor run. For other cells it is not valid.
	Constant reflect.Value
	// Stale says, a line each, which earlier code keeps an earlier meaning of a name.
	Stale []string

	low     *lowered
	imports map[string]string
	keep    *keeping
	syntax  *sourced
}

// A Fault is a failure of the checker itself on a text, found by go/types or go/ssa.
type Fault struct {
	Cell  int
	Value any // what was given to panic
	Stack string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s: this cell is more than the checker can take: %v (please report it with the cell's text)",
		cell.Name(f.Cell), f.Value)
}

// Check checks the text of cell n. Its error is an *Error, or a *Fault. Nothing is remembered.
func (c *Checker) Check(n int, src string) (k *Checked, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			k, err = nil, &Fault{n, r, string(debug.Stack())}
		}
	}()
	k, err = c.try(n, src, true)
	var e *Error
	elsewhere := func(d Diagnostic) bool { return d.Pos.Filename != cell.Name(n) }
	if errors.As(err, &e) && slices.ContainsFunc(e.Diagnostics, elsewhere) {
		// What other cells wrote is not right beside this one.
		return c.try(n, src, false)
	}
	return k, err
}

// try checks a cell. It may adopt functions of earlier cells.
func (c *Checker) try(n int, src string, adopt bool) (*Checked, error) {
	split, err := cell.Split(n, src)
	if err != nil {
		return nil, syntaxFailure(split, err)
	}
	k := new(Checked)
	if k.keep, err = c.keep(split, adopt); err != nil {
		return nil, syntaxFailure(split, err)
	}
	k.low = lower(split)
	k.low.keep = k.keep
	if len(k.low.errs) > 0 {
		return nil, syntaxError(split.Source, k.low.errs)
	}
	guessed := c.addImports(k.low)
	p := c.check(k.low)
	defer p.retract()
	p.cycles()
	p.nameless()
	p.order()
	if len(p.errs) > 0 {
		return nil, p.failure()
	}
	k.imports = usedImports(k.low.file, p.info)
	for name := range guessed {
		delete(k.imports, name) // another cell may mean another package by the name
	}
	if k.Shown = p.show(); len(p.errs) > 0 {
		return nil, p.failure()
	}
	k.Listed = len(p.low.values) > 0
	if k.Constant = p.constant(); k.Constant.IsValid() {
		k.Unit = &engine.Unit{Cell: n, Fset: split.Fset, Pkg: p.pkg, Info: p.info}
		k.syntax = &sourced{pkg: p.pkg, info: p.info}
		return k, nil
	}
	sizesOf([]*ast.File{k.low.file}, p.info)
	k.Unit = c.build(p)
	k.syntax = &sourced{pkg: p.pkg, files: []*ast.File{k.low.file}, info: p.info}
	k.Stale = c.stale(p)
	return k, nil
}

func syntaxFailure(split *cell.Cell, err error) error {
	var list cell.SyntaxErrors
	if errors.As(err, &list) {
		return syntaxError(split.Source, list)
	}
	return err
}

// Commit makes the cell one of the earlier cells.
func (c *Checker) Commit(k *Checked) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.env.imported(k.imports)
	c.env.dot(k.low.file)
	engine.MethodSets.Lock() // goroutines that run may have an engine build code
	defer engine.MethodSets.Unlock()
	k.Unit.Gain() // an engine that loaded the unit has done it
	c.env.note(k)
	c.env.place(k)
	c.env.declare(k.objects())
	for _, o := range k.objects() {
		engine.NoteTypes(o.Type())
	}
	c.env.promoted(k)
	maps.Copy(c.env.decls, k.keep.decls)
	c.env.generic.add(k)
	if c.env.lost || len(k.Unit.Redeclared) > 0 {
		c.env.generic.retain(c.env.objects)
		c.env.lost = false
	}
}

// objects are what the unit declares, without the function that holds its statements.
func (k *Checked) objects() []types.Object {
	scope := k.Unit.Pkg.Scope()
	var list []types.Object
	for _, name := range scope.Names() {
		if k.low.entry == nil || name != k.low.entry.Name.Name {
			if k.low.cell.Program == nil || name != "main" {
				list = append(list, scope.Lookup(name))
			}
		}
	}
	return list
}

func withoutEntry(l *lowered) *ast.File {
	f := *l.file
	f.Decls = slices.DeleteFunc(slices.Clone(f.Decls), func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn == l.entry
	})
	return &f
}

// Forget drops all that cells declared, and keeps the imports given to New.
func (c *Checker) Forget(names map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.env = newEnv()
	maps.Copy(c.env.imports, names)
}

// Objects lists what cells declared and is still reachable by name, in order of the names.
func (c *Checker) Objects() []types.Object {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Collect(maps.Values(c.env.objects))
	slices.SortFunc(list, func(a, b types.Object) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// A pass is one run of go/types over a lowered cell.
type pass struct {
	low   *lowered
	pkg   *types.Package
	info  *types.Info
	env   *env
	errs  []types.Error
	scope *types.Scope // of earlier cells, as this pass saw it
	// earlier maps the stand-ins for names used before their declaration to what they mean.
	earlier map[types.Object]types.Object
	gained  []gained // kept types have them until retract
	gaining bool     // and engine.MethodSets is held until then
	// preloaded is the path of a package that cells import by themselves, by its name.
	preloaded func(name string) string
	// instances are those that this run of go/types made.
	instances *types.Context
}

// check runs go/types, and once more where a name is used before this cell declares it, or where
// literals of earlier cells' structs had no keys.
func (c *Checker) check(l *lowered) (p *pass) {
	defer func() {
		if r := recover(); r != nil {
			if p != nil {
				p.retract()
			}
			panic(r)
		}
	}()
	p = c.run(l, nil, nil)
	stand, extra := p.early()
	if len(stand) > 0 {
		p.retract()
		p = c.run(l, stand, extra)
	}
	if p.keyLiterals() {
		p.retract()
		p = c.run(l, stand, extra)
	}
	p.restore()
	return p
}

func (c *Checker) run(l *lowered, earlier map[types.Object]types.Object, extra []types.Object) *pass {
	p := &pass{low: l, pkg: types.NewPackage("main", "main"), info: newInfo(), env: c.env, earlier: earlier,
		instances: types.NewContext(), preloaded: c.im.preloaded}
	p.scope = c.env.scope(slices.Concat(extra, l.dotted))
	muted := false // with an error go its notes
	conf := types.Config{
		Importer: gaining{c.im, p}, Sizes: sizes(), GoVersion: language, IgnoreFuncBodies: l.bodiless, Context: p.instances,
		Error: func(err error) {
			var e types.Error
			if !errors.As(err, &e) {
				return
			}
			if note := strings.HasPrefix(e.Msg, "\t"); !note {
				muted = p.excused(e)
			}
			if !muted {
				p.errs = append(p.errs, e)
			}
		},
	}
	defer func() {
		if r := recover(); r != nil {
			p.retract()
			panic(r)
		}
	}()
	parent := p.scope
	if l.cell.Program != nil {
		parent = types.Universe // a whole program stands alone
	}
	gorelease.Under(p.pkg, parent, func() {
		// Errors go to the function above.
		_ = types.NewChecker(&conf, l.cell.Fset, p.pkg, p.info).Files(p.files())
	})
	p.forgetGainImport()
	c.refuseBodiless(p)
	return p
}

// excused drops complaints that do not hold in a cell.
func (p *pass) excused(e types.Error) bool {
	if p.low.cell.Program != nil {
		return forgiven(e)
	}
	if code(e) == codeUnusedExpr && p.low.ends(e.Pos) {
		return true
	}
	if p.initializes(e) {
		return true
	}
	return p.ofKept(e) || forgiven(e)
}

// refuseBodiless names uses of generic functions and types of compiled packages whose source is not
// here: there is nothing to instantiate.
func (c *Checker) refuseBodiless(p *pass) {
	for id := range p.info.Instances {
		o := p.info.Uses[id]
		if o == nil || o.Pkg() == nil || o.Pkg() == p.pkg || c.im.source(o.Pkg()) != nil ||
			c.env.generic.syntax[o.Pkg()] != nil {
			continue
		}
		p.errs = append(p.errs, types.Error{
			Fset: p.low.cell.Fset, Pos: id.Pos(),
			Msg: fmt.Sprintf("%s.%s is generic and only compiled into the kernel: its source is not here to be instantiated",
				o.Pkg().Name(), o.Name()),
		})
	}
}
