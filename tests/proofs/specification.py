"""The specification of the vector operations, from the comments of the traits in `src/simd/lanes`:
the inputs, ranges and results of each operation.

Each proof function creates the inputs of a `Case`, evaluates the compiled operation, and proves its
result. If a trait allows several results (`product_u32` is some number in `[0, 2p)`), the proofs
show that all levels compute the same formula, and `lemmas.py` proves that the formula meets the
specification.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import z3

import lemmas
from case import Case, Refuted
from intrinsics import kept
from ir import Unknown, number
from machine import recast, rounded

Word = z3.BitVecRef


@dataclass(frozen=True)
class Lanes:
    """The numbers of lanes of a level, and the layout of its sums of products and of squares."""

    # The number of lanes in a vector of 16-bit numbers, and in a vector of 32-bit numbers.
    u16: int
    u32: int
    # The number of lanes in a vector of 64-bit words, if the level hashes one, two or many Keccak
    # states at the same time.
    one: int
    two: int
    many: int
    i64: int
    f64: int
    f32: int
    # For which of `one`, `two` and `many` the level may keep words of a Keccak state inverted.
    inverted: str
    # For sums of products: the lanes in the order in which the level stores their sums. The
    # argument is the number of lanes.
    products: Callable[[int], list[int]]
    # For sums of squares: the lanes that each sum includes. The argument is the number of lanes.
    squares: Callable[[int], list[list[int]]]


def even_odd(n: int) -> list[int]:
    return [*range(0, n, 2), *range(1, n, 2)]


def pairs(n: int) -> list[list[int]]:
    return [[i, i + 1] for i in range(0, n, 2)]


def halves(n: int) -> list[list[int]]:
    return [[i, i + n // 2] for i in range(n // 2)]


def in_order(n: int) -> list[int]:
    return [*range(n)]


LEVELS = {
    "scalar": Lanes(1, 1, 1, 1, 1, 1, 1, 0, "one two many", in_order, pairs),
    "sse2": Lanes(8, 4, 1, 1, 2, 1, 2, 4, "one two", even_odd, pairs),
    "avx2": Lanes(16, 8, 1, 1, 4, 4, 4, 8, "", even_odd, pairs),
    "avx512": Lanes(32, 16, 1, 2, 8, 4, 8, 16, "", even_odd, pairs),
    "neon": Lanes(8, 4, 1, 1, 2, 1, 2, 4, "", in_order, halves),
    "neon-sha3": Lanes(8, 4, 1, 2, 2, 1, 2, 4, "", in_order, halves),
    "simd128": Lanes(8, 4, 1, 1, 2, 1, 2, 4, "one two", in_order, pairs),
}

Proof = Callable[[Case, Lanes], None]
# The operations of each group, in the order of the traits.
GROUPS: dict[str, dict[str, Proof]] = {group: {} for group in ("U16s", "U32s", "U64s", "I64s", "F64s", "F32s")}


def operation(group: str, *names: str) -> Callable[[Proof], Proof]:
    def add(proof: Proof) -> Proof:
        for name in names:
            GROUPS[group][name] = proof
        return proof

    return add


def wordwise(group: str, name: str, lanes: str, bits: int, arguments: str, result: Callable[..., Word]) -> None:
    """Adds an operation that computes `result` in each lane, without a limit for the numbers."""

    def proof(case: Case, level: Lanes) -> None:
        n = getattr(level, lanes)
        rows = [case.row(argument, bits, n) for argument in arguments.split()]
        out = case.run(bits, n)
        for i, row in enumerate(zip(*rows)):
            case.prove_equal(out[i], result(*row), f"lane {i}", i)

    GROUPS[group][name] = proof


def splat(group: str, name: str, lanes: str, bits: int) -> None:
    def proof(case: Case, level: Lanes) -> None:
        n = getattr(level, lanes)
        [x] = case.row("x", bits, 1)
        for i, found in enumerate(case.run(bits, n)):
            case.prove_equal(found, x, f"lane {i}", i)

    GROUPS[group][name] = proof


Permutation = Callable[[int, list[Word], list[Word]], tuple[list[Word], list[Word]]]


def interleaved(d: int, a: list[Word], b: list[Word]) -> tuple[list[Word], list[Word]]:
    """Returns two rows: the even blocks of `a` and `b` in alternation, and then their odd blocks.

    A block has `d` lanes.
    """
    place = range(len(a))
    even = [a[i] if i // d % 2 == 0 else b[i - d] for i in place]
    return even, [a[i + d] if i // d % 2 == 0 else b[i] for i in place]


def unzipped(d: int, a: list[Word], b: list[Word]) -> tuple[list[Word], list[Word]]:
    """Returns the even blocks of `d` lanes, and the odd blocks, of `a` followed by `b`."""
    both = a + b
    return [x for i, x in enumerate(both) if i // d % 2 == 0], [x for i, x in enumerate(both) if i // d % 2 == 1]


def zipped(d: int, even: list[Word], odd: list[Word]) -> tuple[list[Word], list[Word]]:
    """Returns the blocks of `even` and `odd` in alternation, as two rows. A block has `d` lanes."""
    both: list[Word] = []
    for i in range(0, len(even), d):
        both += even[i : i + d] + odd[i : i + d]
    return both[: len(even)], both[len(even) :]


def halved(d: int, even: list[Word], odd: list[Word]) -> tuple[list[Word], list[Word]]:
    """Returns the rows of `zipped`, and then `unzipped` with blocks of half the length."""
    return unzipped(d // 2, *zipped(d, even, odd))


def doubled(d: int, even: list[Word], odd: list[Word]) -> tuple[list[Word], list[Word]]:
    """Returns the rows of `zipped`, and then `unzipped` with blocks of twice the length."""
    return unzipped(2 * d, *zipped(d, even, odd))


def blocks(group: str, name: str, lanes: str, bits: int, lengths: list[int], permute: Permutation) -> None:
    """Adds an operation that moves blocks of `d` lanes, for each `d` below the number of lanes.

    On a level with one lane, the only `d` is 1, and the operation returns its arguments.
    """

    def proof_for_length(d: int) -> Proof:
        def proof(case: Case, level: Lanes) -> None:
            n = getattr(level, lanes)
            a, b = case.row("a", bits, n), case.row("b", bits, n)
            out = case.run(bits, 2 * n)
            wanted_rows = (a, b) if n == 1 else permute(d, a, b)
            for i, wanted in enumerate(wanted_rows[0] + wanted_rows[1]):
                case.prove_equal(out[i], wanted, f"lane {i}", i)

        proof.exists = lambda level: d < getattr(level, lanes) or (d == 1 and getattr(level, lanes) == 1)
        return proof

    for d in lengths:
        GROUPS[group][f"{name} {d}"] = proof_for_length(d)


# U16s.

for op, result in {
    "add_u16": lambda a, b: a + b,
    "sub_u16": lambda a, b: a - b,
    "min_u16": lambda a, b: z3.If(z3.ULE(a, b), a, b),
    "max_u16": lambda a, b: z3.If(z3.UGE(a, b), a, b),
    "mullo_u16": lambda a, b: a * b,
    "mulhi_u16": lambda a, b: z3.Extract(31, 16, z3.ZeroExt(16, a) * z3.ZeroExt(16, b)),
    "mulhi_i16": lambda a, b: high(a, b),
    "and_u16": lambda a, b: a & b,
    "or_u16": lambda a, b: a | b,
    "xor_u16": lambda a, b: a ^ b,
}.items():
    wordwise("U16s", op, "u16", 16, "a b", result)
wordwise("U16s", "load_u16", "u16", 16, "a", lambda a: a)
# The expected result is 3 a / 2^15, rounded to the nearest integer. A number in the middle is
# rounded up.
wordwise("U16s", "thirds_i16", "u16", 16, "a", lambda a: z3.Extract(15, 0, (z3.SignExt(16, a) * 3 + 0x4000) >> 15))
for by in range(16):
    wordwise("U16s", f"shl_u16 {by}", "u16", 16, "a", lambda a, by=by: a << by)
    wordwise("U16s", f"shr_u16 {by}", "u16", 16, "a", lambda a, by=by: z3.LShR(a, by))
splat("U16s", "splat_u16", "u16", 16)
blocks("U16s", "interleave_u16", "u16", 16, [1, 2, 4, 8, 16], interleaved)


def signed(a: Word) -> Word:
    return z3.SignExt(a.size(), a)


def high(a: Word, b: Word) -> Word:
    """Returns the high half of the signed product `a b`."""
    return z3.Extract(2 * a.size() - 1, a.size(), signed(a) * signed(b))


@operation("U16s", "mulhi_same_i16")
def mulhi_same_i16(case: Case, level: Lanes) -> None:
    a, b = case.row("a", 16, level.u16), case.row("b", 16, level.u16)
    # The parameter `zero` of the operation: a vector of zeros.
    case.memory([number(0, 16)] * level.u16)
    for i, found in enumerate(case.run(16, level.u16)):
        case.prove_equal(found, high(a[i], b[i]), f"lane {i}", i)


@operation("U16s", "montgomery_i16")
def montgomery_i16(case: Case, level: Lanes) -> None:
    lemmas.use("a signed product of 16 and 15 bits")
    a, z, m, q = (case.row(name, 16, level.u16) for name in "azmq")
    # The parameter `zero` of the operation: a vector of zeros.
    case.memory([number(0, 16)] * level.u16)
    for i in range(level.u16):
        for x in (z[i], q[i]):
            case.require(x < 1 << 14, x > -(1 << 14), lane=i)
        product, multiple = signed(a[i]) * signed(z[i]), signed(m[i]) * signed(q[i])
        case.require(z3.Extract(15, 0, product - multiple) == 0, lane=i)
        for it in (product, multiple):
            # The lemma proves this range, because one factor has 16 bits and the other has 15 bits.
            case.require(it <= 2**15 * (2**14 - 1), it >= -(2**15) * (2**14 - 1), lane=i)
    for i, found in enumerate(case.run(16, level.u16)):
        difference = signed(a[i]) * signed(z[i]) - signed(m[i]) * signed(q[i])
        case.prove_equal(found, z3.Extract(31, 16, difference), f"lane {i}", i)


@operation("U16s", "wrap_u16")
def wrap_u16(case: Case, level: Lanes) -> None:
    a, q = case.row("a", 16, level.u16), case.row("q", 16, level.u16)
    for i in range(level.u16):
        case.require(q[i] >= 0, -q[i] <= a[i], a[i] < q[i], lane=i)
    for i, found in enumerate(case.run(16, level.u16)):
        case.prove_equal(found, z3.If(a[i] >= 0, a[i], a[i] + q[i]), f"lane {i}", i)


COMPARISONS = {z3.Z3_OP_ULT, z3.Z3_OP_ULEQ, z3.Z3_OP_UGT, z3.Z3_OP_UGEQ, z3.Z3_OP_SLT, z3.Z3_OP_SLEQ, z3.Z3_OP_SGT, z3.Z3_OP_SGEQ}


def names_in(term: z3.ExprRef, known: dict[int, frozenset[str]]) -> frozenset[str]:
    """Returns the names of the inputs that a term contains. `known` has the results of earlier
    calls."""
    key = term.get_id()
    if key not in known:
        own = frozenset([str(term)]) if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED else frozenset()
        known[key] = own.union(*(names_in(child, known) for child in term.children()))
    return known[key]


def comparisons_with_limit(
    case: Case, terms: list[Word], lanes: list[Word], limit: Word
) -> list[tuple[z3.BoolRef, z3.BoolRef]]:
    """Finds the comparisons of a lane with the limit in the terms.

    Returns each comparison with the unknown that replaces it: `below[i]` or its negation. Proves
    that the comparison is true if and only if lane `i` is below the limit, or not below the limit.
    """
    below = [z3.Bool(f"below[{i}]") for i in range(len(lanes))]
    names: dict[int, frozenset[str]] = {}
    names_in_lane = [names_in(lane, names) for lane in lanes]
    replacements, todo, seen = [], list(terms), set()
    while todo:
        term = todo.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        compares = z3.is_app(term) and term.decl().kind() in COMPARISONS
        # The compiled code may read bytes of two lanes at the same time. After simplification, the
        # comparison contains only the lane on which it depends.
        own = names_in(z3.simplify(term), {}) if compares else frozenset()
        compared_lanes = [i for i, names_of_lane in enumerate(names_in_lane) if own & names_of_lane]
        if str(limit) in own and len(compared_lanes) == 1:
            [i] = compared_lanes
            try:
                case.prove(term == z3.ULT(lanes[i], limit), f"the comparison of lane {i}")
                replacements.append((term, below[i]))
            except Refuted:
                case.prove(term == z3.Not(z3.ULT(lanes[i], limit)), f"the comparison of lane {i}")
                replacements.append((term, z3.Not(below[i])))
        else:
            todo += term.children()
    return replacements


def keep_below(case: Case, lanes: list[Word], limit: Word) -> None:
    """Proves that the output contains the lanes below the limit in the same order, and their count.

    The count has 64 bits and is after the lanes, at a multiple of 8 bytes.
    """
    n, bits = len(lanes), lanes[0].size()
    count_at = (bits // 8 * n + 7) // 8 * 8
    output = case.run_into([None] * (count_at + 8), 8)
    found = output.lanes(bits, 0, n)
    [count] = output.lanes(64, count_at, 1)
    # From here on, the variable `below[i]` represents whether lane i is below the limit,
    # independently of the lane's value.
    replacements = comparisons_with_limit(case, [*found, count], lanes, limit)
    *found, count = (z3.simplify(z3.substitute(term, *replacements)) for term in [*found, count])
    if any(str(limit) in names_in(term, {}) for term in [*found, count]):
        raise Unknown("the limit is used in something else than a comparison with a single lane")
    wanted, number_kept = kept(lanes, [z3.Bool(f"below[{i}]") for i in range(n)])
    case.prove_equal(count, number_kept, "the count of the lanes below the limit")
    for i in range(n):
        case.prove(z3.Or(z3.ULE(number_kept, i), found[i] == wanted[i]), f"lane {i} of the output")


@operation("U16s", "keep_below_u16")
def keep_below_u16(case: Case, level: Lanes) -> None:
    lanes = case.row("v", 16, level.u16)
    [limit] = case.row("limit", 16, 1)
    keep_below(case, lanes, limit)


# The state of sums of squares contains 32-bit sums (`sum`), and for each sum the bitwise OR of all
# values that the sum ever had (`seen`). Each step keeps this invariant: `sum` equals the exact sum
# modulo 2^32, and bit 31 of `seen` is set if and only if the exact sum is 2^31 or more. With one
# lane, the state contains the exact sums of the squares' low halves and of their high halves.


def squares_invariant(sum: Word, seen: Word, exact: Word) -> z3.BoolRef:
    return z3.And(sum == z3.Extract(31, 0, exact), (z3.Extract(31, 31, seen) == 1) == z3.UGE(exact, 1 << 31))


@operation("U16s", "no_squares")
def no_squares(case: Case, level: Lanes) -> None:
    sums = 1 if level.u16 == 1 else level.u16 // 2
    out = case.run(32, 2 * sums, align=4 if level.u16 == 1 else 16)
    for i, found in enumerate(out):
        case.prove_equal(found, number(0, 32), f"number {i} of the state of empty sums")


@operation("U16s", "add_squares")
def add_squares(case: Case, level: Lanes) -> None:
    sums = 1 if level.u16 == 1 else level.u16 // 2
    align = 4 if level.u16 == 1 else 2 * level.u16
    state = [case.unknown(f"{name}[{i}]", 32) for name in ("sum", "seen") for i in range(sums)]
    case.memory(state, align)
    lanes = [case.unknown(f"v[{i}]", 16) for i in range(level.u16)]
    case.memory(lanes)
    square = lambda x: signed(x) * signed(x)
    lemmas.use("a square of 15 bits")
    for x in lanes:
        case.require(x >= 0)
        case.fact(z3.ULE(square(x), (2**15 - 1) ** 2))
    if level.u16 == 1:
        # At most 2^16 squares are added. Before the last square, the sums of the squares' low and
        # high halves are at most these numbers.
        case.require(z3.ULE(state[0], (2**16 - 1) ** 2), z3.ULE(state[1], (2**16 - 1) * (2**14 - 1)))
        out = case.run(32, 2, align)
        whole = z3.ZeroExt(32, state[0]) + (z3.ZeroExt(32, state[1]) << 16)
        after = z3.ZeroExt(32, out[0]) + (z3.ZeroExt(32, out[1]) << 16)
        case.prove(after == whole + z3.ZeroExt(32, square(lanes[0])), "the sum")
        return
    exact = [z3.BitVec(f"exact[{i}]", 64) for i in range(sums)]
    for i in range(sums):
        # The sum of 2^16 squares, each with at most 30 bits, is at most 2^46.
        case.require(z3.ULE(exact[i], 1 << 46), squares_invariant(state[i], state[sums + i], exact[i]))
    out = case.run(32, 2 * sums, align)
    for i, group in enumerate(level.squares(level.u16)):
        after = exact[i]
        for lane in group:
            after = after + z3.ZeroExt(32, square(lanes[lane]))
        case.prove(squares_invariant(out[i], out[sums + i], after), f"sum {i}")


@operation("U16s", "total")
def total(case: Case, level: Lanes) -> None:
    sums = 1 if level.u16 == 1 else level.u16 // 2
    state = [case.unknown(f"{name}[{i}]", 32) for name in ("sum", "seen") for i in range(sums)]
    case.memory(state, 4 if level.u16 == 1 else 2 * level.u16)
    if level.u16 == 1:
        [found] = case.run(64, 1)
        case.prove_equal(found, z3.ZeroExt(32, state[0]) + (z3.ZeroExt(32, state[1]) << 16), "the total")
        return
    exact = [z3.BitVec(f"exact[{i}]", 64) for i in range(sums)]
    for i in range(sums):
        case.require(z3.ULE(exact[i], 1 << 46), squares_invariant(state[i], state[sums + i], exact[i]))
    [found] = case.run(64, 1)
    exact_total = z3.Sum(exact)
    # A total of 2^31 or more is too large for a signature, so its exact value does not matter.
    case.prove(z3.If(z3.ULT(exact_total, 1 << 31), found == exact_total, z3.UGE(found, 1 << 31)), "the total", None)


def fields(bytes: list[Word], bits: int) -> list[Word]:
    """Splits the bytes into fields with `bits` bits, from the first byte's lowest bits on."""
    whole = z3.Concat(*reversed(bytes))
    return [z3.Extract(i + bits - 1, i, whole) for i in range(0, 8 * len(bytes), bits)]


