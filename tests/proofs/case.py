"""Proofs of operations: the class `Case` has the inputs of an operation of a level, evaluates the
compiled function, and proves claims about its result."""

from __future__ import annotations

from dataclasses import dataclass, field

import z3

from intrinsics import INTRINSICS
from ir import Lane, Module, Object, Pointer, Type, Unknown, Value, number
from machine import Machine

# The product of two 32-bit numbers, as an arbitrary function of both. A claim that is true for all
# functions is true for the product.
PRODUCT = z3.Function("product", z3.BitVecSort(32), z3.BitVecSort(32), z3.BitVecSort(64))
# The upper half of a product of two longer numbers, as an arbitrary function of both.
UPPER = z3.Function("upper", z3.BitVecSort(64), z3.BitVecSort(64), z3.BitVecSort(32))
# The time limit of the solver for each question, in milliseconds.
TIMEOUT_MS = 60_000


class Refuted(Exception):
    """A claim is false for an input."""


class Undecided(Exception):
    """The solver found neither a proof nor an input for which the claim is false."""


def low_bits(term: z3.BitVecRef, bits: int) -> z3.BitVecRef | None:
    """Returns the lowest bits of a term, if all bits above them are zero."""
    if term.size() <= bits:
        return z3.ZeroExt(bits - term.size(), term) if term.size() < bits else term
    if z3.is_true(z3.simplify(z3.Extract(term.size() - 1, bits, term) == 0)):
        return z3.simplify(z3.Extract(bits - 1, 0, term))
    return None


def product(width: int, children: list[z3.BitVecRef], plain: z3.BitVecRef) -> z3.BitVecRef:
    """Returns the product of two factors as `PRODUCT`.

    Returns `plain` if a factor is a constant, or if the product cannot be written with `PRODUCT`.
    """
    if width > 64 or len(children) != 2 or any(z3.is_bv_value(child) for child in children):
        return plain
    short = [low_bits(child, 32) for child in children]
    fit = all(factor is not None for factor in short)
    low = short if fit else [z3.simplify(z3.Extract(31, 0, child)) for child in children]
    # The order of the factors does not change the product, so all products use the same order.
    low.sort(key=lambda factor: factor.get_id())
    whole = PRODUCT(*low)
    if width < 64:
        # The lowest bits of a product depend only on the factors' lowest bits. `low` has each
        # factor's lowest 32 bits.
        return z3.Extract(width - 1, 0, whole) if width <= 32 or fit else plain
    return whole if fit else z3.Concat(UPPER(*children), z3.Extract(31, 0, whole))


def with_abstract_products(term: z3.ExprRef, done: dict[int, z3.ExprRef]) -> z3.ExprRef:
    """Returns the term with each product replaced by the result of `product`."""
    key = term.get_id()
    if key not in done:
        children = [with_abstract_products(child, done) for child in term.children()]
        replaced = term.decl()(*children) if children else term
        if z3.is_app_of(term, z3.Z3_OP_BMUL):
            replaced = product(term.size(), children, replaced)
        done[key] = replaced
    return done[key]


