"""The results of intrinsics, as functions of their arguments' lanes.

Intrinsics of the intermediate language follow the LLVM Language Reference. Intrinsics of processors
follow Intel's Software Developer's Manual, Arm's Architecture Reference Manual, and the
specification of WebAssembly.
"""

from __future__ import annotations

from typing import Callable

import z3

from ir import Lane, constant, folded, number
from machine import recast, rounded, truth

Lanes = list[Lane]


def lane_by_lane(f: Callable[..., z3.BitVecRef]) -> Callable[..., Lanes]:
    return lambda *rows: [None if None in row else f(*row) for row in zip(*rows)]


def smaller(a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
    return z3.If(z3.ULT(a, b), a, b)


def larger(a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
    return z3.If(z3.UGT(a, b), a, b)


def funnel_left(a: z3.BitVecRef, b: z3.BitVecRef, by: z3.BitVecRef) -> z3.BitVecRef:
    """Shifts `a` and `b` together left by `by` modulo the width, and returns the upper half.

    `a` is the upper half before the shift.
    """
    width = a.size()
    by = z3.URem(z3.ZeroExt(width, by), number(width, 2 * width))
    return z3.Extract(2 * width - 1, width, z3.Concat(a, b) << by)


def ones(a: z3.BitVecRef) -> z3.BitVecRef:
    """Returns the number of bits that are 1."""
    width = a.size()
    bits = [z3.ZeroExt(width - 1, z3.Extract(i, i, a)) for i in range(width)]
    return z3.Sum(bits) if width > 1 else a


def swapped(a: z3.BitVecRef) -> z3.BitVecRef:
    """Returns the bytes in reverse order."""
    return z3.Concat(*(z3.Extract(i + 7, i, a) for i in range(0, a.size(), 8)))


def saturated_sum(a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
    width = a.size()
    sum = z3.ZeroExt(1, a) + z3.ZeroExt(1, b)
    return z3.If(z3.Extract(width, width, sum) == 1, number(-1, width), z3.Extract(width - 1, 0, sum))


def saturated_difference(a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
    return z3.If(z3.ULT(a, b), number(0, a.size()), a - b)


def reduce(f: Callable[[z3.BitVecRef, z3.BitVecRef], z3.BitVecRef]) -> Callable[[Lanes], Lanes]:
    def all_lanes(row: Lanes) -> Lanes:
        found = row[0]
        for lane in row[1:]:
            found = f(found, lane)
        return [found]

    return all_lanes


def chosen(table: Lanes, index: z3.BitVecRef) -> z3.BitVecRef:
    """Returns the lane of the table that the lowest bits of the index select. The table's length is
    a power of two."""
    if constant(index) is not None:
        return table[constant(index) % len(table)]
    for bit in range((len(table) - 1).bit_length()):
        odd = z3.Extract(bit, bit, index) == 1
        table = [z3.If(odd, b, a) for a, b in zip(table[0::2], table[1::2])]
    return table[0]


def permuted(table: Lanes, index: Lanes) -> Lanes:
    """VPERMB, VPERMD: the lanes of a vector, in any order."""
    return [chosen(table, i) for i in index]


def permuted_two(a: Lanes, index: Lanes, b: Lanes) -> Lanes:
    """VPERMI2B, VPERMI2D: lanes of two vectors. The bit of the index above the lane number selects
    the vector."""
    return [chosen(a + b, i) for i in index]


def shuffled(table: Lanes, index: Lanes) -> Lanes:
    """PSHUFB: in each block of 16 bytes, the byte at the lowest four bits of the index.

    The result is zero if the highest bit of the index is set.
    """
    lanes: Lanes = []
    for at, i in enumerate(index):
        byte = chosen(table[at & ~15 :][:16], z3.Extract(3, 0, i))
        lanes.append(folded(z3.If(z3.Extract(7, 7, i) == 1, number(0, 8), byte)))
    return lanes


def multishift(shifts: Lanes, words: Lanes) -> Lanes:
    """VPMULTISHIFTQB: each byte is eight bits of its 64-bit word.

    The lowest six bits of the byte in `shifts` are the position of the lowest bit. The positions
    wrap around.
    """
    lanes: Lanes = []
    for at, by in enumerate(recast(shifts, shifts[0].size(), 8)):
        word = recast(words, words[0].size(), 64)[at // 8]
        rotated = z3.RotateRight(word, z3.ZeroExt(56, by & 63))
        lanes.append(z3.Extract(7, 0, rotated))
    return lanes


def multiply_add(a: Lanes, b: Lanes) -> Lanes:
    """PMADDWD: multiplies signed 16-bit numbers, and adds each two adjacent products."""
    products = [z3.SignExt(16, x) * z3.SignExt(16, y) for x, y in zip(a, b)]
    return [x + y for x, y in zip(products[0::2], products[1::2])]


def multiply_round(a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
    """PMULHRSW: the signed product, shifted right by 14 bits, incremented, and halved. The result is
    the lowest 16 bits."""
    product = z3.SignExt(16, a) * z3.SignExt(16, b)
    return z3.Extract(16, 1, (product >> 14) + 1)


def logic(a: Lanes, b: Lanes, c: Lanes, table: Lanes) -> Lanes:
    """VPTERNLOG: for the bits `a`, `b` and `c`, bit `4 a + 2 b + c` of the table."""
    bits = constant(table[0])
    lanes: Lanes = []
    for x, y, z in zip(a, b, c):
        found = number(0, x.size())
        for row in range(8):
            if bits >> row & 1:
                found |= (x if row & 4 else ~x) & (y if row & 2 else ~y) & (z if row & 1 else ~z)
        lanes.append(found)
    return lanes


def kept(lanes: Lanes, mask: list[z3.BoolRef]) -> tuple[Lanes, z3.BitVecRef]:
    """Returns a row with the lanes whose mask is true, followed by zeros, and the number of these
    lanes."""
    count = number(0, 64)
    found = [number(0, lanes[0].size())] * len(lanes)
    for i, (lane, on) in enumerate(zip(lanes, mask)):
        # A lane moves to the position `count`, the number of selected lanes before it. So its new
        # position is at most its old position `i`.
        for place in range(i + 1):
            found[place] = z3.If(z3.And(on, count == place), lane, found[place])
        count = count + z3.ZeroExt(63, truth(on))
    return found, count


def compressed(lanes: Lanes, zeros: Lanes, mask: Lanes) -> Lanes:
    """VPCOMPRESSW, VPCOMPRESSD: the selected lanes, followed by zeros."""
    if any(constant(zero) != 0 for zero in zeros):
        raise ValueError("the lanes after the selected lanes are not zero")
    return kept(lanes, [on == 1 for on in mask])[0]


def at_most(ordered: set[int]) -> Callable[..., Lanes]:
    """CMPPS: the mask of the lanes in which `a` is at most `b`.

    `ordered` has the supported relations. The relations 2 and 18 both mean "at most", and differ
    only in the exceptions that they raise.
    """

    def compare(a: Lanes, b: Lanes, relation: Lanes, mask: Lanes = [], rounding: Lanes = []) -> Lanes:
        if constant(relation[0]) not in ordered or any(constant(on) != 1 for on in mask):
            raise ValueError(f"the relation {relation[0]} is not supported, or the mask excludes a lane")
        return [z3.Extract(0, 0, rounded("at_most", x, y)) for x, y in zip(a, b)]

    return compare


def saturated(a: z3.BitVecRef, bits: int) -> z3.BitVecRef:
    """Returns the signed number with `bits` bits that is nearest to `a`."""
    least, most = number(-(1 << (bits - 1)), a.size()), number((1 << (bits - 1)) - 1, a.size())
    return z3.Extract(bits - 1, 0, z3.If(a < least, least, z3.If(a > most, most, a)))


def doubled_high(rounding: int) -> Callable[[z3.BitVecRef, z3.BitVecRef], z3.BitVecRef]:
    """SQDMULH, SQRDMULH: the high half of the doubled signed product, saturated."""

    def high(a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
        # The doubled product can have one bit more than 32, so the product is extended first.
        product = z3.SignExt(2, z3.SignExt(16, a) * z3.SignExt(16, b))
        return saturated((product * 2 + rounding) >> 16, 16)

    return high


def rounded_q15(a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
    """i16x8.q15mulr_sat_s: the signed product divided by 2^15, saturated.

    The quotient is rounded to the nearest integer, and halves are rounded up.
    """
    product = z3.SignExt(2, z3.SignExt(16, a) * z3.SignExt(16, b))
    return saturated((product + (1 << 14)) >> 15, 16)


def halved_difference(a: z3.BitVecRef, b: z3.BitVecRef) -> z3.BitVecRef:
    """SHSUB: half of the signed difference, rounded down."""
    return z3.Extract(a.size(), 1, z3.SignExt(1, a) - z3.SignExt(1, b))


def looked_up(table: Lanes, index: Lanes, instead: Lanes) -> Lanes:
    """TBL, TBX: the byte of the table at each index, or the byte of `instead` if the index is outside
    the table."""
    index_bits = (len(table) - 1).bit_length()
    return [
        folded(z3.If(z3.ULT(i, len(table)), chosen(table, z3.Extract(index_bits - 1, 0, i)), default))
        for i, default in zip(index, instead)
    ]


def table(*rows: Lanes) -> Lanes:
    """TBL with one or several vectors as the table. The last row is the index."""
    *vectors, index = rows
    return looked_up(sum(vectors, []), index, [number(0, 8)] * len(index))


def exclusive_or_and_rotate(a: Lanes, b: Lanes, by: Lanes) -> Lanes:
    """XAR: `a ^ b`, with each word rotated to the right."""
    return [z3.RotateRight(x ^ y, constant(by[0])) for x, y in zip(a, b)]


def mask_of(f: Callable[..., Lanes]) -> Callable[..., Lanes]:
    """Converts a comparison with one bit for each lane to a comparison with 32 equal bits."""
    return lambda *rows: [z3.If(bit == 1, number(-1, 32), number(0, 32)) for bit in f(*rows)]


INTRINSICS: dict[str, Callable[..., Lanes]] = {
    "llvm.umin": lane_by_lane(smaller),
    "llvm.umax": lane_by_lane(larger),
    "llvm.smin": lane_by_lane(lambda a, b: z3.If(a < b, a, b)),
    "llvm.smax": lane_by_lane(lambda a, b: z3.If(a > b, a, b)),
    "llvm.fshl": lane_by_lane(funnel_left),
    "llvm.ctpop": lane_by_lane(ones),
    "llvm.bswap": lane_by_lane(swapped),
    "llvm.uadd.sat": lane_by_lane(saturated_sum),
    "llvm.usub.sat": lane_by_lane(saturated_difference),
    "llvm.vector.reduce.add": reduce(lambda a, b: a + b),
    "llvm.vector.reduce.or": reduce(lambda a, b: a | b),
    "llvm.aarch64.neon.sqdmulh": lane_by_lane(doubled_high(0)),
    "llvm.aarch64.neon.sqrdmulh": lane_by_lane(doubled_high(1 << 15)),
    "llvm.aarch64.neon.shsub": lane_by_lane(halved_difference),
    "llvm.aarch64.neon.tbl1": table,
    "llvm.aarch64.neon.tbl4": table,
    "llvm.aarch64.neon.tbx1": lambda instead, vector, index: looked_up(vector, index, instead),
    "llvm.aarch64.crypto.eor3u": lane_by_lane(lambda a, b, c: a ^ b ^ c),
    "llvm.aarch64.crypto.rax1": lane_by_lane(lambda a, b: a ^ z3.RotateLeft(b, 1)),
    "llvm.aarch64.crypto.xar": exclusive_or_and_rotate,
    "llvm.aarch64.crypto.bcaxu": lane_by_lane(lambda a, b, c: a ^ (b & ~c)),
    "llvm.wasm.q15mulr.sat.signed": lane_by_lane(rounded_q15),
    "llvm.wasm.swizzle": lambda vector, index: looked_up(vector, index, [number(0, 8)] * len(index)),
    "llvm.wasm.dot": multiply_add,
    # The highest bit of each lane. The lowest bit of the result belongs to lane 0.
    "llvm.wasm.bitmask": lambda row: [z3.ZeroExt(32 - len(row), z3.Concat(*(z3.Extract(31, 31, x) for x in reversed(row))))],
    "llvm.x86.sse2.pmadd.wd": multiply_add,
    "llvm.x86.avx2.pmadd.wd": multiply_add,
    "llvm.x86.avx512.pmaddw.d.512": multiply_add,
    "llvm.x86.avx2.pmul.hr.sw": lane_by_lane(multiply_round),
    "llvm.x86.avx512.pmul.hr.sw.512": lane_by_lane(multiply_round),
    "llvm.x86.avx2.pshuf.b": shuffled,
    "llvm.x86.avx2.permd": permuted,
    "llvm.x86.avx512.permvar.qi.512": permuted,
    "llvm.x86.avx512.permvar.si.512": permuted,
    "llvm.x86.avx512.vpermi2var.d.512": permuted_two,
    "llvm.x86.avx512.vpermi2var.qi.512": permuted_two,
    "llvm.x86.avx512.pmultishift.qb.512": multishift,
    "llvm.x86.avx512.pternlog.q.128": logic,
    "llvm.x86.avx512.pternlog.q.512": logic,
    "llvm.x86.avx512.mask.compress.v16i32": compressed,
    "llvm.x86.avx512.mask.compress.v32i16": compressed,
    "llvm.x86.sse.cmp.ps": mask_of(at_most({2})),
    "llvm.x86.avx.cmp.ps.256": mask_of(at_most({18})),
    "llvm.x86.avx512.mask.cmp.ps.512": at_most({18}),
}