@operation("U16s", "unpack14 little")
def unpack14_little(case: Case, level: Lanes) -> None:
    src = case.row("src", 8, 56)
    for i, (found, field) in enumerate(zip(case.run(16, 32), fields(src, 14), strict=True)):
        case.prove_equal(found, z3.ZeroExt(2, field), f"field {i}")


@operation("U16s", "unpack14 big")
def unpack14_big(case: Case, level: Lanes) -> None:
    src = case.row("src", 8, 56)
    from_the_end = fields(src[::-1], 14)[::-1]
    for i, (found, field) in enumerate(zip(case.run(16, 32), from_the_end, strict=True)):
        case.prove_equal(found, z3.ZeroExt(2, field), f"field {i}")


# U32s.

wordwise("U32s", "load_u32", "u32", 32, "a", lambda a: a)
wordwise("U32s", "add_u32", "u32", 32, "a b", lambda a, b: a + b)
wordwise("U32s", "sub_u32", "u32", 32, "a b", lambda a, b: a - b)
splat("U32s", "splat_u32", "u32", 32)
blocks("U32s", "unzip_u32", "u32", 32, [1, 2, 4, 8], unzipped)
blocks("U32s", "zip_u32", "u32", 32, [1, 2, 4, 8], zipped)
blocks("U32s", "halve_blocks_u32", "u32", 32, [2, 4, 8], halved)
blocks("U32s", "double_blocks_u32", "u32", 32, [1, 2, 4, 8], doubled)


