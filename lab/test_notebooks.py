"""Every notebook runs under nbclient with the installed kernel, and says what the committed one says."""

import json
import pathlib
import re

import nbformat
import pytest
from conftest import KERNEL, ROOT
from nbclient import NotebookClient

NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_runs(path: pathlib.Path, artefacts):
    nb = nbformat.read(path, as_version=4)
    nbformat.validate(nb)
    committed = [texts(c) for c in nb.cells if c.cell_type == "code"]
    NotebookClient(nb, kernel_name=KERNEL, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    nbformat.write(nb, artefacts / path.name)
    for i, (want, cell) in enumerate(zip(committed, (c for c in nb.cells if c.cell_type == "code"))):
        for output in cell.outputs:
            assert output.output_type != "error", output
        if "varies" not in cell.metadata.get("tags", []):
            assert texts(cell) == want, f"cell {i}: {json.dumps(cell.source)[:80]}"


def texts(cell):
    """The text of a cell's outputs, pieces of one stream joined; cells tagged `varies` (times, devices) are not compared."""
    found, before = [], None
    for output in cell.outputs:
        text = "".join(output.get("text") or output.get("data", {}).get("text/plain", ""))
        name = output.get("name")
        if name and name == before:
            found[-1] += text
        else:
            found.append(text)
        before = name
    return [re.sub(r"\s+$", "", text, flags=re.M) for text in found]
