"""Widgets: the protocol as ipywidgets' front end speaks it, and JupyterLab in a browser: a slider moved by keys calls Go,
which redraws a picture."""

import threading
import time

import pytest
from test_lab import CHROMIUM, book, browser, lab, server  # noqa: F401 (fixtures)

in_browser = pytest.mark.skipif(CHROMIUM is None, reason="left out: no Chromium on this machine (install chromium or set CHROMIUM)")
VIEW = "application/vnd.jupyter.widget-view+json"


class Front:
    """The front end's half of the widget protocol, over one kernel."""

    def __init__(self, kernel):
        self.kernel, self.states = kernel, {}

    def take(self, reply):
        self.note(reply.outputs)
        return reply

    def note(self, outputs):
        for m in outputs:
            c = m["content"]
            if m["msg_type"] == "comm_open":
                assert c["target_name"] == "jupyter.widget" and m["metadata"]["version"] == "2.1.0"
                self.states[c["comm_id"]] = dict(c["data"]["state"])
            elif m["msg_type"] == "comm_msg" and c["data"].get("method") in ("update", "echo_update"):
                self.states[c["comm_id"]].update(c["data"]["state"])
        return outputs

    def run(self, code, **kw):
        reply = self.take(self.kernel.run(code, **kw))
        assert reply.status == "ok", reply.reply["content"]
        return reply

    def send(self, comm, data, subshell=None):
        message = self.kernel.client.session.msg("comm_msg", {"comm_id": comm, "data": data})
        message["header"]["subshell_id"] = subshell
        self.kernel.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def change(self, comm, **state):
        return self.answered(self.send(comm, {"method": "update", "state": state, "buffer_paths": []}))

    def answered(self, message_id, timeout=20):
        """What is published until the message is done, whatever its parent."""
        outputs = []
        while True:
            m = self.kernel.client.get_iopub_msg(timeout=timeout)
            if m["msg_type"] != "status":
                outputs.append(m)
            elif m["content"]["execution_state"] == "idle" and m["parent_header"].get("msg_id") == message_id:
                break
        return self.note(outputs)

    def shown(self, reply):
        return reply.result[VIEW]["model_id"]


@pytest.fixture
def front(kernel):
    return Front(kernel)


def printed(outputs, name="stdout"):
    return "".join(m["content"]["text"] for m in outputs if m["msg_type"] == "stream" and m["content"]["name"] == name)


def test_open_carries_the_state(front):
    slider = front.shown(front.run('s := widgets.IntSlider(2, 30).At(4).Description("k")\ns'))
    state = front.states[slider]
    assert (state["_model_module"], state["_model_name"], state["_view_name"]) == ("@jupyter-widgets/controls", "IntSliderModel", "IntSliderView")
    assert (state["value"], state["min"], state["max"], state["description"]) == (4, 2, 30, "k")
    for trait, model in (("layout", "LayoutModel"), ("style", "SliderStyleModel")):
        assert front.states[state[trait].removeprefix("IPY_MODEL_")]["_model_name"] == model
    info = front.kernel.shell("comm_info_request", {"target_name": "jupyter.widget"}).reply["content"]
    assert slider in info["comms"]


KINDS = [
    ("widgets.IntSlider(0, 9)", "value", 3, "3"),
    ("widgets.FloatSlider(0, 1)", "value", 0.25, "0.25"),
    ('widgets.Text("a")', "value", "bé", '"bé"'),
    ('widgets.Checkbox("x", false)', "value", True, "true"),
    ('widgets.Dropdown("a", "b")', "index", 1, '"b"'),
]


@pytest.mark.parametrize("source, trait, value, want", KINDS, ids=lambda v: str(v)[:20])
def test_a_change_reaches_go_and_is_echoed(front, source, trait, value, want):
    comm = front.shown(front.run(f"w := {source}\nw"))
    change = front.send(comm, {"method": "update", "state": {trait: value}, "buffer_paths": []})
    echoes = [m for m in front.answered(change) if m["msg_type"] == "comm_msg"]
    assert [m["content"]["data"] for m in echoes] == [{"method": "echo_update", "state": {trait: value}, "buffer_paths": []}]
    assert echoes[0]["parent_header"]["msg_id"] == change, "a page that sees no echo of its own change takes none of others"
    assert front.run("w.Value()").result["text/plain"] == want