def modulus(case: Case, level: Lanes) -> Word:
    """Adds the parameter `p`: an odd modulus below 2^31, the same in all lanes."""
    p = case.same("p", 32, level.u32)
    case.require(z3.Extract(0, 0, p) == 1, z3.ULT(p, 1 << 31))
    return p


def minus_inverse(case: Case, level: Lanes, p: Word) -> Word:
    """Adds the parameter `p0i`: -1/p mod 2^32, the same in all lanes."""
    p0i = case.same("p0i", 32, level.u32)
    case.require(p * p0i == 0xFFFFFFFF)
    return p0i


@operation("U32s", "below_u32")
def below_u32(case: Case, level: Lanes) -> None:
    a = case.row("a", 32, level.u32)
    p = modulus(case, level)
    for i in range(level.u32):
        case.require(z3.ULT(a[i], 2 * p), lane=i)
    for i, found in enumerate(case.run(32, level.u32)):
        case.prove_equal(found, z3.If(z3.ULT(a[i], p), a[i], a[i] - p), f"lane {i}", i)


@operation("U32s", "add_mod_u32", "sub_mod_u32")
def add_or_sub_mod_u32(case: Case, level: Lanes) -> None:
    a, b = case.row("a", 32, level.u32), case.row("b", 32, level.u32)
    p = modulus(case, level)
    for i in range(level.u32):
        case.require(z3.ULT(a[i], p), z3.ULT(b[i], p), lane=i)
    for i, found in enumerate(case.run(32, level.u32)):
        # The sum is below 2p, and the difference is above -p. Both fit into 32 bits.
        sum, difference = a[i] + b[i], a[i] - b[i]
        reduced_sum = z3.If(z3.ULT(sum, p), sum, sum - p)
        reduced_difference = z3.If(z3.ULT(a[i], b[i]), difference + p, difference)
        case.prove_equal(found, reduced_sum if case.name == "add_mod_u32" else reduced_difference, f"lane {i}", i)


