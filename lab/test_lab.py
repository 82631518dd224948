"""JupyterLab in headless Chromium, as a person uses it: open the tour, Run All, look at the page in both themes."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from conftest import ROOT

CHROMIUM = os.environ.get("CHROMIUM") or next(
    (p for n in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(n))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="left out: no Chromium on this machine (install chromium or set CHROMIUM)")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run",
         "--disable-component-update", "--disable-sync"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    home = tmp_path_factory.mktemp("lab")
    work = home / "notebooks"
    shutil.copytree(ROOT / "notebooks", work)
    settings = home / "settings" / "@jupyterlab"
    (settings / "notebook-extension").mkdir(parents=True)
    (settings / "apputils-extension").mkdir(parents=True)
    # Cells that are off screen are in the page only without windowing.
    (settings / "notebook-extension" / "tracker.jupyterlab-settings").write_text(json.dumps({"windowingMode": "none"}))
    (settings / "apputils-extension" / "notification.jupyterlab-settings").write_text(
        json.dumps({"fetchNews": "false", "checkForUpdates": False}))
    port = free_port()
    env = dict(os.environ, JUPYTERLAB_SETTINGS_DIR=str(home / "settings"), JUPYTERLAB_WORKSPACES_DIR=str(home / "workspaces"),
               JUPYTER_RUNTIME_DIR=str(home / "runtime"), JUPYTER_CONFIG_DIR=str(home / "config"))
    log = open(home / "lab.log", "w")
    p = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
         "--IdentityProvider.token=t", f"--ServerApp.root_dir={work}", "--LabApp.expose_app_in_browser=True", "--ServerApp.open_browser=False"],
        stdout=log, stderr=log, env=env)
    url = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{url}/api?token=t", timeout=1)
            break
        except OSError:
            assert p.poll() is None, (home / "lab.log").read_text()
            time.sleep(0.1)
    yield url
    p.terminate()
    p.wait(20)


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        b = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield b
        b.close()


class Lab:
    def __init__(self, page, url):
        self.page, self.url, self.errors = page, url, []
        page.on("pageerror", lambda e: self.errors.append(str(e)))

    def open(self, name):
        self.page.goto(f"{self.url}/lab/tree/{name}?reset&token=t")
        self.page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.content?.widgets?.length > 0", timeout=60000)
        self.page.wait_for_function(
            "() => window.jupyterapp.shell.currentWidget.sessionContext?.session?.kernel?.status === 'idle'", timeout=60000)

    def command(self, name, args=None):
        # Not its promise: that of a run is kept only when the cells are done.
        self.page.evaluate("([n, a]) => { window.jupyterapp.commands.execute(n, a) }", [name, args or {}])

    def run_all(self, timeout=120):
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(
            """() => { const nb = window.jupyterapp.shell.currentWidget;
                return nb.content.widgets.filter(c => c.model.type === 'code' && c.model.sharedModel.getSource().trim())
                    .every(c => c.model.executionCount && c.model.executionState !== 'running')
                  && nb.sessionContext.session.kernel.status === 'idle'; }""", timeout=timeout * 1000)

    def theme(self, name):
        self.command("apputils:change-theme", {"theme": name})
        light = "true" if name.endswith("Light") else "false"
        self.page.wait_for_function(f"() => document.body.dataset.jpThemeLight === '{light}'", timeout=20000)
        self.page.wait_for_timeout(500)


@pytest.fixture
def lab(browser, server):
    context = browser.new_context(viewport={"width": 1280, "height": 1000}, device_scale_factor=2)
    yield Lab(context.new_page(), server)
    context.close()


CONTRAST = """(selector) => [...document.querySelectorAll(selector)].map(e => {
  const lum = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
                     return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const rgba = s => { const m = s.match(/[\\d.]+/g).map(Number); return m.length === 3 ? [...m, 1] : m; };
  let back = null; for (let p = e; p; p = p.parentElement) { const c = rgba(getComputedStyle(p).backgroundColor); if (c[3] > 0.5) { back = c; break; } }
  back = back || [255, 255, 255, 1];
  const a = lum(rgba(getComputedStyle(e).color).slice(0, 3)), b = lum(back.slice(0, 3));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })"""


def test_tour_run_all_in_both_themes(lab, artefacts):
    lab.open("01-tour.ipynb")
    lab.run_all()
    page = lab.page
    errors = page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr'], .jp-RenderedText[data-mime-type='application/vnd.jupyter.error']")
    assert errors.count() == 0, errors.all_inner_texts()
    tables = page.locator(".jp-OutputArea-output table")
    assert tables.count() >= 3
    plan = page.locator(".jp-OutputArea-output table", has_text="avoided")
    assert plan.count() >= 1, "the plan table is in the page"
    images = page.evaluate("""() => [...document.querySelectorAll('.jp-OutputArea-output img')].map(i => ({
        complete: i.complete, natural: i.naturalWidth, shown: i.getBoundingClientRect().width }))""")
    svgs = page.locator(".jp-OutputArea-output svg, .jp-OutputArea-output img[src*='svg']").count()
    assert images or svgs, "the timing plot is in the page"
    assert all(i["complete"] and i["natural"] > 0 and i["shown"] > 100 for i in images), images
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        lab.theme(theme)
        ratios = page.evaluate(CONTRAST, ".jp-OutputArea-output td, .jp-OutputArea-output th")
        assert min(ratios) >= 4.5, f"{theme}: contrast of a table cell is {min(ratios):.2f}"
        shots(page, artefacts, "tour-" + theme.split()[-1].lower())
    assert not lab.errors, lab.errors


def shots(page, artefacts, name):
    """The whole notebook, a screenful a file."""
    panel = page.locator(".jp-WindowedPanel-outer").first
    height, view = panel.evaluate("e => [e.scrollHeight, e.clientHeight]")
    for i in range(-(-height // view)):
        panel.evaluate("(e, y) => { e.scrollTop = y }", i * view)
        page.wait_for_timeout(150)
        page.screenshot(path=artefacts / f"{name}-{i + 1}.png")


def test_error_interrupt_and_completion(lab, artefacts):
    lab.open("01-tour.ipynb")
    page = lab.page
    lab.command("notebook:insert-cell-below")
    page.wait_for_function("() => window.jupyterapp.shell.currentWidget.content.activeCell.model.type === 'code'")

    def run(source):
        page.evaluate("s => window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.setSource(s)", source)
        lab.command("notebook:run-cell")

    active = ".jp-Notebook-cell.jp-mod-active"
    run('s := []int{1}\ns[3]')
    page.wait_for_selector(f"{active} .jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']", timeout=20000)
    text = page.locator(f"{active} .jp-OutputArea-output").inner_text()
    assert "index out of range [3] with length 1" in text and "In[" in text
    page.screenshot(path=artefacts / "error.png")
    run("for {}")
    page.wait_for_function("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'", timeout=10000)
    lab.command("notebook:interrupt-kernel")
    page.wait_for_function("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'", timeout=5000)
    run("len(s)")
    page.wait_for_selector(f"{active} .jp-OutputArea-executeResult", timeout=20000)
    assert page.locator(f"{active} .jp-OutputArea-executeResult .jp-OutputArea-output").inner_text().strip() == "1"
    assert not lab.errors, lab.errors


STATUS = "s => window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === s"
SOURCE = "() => window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.getSource()"
ACTIVE = ".jp-Notebook-cell.jp-mod-active"


@pytest.fixture
def book(lab):
    """A notebook of one empty cell, in the page, with its kernel at work."""
    return Book(lab, f"keys-{time.monotonic_ns()}.ipynb")


class Book:
    """One cell, written and run by keys alone."""

    def __init__(self, lab, name):
        self.lab, self.page, self.name = lab, lab.page, name
        spec = {"name": "vyre", "display_name": "Go (vyre)", "language": "go"}
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("")], metadata={"kernelspec": spec})
        content = {"type": "notebook", "format": "json", "content": nb}
        request = urllib.request.Request(f"{lab.url}/api/contents/{name}?token=t", json.dumps(content).encode(), method="PUT")
        urllib.request.urlopen(request, timeout=10)
        lab.open(name)

    def edit(self):
        self.page.locator(f"{ACTIVE} .cm-content").click()
        self.page.wait_for_selector(f"{ACTIVE}.jp-mod-editMode, .jp-mod-editMode {ACTIVE}")

    def write(self, source):
        """Replaces the active cell's text; the cursor is at its end."""
        self.edit()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(source)

    def run(self, source):
        """Runs source in the active cell and gives its outputs' text."""
        self.write(source)
        before = self.count()
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_function(
            "b => { const m = window.jupyterapp.shell.currentWidget.content.activeCell.model;"
            " return m.executionCount && m.executionCount !== b && m.executionState === 'idle'; }", arg=before, timeout=20000)
        return self.output()

    def count(self):
        return self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCell.model.executionCount")

    def output(self):
        return "\n".join(self.page.locator(f"{ACTIVE} .jp-OutputArea-output").all_inner_texts()).strip()

    def status(self, want):
        self.page.wait_for_function(STATUS, arg=want, timeout=30000)


