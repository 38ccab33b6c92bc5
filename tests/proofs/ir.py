"""Parses the text of LLVM's intermediate language: types, constants, attributes and functions.

`machine.py` evaluates the functions. An unknown type, attribute or flag is an error (`Unknown`).
The parser never skips it.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

import z3


class Unknown(Exception):
    """A construct that this reader does not support, or a program with a forbidden operation."""


@dataclass(frozen=True)
class Type:
    """A type of one or more lanes. `element` is the width of a lane in bits, or 0 for a pointer.

    For a structure or an array of structures, `members` has the types, and the other fields have no
    meaning, except `packed`.
    """

    element: int = 0
    lanes: int = 1
    vector: bool = False
    members: tuple["Type", ...] = ()
    packed: bool = False

    def bits(self) -> int:
        """Returns the width of a lane in memory, in bits."""
        return self.element or 64

    def size(self) -> int:
        """Returns the length in memory, in bytes."""
        if self.members:
            return sum(member.size() for member in self.members)
        if self.element % 8 and not (self.element == 1 and not self.vector):
            raise Unknown(f"a lane of {self.element} bits in memory")
        return self.lanes * ((self.bits() + 7) // 8)


@dataclass(frozen=True)
class Pointer:
    """A place in an object: a 64-bit offset in bytes."""

    object: "Object"
    offset: z3.BitVecRef


# A number, a pointer, or `None` for a lane without a value.
Lane = z3.BitVecRef | Pointer | None


@dataclass(eq=False)
class Object:
    """A piece of memory. Each byte is a lane and the index of the byte in the lane, or `None` if it
    was not written."""

    name: str
    align: int
    bytes: list[tuple[z3.BitVecRef | Pointer, int] | None]
    writable: bool = True


@dataclass
class Value:
    type: Type
    lanes: list[Lane]


def number(value: int, bits: int) -> z3.BitVecRef:
    return z3.BitVecVal(value, bits)


def constant(term: Lane) -> int | None:
    """Returns the value of a term that is the same number for all inputs, or None."""
    if isinstance(term, z3.BitVecNumRef):
        return term.as_long()
    folded = z3.simplify(term) if isinstance(term, z3.BitVecRef) else None
    return folded.as_long() if isinstance(folded, z3.BitVecNumRef) else None


def folded(term: z3.BitVecRef) -> z3.BitVecRef:
    """Returns the value of the term if all its operands are constants, and otherwise the term."""
    return z3.simplify(term) if all(z3.is_bv_value(child) for child in term.children()) else term


TOKEN = re.compile(
    r'[%@](?:"[^"]*"|[-\w.$]+)|c"[^"]*"|"[^"]*"|![\w.]*|#\d+|-?\d+\.\d+e[+-]\d+|-?\w[\w.]*|[(){}<>\[\],=*]|\S'
)


class Reader:
    """A reader for the tokens of a line, from left to right."""

    def __init__(self, text: str):
        self.tokens = TOKEN.findall(text)
        self.text = text
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def take(self, token: str) -> bool:
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.take(token):
            raise Unknown(f"{token!r} expected, not {self.peek()!r}: {self.text}")

    def one_of(self, words: set[str]) -> set[str]:
        """Reads tokens as long as they are in `words`, and returns them."""
        taken = set()
        while self.peek() in words:
            taken.add(self.next())
        return taken

    def type(self) -> Type:
        token = self.next()
        if token == "ptr":
            return Type()
        if token in ("double", "float"):
            return Type(64 if token == "double" else 32)
        if re.fullmatch(r"i\d+", token):
            return Type(int(token[1:]))
        if token in ("<", "[") and self.peek() != "{":
            lanes = int(self.next())
            self.expect("x")
            inner = self.type()
            self.expect(">" if token == "<" else "]")
            if token == "<" or (not inner.vector and not inner.members and inner.lanes == 1):
                return Type(inner.element, lanes, token == "<")
            return Type(members=(inner,) * lanes)
        if token in ("<", "{"):
            packed = token == "<"
            if packed:
                self.expect("{")
            members = []
            while not self.take("}"):
                members.append(self.type())
                self.take(",")
            if packed:
                self.expect(">")
            return Type(members=tuple(members), packed=packed)
        raise Unknown(f"the type {token!r}: {self.text}")

    def literal(self, type: Type) -> list[Lane]:
        """Reads a constant of this type, and returns its lanes."""
        token = self.next()
        if token == "zeroinitializer":
            return [number(0, type.bits())] * type.lanes
        if token in ("poison", "undef"):
            return [None] * type.lanes
        if token == "splat":
            self.expect("(")
            lane = self.literal(self.type())
            self.expect(")")
            return lane * type.lanes
        if token == "<":
            lanes: list[Lane] = []
            while not self.take(">"):
                lanes += self.literal(self.type())
                self.take(",")
            return lanes
        if token.startswith('c"'):
            raw = re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), token[2:-1])
            return [number(ord(c), 8) for c in raw]
        if token in ("true", "false"):
            return [number(token == "true", 1)]
        if re.fullmatch(r"-?\d+", token):
            return [number(int(token), type.bits())]
        if re.fullmatch(r"-?\d+\.\d+e[+-]\d+", token):
            packed = struct.pack("<d" if type.element == 64 else "<f", float(token))
            return [number(int.from_bytes(packed, "little"), type.element)]
        raise Unknown(f"the constant {token!r}: {self.text}")


# Metadata of loads, stores and calls that adds no condition to a proof. Some metadata states that
# pieces of memory do not overlap. The proofs do not need it, because two `Object`s never overlap.
# Some metadata states that memory was written before it is read, but a result that depends on
# unwritten memory is an error even without metadata. All other metadata affects only the speed.
METADATA = {"!noalias", "!alias.scope", "!noundef", "!nonnull", "!align", "!prof", "!dereferenceable"}
# Attributes of parameters and results that add no condition to a proof, except `range`.
ATTRIBUTES = {
    "noundef", "nonnull", "noalias", "readonly", "writeonly", "captures", "align", "dereferenceable", "fastcc", "zeroext",
    "dead_on_return", "initializes", "readnone", "address", "read_provenance", "none", "immarg", "signext", "provenance",
    "unnamed_addr", "local_unnamed_addr", "internal", "private", "dso_local", "hidden", "noinline", "range", "dead_on_unwind",
    "writable", "sret", "nofree", "inreg",
}  # fmt: skip


def skip_attributes(reader: Reader) -> list[tuple[Type, int, int]]:
    """Skips attributes. Returns the type, start and end of each `range` attribute."""
    ranges = []
    while reader.peek() in ATTRIBUTES:
        word = reader.next()
        if word == "range":
            reader.expect("(")
            type = reader.type()
            low = int(reader.next())
            reader.expect(",")
            ranges.append((type, low, int(reader.next())))
            reader.expect(")")
        elif reader.peek() == "(":
            depth = 0
            while True:
                token = reader.next()
                depth += (token == "(") - (token == ")")
                if depth == 0:
                    break
        elif word == "align":
            reader.next()
    return ranges


def metadata(reader: Reader) -> int:
    """Reads the alignment and the metadata after it, and returns the alignment."""
    align = 1
    while reader.take(","):
        word = reader.next()
        if word == "align":
            align = int(reader.next())
        elif word in METADATA:
            reader.next()
        else:
            raise Unknown(f"{word!r}: {reader.text}")
    if reader.peek() and not reader.peek().startswith("#"):
        raise Unknown(f"{reader.peek()!r}: {reader.text}")
    return align


@dataclass
class Function:
    name: str
    parameters: list[str]
    blocks: dict[str, list[str]]
    entry: str


class Module:
    """A file in the intermediate language: its functions, their aliases, and the constants."""

    def __init__(self, text: str):
        self.bodies = {m[1]: m[0] for m in re.finditer(r'^define [^\n]*?@("[^"]+"|[\w.$]+)\(.*?^}', text, re.M | re.S)}
        alias = re.compile(r'^@("[^"]+"|[\w.$]+) = [^\n]*?alias [^\n]*?, ptr @("[^"]+"|[\w.$]+)$', re.M)
        self.aliases = {m[1]: m[2] for m in alias.finditer(text)}
        self.constants = dict(re.findall(r'^@("[^"]+"|[\w.$]+) = [^\n]*?(constant [^\n]*)$', text, re.M))
        self.functions: dict[str, Function] = {}
        self.objects: dict[str, Object] = {}

    def resolve(self, name: str) -> str | None:
        """Returns the name of the function that a name or alias refers to."""
        while name in self.aliases:
            name = self.aliases[name]
        return name if name in self.bodies else None

    def function(self, name: str) -> Function:
        if name not in self.functions:
            lines = self.bodies[name].split("\n")
            signature = Reader(lines[0][lines[0].index(f"@{name}(") + len(name) + 1 :])
            signature.expect("(")
            parameters = []
            while not signature.take(")"):
                signature.type()
                skip_attributes(signature)
                parameters.append(signature.next())
                signature.take(",")
            blocks: dict[str, list[str]] = {}
            for line in lines[1:-1]:
                line = line.strip()
                if label := re.match(r'("[^"]+"|[-\w.$]+):', line):
                    block = blocks.setdefault(label[1], [])
                elif line and not line.startswith(";"):
                    if not blocks:
                        block = blocks.setdefault("0", [])
                    block.append(line)
            self.functions[name] = Function(name, parameters, blocks, next(iter(blocks)))
        return self.functions[name]

    def constant(self, name: str) -> Object:
        """Returns the memory of a constant."""
        if name not in self.objects:
            if name not in self.constants:
                raise Unknown(f"the constant @{name}")
            reader = Reader(self.constants[name])
            reader.expect("constant")
            bytes = self.initializer(reader, reader.type())
            align = metadata(reader)
            self.objects[name] = Object(name, align, bytes, writable=False)
        return self.objects[name]

    def initializer(self, reader: Reader, type: Type) -> list[tuple[z3.BitVecRef | Pointer, int] | None]:
        if not type.members:
            if reader.take("["):
                lanes: list[Lane] = []
                while not reader.take("]"):
                    lanes += reader.literal(reader.type())
                    reader.take(",")
            else:
                lanes = reader.literal(type)
            return [None if lane is None else (lane, i) for lane in lanes for i in range(type.bits() // 8)]
        bytes = []
        if reader.take("zeroinitializer"):
            return [(number(0, 8), 0)] * type.size()
        open = reader.next() + (reader.next() if type.packed else "")
        if open not in ("<{", "{", "["):
            raise Unknown(f"the constant {open!r}")
        for member in type.members:
            bytes += self.initializer(reader, reader.type())
            reader.take(",")
        for token in {"<{": "}>", "{": "}", "[": "]"}[open]:
            reader.expect(token)
        return bytes