@operation("U32s", "product_u32", "montgomery_u32")
def product_u32(case: Case, level: Lanes) -> None:
    lemmas.use("Montgomery's reduction")
    a, b = case.row("a", 32, level.u32), case.row("b", 32, level.u32)
    p = modulus(case, level)
    p0i = minus_inverse(case, level, p)
    products = [z3.ZeroExt(32, x) * z3.ZeroExt(32, y) for x, y in zip(a, b)]
    for i, product in enumerate(products):
        case.require(z3.ULT(product, z3.ZeroExt(32, p) << 32), lane=i)
    for i, found in enumerate(case.run(32, level.u32)):
        wanted = lemmas.reduced(products[i], p, p0i)
        if case.name == "montgomery_u32":
            case.fact(z3.ULT(wanted, 2 * p))
            wanted = z3.If(z3.ULT(wanted, p), wanted, wanted - p)
        case.prove_equal(found, wanted, f"lane {i}", i)
        case.facts.clear()


@operation("U32s", "times_u32")
def times_u32(case: Case, level: Lanes, vectors: int = 1) -> None:
    n = vectors * level.u32
    lemmas.use("a product with a known ratio")
    a, w, ratio = (case.row(name, 32, n) for name in ("a", "w", "ratio"))
    p = modulus(case, level)
    wide = lambda x: z3.ZeroExt(32, x)
    remainders = []
    for i in range(n):
        case.require(z3.ULT(w[i], p), lane=i)
        # The ratio is 2^32 w / p, rounded down.
        ratio_error = (wide(w[i]) << 32) - wide(ratio[i]) * wide(p)
        case.require(z3.ULE(wide(ratio[i]) * wide(p), wide(w[i]) << 32), z3.ULT(ratio_error, wide(p)), lane=i)
        # The quotient `a w / p`, rounded down, or 1 less.
        quotient = z3.Extract(63, 32, wide(a[i]) * wide(ratio[i]))
        remainders.append(wide(a[i]) * wide(w[i]) - wide(quotient) * wide(p))
        case.fact(z3.ULT(remainders[i], 2 * wide(p)))
    for i, found in enumerate(case.run(32, n)):
        case.prove_equal(found, z3.Extract(31, 0, remainders[i]), f"lane {i}", i)