GOROUTINES = """jobs, done := make(chan int), make(chan bool)
func worker(id int, jobs <-chan int) {
	for n := range jobs {
		fmt.Println(id, n)
	}
}
for id := range 12 {
	go worker(id, jobs)
}
go func() {
	time.Sleep(time.Hour)
	done <- true
}()
<-done"""


def test_interrupt_lists_the_goroutines_of_the_cell(book, artefacts):
    page = book.page
    book.write(GOROUTINES)
    page.keyboard.press("Control+Enter")
    book.status("busy")
    page.wait_for_timeout(300)
    book.lab.command("notebook:interrupt-kernel")
    book.status("idle")
    page.wait_for_selector(f"{ACTIVE} .jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']")
    text = book.output()
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        book.lab.theme(theme)
        page.screenshot(path=artefacts / f"interrupt-{theme.split()[1].lower()}.png")
        seen = page.evaluate(CONTRAST, f"{ACTIVE} .jp-OutputArea-output pre, {ACTIVE} .jp-OutputArea-output pre span")
        assert min(seen) >= 4.5, f"{theme}: contrast {min(seen):.1f}"
    book.lab.theme("JupyterLab Light")
    lines = text.splitlines()
    assert lines[:4] == ["Interrupted", "  main.In[1]  In[1]:14:1", "    <-done", "    ^"], text
    assert lines[4] == "Other goroutines of the cells:" and "  12 goroutines [chan receive] at main.worker In[1]:3:2, started at In[1]:8:2" in lines, text
    assert any(" [sleep] at main.In[1].func1 In[1]:11:12, started at In[1]:10:1" in line for line in lines), text
    assert lines[-1] == "The cell ended, its state is kept."


