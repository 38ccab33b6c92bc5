"""Proofs of operations: the class `Case` creates the inputs of an operation at a level, evaluates
the compiled function, and proves claims about its result."""

from __future__ import annotations

from dataclasses import dataclass, field

import z3

from intrinsics import INTRINSICS
from ir import Lane, Module, Object, Pointer, Type, Unknown, Value, number
from machine import Machine

# An arbitrary function of two 32-bit numbers, which replaces their product. A claim that is true
# for all functions is also true for the product.
PRODUCT = z3.Function("product", z3.BitVecSort(32), z3.BitVecSort(32), z3.BitVecSort(64))
# An arbitrary function of two 64-bit numbers, which replaces the upper half of their 64-bit
# product.
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
    """Writes a product with the arbitrary function `PRODUCT` instead of a multiplication.

    Returns `plain`, the multiplication, if a factor is a constant or if this is not possible.
    """
    if width > 64 or len(children) != 2 or any(z3.is_bv_value(child) for child in children):
        return plain
    short = [low_bits(child, 32) for child in children]
    fit = all(factor is not None for factor in short)
    low = short if fit else [z3.simplify(z3.Extract(31, 0, child)) for child in children]
    # The product does not depend on the order of its factors, but `PRODUCT` does. So the factors are
    # sorted.
    low.sort(key=lambda factor: factor.get_id())
    whole = PRODUCT(*low)
    if width < 64:
        # The lowest bits of a product depend only on the factors' lowest bits. `low` has each
        # factor's lowest 32 bits.
        return z3.Extract(width - 1, 0, whole) if width <= 32 or fit else plain
    return whole if fit else z3.Concat(UPPER(*children), z3.Extract(31, 0, whole))


def with_abstract_products(term: z3.ExprRef, known: dict[int, z3.ExprRef]) -> z3.ExprRef:
    """Returns the term with each product replaced by the result of `product`. `known` has the
    results of earlier calls."""
    key = term.get_id()
    if key not in known:
        children = [with_abstract_products(child, known) for child in term.children()]
        replaced = term.decl()(*children) if children else term
        if z3.is_app_of(term, z3.Z3_OP_BMUL):
            replaced = product(term.size(), children, replaced)
        known[key] = replaced
    return known[key]


@dataclass
class Case:
    """A proof of an operation at a level.

    A proof first adds the inputs and their ranges, then runs the function, and then proves claims.
    """

    module: Module
    level: str
    name: str
    inputs: list[Object] = field(default_factory=list)
    # Conditions for the inputs. Each condition has the number of its lane, or `None` if it is about
    # all lanes.
    ranges: list[tuple[int | None, z3.BoolRef]] = field(default_factory=list)
    # Conditions that lemmas prove.
    facts: list[z3.BoolRef] = field(default_factory=list)
    # The variables that a counterexample prints with their values.
    shown: list[z3.BitVecRef] = field(default_factory=list)
    # The number of claims, and how many of them z3 proved by simplification alone.
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
        """Adds conditions for the inputs, from `Range:` in the trait's comment.

        `lane` is the lane that the conditions are about, or `None` for all lanes.
        """
        self.ranges += [(lane, condition) for condition in conditions]

    def fact(self, condition: z3.BoolRef) -> None:
        """Adds a condition that a lemma proves for all inputs in their ranges."""
        self.facts.append(condition)

    # The function.

    def run(self, bits: int, lanes: int, align: int = 0) -> list[Lane]:
        """Evaluates the function with an output of `lanes` lanes, each with `bits` bits.

        Also proves that each instruction has a defined result.
        """
        return self.run_into([None] * (bits // 8 * lanes), align or bits // 8).lanes(bits)

    def run_into(self, memory: list, align: int) -> "Output":
        """Evaluates the function with `memory` as its output, and proves that each instruction has a
        defined result."""
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

    def prove_equal(self, found: Lane, wanted: z3.BitVecRef, what: str, lane: int | None = None) -> None:
        """Proves that a lane of the result equals `wanted`."""
        if found is None or isinstance(found, Pointer):
            raise Unknown(f"{what}: the function wrote no number")
        self.prove(found == wanted, what, lane, found, wanted)

    def prove(self, claim: z3.BoolRef, what: str, lane: int | None = None, *values: z3.BitVecRef) -> None:
        """Proves the claim for all inputs in their ranges.

        If `lane` is given, the proof does not use the ranges of other lanes, so the result is
        stronger.
        """
        self.questions += 1
        if z3.is_true(z3.simplify(claim)):
            self.by_rewriting += 1
            return
        ranges = [condition for at, condition in self.ranges if lane is None or at is None or at == lane]
        known = ranges + self.facts
        replaced_terms: dict[int, z3.ExprRef] = {}
        abstract_solver = z3.SolverFor("QF_UFBV")
        abstract_solver.set("timeout", TIMEOUT_MS)
        # Replaces products before z3 rewrites the terms, because z3 splits products into parts.
        terms = [with_abstract_products(term, replaced_terms) for term in [*known, z3.Not(claim)]]
        abstract_solver.add(*(z3.simplify(term) for term in terms))
        if abstract_solver.check() == z3.unsat:
            return
        # In the first attempt, a product is an arbitrary function, so a counterexample may need a
        # function that is not multiplication. The second attempt uses real products.
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