@operation("U32s", "times_long_u32")
def times_long_u32(case: Case, level: Lanes) -> None:
    n = level.u32
    lemmas.use("a product with a long ratio")
    a, rest, ratio = (case.row(name, 32, n) for name in ("a", "rest", "ratio"))
    p = modulus(case, level)
    wide = lambda x: z3.ZeroExt(32, x)
    for i, found in enumerate(case.run(32, n)):
        # `ratio` and `rest` are the upper and the lower half of a 64-bit ratio. `fraction` is `a`
        # times this ratio modulo 2^64. The upper half of `fraction`, plus 1, is multiplied by p,
        # and the result is the upper half of this product.
        fraction = wide(a[i]) * z3.Concat(ratio[i], rest[i])
        product = (z3.LShR(fraction, 32) + 1) * wide(p)
        case.prove_equal(found, z3.Extract(63, 32, product), f"lane {i}", i)


@operation("U32s", "times_each_u32")
def times_each_u32(case: Case, level: Lanes) -> None:
    times_u32(case, level, vectors=2)


@operation("U32s", "no_products")
def no_products(case: Case, level: Lanes) -> None:
    for i, found in enumerate(case.run(64, level.u32, align=min(8 * level.u32, 64))):
        case.prove_equal(found, number(0, 64), f"sum {i}")


