"""One operation of one level: its inputs, the function as it was compiled, and what is to be proved of the result."""

from __future__ import annotations

from dataclasses import dataclass, field

import z3

from intrinsics import INTRINSICS
from ir import Lane, Module, Object, Pointer, Type, Unknown, Value, number
from machine import Machine

# A product of two numbers of 32 bits, as any function of both. What is true of all functions is true of the product.
PRODUCT = z3.Function("product", z3.BitVecSort(32), z3.BitVecSort(32), z3.BitVecSort(64))
# The upper half of a product of two longer numbers, as any function of both.
UPPER = z3.Function("upper", z3.BitVecSort(64), z3.BitVecSort(64), z3.BitVecSort(32))
# The milliseconds that the solver has for one question.
PATIENCE = 60_000


class Refuted(Exception):
    """There is an input for which a claim is not true."""


class Undecided(Exception):
    """The solver has found neither a proof nor an input."""


def low_bits(term: z3.BitVecRef, bits: int) -> z3.BitVecRef | None:
    """The lowest bits of a term, if all bits above them are zero."""
    if term.size() <= bits:
        return z3.ZeroExt(bits - term.size(), term) if term.size() < bits else term
    if z3.is_true(z3.simplify(z3.Extract(term.size() - 1, bits, term) == 0)):
        return z3.simplify(z3.Extract(bits - 1, 0, term))
    return None


def product(width: int, children: list[z3.BitVecRef], plain: z3.BitVecRef) -> z3.BitVecRef:
    """The product of two factors by `PRODUCT`, if one of them is no number and the product has at most 64 bits."""
    if width > 64 or len(children) != 2 or any(z3.is_bv_value(child) for child in children):
        return plain
    short = [low_bits(child, 32) for child in children]
    fit = all(factor is not None for factor in short)
    low = short if fit else [z3.simplify(z3.Extract(31, 0, child)) for child in children]
    # The order of factors does not matter, so there is one for all.
    low.sort(key=lambda factor: factor.get_id())
    whole = PRODUCT(*low)
    if width < 64:
        # The lowest bits of a product are those of the product of the lowest bits; 32 is the most that there are.
        return z3.Extract(width - 1, 0, whole) if width <= 32 or fit else plain
    return whole if fit else z3.Concat(UPPER(*children), z3.Extract(31, 0, whole))


def abstracted(term: z3.ExprRef, done: dict[int, z3.ExprRef]) -> z3.ExprRef:
    """The term with `PRODUCT` in the place of products: of two numbers that fit into 32 bits, whatever the width of the product."""
    key = term.get_id()
    if key not in done:
        children = [abstracted(child, done) for child in term.children()]
        found = term.decl()(*children) if children else term
        if z3.is_app_of(term, z3.Z3_OP_BMUL):
            found = product(term.size(), children, found)
        done[key] = found
    return done[key]


@dataclass
class Case:
    """Inputs are made first, then `run` evaluates the function, then claims are proved."""

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
        """The next parameter: these lanes, one after the other."""
        step = lanes[0].size() // 8
        name = f"input {len(self.inputs)}"
        bytes = [(lane, i) for lane in lanes for i in range(step)]
        self.inputs.append(Object(name, align or step, bytes, writable=False))
        return lanes

    def unknown(self, name: str, bits: int) -> z3.BitVecRef:
        found = z3.BitVec(name, bits)
        self.shown.append(found)
        return found

    def row(self, name: str, bits: int, lanes: int) -> list[z3.BitVecRef]:
        return self.memory([self.unknown(f"{name}[{i}]", bits) for i in range(lanes)])

    def same(self, name: str, bits: int, lanes: int) -> z3.BitVecRef:
        """A row that has one number in every lane, as the trait promises for moduli."""
        return self.memory([self.unknown(name, bits)] * lanes)[0]

    def require(self, *conditions: z3.BoolRef, lane: int | None = None) -> None:
        """What the `Range:` of the operation promises; of a lane, or of all."""
        self.ranges += [(lane, condition) for condition in conditions]

    def fact(self, condition: z3.BoolRef) -> None:
        """What a lemma has proved for all inputs in the range."""
        self.facts.append(condition)

    # The function.

    def run(self, bits: int, lanes: int, align: int = 0) -> list[Lane]:
        """Evaluates the function with an output of so many lanes, and proves the conditions of its instructions."""
        return self.run_into([None] * (bits // 8 * lanes), align or bits // 8).lanes(bits)

    def run_into(self, memory: list, align: int) -> "Output":
        symbol = self.module.resolve(f'"proof {self.level} {self.name}"')
        if symbol is None:
            raise Unknown(f"no function for {self.name}")
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
        if found is None or isinstance(found, Pointer):
            raise Unknown(f"{what}: nothing was written, or no number")
        self.prove(found == wanted, what, lane, found, wanted)

    def prove(self, claim: z3.BoolRef, what: str, lane: int | None = None, *values: z3.BitVecRef) -> None:
        """Proves the claim for all inputs in the range. With a lane the ranges of others are left out, which proves more."""
        self.questions += 1
        if z3.is_true(z3.simplify(claim)):
            self.by_rewriting += 1
            return
        known = [it for at, it in self.ranges if lane is None or at is None or at == lane] + self.facts
        done: dict[int, z3.ExprRef] = {}
        weak = z3.SolverFor("QF_UFBV")
        weak.set("timeout", PATIENCE)
        # Products are replaced before anything else is rewritten, for rewriting cuts them in parts.
        weak.add(*(z3.simplify(abstracted(it, done)) for it in [*known, z3.Not(claim)]))
        if weak.check() == z3.unsat:
            return
        # Perhaps the answer is one about products that are none.
        solver = z3.SolverFor("QF_UFBV")
        solver.set("timeout", PATIENCE)
        solver.add(*known, z3.Not(claim))
        answer = solver.check()
        if answer == z3.unsat:
            return
        if answer == z3.unknown:
            raise Undecided(f"{what}: no answer in {PATIENCE // 1000} seconds")
        model = solver.model()
        seen = {str(it) for it in model.decls()}
        lines = [f"{it} = {model[it].as_long():#x}" for it in self.shown if str(it) in seen]
        for word, value in zip(("found", "wanted"), values):
            lines.append(f"{word} {model.eval(value, model_completion=True).as_long():#x}")
        raise Refuted(f"{what}: " + ", ".join(lines))


@dataclass
class Output:
    """What the function has written."""

    machine: Machine
    object: Object

    def lanes(self, bits: int, at: int = 0, count: int | None = None) -> list[Lane]:
        step = bits // 8
        end = len(self.object.bytes) if count is None else at + count * step
        return [self.machine.read(self.object, i, bits) for i in range(at, end, step)]