@dataclass
class Case:
    """A proof of an operation of a level.

    A proof first adds the inputs and their ranges, then runs the function, and then proves claims.
    """

    module: Module
    level: str
    name: str
    inputs: list[Object] = field(default_factory=list)
    ranges: list[tuple[int | None, z3.BoolRef]] = field(default_factory=list)
    facts: list[z3.BoolRef] = field(default_factory=list)
    shown: list[z3.BitVecRef] = field(default_factory=list)
    questions: int = 0
    by_rewriting: int = 0
    out: Object | None = None

    # Inputs.

    def memory(self, lanes: list[z3.BitVecRef], align: int = 0) -> list[z3.BitVecRef]:
        """Adds the next parameter: memory with these lanes, one after the other."""
        step = lanes[0].size() // 8
        name = f"input {len(self.inputs)}"
        bytes = [(lane, i) for lane in lanes for i in range(step)]
        self.inputs.append(Object(name, align or step, bytes, writable=False))
        return lanes

    def unknown(self, name: str, bits: int) -> z3.BitVecRef:
        """Returns a new unknown number, which a counterexample prints."""
        value = z3.BitVec(name, bits)
        self.shown.append(value)
        return value

    def row(self, name: str, bits: int, lanes: int) -> list[z3.BitVecRef]:
        """Adds a row of unknown numbers as the next parameter."""
        return self.memory([self.unknown(f"{name}[{i}]", bits) for i in range(lanes)])

    def same(self, name: str, bits: int, lanes: int) -> z3.BitVecRef:
        """Adds a row with the same number in all lanes, as the trait requires for moduli."""
        return self.memory([self.unknown(name, bits)] * lanes)[0]

    def require(self, *conditions: z3.BoolRef, lane: int | None = None) -> None:
        """Adds conditions from the `Range:` of the operation, for a lane or for all lanes."""
        self.ranges += [(lane, condition) for condition in conditions]

    def fact(self, condition: z3.BoolRef) -> None:
        """Adds a condition that a lemma proves for all inputs in the range."""
        self.facts.append(condition)

    # The function.

    def run(self, bits: int, lanes: int, align: int = 0) -> list[Lane]:
        """Evaluates the function with an output of `lanes` lanes, each with `bits` bits.

        Also proves the conditions of its instructions.
        """
        return self.run_into([None] * (bits // 8 * lanes), align or bits // 8).lanes(bits)

    def run_into(self, memory: list, align: int) -> "Output":
        """Evaluates the function with `memory` as its output, and proves the conditions of its
        instructions."""
        symbol = self.module.resolve(f'"proof {self.level} {self.name}"')
        if symbol is None:
            raise Unknown(f"the compiled code has no function for {self.name}")
        machine = Machine(self.module, INTRINSICS)
        self.out = Object("the output", align, memory)
        objects = [*self.inputs, self.out]
        machine.call(symbol, [Value(Type(), [Pointer(object, number(0, 64))]) for object in objects])
        results = [part[0] for part in self.out.bytes if part is not None]
        for condition, line in machine.needed(results):
            self.prove(condition, f"the instruction {line}")
        return Output(machine, self.out)

    # Claims.

    def equal(self, found: Lane, wanted: z3.BitVecRef, what: str, lane: int | None = None) -> None:
        """Proves that a lane of the result equals `wanted`."""
        if found is None or isinstance(found, Pointer):
            raise Unknown(f"{what}: the function wrote no number")
        self.prove(found == wanted, what, lane, found, wanted)

    def prove(self, claim: z3.BoolRef, what: str, lane: int | None = None, *values: z3.BitVecRef) -> None:
        """Proves the claim for all inputs in the range.

        If `lane` is given, the proof does not use the ranges of other lanes, so it proves more.
        """
        self.questions += 1
        if z3.is_true(z3.simplify(claim)):
            self.by_rewriting += 1
            return
        known = [it for at, it in self.ranges if lane is None or at is None or at == lane] + self.facts
        done: dict[int, z3.ExprRef] = {}
        abstract = z3.SolverFor("QF_UFBV")
        abstract.set("timeout", TIMEOUT_MS)
        # Replaces products before z3 rewrites the terms, because z3 splits products into parts.
        abstract.add(*(z3.simplify(with_abstract_products(it, done)) for it in [*known, z3.Not(claim)]))
        if abstract.check() == z3.unsat:
            return
        # The counterexample may be valid only for other functions than the product. So the second
        # attempt uses real products.
        solver = z3.SolverFor("QF_UFBV")
        solver.set("timeout", TIMEOUT_MS)
        solver.add(*known, z3.Not(claim))
        answer = solver.check()
        if answer == z3.unsat:
            return
        if answer == z3.unknown:
            raise Undecided(f"{what}: no answer in {TIMEOUT_MS // 1000} seconds")
        model = solver.model()
        in_model = {str(it) for it in model.decls()}
        lines = [f"{it} = {model[it].as_long():#x}" for it in self.shown if str(it) in in_model]
        for word, value in zip(("found", "wanted"), values):
            lines.append(f"{word} {model.eval(value, model_completion=True).as_long():#x}")
        raise Refuted(f"{what}: " + ", ".join(lines))


@dataclass
class Output:
    """The memory that the function wrote."""

    machine: Machine
    object: Object

    def lanes(self, bits: int, at: int = 0, count: int | None = None) -> list[Lane]:
        """Returns `count` lanes from the byte offset `at`, or all lanes to the end."""
        step = bits // 8
        end = len(self.object.bytes) if count is None else at + count * step
        return [self.machine.read(self.object, i, bits) for i in range(at, end, step)]