def unknown_sums_of_products(case: Case, level: Lanes) -> list[Word]:
    """Adds a state with unknown sums of products, and returns the sum of each lane, in lane order."""
    stored_lanes = level.products(level.u32)
    sums = [case.unknown(f"sum[{i}]", 64) for i in range(level.u32)]
    case.memory([sums[lane] for lane in stored_lanes], min(8 * level.u32, 64))
    return sums


@operation("U32s", "add_product")
def add_product(case: Case, level: Lanes) -> None:
    sums = unknown_sums_of_products(case, level)
    a, b = case.row("a", 32, level.u32), case.row("b", 32, level.u32)
    out = case.run(64, level.u32, align=min(8 * level.u32, 64))
    for found, lane in zip(out, level.products(level.u32)):
        case.prove_equal(found, sums[lane] + z3.ZeroExt(32, a[lane]) * z3.ZeroExt(32, b[lane]), f"lane {lane}", lane)


@operation("U32s", "sum_of_products")
def sum_of_products(case: Case, level: Lanes) -> None:
    lemmas.use("Montgomery's reduction")
    sums = unknown_sums_of_products(case, level)
    p = modulus(case, level)
    p0i = minus_inverse(case, level, p)
    for i in range(level.u32):
        case.require(z3.ULT(sums[i], z3.ZeroExt(32, p) << 32), lane=i)
    for i, found in enumerate(case.run(32, level.u32)):
        case.prove_equal(found, lemmas.reduced(sums[i], p, p0i), f"lane {i}", i)


@operation("U32s", "lanes_below_u32")
def lanes_below_u32(case: Case, level: Lanes) -> None:
    v = case.row("v", 32, level.u32)
    [limit] = case.row("limit", 32, 1)
    case.require(*(x >= 0 for x in [*v, limit]))
    [found] = case.run(32, 1)
    for i in range(32):
        bit = z3.Extract(i, i, found) == 1
        case.prove(bit == z3.ULT(v[i], limit) if i < len(v) else z3.Not(bit), f"bit {i}")


@operation("U32s", "keep_lanes_u32")
def keep_lanes_u32(case: Case, level: Lanes) -> None:
    v = case.row("v", 32, level.u32)
    [chosen] = case.row("chosen", 32, 1)
    case.require(z3.ULT(chosen, 1 << level.u32))
    count_at = (4 * level.u32 + 7) // 8 * 8
    output = case.run_into([None] * (count_at + 8), 8)
    [count] = output.lanes(64, count_at, 1)
    wanted, number_kept = kept(v, [z3.Extract(i, i, chosen) == 1 for i in range(level.u32)])
    case.prove_equal(count, number_kept, "the count of the chosen lanes")
    for i, found in enumerate(output.lanes(32, 0, level.u32)):
        case.prove(z3.Or(z3.ULE(number_kept, i), found == wanted[i]), f"lane {i} of the output")


@operation("U32s", "keep_below_u23")
def keep_below_u23(case: Case, level: Lanes) -> None:
    src = case.row("src", 8, 3 * level.u32)
    [limit] = case.row("limit", 32, 1)
    lanes = [z3.ZeroExt(9, z3.Extract(22, 0, x)) for x in recast(src, 8, 24)]
    keep_below(case, lanes, limit)