def test_tab_shows_and_inserts_a_member(book, artefacts):
    page = book.page
    book.run("type point struct{ Across, Along int }\nfunc (p point) Area() int { return p.Across * p.Along }\np := point{6, 7}")
    book.write("p.A")
    page.keyboard.press("Tab")
    page.wait_for_selector(".jp-Completer-item", timeout=10000)
    items = [t.split("\n")[0].strip() for t in page.locator(".jp-Completer-item .jp-Completer-match").all_inner_texts()]
    assert set(items) == {"Across", "Along", "Area"}, items
    page.screenshot(path=artefacts / "complete.png")
    page.locator(".jp-Completer-item", has_text="Along").click()
    page.wait_for_function(f"() => ({SOURCE})() === 'p.Along'", timeout=10000)
    page.wait_for_selector(".jp-Completer-item", state="hidden")
    book.write("strings.ToUpperSp")  # a package that no cell has imported yet
    page.keyboard.press("Tab")
    page.wait_for_selector(".jp-Completer-item", timeout=10000)
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({SOURCE})() === 'strings.ToUpperSpecial'", timeout=10000)
    assert not book.lab.errors, book.lab.errors


def test_shift_tab_shows_signature_and_documentation(book, artefacts):
    page = book.page
    book.write("strings.ToUpper")
    page.keyboard.press("Shift+Tab")
    page.wait_for_selector(".jp-Tooltip-content", timeout=10000)
    text = page.locator(".jp-Tooltip-content").inner_text()
    assert "func strings.ToUpper(s string) string" in text
    assert "mapped to their upper case" in text
    page.screenshot(path=artefacts / "inspect.png")
    assert "mapped to their upper case" in book.run("%help strings.ToUpper"), "what goes to the pager is shown below the cell"
    assert not book.lab.errors, book.lab.errors


def test_restart_forgets_and_works_again(book):
    page = book.page
    assert book.run("gone := 40\ngone + 2") == "42"
    assert book.run("gone + 3") == "43"
    book.lab.command("kernelmenu:restart")
    page.locator(".jp-Dialog button.jp-mod-accept").click()
    page.wait_for_selector(".jp-Dialog", state="detached")
    page.wait_for_timeout(500)
    book.status("idle")
    assert "undefined: gone" in book.run("gone + 4")
    assert book.run("gone := 1\ngone") == "1"
    assert not book.lab.errors, book.lab.errors


def test_input_is_asked_for_and_answered_by_keys(book, artefacts):
    page = book.page
    book.write('var name string\nvar n int\nfmt.Print("who, how often? ")\nfmt.Scan(&name, &n)\nstrings.Repeat(name, n)')
    page.keyboard.press("Control+Enter")
    box = page.locator(f"{ACTIVE} input.jp-Stdin-input")
    box.wait_for(timeout=20000)
    book.status("busy")
    page.screenshot(path=artefacts / "input.png")
    box.focus()
    page.keyboard.type("ada 3")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{ACTIVE} .jp-OutputArea-executeResult", timeout=20000)
    assert page.locator(f"{ACTIVE} .jp-OutputArea-executeResult .jp-OutputArea-output").inner_text().strip() == '"adaadaada"'
    book.status("idle")
    assert not book.lab.errors, book.lab.errors


def test_saved_closed_and_opened_again(book):
    page = book.page
    book.run('fmt.Println("kept text")\n[]struct{ Name string; Size int }{{"a", 1}, {"b", 2}}')
    assert page.locator(".jp-OutputArea-output table td").count() >= 4
    page.keyboard.press("Control+S")
    page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    book.lab.command("application:close")
    page.wait_for_selector(".jp-NotebookPanel", state="detached")
    book.lab.command("docmanager:open", {"path": book.name})
    page.wait_for_selector(".jp-OutputArea-output table td", timeout=20000)
    assert "kept text" in page.locator(".jp-OutputArea-output").first.inner_text()
    saved = json.loads(urllib.request.urlopen(f"{book.lab.url}/api/contents/{book.name}?content=1&token=t", timeout=10).read())["content"]
    (cell,) = saved["cells"]
    assert [o["output_type"] for o in cell["outputs"]] == ["stream", "execute_result"]
    assert cell["outputs"][0]["text"] == "kept text\n"
    assert {"text/plain", "text/html"} <= set(cell["outputs"][1]["data"])
    assert not book.lab.errors, book.lab.errors