@pytest.mark.parametrize("source, trait, value, said", [
    ("widgets.IntSlider(0, 9)", "value", 10, "want 0 to 9"), ("widgets.IntSlider(0, 9)", "value", "x", "want int"),
    ("widgets.FloatSlider(0, 1)", "value", 1.5, "want 0 to 1"), ('widgets.Dropdown("a")', "index", 1, "want 0 to 0"),
    ('widgets.Dropdown("a")', "index", None, "want one of a"),
])  # fmt: skip
def test_what_cannot_be_is_told_and_taken_back(front, source, trait, value, said):
    comm = front.shown(front.run(f"w := {source}\nw"))
    before = front.states[comm][trait]
    out = front.change(comm, **{trait: value})
    assert said in printed(out, "stderr")
    assert {"method": "update", "state": {trait: before}, "buffer_paths": []} in [m["content"].get("data") for m in out]


def test_callback_and_its_panic(front):
    comm = front.shown(front.run('w := widgets.IntSlider(0, 9)\nw.OnChange(func(v int) { fmt.Println("got", v, 6/(v-5)) })\nw'))
    assert printed(front.change(comm, value=2)) == "got 2 -2\n"
    out = front.change(comm, value=5)
    assert "integer divide by zero" in printed(out, "stderr") and "In[" in printed(out, "stderr")
    assert printed(front.change(comm, value=6)) == "got 6 6\n", "the kernel and the slider live"


def test_callbacks_run_while_a_cell_runs(front):
    comm = front.shown(front.run("stop := make(chan int, 1)\nw := widgets.IntSlider(0, 9).OnChange(func(v int) { stop <- v })\nw"))
    subshell = front.kernel.control("create_subshell_request")["content"]["subshell_id"]
    cell = front.kernel.client.execute('fmt.Println("waiting")\nv := <-stop\nv')
    time.sleep(0.3)
    front.send(comm, {"method": "update", "state": {"value": 7}, "buffer_paths": []}, subshell)
    assert front.take(front.kernel.collect(cell)).result["text/plain"] == "7"
    front.kernel.control("delete_subshell_request", {"subshell_id": subshell})


def test_interrupt_ends_a_callback(front):
    comm = front.shown(front.run("w := widgets.IntSlider(0, 9).OnChange(func(int) { for {} })\nw"))
    message = front.send(comm, {"method": "update", "state": {"value": 7}, "buffer_paths": []})
    threading.Timer(0.3, front.kernel.manager.interrupt_kernel).start()
    start = time.monotonic()
    out = front.answered(message)
    assert time.monotonic() - start < 3 and "Interrupted" in printed(out, "stderr")
    assert front.run("w.Value()").result["text/plain"] == "7"


def test_button_and_text_events(front):
    box = front.shown(front.run('b := widgets.Button("go").OnClick(func() { fmt.Println("clicked") })\n'
                                't := widgets.Text("x").OnSubmit(func(s string) { fmt.Println("sent", s) })\nwidgets.HBox(b, t)'))
    button, text = (c.removeprefix("IPY_MODEL_") for c in front.states[box]["children"])
    out = front.answered(front.send(button, {"method": "custom", "content": {"event": "click"}}))
    assert printed(out) == "clicked\n"
    out = front.answered(front.send(text, {"method": "custom", "content": {"event": "submit"}}))
    assert printed(out) == "sent x\n"


def test_interact_redraws(front):
    reply = front.run("i := widgets.Interact(func(k int, up bool) any { return display.Markdown(fmt.Sprint(k, up)) }, "
                      'widgets.IntSlider(0, 9), widgets.Checkbox("up", true))\ni')
    slider, box, output = (c.removeprefix("IPY_MODEL_") for c in front.states[front.shown(reply)]["children"])
    assert reply.result["text/markdown"] == "0 true", "a saved notebook shows what was drawn first"
    assert front.states[output]["outputs"][0]["data"]["text/markdown"] == "0 true"
    front.change(slider, value=3)
    front.change(box, value=False)
    assert front.states[output]["outputs"][0]["data"]["text/markdown"] == "3 false"