for d in (1, 2, 4, 8):

    def repeat(case: Case, level: Lanes, d: int = d) -> None:
        src = case.row("src", 32, level.u32)
        row = [src[i // d] for i in range(level.u32)]
        if case.name.startswith("repeat_back"):
            row.reverse()
        for i, found in enumerate(case.run(32, level.u32)):
            case.prove_equal(found, row[i], f"lane {i}", i)

    repeat.exists = lambda level, d=d: d < level.u32 or (d == 1 and level.u32 == 1)
    GROUPS["U32s"][f"repeat_u32 {d}"] = repeat
    GROUPS["U32s"][f"repeat_back_u32 {d}"] = repeat

for bits in range(1, 26):

    def unpack_u32(case: Case, level: Lanes, bits: int = bits) -> None:
        src = case.row("src", 8, 5 * bits)
        for i, (found, field) in enumerate(zip(case.run(32, 40), fields(src, bits), strict=True)):
            case.prove_equal(found, z3.ZeroExt(32 - bits, field), f"field {i}")

    def pack_u32(case: Case, level: Lanes, bits: int = bits) -> None:
        row = case.row("fields", 32, 40)
        whole = z3.Concat(*(z3.Extract(bits - 1, 0, field) for field in reversed(row)))
        for i, found in enumerate(case.run(8, 5 * bits)):
            case.prove_equal(found, z3.Extract(8 * i + 7, 8 * i, whole), f"byte {i}")

    GROUPS["U32s"][f"unpack_u32 {bits}"] = unpack_u32
    GROUPS["U32s"][f"pack_u32 {bits}"] = pack_u32


# U64s: words of one, two or many Keccak states that are hashed at the same time.


def rotated_left(a: Word, by: int) -> Word:
    return z3.RotateLeft(a, by)


def chi(flags: int) -> Callable[[Word, Word, Word], Word]:
    """Returns the function `a ^ (!b & c)`. Bits 0, 1, 2 and 3 of `flags` invert `a`, `b`, `c` and
    the result."""
    return lambda a, b, c: not_if(flags >> 3, not_if(flags, a) ^ (~not_if(flags >> 1, b) & not_if(flags >> 2, c)))


def not_if(flag: int, a: Word) -> Word:
    return ~a if flag & 1 else a


for states in ("one", "two", "many"):
    suffix = "state" if states == "one" else "states"
    kind = f"{states}_{suffix}"
    wordwise("U64s", f"load_u64 {kind}", states, 64, "a", lambda a: a)
    wordwise("U64s", f"xor_u64 {kind}", states, 64, "a b", lambda a, b: a ^ b)
    wordwise("U64s", f"xor3_u64 {kind}", states, 64, "a b c", lambda a, b, c: a ^ b ^ c)
    wordwise("U64s", f"rax1_u64 {kind}", states, 64, "a b", lambda a, b: a ^ rotated_left(b, 1))
    splat("U64s", f"splat_u64 {kind}", states, 64)
    for by in range(64):
        wordwise("U64s", f"rotate_u64 {by} {kind}", states, 64, "a", lambda a, by=by: rotated_left(a, by))
        wordwise("U64s", f"xar_u64 {by} {kind}", states, 64, "a b", lambda a, b, by=by: rotated_left(a ^ b, by))
    for flags in range(16):
        name = f"chi_u64 {flags} {kind}"
        wordwise("U64s", name, states, 64, "a b c", chi(flags))
        GROUPS["U64s"][name].exists = lambda level, flags=flags, states=states: not flags or states in level.inverted.split()

# I64s.

wordwise("I64s", "load_i64", "i64", 64, "a", lambda a: a)
wordwise("I64s", "add_i64", "i64", 64, "a b", lambda a, b: a + b)
wordwise("I64s", "sub_i64", "i64", 64, "a b", lambda a, b: a - b)
# Half of `a`, rounded up. The sum `a + 1` wraps.
wordwise("I64s", "half_i64", "i64", 64, "a", lambda a: (a + 1) >> 1)
blocks("I64s", "unzip_i64", "i64", 64, [1, 2, 4], unzipped)
blocks("I64s", "zip_i64", "i64", 64, [1, 2, 4], zipped)


@operation("I64s", "mul_fixed")
def mul_fixed(case: Case, level: Lanes) -> None:
    lemmas.use("a product of 64 bits from its parts")
    a, b = case.row("a", 64, level.i64), case.row("b", 64, level.i64)
    formula = lemmas.fixed_product if level.i64 == 1 else lemmas.fixed_product_in_parts
    for i, found in enumerate(case.run(64, level.i64)):
        case.prove_equal(found, formula(a[i], b[i]), f"lane {i}", i)


mul_fixed.exists = lambda level: level is not LEVELS["simd128"]

# F64s. Each operation applies a single IEEE 754 operation to the bits of each lane.

for op, ieee in {"add_f64": "fadd", "sub_f64": "fsub", "mul_f64": "fmul", "div_f64": "fdiv"}.items():
    wordwise("F64s", op, "f64", 64, "a b", lambda a, b, ieee=ieee: rounded(ieee, a, b))
wordwise("F64s", "load_f64", "f64", 64, "a", lambda a: a)
wordwise("F64s", "load_bits", "f64", 64, "a", lambda a: a)
wordwise("F64s", "neg_f64", "f64", 64, "a", lambda a: a ^ (1 << 63))
# The bits of 0.5 are 0x3FE << 52.
wordwise("F64s", "half_f64", "f64", 64, "a", lambda a: rounded("fmul", a, number(0x3FE << 52, 64)))
splat("F64s", "splat_f64", "f64", 64)
blocks("F64s", "interleave_f64", "f64", 64, [1, 2, 4], interleaved)


@operation("F64s", "quotient")
def quotient(case: Case, level: Lanes) -> None:
    [a], [b] = case.row("a", 64, 1), case.row("b", 64, 1)
    case.prove_equal(case.run(64, 1)[0], rounded("fdiv", a, b), "the quotient")


@operation("F64s", "add_sub_f64")
def add_sub_f64(case: Case, level: Lanes) -> None:
    a, b = case.row("a", 64, level.f64), case.row("b", 64, level.f64)
    out = case.run(64, 2 * level.f64)
    for i in range(level.f64):
        case.prove_equal(out[i], rounded("fadd", a[i], b[i]), f"sum {i}")
        case.prove_equal(out[level.f64 + i], rounded("fsub", a[i], b[i]), f"difference {i}")


# F32s. As in F64s, the proofs treat a floating-point operation as an arbitrary function of the
# bits. Integer operations are exact.

for op, ieee in {"add_f32": "fadd", "sub_f32": "fsub", "mul_f32": "fmul"}.items():
    wordwise("F32s", op, "f32", 32, "a b", lambda a, b, ieee=ieee: rounded(ieee, a, b))
for op, result in {
    "add_i32": lambda a, b: a + b,
    "sub_i32": lambda a, b: a - b,
    "and_i32": lambda a, b: a & b,
    "or_i32": lambda a, b: a | b,
    "xor_i32": lambda a, b: a ^ b,
    "less_i32": lambda a, b: z3.If(a < b, number(-1, 32), number(0, 32)),
}.items():
    wordwise("F32s", op, "f32", 32, "a b", result)
wordwise("F32s", "count_less_i32", "f32", 32, "n a b", lambda n, a, b: z3.If(a < b, n + 1, n))
wordwise("F32s", "load_f32", "f32", 32, "a", lambda a: a)
wordwise("F32s", "to_f32", "f32", 32, "a", lambda a: rounded("from_i32_to_f32_", a))
splat("F32s", "splat_f32", "f32", 32)
splat("F32s", "splat_i32", "f32", 32)
for by in range(32):
    wordwise("F32s", f"shl_i32 {by}", "f32", 32, "a", lambda a, by=by: a << by)
    wordwise("F32s", f"shr_i32 {by}", "f32", 32, "a", lambda a, by=by: z3.LShR(a, by))


@operation("F32s", "le_f32")
def le_f32(case: Case, level: Lanes) -> None:
    a, b = case.row("a", 32, level.f32), case.row("b", 32, level.f32)
    [found] = case.run(32, 1)
    for i in range(32):
        wanted = z3.Extract(0, 0, rounded("at_most", a[i], b[i])) if i < level.f32 else number(0, 1)
        case.prove_equal(z3.Extract(i, i, found), wanted, f"bit {i}")


@operation("F32s", "words_every_11_bytes")
def words_every_11_bytes(case: Case, level: Lanes) -> None:
    src = case.row("src", 8, 11 * level.f32 + 5)
    out = case.run(32, 3 * level.f32)
    for i, found in enumerate(out):
        at = 11 * (i % level.f32) + 4 * (i // level.f32)
        case.prove_equal(found, z3.Concat(*reversed(src[at : at + 4])), f"word {i}")


@operation("F32s", "lookup_i32", "lookup_u8")
def lookup(case: Case, level: Lanes) -> None:
    bits, entries, limit = (32, 16, 16) if case.name == "lookup_i32" else (8, 128, 80)
    table = case.row("table", bits, entries)
    index = case.row("index", 32, level.f32)
    for i in range(level.f32):
        case.require(z3.ULT(index[i], limit), lane=i)
    for i, found in enumerate(case.run(32, level.f32)):
        wanted = table[0]
        for place in range(1, limit):
            wanted = z3.If(index[i] == place, table[place], wanted)
        case.prove_equal(found, z3.ZeroExt(32 - bits, wanted) if bits < 32 else wanted, f"lane {i}", i)


lookup.exists = lambda level: level is not LEVELS["sse2"]
# The operations of each group that are not proved, and the reasons. `run` prints them.
SKIPPED = {
    "I64s": "mul_fixed on simd128: it multiplies signed halves; `lib half_word_products_are_exact` compares it with 128-bit products",
    "F64s": "root, and quotient without a division instruction: one lane, and the same source code for all levels",
    "F32s": "floor: one number, tested by `lib laws`; reciprocal_f32: the processor manuals state the bound for its error",
}

# The functions in the traits of `src/simd/lanes` that have no proof under their own names, and the
# reasons.
WITHOUT_PROOF = {
    "store_u16 store_u32 store_u64 store_i64 store_f64 store_f32": "each proof reads a result that a store has written",
    "cast_f32 cast_i32": "proofs of operations on lanes of the other type include them",
    "up_to_eight short level_array real load_key": "they select a type or length, load a row as load_f64 does, or return their argument",
    "within_u16": "an assertion in debug builds",
    "ring_row ring_layers short_row add_sampled keep_sampled keccak_rounds merge_two_rows split_two_rows merge_row split_row left_targets_row": "rows in assembly",
    "floor reciprocal_f32 root": "`SKIPPED` has the reasons",
}
# The traits that define the operations and the functions in `WITHOUT_PROOF`.
TRAITS = {"U16s", "U32s", "U64s", "I64s", "RealRows", "F64s", "F32s"}
