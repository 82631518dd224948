"""Papermill's parameters as Go declarations.

Papermill has no entry-point group for translators, but it loads the entry points of papermill.engine
when it is imported: Engine is one, papermill's own under another name, and with it comes the registration.

A parameter keeps the type that the notebook's own cell declares it with, where that type holds the value: 2 for
`rate := 0.5` is a float64. Papermill shows that cell (inspect) before it asks for the code (codify).
"""

import contextvars
import math
import re
import unicodedata
import weakref

from papermill.engines import NBClientEngine
from papermill.exceptions import PapermillException
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators

KEYWORDS = frozenset(
    "break case chan const continue default defer else fallthrough for func go goto if import "
    "interface map package range return select struct switch type var".split()
)
# Names that Go does not let be variables of a package, and those that the declarations themselves are made of.
RESERVED = frozenset(("_", "init", "main", "any", "bool", "false", "float64", "int", "nil", "string", "true"))
SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
DECLARED = re.compile(r"^(?:var\s+)?(?P<name>\w+)(?:\s+(?P<type>[^=:\s][^=:]*?))?\s*:?=\s*(?P<value>.*?)\s*(?://\s*(?P<help>.*))?$")

# The bits of integer types, and whether they have a sign.
INTEGERS = {f"{u}int{n or ''}": (n or 64, not u) for u in ("", "u") for n in (0, 8, 16, 32, 64)} | {"byte": (8, False), "rune": (32, True)}
FLOATS = {"float32": 3.4028234663852886e38, "float64": math.inf}
# What a default says of its type, where the declaration does not.
DEFAULTS = (
    (re.compile(r"[+-]?\d[\d_]*$"), "int"),
    (re.compile(r"[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?$"), "float64"),
    (re.compile(r'["`]'), "string"),
    (re.compile(r"(?:true|false)$"), "bool"),
    (re.compile(r"(?P<type>u?int(?:8|16|32|64)?|byte|rune|float32|float64)\(.*\)$"), None),
    (re.compile(r"(?P<type>(?:\[\]|map\[\w+\])+[\w.]+)\s*\{.*\}$"), None),
)
ELEMENTS = re.compile(r"(?:\[\]|map\[(?P<key>\w+)\])(?P<type>.+)$")
# The types of the parameters cell that was shown last, and that cell: of a notebook that is gone they say nothing.
shown = contextvars.ContextVar("shown", default=(lambda: None, {}))


def is_letter(c):
    return c == "_" or unicodedata.category(c).startswith("L")


def check_name(name):
    """Refuses what the Go spec's identifier rule refuses."""
    ok = name and is_letter(name[0]) and all(is_letter(c) or unicodedata.category(c) == "Nd" for c in name)
    if not ok or name in KEYWORDS or name in RESERVED:
        raise PapermillException(f"parameter {name!r} cannot be a Go variable: rename it")


def quote(text):
    """An interpreted string literal; what does not print is escaped."""
    return '"' + "".join(map(escape, text)) + '"'


def escape(c):
    if c in SHORT:
        return SHORT[c]
    if 0xD800 <= ord(c) <= 0xDFFF:
        raise PapermillException(f"a string holds the lone surrogate U+{ord(c):04X}, which Go's strings of UTF-8 cannot: remove it")
    if c.isprintable():
        return c
    return f"\\u{ord(c):04x}" if ord(c) <= 0xFFFF else f"\\U{ord(c):08x}"


def exact(n):
    """Whether the int n is a float64 to the last digit."""
    try:
        return int(float(n)) == n
    except OverflowError:
        return False


def type_of(val):
    """The Go type that a value gets."""
    if val is None:
        return "any"
    if isinstance(val, bool):
        return "bool"
    if isinstance(val, int):
        return "int"
    if isinstance(val, float):
        return "float64"
    if isinstance(val, dict):
        return f"map[{common(list(val))}]{common(list(val.values()))}"
    if isinstance(val, (list, tuple)):
        return "[]" + common(val)
    return "string"


def common(values):
    """The one type of all values; float64 where ints and floats mix without loss; any otherwise."""
    types = {type_of(v) for v in values}
    if len(types) == 1:
        return types.pop()
    if types == {"int", "float64"} and all(isinstance(v, float) or exact(v) for v in values):
        return "float64"
    return "any"


def default_type(text):
    """The type of a default such as 0.5, uint8(1) or []string{"a"}; None where its text does not say."""
    for pattern, name in DEFAULTS:
        if m := pattern.match(text):
            return name or m["type"]
    return None