def test_many_changes_are_few_messages(front):
    """Pages draw some hundred states a second: a loop that sets more is not slowed, and the last one arrives."""
    box = front.shown(front.run('bar := widgets.IntProgress(0, 10000)\nsays := widgets.Label("")\nwidgets.VBox(bar, says)'))
    bar, says = (c.removeprefix("IPY_MODEL_") for c in front.states[box]["children"])
    start = time.monotonic()
    reply = front.run("for i := range 10000 {\n\tbar.Set(i + 1)\n\tsays.Set(fmt.Sprint(i + 1))\n}")
    assert time.monotonic() - start < 5 and len(reply.of("comm_msg")) < 400
    assert (front.states[bar]["value"], front.states[says]["value"]) == (10000, "10000"), "before the cell's idle"
    reply = front.run('h := display.ShowHandle("")\nfor i := range 10000 {\n\th.Update(display.Markdown(fmt.Sprint(i + 1)))\n}')
    updates = reply.of("update_display_data")
    assert len(updates) < 400 and updates[-1]["data"]["text/markdown"] == "10000"


def test_output_captures(front):
    output = front.shown(front.run("o := widgets.Output()\no"))
    reply = front.run('o.Capture(func() { fmt.Println("inside"); display.Show(1) })\nfmt.Println("outside")')
    order = []
    for m in reply.outputs:
        c = m["content"]
        if m["msg_type"] == "comm_msg" and c["comm_id"] == output:
            order.append("capture" if c["data"]["state"]["msg_id"] == m["parent_header"]["msg_id"] else c["data"]["state"]["msg_id"])
        elif m["msg_type"] in ("stream", "display_data"):
            order.append(c.get("text") or c["data"]["text/plain"])
    assert order == ["capture", "inside\n", "1", "", "outside\n"]


def test_states_of_all_models_at_once(front):
    """As a page that is loaded again asks for them."""
    comm = front.shown(front.run("w := widgets.IntSlider(0, 9).At(6)\nw"))
    session = front.kernel.client.session
    open_ = session.msg("comm_open", {"comm_id": "control", "target_name": "jupyter.widget.control", "data": {}})
    front.kernel.client.shell_channel.send(open_)
    front.answered(open_["header"]["msg_id"])
    out = front.answered(front.send("control", {"method": "request_states"}))
    (data,) = [m["content"]["data"] for m in out if m["msg_type"] == "comm_msg"]
    assert data["method"] == "update_states" and data["buffer_paths"] == []
    assert data["states"][comm]["model_name"] == "IntSliderModel" and data["states"][comm]["state"]["value"] == 6
    assert data["states"][comm]["state"]["layout"].startswith("IPY_MODEL_")
    out = front.answered(front.send(comm, {"method": "request_state"}))
    assert [m["content"]["data"]["state"]["value"] for m in out if m["msg_type"] == "comm_msg"] == [6]


def test_comms_of_a_cell(front):
    """The comms below the widgets: a target that Go registers, one that it opens, and one that nobody knows."""
    front.run('comm.Register("sum", func(c *comm.Comm, m comm.Message) {\n'
              "\tc.OnMessage(func(m comm.Message) { c.Send(map[string]int{\"bytes\": len(m.Buffers[0])}, m.Buffers...) })\n"
              '\tc.OnClose(func(comm.Message) { fmt.Println("closed") })\n})')
    client = front.kernel.client

    def send(kind, content, buffers=()):
        m = client.session.msg(kind, content)
        client.session.send(client.shell_channel.socket, m, buffers=list(buffers))
        return front.answered(m["header"]["msg_id"])

    send("comm_open", {"comm_id": "s", "target_name": "sum", "data": {}})
    (m,) = send("comm_msg", {"comm_id": "s", "data": {}}, [b"abc"])
    assert m["content"]["data"] == {"bytes": 3} and bytes(m["buffers"][0]) == b"abc"
    assert printed(send("comm_close", {"comm_id": "s", "data": {}})) == "closed\n"
    (m,) = send("comm_open", {"comm_id": "n", "target_name": "nobody", "data": {}})
    assert m["msg_type"] == "comm_close" and m["content"]["comm_id"] == "n"


