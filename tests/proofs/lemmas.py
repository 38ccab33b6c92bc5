"""Lemmas for the proofs of operations, in steps that a solver can prove. Each is proved once.

A bit-vector solver cannot multiply two unknown 32-bit numbers in reasonable time. Therefore, there
are three kinds of steps. Equations of sums and products that are true in any ring are proved by
expanding polynomials. Bounds are proved for integers. If a product can be any 64-bit number, an
unknown number replaces it. A product of two 32-bit numbers is below 2^64, so it is the same number
as an integer and in 64 bits, and the kinds of steps can be combined.
"""

from __future__ import annotations

from typing import Callable

import z3

Word = z3.BitVecRef
LEMMAS: dict[str, tuple[str, Callable[[], None]]] = {}
USED: set[str] = set()


def lemma(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def add(steps: Callable[[], None]) -> Callable[[], None]:
        LEMMAS[name] = (" ".join((steps.__doc__ or "").split()), steps)
        return steps

    return add


def use(name: str) -> None:
    """Proves the lemma at its first use."""
    if name not in USED:
        LEMMAS[name][1]()
        USED.add(name)


def step(what: str, claim: z3.BoolRef, *known: z3.BoolRef) -> None:
    solver = z3.Solver()
    solver.set("timeout", 120_000)
    solver.add(*known, z3.Not(claim))
    answer = solver.check()
    if answer != z3.unsat:
        raise AssertionError(f"a step of a lemma is not proved ({answer}): {what}")


def ring(what: str, left: Word, right: Word) -> None:
    """Proves an equation between polynomials by expanding both sides."""
    if not z3.is_true(z3.simplify(left - right == 0, som=True)):
        raise AssertionError(f"a step of a lemma is not proved: {what}")


def wide(a: Word) -> Word:
    return z3.ZeroExt(a.size(), a)


def reduced(z: Word, p: Word, p0i: Word) -> Word:
    """Returns the upper half of `z + (z p0i mod 2^32) p`."""
    w = z3.Extract(31, 0, z) * p0i
    return z3.Extract(63, 32, z + wide(w) * wide(p))


@lemma("Montgomery's reduction")
def montgomery() -> None:
    """For each odd p < 2^31, p0i = -1/p mod 2^32 and z < 2^32 p, the upper half r of z + (z p0i mod 2^32) p is below 2p, and
    2^32 r = z modulo p."""
    z, w, p, p0i = z3.BitVec("z", 64), z3.BitVec("w", 32), z3.BitVec("p", 32), z3.BitVec("p0i", 32)
    low = z3.Extract(31, 0, z)
    ring("a low half is that of the low halves", z3.Extract(31, 0, z + wide(w) * wide(p)), low + w * p)
    ring("z is a factor", low + low * p0i * p, low * (1 + p0i * p))
    zero = z3.BitVec("zero", 32)
    step("the other factor is zero", 1 + zero == 0, zero == 0xFFFFFFFF)
    step("hence the low half", low * zero == 0, zero == 0)
    # Therefore z + w p = 2^32 r in the integers, if the sum is below 2^64; w p is at most (2^32 -
    # 1) p.
    Z, W, P, R, WP = z3.Ints("Z W P R WP")
    known = [0 <= Z, Z < 2**32 * P, 0 < P, P < 2**31, 0 <= W, W < 2**32, WP == W * P]
    step("the product is bounded", z3.And(0 <= WP, WP <= (2**32 - 1) * P), *known)
    known += [0 <= WP, WP <= (2**32 - 1) * P]
    step("the sum fits", Z + WP < 2**64, *known)
    step("the range", z3.And(0 <= R, R < 2 * P), Z + WP == 2**32 * R, *known)
    step("2^32 r - z is a multiple of p", 2**32 * R - Z == W * P, Z + WP == 2**32 * R, *known)


@lemma("a product with a known ratio")
def known_ratio() -> None:
    """For each p < 2^31, w < p and a < 2^32, with ratio = 2^32 w / p and t = a ratio / 2^32, both rounded down,
    a w - t p is in [0, 2p)."""
    a, w, p, ratio, t = z3.Ints("a w p ratio t")
    # The remainders of rounding down.
    e, f = z3.Ints("e f")
    definitions = [2**32 * w == ratio * p + e, 0 <= e, e < p, a * ratio == 2**32 * t + f, 0 <= f, f < 2**32]
    # 2^32 (a w - t p) is a 2^32 w - p 2^32 t, that is a e + p f.
    step("the sum", 2**32 * (a * w - t * p) == a * e + p * f, *definitions)
    A, E, P, F = z3.Ints("A E P F")
    bound = [0 <= A, A < 2**32, 0 <= E, E < P, 0 <= F, F < 2**32]
    step("the first product", z3.And(0 <= A * E, A * E < 2**32 * P), *bound)
    step("the second product", z3.And(0 <= P * F, P * F < 2**32 * P), *bound)
    AE, PF, D = z3.Ints("AE PF D")
    both = [0 <= AE, AE < 2**32 * P, 0 <= PF, PF < 2**32 * P, 2**32 * D == AE + PF]
    step("the range", z3.And(0 <= D, D < 2 * P), *both)


@lemma("a square of 15 bits")
def square() -> None:
    """For x < 2^15, x^2 is at most (2^15 - 1)^2."""
    x = z3.Int("x")
    step("the bound", x * x <= (2**15 - 1) ** 2, 0 <= x, x < 2**15)


@lemma("a signed product of 16 and 15 bits")
def signed_product() -> None:
    """For -2^15 <= x < 2^15 and |y| < 2^14, |x y| is at most 2^15 (2^14 - 1)."""
    x, y = z3.Ints("x y")
    known = [-(2**15) <= x, x < 2**15, -(2**14) < y, y < 2**14]
    step("the upper bound", x * y <= 2**15 * (2**14 - 1), *known)
    step("the lower bound", x * y >= -(2**15) * (2**14 - 1), *known)


def fixed_product(a: Word, b: Word) -> Word:
    """Returns floor(a b / 2^32) modulo 2^64, for signed numbers."""
    return z3.Extract(95, 32, z3.SignExt(64, a) * z3.SignExt(64, b))


def sum_of_parts(a: Word, b: Word, ll: Word, lh: Word, hl: Word, hh: Word) -> Word:
    zero = z3.BitVecVal(0, 64)
    high = hh - (z3.If(a < 0, b, zero) + z3.If(b < 0, a, zero))
    return z3.LShR(ll, 32) + lh + hl + (high << 32)


def fixed_product_in_parts(a: Word, b: Word) -> Word:
    """Returns `fixed_product` from four products of 32-bit halves."""
    low, high = lambda x: x & 0xFFFFFFFF, lambda x: z3.LShR(x, 32)
    return sum_of_parts(a, b, low(a) * low(b), low(a) * high(b), high(a) * low(b), high(a) * high(b))


@lemma("a product of 64 bits from its parts")
def parts() -> None:
    """For all signed a and b of 64 bits, floor(a b / 2^32) modulo 2^64 is (ll >> 32) + lh + hl + ((hh - a' - b') << 32), with the
    products of halves, a' = b if a is negative and b' = a if b is, else 0."""
    a, b = z3.BitVecs("a b", 64)
    half = lambda x, at: z3.ZeroExt(96, z3.Extract(at + 31, at, x))
    sign = lambda x: z3.ZeroExt(127, z3.Extract(63, 63, x))
    step("a signed number", z3.SignExt(64, a) == half(a, 0) + (half(a, 32) << 32) - (sign(a) << 64))
    al, ah, sa, bl, bh, sb = z3.BitVecs("al ah sa bl bh sb", 128)
    up = z3.BitVecVal(2**32, 128)
    whole = lambda low, high, sign: low + up * high - up * up * sign
    of_parts = al * bl + up * (al * bh + ah * bl) + up * up * (ah * bh - sa * whole(bl, bh, 0) - sb * whole(al, ah, 0))
    ring("the product, modulo 2^128", whole(al, ah, sa) * whole(bl, bh, sb), of_parts)
    x = z3.BitVec("x", 128)
    bit = z3.BitVec("bit", 1)
    step("a product with a sign", z3.ZeroExt(127, bit) * x == z3.If(bit == 1, x, z3.BitVecVal(0, 128)))
    # A product of halves can be any 64-bit number.
    ll, lh, hl, hh = (z3.BitVec(name, 64) for name in ("ll", "lh", "hl", "hh"))
    zero = z3.BitVecVal(0, 128)
    signs = z3.If(a < 0, wide(b), zero) + z3.If(b < 0, wide(a), zero)
    sum = wide(ll) + ((wide(lh) + wide(hl)) << 32) + ((wide(hh) - signs) << 64)
    step("the middle of the sum", z3.Extract(95, 32, sum) == sum_of_parts(a, b, ll, lh, hl, hh))