def holds(kind, val):
    """Whether a variable of type kind holds val as it is."""
    if kind in INTEGERS:
        bits, signed = INTEGERS[kind]
        low, high = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
        return isinstance(val, int) and not isinstance(val, bool) and low <= val < high
    if kind in FLOATS:
        number = isinstance(val, (int, float)) and not isinstance(val, bool)
        return number and (isinstance(val, float) or exact(val)) and (kind == "float64" or not needs_math(val) and abs(val) <= FLOATS[kind])
    if kind in ("string", "bool"):
        return type_of(val) == kind
    if kind in ("any", "interface{}"):
        return True
    if m := ELEMENTS.match(kind):
        if m["key"]:
            return isinstance(val, dict) and all(holds(m["key"], k) and holds(m["type"], v) for k, v in val.items())
        return isinstance(val, (list, tuple)) and all(holds(m["type"], v) for v in val)
    return False


class GoTranslator(Translator):
    """Each parameter becomes `var name type = value`; what Go cannot hold is refused."""

    @classmethod
    def translate_str(cls, val):
        return quote(val)

    @classmethod
    def translate_escaped_str(cls, val):
        return quote(str(val))

    @classmethod
    def translate_none(cls, val):
        return "nil"

    @classmethod
    def translate_int(cls, val):
        if not -(1 << 63) <= val < 1 << 63:
            raise PapermillException(f"{val} does not fit Go's int of 64 bits: pass it as a string")
        return str(int(val))

    @classmethod
    def translate_float(cls, val):
        if math.isnan(val):
            return "math.NaN()"
        if math.isinf(val):
            return f"math.Inf({1 if val > 0 else -1})"
        if val == 0 and math.copysign(1, val) < 0:
            return "math.Copysign(0, -1)"  # the constant -0.0 is +0 in Go
        return repr(float(val))

    @classmethod
    def translate_list(cls, val):
        return type_of(val) + "{" + ", ".join(map(cls.translate, val)) + "}"

    @classmethod
    def translate_dict(cls, val):
        return type_of(val) + "{" + ", ".join(f"{cls.translate(k)}: {cls.translate(v)}" for k, v in val.items()) + "}"

    @classmethod
    def translate(cls, val):
        return cls.translate_list(val) if isinstance(val, tuple) else super().translate(val)

    @classmethod
    def translate_as(cls, kind, val):
        """The value for a variable of a type that holds it."""
        m = ELEMENTS.match(kind)
        if m and m["key"]:
            return kind + "{" + ", ".join(f"{cls.translate_as(m['key'], k)}: {cls.translate_as(m['type'], v)}" for k, v in val.items()) + "}"
        if m:
            return kind + "{" + ", ".join(cls.translate_as(m["type"], v) for v in val) + "}"
        return str(val) if kind in INTEGERS else cls.translate(val)

    @classmethod
    def comment(cls, text):
        return "\n".join(f"// {line}".rstrip() for line in text.splitlines())

    @classmethod
    def codify(cls, parameters, comment="Parameters"):
        lines = []
        cell, declared = shown.get()
        for name, val in parameters.items():
            check_name(name)
            kind = declared.get(name) if cell() is not None else None
            if kind and holds(kind, val):
                lines.append(f"var {name} {kind} = {cls.translate_as(kind, val)}")
            else:
                lines.append(f"var {name} {type_of(val)} = {cls.translate(val)}")
        imports = ['import "math"'] if any(needs_math(v) for v in parameters.values()) else []
        if imports and "math" in parameters:
            raise PapermillException("parameter 'math' stands beside a NaN, an infinity or -0, which need Go's package math: rename it")
        return "\n".join([cls.comment(comment), *imports, *lines]) + "\n"

    @classmethod
    def inspect(cls, parameters_cell):
        """The declarations of one line; papermill warns about a parameter that is not among them."""
        found = []
        for line in parameters_cell.source.splitlines():
            m = DECLARED.match(line.strip())
            if m and m["name"] not in KEYWORDS:
                found.append(Parameter(name=m["name"], inferred_type_name=m["type"] or "None", default=m["value"], help=m["help"] or ""))
        kinds = {p.name: default_type(p.default) if p.inferred_type_name == "None" else p.inferred_type_name for p in found}
        shown.set((weakref.ref(parameters_cell), kinds))
        return found


def needs_math(val):
    if isinstance(val, float):
        return not math.isfinite(val) or (val == 0 and math.copysign(1, val) < 0)
    if isinstance(val, dict):
        return any(map(needs_math, val)) or any(map(needs_math, val.values()))
    return isinstance(val, (list, tuple)) and any(map(needs_math, val))


class Engine(NBClientEngine):
    """Papermill's own engine, under the name vyre."""


papermill_translators.register("vyre", GoTranslator)
if "go" not in papermill_translators._translators:  # another package's choice for Go stays
    papermill_translators.register("go", GoTranslator)
