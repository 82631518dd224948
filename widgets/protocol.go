package widgets

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/widgets/comm"
)

// The widget messaging protocol's names
// (ipywidgets, packages/schema/messages.md, version 2.1.0).
const (
	target          = "jupyter.widget"
	controlTarget   = "jupyter.widget.control"
	protocolVersion = "2.1.0"
)

// noPaths says that no value of a state is a buffer.
var noPaths = [][]any{}

type openData struct {
	State       map[string]any `json:"state"`
	BufferPaths [][]any        `json:"buffer_paths"`
}

type openMetadata struct {
	Version string `json:"version"`
}

type update struct {
	Method      string         `json:"method"`
	State       map[string]any `json:"state"`
	BufferPaths [][]any        `json:"buffer_paths"`
}

// incoming is any message of the front end.
type incoming struct {
	Method  string                     `json:"method"`
	State   map[string]json.RawMessage `json:"state"`
	Content json.RawMessage            `json:"content"`
}

// methods says what each message does to a model.
var methods map[string]func(*model, incoming)

func init() {
	methods = map[string]func(*model, incoming){
		"update":        (*model).updated,
		"request_state": func(m *model, _ incoming) { m.resend() },
		"custom": func(m *model, in incoming) {
			if m.custom != nil {
				m.custom(in.Content)
			}
		},
	}
	comm.Register(controlTarget, func(c *comm.Comm, _ comm.Message) {
		c.OnMessage(func(m comm.Message) { control(c, m) })
	})
}

// received handles a message on the model's comm.
func (m *model) received(message comm.Message) {
	var in incoming
	err := json.Unmarshal(message.Data, &in)
	do := methods[in.Method]
	if err != nil || do == nil {
		report(&MessageError{Widget: m.name, Found: fmt.Sprintf("the method %q", in.Method),
			Want: "update, request_state or custom", Err: err})
		return
	}
	do(m, in)
}

// report tells the person: there is no reply that could.
func report(err error) { fmt.Fprintf(os.Stderr, "widgets: %v\n", err) }

// updated takes what a person changed. Views elsewhere are told by an echo; a value that cannot be
// taken is answered with the one that stays.
func (m *model) updated(in incoming) {
	var calls []func()
	m.mu.Lock()
	echo, back := map[string]any{}, map[string]any{}
	for _, trait := range slices.Sorted(maps.Keys(in.State)) {
		raw := in.State[trait]
		take := m.take[trait]
		if take == nil {
			m.state[trait] = raw
			echo[trait] = raw
			continue
		}
		changed, err := take(raw)
		if err != nil {
			report(err)
			back[trait] = m.state[trait]
			continue
		}
		echo[trait] = m.state[trait]
		if changed != nil {
			calls = append(calls, changed)
		}
	}
	if len(echo) > 0 && m.opened != nil {
		updates.Flush() // what was set before the change came is no answer to it
		if err := m.opened.Send(update{Method: "echo_update", State: echo, BufferPaths: noPaths}); !m.closed {
			tell(m.name, err)
		}
	}
	if len(back) > 0 {
		m.push(back)
	}
	m.mu.Unlock()
	for _, call := range calls {
		call()
	}
}

// resend gives the front end the whole state.
func (m *model) resend() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.push(m.full())
}

// known are the models that the front end has.
type known struct {
	mu  sync.Mutex
	all map[string]*model
}

var models = known{all: map[string]*model{}}

func (k *known) add(m *model) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all[m.id] = m
}

func (k *known) remove(m *model) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.all, m.id)
}

func (k *known) list() []*model {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Collect(maps.Values(k.all))
}

// saved is a model as update_states carries it.
type saved struct {
	Name    string         `json:"model_name"`
	Module  string         `json:"model_module"`
	Version string         `json:"model_module_version"`
	State   map[string]any `json:"state"`
}

type updateStates struct {
	Method      string           `json:"method"`
	States      map[string]saved `json:"states"`
	BufferPaths [][]any          `json:"buffer_paths"`
}

// control answers a front end that asks for all models at once: a page that was loaded again.
func control(c *comm.Comm, message comm.Message) {
	var in incoming
	err := json.Unmarshal(message.Data, &in)
	if err != nil || in.Method != "request_states" {
		report(&MessageError{Widget: controlTarget, Found: fmt.Sprintf("the method %q", in.Method), Want: "request_states",
			Err: err})
		return
	}
	states := map[string]saved{}
	for _, m := range models.list() {
		m.mu.Lock()
		s := m.full()
		m.mu.Unlock()
		text := func(key string) string { t, _ := s[key].(string); return t }
		states[m.id] = saved{text("_model_name"), text("_model_module"), text("_model_module_version"), s}
	}
	if err := c.Send(updateStates{"update_states", states, noPaths}); err != nil {
		report(err)
	}
}
