package widgets

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
	"github.com/vyre-kernel/vyre-kernel/widgets/comm"
)

// The modules of the front end that models and views come from, with the versions that their states
// fit.
const (
	controls     = "@jupyter-widgets/controls"
	controlsAt   = "2.0.0"
	base         = "@jupyter-widgets/base"
	baseAt       = "2.0.0"
	outputModule = "@jupyter-widgets/output"
	outputAt     = "1.0.0"
)

// TypeView is the MIME type of a view of a model.
const TypeView = "application/vnd.jupyter.widget-view+json"

// A Widget is one of this package's.
type Widget interface {
	MIMEBundle() display.Bundle
	// Err says what was asked of the widget that it cannot do; nil where nothing was.
	Err() error
	model() *model
}

// A model is the state that both sides hold.
type model struct {
	id   string
	name string // the widget's, for texts

	mu     sync.Mutex
	state  map[string]any
	refs   map[string]*model   // traits that are other models: layout, style
	list   map[string][]*model // traits that are lists of models: children
	opened *comm.Comm
	closed bool
	err    error
	// take checks and keeps what the front end sent for a trait, and gives what to call once the
	// lock is free. Traits without an entry are kept as they came.
	take map[string]func(raw json.RawMessage) (changed func(), err error)
	// custom is called with the content of a custom message.
	custom func(content json.RawMessage)
}

// newModel makes a model of a module; its view has the model's name with View for Model.
func newModel(module, version, name string, state map[string]any) *model {
	m := &model{id: comm.NewID(), name: name, state: state, refs: map[string]*model{}, list: map[string][]*model{},
		take: map[string]func(json.RawMessage) (func(), error){}}
	maps.Copy(m.state, map[string]any{
		"_model_module": module, "_model_module_version": version, "_model_name": name + "Model",
		"_view_module": module, "_view_module_version": version, "_view_name": name + "View",
	})
	return m
}

// newControl makes a model that people see, with its layout and style.
func newControl(name string, state map[string]any) *model {
	m := newModel(controls, controlsAt, name, state)
	if name == "IntProgress" || name == "FloatProgress" {
		m.state["_view_name"] = "ProgressView"
	}
	m.refs["layout"] = newLayout()
	m.refs["style"] = newStyle(name)
	return m
}

// set changes traits on both sides. Error: *ClosedError where no page has the widget any more.
func (m *model) set(traits map[string]any) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return &ClosedError{m.name}
	}
	maps.Copy(m.state, traits)
	m.push(traits)
	return nil
}

// push sends traits to the front end, if that has the model, and keeps the map; the lock is held,
// so that states arrive in the order in which they were.
func (m *model) push(traits map[string]any) {
	if m.opened == nil {
		return
	}
	updates.Put(m, delta{m.name, m.opened, traits})
}

// tell reports what could not be sent of a widget.
func tell(name string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "widgets: %s: %v\n", name, err)
	}
}

// open gives the front end the model, those that it refers to first.
func (m *model) open() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opened != nil || m.closed {
		return nil
	}
	for _, ref := range m.refs {
		if err := ref.open(); err != nil {
			return err
		}
	}
	for _, children := range m.list {
		for _, child := range children {
			if err := child.open(); err != nil {
				return err
			}
		}
	}
	c, err := comm.OpenWith(m.id, target, openData{State: m.full(), BufferPaths: noPaths}, openMetadata{protocolVersion})
	if err != nil {
		return err
	}
	m.opened = c
	models.add(m)
	c.OnMessage(m.received)
	c.OnClose(func(comm.Message) { m.forget() })
	return nil
}

// full is the whole state, models named by their ids.
func (m *model) full() map[string]any {
	all := maps.Clone(m.state)
	for trait, ref := range m.refs {
		all[trait] = reference(ref)
	}
	for trait, children := range m.list {
		all[trait] = references(children)
	}
	return all
}

func reference(m *model) string { return "IPY_MODEL_" + m.id }

func references(list []*model) []string {
	names := []string{}
	for _, m := range list {
		names = append(names, reference(m))
	}
	return names
}

// forget ends the model's life on this side.
func (m *model) forget() {
	models.remove(m)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
}

// close takes the model away from the front end, with its layout and style.
func (m *model) close() error {
	m.mu.Lock()
	c := m.opened
	refs := m.refs
	m.mu.Unlock()
	Flush()
	m.forget()
	for _, ref := range refs {
		if err := ref.close(); err != nil {
			return err
		}
	}
	if c == nil {
		return nil
	}
	return c.Close()
}

// fail remembers the first thing that was asked wrongly; nil is nothing.
func (m *model) fail(err error) {
	if err == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.err = err
	}
}

func (m *model) isClosed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

func (m *model) failure() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.err
}

// bundle opens the model and is a view of it, beside text. Where there is no front end the text is
// all.
func (m *model) bundle(text string) display.Bundle {
	if err := m.failure(); err != nil {
		return display.Bundle{Data: map[string]any{display.TypeText: err.Error()}}
	}
	b := display.Bundle{Data: map[string]any{display.TypeText: text}}
	if m.isClosed() {
		b.Data[display.TypeText] = text + "\n" + (&ClosedError{m.name}).Error()
		return b
	}
	if comm.Connected() == nil {
		return b
	}
	if err := m.open(); err != nil {
		b.Data[display.TypeText] = text + "\n" + err.Error()
		return b
	}
	b.Data[TypeView] = view{Major: 2, Minor: 0, ID: m.id}
	return b
}

type view struct {
	Major int    `json:"version_major"`
	Minor int    `json:"version_minor"`
	ID    string `json:"model_id"`
}
