"""Lemmas for the proofs of operations, in steps that a solver can prove. Each lemma is proved once.

A bit-vector solver cannot multiply two unknown 32-bit numbers in reasonable time. Therefore, the
lemmas have three kinds of steps:

- Equations between sums and products that are true in any ring: `ring` expands the polynomials.
- Bounds: the solver proves them for integers.
- Equations that are true for any 64-bit number instead of a product: an unknown number replaces the
  product.

A product of two 32-bit numbers is below 2^64. So it has the same value as an integer and as a 64-bit
number, and a proof can combine all three kinds of steps.
"""

from __future__ import annotations

from typing import Callable

import z3

Word = z3.BitVecRef
LEMMAS: dict[str, tuple[str, Callable[[], None]]] = {}
USED: set[str] = set()


def lemma(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Adds the decorated function to the lemmas. The function proves the lemma, and its
    documentation states the lemma."""

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
    """Proves that `claim` follows from `known`."""
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
    """Returns the number with twice as many bits. The upper half is zero."""
    return z3.ZeroExt(a.size(), a)


def reduced(z: Word, p: Word, p0i: Word) -> Word:
    """Returns the upper half of `z + (z p0i mod 2^32) p`."""
    w = z3.Extract(31, 0, z) * p0i
    return z3.Extract(63, 32, z + wide(w) * wide(p))


@lemma("Montgomery's reduction")
def montgomery() -> None:
    """For each odd p < 2^31, p0i = -1/p mod 2^32 and z < 2^32 p, the upper half r of
    z + (z p0i mod 2^32) p is below 2p, and 2^32 r = z modulo p."""
    z, w, p, p0i = z3.BitVec("z", 64), z3.BitVec("w", 32), z3.BitVec("p", 32), z3.BitVec("p0i", 32)
    low = z3.Extract(31, 0, z)
    ring("the low half of z + w p is low + w p modulo 2^32", z3.Extract(31, 0, z + wide(w) * wide(p)), low + w * p)
    ring("low + low p0i p is low (1 + p0i p)", low + low * p0i * p, low * (1 + p0i * p))
    # In the next two steps, `unknown` replaces first p0i p, and then 1 + p0i p.
    unknown = z3.BitVec("unknown", 32)
    step("1 + p0i p is zero modulo 2^32, because p0i p is -1", 1 + unknown == 0, unknown == 0xFFFFFFFF)
    step("low (1 + p0i p) is zero, so the low half of z + w p is zero", low * unknown == 0, unknown == 0)
    # Therefore z + w p = 2^32 r in the integers, if z + w p is below 2^64.
    Z, W, P, R, WP = z3.Ints("Z W P R WP")
    known = [0 <= Z, Z < 2**32 * P, 0 < P, P < 2**31, 0 <= W, W < 2**32, WP == W * P]
    step("w p is at most (2^32 - 1) p", z3.And(0 <= WP, WP <= (2**32 - 1) * P), *known)
    known += [0 <= WP, WP <= (2**32 - 1) * P]
    step("z + w p is below 2^64", Z + WP < 2**64, *known)
    step("r is in [0, 2p)", z3.And(0 <= R, R < 2 * P), Z + WP == 2**32 * R, *known)
    step("2^32 r - z is a multiple of p", 2**32 * R - Z == W * P, Z + WP == 2**32 * R, *known)


@lemma("a product with a known ratio")
def known_ratio() -> None:
    """For each p < 2^31, w < p and a < 2^32, with ratio = 2^32 w / p and t = a ratio / 2^32, both rounded down,
    a w - t p is in [0, 2p)."""
    a, w, p, ratio, t = z3.Ints("a w p ratio t")
    # e and f are the remainders of the two divisions that round down.
    e, f = z3.Ints("e f")
    definitions = [2**32 * w == ratio * p + e, 0 <= e, e < p, a * ratio == 2**32 * t + f, 0 <= f, f < 2**32]
    # 2^32 (a w - t p) = a (2^32 w) - p (2^32 t) = a (ratio p + e) - p (a ratio - f) = a e + p f.
    step("2^32 (a w - t p) is a e + p f", 2**32 * (a * w - t * p) == a * e + p * f, *definitions)
    A, E, P, F = z3.Ints("A E P F")
    bounds = [0 <= A, A < 2**32, 0 <= E, E < P, 0 <= F, F < 2**32]
    step("a e is in [0, 2^32 p)", z3.And(0 <= A * E, A * E < 2**32 * P), *bounds)
    step("p f is in [0, 2^32 p)", z3.And(0 <= P * F, P * F < 2**32 * P), *bounds)
    # D is a w - t p.
    AE, PF, D = z3.Ints("AE PF D")
    known = [0 <= AE, AE < 2**32 * P, 0 <= PF, PF < 2**32 * P, 2**32 * D == AE + PF]
    step("a w - t p is in [0, 2p)", z3.And(0 <= D, D < 2 * P), *known)


@lemma("a product with a long ratio")
def long_ratio() -> None:
    """For each p < 2^31, w < p and a < 2^32, with ratio = 2^64 w / p, rounded up, and a ratio = 2^64 t + 2^32 h + g,
    where h and g are below 2^32, the number (h + 1) p / 2^32, rounded down, is a w - t p, and it is in [0, p)."""
    a, w, p, ratio, t, h, g, e = z3.Ints("a w p ratio t h g e")
    # e is the remainder of the division that rounds up.
    definitions = [ratio * p == 2**64 * w + e, a * ratio == 2**64 * t + 2**32 * h + g]
    # 2^64 (a w - t p) = a (ratio p - e) - p (a ratio - 2^32 h - g) = p (2^32 h + g) - a e.
    product = 2**64 * (a * w - t * p) + a * e - p * g + 2**32 * p
    step("2^32 (h + 1) p is 2^64 (a w - t p) + a e - p g + 2^32 p", 2**32 * ((h + 1) * p) == product, *definitions)
    A, E, P, G, H = z3.Ints("A E P G H")
    bounds = [0 <= A, A < 2**32, 0 <= E, E < P, 0 <= G, G < 2**32, 0 <= H, H < 2**32]
    step("a e is in [0, 2^32 p)", z3.And(0 <= A * E, A * E < 2**32 * P), *bounds)
    step("p g is in [0, 2^32 p)", z3.And(0 <= P * G, P * G < 2**32 * P), *bounds)
    step("(h + 1) p is in [0, 2^32 p]", z3.And(0 <= (H + 1) * P, (H + 1) * P <= 2**32 * P), *bounds)
    # D is a w - t p, and R is the rounded number.
    AE, PG, HP, D, R, F = z3.Ints("AE PG HP D R F")
    known = [0 < P, P < 2**31, 0 <= AE, AE < 2**32 * P, 0 <= PG, PG < 2**32 * P, 0 <= HP, HP <= 2**32 * P]
    known += [2**32 * HP == 2**64 * D + AE - PG + 2**32 * P, HP == 2**32 * R + F, 0 <= F, F < 2**32]
    step("the rounded number is a w - t p", R == D, *known)
    step("a w - t p is in [0, p)", z3.And(0 <= D, D < P), *known)


@lemma("a square of 15 bits")
def square() -> None:
    """For x < 2^15, x^2 is at most (2^15 - 1)^2."""
    x = z3.Int("x")
    step("the bound for x^2", x * x <= (2**15 - 1) ** 2, 0 <= x, x < 2**15)


@lemma("a signed product of 16 and 15 bits")
def signed_product() -> None:
    """For -2^15 <= x < 2^15 and |y| < 2^14, |x y| is at most 2^15 (2^14 - 1)."""
    x, y = z3.Ints("x y")
    known = [-(2**15) <= x, x < 2**15, -(2**14) < y, y < 2**14]
    step("the upper bound for x y", x * y <= 2**15 * (2**14 - 1), *known)
    step("the lower bound for x y", x * y >= -(2**15) * (2**14 - 1), *known)


def fixed_product(a: Word, b: Word) -> Word:
    """Returns floor(a b / 2^32) modulo 2^64, for signed numbers."""
    return z3.Extract(95, 32, z3.SignExt(64, a) * z3.SignExt(64, b))


def sum_of_parts(a: Word, b: Word, ll: Word, lh: Word, hl: Word, hh: Word) -> Word:
    """Returns the formula of the lemma "a product of 64 bits from its parts"."""
    zero = z3.BitVecVal(0, 64)
    high = hh - (z3.If(a < 0, b, zero) + z3.If(b < 0, a, zero))
    return z3.LShR(ll, 32) + lh + hl + (high << 32)


def fixed_product_in_parts(a: Word, b: Word) -> Word:
    """Computes `fixed_product` from four products of 32-bit halves."""
    low, high = lambda x: x & 0xFFFFFFFF, lambda x: z3.LShR(x, 32)
    return sum_of_parts(a, b, low(a) * low(b), low(a) * high(b), high(a) * low(b), high(a) * high(b))


@lemma("a product of 64 bits from its parts")
def parts() -> None:
    """For all signed 64-bit a and b, floor(a b / 2^32) modulo 2^64 is (ll >> 32) + lh + hl + ((hh - a' - b') << 32). lh is the
    unsigned product of the low half of a and the high half of b; ll, hl and hh likewise. a' is b if a < 0, and otherwise 0; b' is
    a if b < 0, and otherwise 0."""
    a, b = z3.BitVecs("a b", 64)
    half = lambda x, at: z3.ZeroExt(96, z3.Extract(at + 31, at, x))
    sign = lambda x: z3.ZeroExt(127, z3.Extract(63, 63, x))
    step("a is its halves and its sign bit", z3.SignExt(64, a) == half(a, 0) + (half(a, 32) << 32) - (sign(a) << 64))
    # The low half, the high half and the sign bit of a and of b.
    al, ah, sa, bl, bh, sb = z3.BitVecs("al ah sa bl bh sb", 128)
    up = z3.BitVecVal(2**32, 128)
    whole = lambda low, high, sign: low + up * high - up * up * sign
    expanded = al * bl + up * (al * bh + ah * bl) + up * up * (ah * bh - sa * whole(bl, bh, 0) - sb * whole(al, ah, 0))
    ring("a b from the halves and signs, modulo 2^128", whole(al, ah, sa) * whole(bl, bh, sb), expanded)
    x = z3.BitVec("x", 128)
    bit = z3.BitVec("bit", 1)
    step("the product of a sign bit and x", z3.ZeroExt(127, bit) * x == z3.If(bit == 1, x, z3.BitVecVal(0, 128)))
    # The last step is true for all 64-bit numbers ll, lh, hl and hh, and not only for products of
    # halves.
    ll, lh, hl, hh = (z3.BitVec(name, 64) for name in ("ll", "lh", "hl", "hh"))
    zero = z3.BitVecVal(0, 128)
    signs = z3.If(a < 0, wide(b), zero) + z3.If(b < 0, wide(a), zero)
    sum = wide(ll) + ((wide(lh) + wide(hl)) << 32) + ((wide(hh) - signs) << 64)
    step("bits 32 to 95 of a b", z3.Extract(95, 32, sum) == sum_of_parts(a, b, ll, lh, hl, hh))