@in_browser
def test_slider_in_jupyterlab(lab, artefacts):  # noqa: F811
    lab.open("07-widgets.ipynb")
    lab.run_all()
    page = lab.page
    page.wait_for_selector(".jp-OutputArea-output .widget-slider .noUi-handle", timeout=30000)
    cell = page.locator(".jp-Notebook-cell", has=page.locator(".widget-slider")).first
    picture = cell.locator(".widget-output img, .widget-output svg").first
    picture.wait_for(timeout=20000)
    source = "e => e.getAttribute('src') || e.outerHTML"
    before, value = picture.evaluate(source), cell.locator(".widget-readout").first.inner_text()
    picture.scroll_into_view_if_needed()
    page.screenshot(path=artefacts / "widgets-before.png")
    cell.locator(".noUi-handle").first.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("([c, v]) => c.querySelector('.widget-readout').innerText !== v", arg=[cell.element_handle(), value])
    idle(page)
    now = cell.locator(".widget-readout").first.inner_text()
    after = cell.locator(".widget-output img, .widget-output svg").first.evaluate(source)
    assert after != before, "the plot is another one"
    page.screenshot(path=artefacts / "widgets-after.png")
    assert abs(float(evaluate(lab, "rate.Value()")) - float(now)) < 1e-4, "the readout is rounded"
    evaluate(lab, "rate.Set(0.05)")
    page.wait_for_function("c => Number(c.querySelector('.widget-readout').innerText) === 0.05", arg=cell.element_handle())
    assert not lab.errors, lab.errors


@in_browser
def test_a_slider_follows_other_pages(book):  # noqa: F811
    """A page that has moved it takes what another page sets: it waits for the echo of its own change, told by its parent, and no longer."""
    book.run("w := widgets.IntSlider(0, 9)\nw")
    page = book.page
    page.locator(".widget-slider .noUi-handle").focus()
    page.keyboard.press("ArrowRight")
    readout = "v => document.querySelector('.widget-readout').innerText === v"
    page.wait_for_function(readout, arg="1", timeout=10000)
    idle(page)
    page.evaluate("""async () => {
        const notebook = window.jupyterapp.shell.currentWidget;
        const id = notebook.content.activeCell.model.outputs.get(0).data['application/vnd.jupyter.widget-view+json'].model_id;
        const comm = await notebook.sessionContext.session.kernel._comms.get(id);
        comm.send({ method: 'update', state: { value: 7 }, buffer_paths: [] }); }""")
    page.wait_for_function(readout, arg="7", timeout=10000)


@in_browser
def test_buttons_and_output_in_jupyterlab(lab, artefacts):  # noqa: F811
    lab.open("07-widgets.ipynb")
    lab.run_all()
    page = lab.page
    cell = page.locator(".jp-Notebook-cell", has=page.locator(".widget-button", has_text="greet")).first
    cell.locator(".widget-text input").fill("Ada")
    cell.locator(".widget-dropdown select").select_option(label="Servus")
    cell.locator(".widget-checkbox input").check()
    idle(page)
    cell.locator(".widget-button", has_text="greet").click()
    page.wait_for_function("c => c.querySelector('.widget-output')?.innerText.includes('SERVUS, ADA!')", arg=cell.element_handle())
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lab.theme(theme)
        cell.scroll_into_view_if_needed()
        page.screenshot(path=artefacts / f"widgets-{theme.split()[-1].lower()}.png")
    # A slider reaches Go while a cell runs, on a subshell.
    page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCell")
    lab.command("notebook:insert-cell-below")
    set_source(lab, "stop.Store(false)\nfor !stop.Load() { time.Sleep(10 * time.Millisecond) }")
    lab.command("notebook:run-cell")
    status(page, "busy")
    page.locator(".widget-button", has_text="stop").click()
    status(page, "idle")
    assert not lab.errors, lab.errors


def status(page, want):
    page.wait_for_function("s => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === s", arg=want, timeout=20000)


def idle(page):
    page.wait_for_timeout(300)
    status(page, "idle")


def set_source(lab, source):  # noqa: F811
    lab.page.wait_for_function("() => window.jupyterapp.shell.currentWidget.content.activeCell.model.type === 'code'")
    lab.page.evaluate("s => window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.setSource(s)", source)


def evaluate(lab, source):  # noqa: F811
    """The text of a cell's result, by the page's own connection to the kernel."""
    return lab.page.evaluate("""async source => {
        const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
        const future = kernel.requestExecute({ code: source, store_history: false });
        let text = '';
        future.onIOPub = m => { if (m.header.msg_type === 'execute_result') text = m.content.data['text/plain']; };
        await future.done; return text; }""", source)
