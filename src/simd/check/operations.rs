//! Functions for `tests/proofs`, one for each operation and level (instruction set). A function
//! reads its inputs from memory, does a single operation in a frame that enables the level's
//! instructions, and writes the result. No code calls these functions. Instead, `tests/proofs`
//! reads their machine code, and proves that it computes what the traits document.
//!
//! A function's name is `proof LEVEL OPERATION`, or `proof LEVEL OPERATION CONSTANT` if the
//! operation is compiled for a constant. The function does not have to create the level's proof (a
//! value that proves that the CPU supports the level), because this proof is a parameter.

#[cfg(target_arch = "wasm32")]
use crate::simd::Simd128;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512, Sse2};
use crate::simd::{BitOrder, F32s, F64s, I64s, RealRows, Scalar, Simd, U16s, U32s, U64s, frame};
#[cfg(any(target_arch = "aarch64", target_arch = "arm64ec"))]
use crate::simd::{Neon, NeonSha3};

/// The lanes that an operation has kept, and the number of these lanes.
#[repr(C)]
struct KeptLanes<R> {
    lanes: R,
    count: u64,
}

/// Defines a function for each line. The line contains the function's name, its inputs, its output,
/// and the code that computes the output.
macro_rules! functions {
    ($level:literal, $isa:ident: $of:ty;
     $( $name:expr => ($($arg:ident: $t:ty),*) $out:ident: $o:ty = $work:expr; )+) => {$(
        const _: () = {
            // SAFETY: the name is unique, because no other function has a space in its name.
            #[unsafe(export_name = concat!("proof ", $level, " ", $name))]
            pub fn operation($isa: $of, $($arg: &$t,)* $out: &mut $o) {
                frame!($isa, $work)
            }
        };
    )+};
}

/// Defines operations on a vector type: arguments are read with `$load`, and the result is written
/// with `$store`.
macro_rules! vectors {
    ($level:literal, $of:ty, $row:ty, $load:ident, $store:ident;
     $( $name:expr => $op:ident $(::<$d:literal>)? ($($arg:ident),* $(; $by:expr)?) )+) => {
        functions! { $level, isa: $of;
            $( $name => ($($arg: $row),*) out: $row =
                isa.$store(isa.$op $(::<$d>)? ($(isa.$load($arg)),* $(, $by)?), out); )+
        }
    };
}

/// Defines operations for each block length. An operation has two vectors as input, and two as
/// output.
macro_rules! blocks {
    ($level:literal, $of:ty, $row:ty, $load:ident, $store:ident, $name:literal $op:ident; $($d:literal)+) => {
        functions! { $level, isa: $of;
            $( concat!($name, " ", $d) => (a: $row, b: $row) out: [$row; 2] = {
                let (first, second) = isa.$op::<$d>(isa.$load(a), isa.$load(b));
                isa.$store(first, &mut out[0]);
                isa.$store(second, &mut out[1]);
            }; )+
        }
    };
}

/// Defines the functions for [`U16s`].
macro_rules! u16s {
    ($level:literal, $of:ty) => {
        const _: () = {
            type Row = [u16; <$of as U16s>::LANES_U16];
            type Squares = <$of as U16s>::Squares;
            vectors! { $level, $of, Row, load_u16, store_u16;
                "add_u16" => add_u16(a, b)
                "sub_u16" => sub_u16(a, b)
                "min_u16" => min_u16(a, b)
                "max_u16" => max_u16(a, b)
                "mullo_u16" => mullo_u16(a, b)
                "mulhi_u16" => mulhi_u16(a, b)
                "mulhi_i16" => mulhi_i16(a, b)
                "mulhi_same_i16" => mulhi_same_i16(a, b, zero)
                "montgomery_i16" => montgomery_i16(a, z, m, q, zero)
                "thirds_i16" => thirds_i16(a)
                "wrap_u16" => wrap_u16(a, q)
                "and_u16" => and_u16(a, b)
                "or_u16" => or_u16(a, b)
                "xor_u16" => xor_u16(a, b)
            }
            functions! { $level, isa: $of;
                "load_u16" => (a: Row) out: Row = isa.store_u16(isa.load_u16(a), out);
                "splat_u16" => (x: u16) out: Row = isa.store_u16(isa.splat_u16(*x), out);
                "keep_below_u16" => (v: Row, limit: u16) out: KeptLanes<Row> =
                    out.count = isa.keep_below_u16(isa.load_u16(v), *limit, &mut out.lanes) as u64;
                "no_squares" => () out: Squares = *out = isa.no_squares();
                "add_squares" => (sum: Squares, v: Row) out: Squares = *out = isa.add_squares(*sum, isa.load_u16(v));
                "total" => (sum: Squares) out: u64 = *out = isa.total(*sum);
                "unpack14 little" => (src: [u8; 56]) out: [u16; 32] = isa.unpack14(BitOrder::Little, src, out);
                "unpack14 big" => (src: [u8; 56]) out: [u16; 32] = isa.unpack14(BitOrder::Big, src, out);
            }
            blocks! { $level, $of, Row, load_u16, store_u16, "interleave_u16" interleave_u16; 1 2 4 8 16 }
    shifts!($level, $of; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        };
    };
}

/// Defines the shifts by each of the given distances.
macro_rules! shifts {
    ($level:literal, $of:ty; $($by:literal)+) => {
        vectors! { $level, $of, Row, load_u16, store_u16;
            $( concat!("shl_u16 ", $by) => shl_u16(a; $by)
               concat!("shr_u16 ", $by) => shr_u16(a; $by) )+
        }
    };
}

/// Defines the functions for [`U32s`].
macro_rules! u32s {
    ($level:literal, $of:ty) => {
        const _: () = {
            type Row = [u32; <$of as U32s>::LANES_U32];
            type Products = <$of as U32s>::Products;
            vectors! { $level, $of, Row, load_u32, store_u32;
                "below_u32" => below_u32(a, p)
                "add_mod_u32" => add_mod_u32(a, b, p)
                "sub_mod_u32" => sub_mod_u32(a, b, p)
                "add_u32" => add_u32(a, b)
                "sub_u32" => sub_u32(a, b)
                "product_u32" => product_u32(a, b, p, p0i)
                "montgomery_u32" => montgomery_u32(a, b, p, p0i)
                "times_u32" => times_u32(a, w, ratio, p)
                "times_long_u32" => times_long_u32(a, rest, ratio, p)
            }
            functions! { $level, isa: $of;
                "load_u32" => (a: Row) out: Row = isa.store_u32(isa.load_u32(a), out);
                "splat_u32" => (x: u32) out: Row = isa.store_u32(isa.splat_u32(*x), out);
                "times_each_u32" => (a: [Row; 2], w: [Row; 2], ratios: [Row; 2], p: Row) out: [Row; 2] = {
                    let ratios = [isa.load_u32(&ratios[0]), isa.load_u32(&ratios[1])];
                    let [a, w] = [[isa.load_u32(&a[0]), isa.load_u32(&a[1])], [isa.load_u32(&w[0]), isa.load_u32(&w[1])]];
                    let products = isa.times_each_u32(a, w, ratios, isa.load_u32(p));
                    isa.store_u32(products[0], &mut out[0]);
                    isa.store_u32(products[1], &mut out[1]);
                };
                "no_products" => () out: Products = *out = isa.no_products();
                "add_product" => (sum: Products, a: Row, b: Row) out: Products =
                    *out = isa.add_product(*sum, isa.load_u32(a), isa.load_u32(b));
                "sum_of_products" => (sum: Products, p: Row, p0i: Row) out: Row =
                    isa.store_u32(isa.sum_of_products(*sum, isa.load_u32(p), isa.load_u32(p0i)), out);
                "lanes_below_u32" => (v: Row, limit: u32) out: u32 =
                    *out = isa.lanes_below_u32(isa.load_u32(v), *limit);
                "keep_lanes_u32" => (v: Row, chosen: u32) out: KeptLanes<Row> =
                    out.count = isa.keep_lanes_u32(isa.load_u32(v), *chosen, &mut out.lanes) as u64;
                "keep_below_u23" => (src: [u8; 3 * <$of as U32s>::LANES_U32], limit: u32) out: KeptLanes<Row> =
                    out.count = isa.keep_below_u23(src, *limit, &mut out.lanes) as u64;
            }
            blocks! { $level, $of, Row, load_u32, store_u32, "unzip_u32" unzip_u32; 1 2 4 8 }
            blocks! { $level, $of, Row, load_u32, store_u32, "zip_u32" zip_u32; 1 2 4 8 }
            blocks! { $level, $of, Row, load_u32, store_u32, "halve_blocks_u32" halve_blocks_u32; 2 4 8 }
            blocks! { $level, $of, Row, load_u32, store_u32, "double_blocks_u32" double_blocks_u32; 1 2 4 8 }
    repeats!($level, $of; 1 2 4 8);
    fields!($level, $of; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25);
        };
    };
}

/// Defines the operations that repeat values, for each of the given numbers of repetitions.
macro_rules! repeats {
    ($level:literal, $of:ty; $($d:literal)+) => {
        functions! { $level, isa: $of;
            $( concat!("repeat_u32 ", $d) => (src: Row) out: Row = isa.store_u32(isa.repeat_u32::<$d>(src), out);
               concat!("repeat_back_u32 ", $d) => (src: Row) out: Row =
                   isa.store_u32(isa.repeat_back_u32::<$d>(src), out); )+
        }
    };
}

/// Defines operations on five groups of eight fields. With so many groups, a level uses its
/// vectors, its half-length vectors and its code for the end of a row.
macro_rules! fields {
    ($level:literal, $of:ty; $($bits:literal)+) => {
        functions! { $level, isa: $of;
            $( concat!("unpack_u32 ", $bits) => (src: [u8; 5 * $bits]) out: [u32; 40] =
                   isa.unpack_u32::<$bits>(src, out);
               concat!("pack_u32 ", $bits) => (fields: [u32; 40]) out: [u8; 5 * $bits] =
                   isa.pack_u32::<$bits>(fields, out); )+
        }
    };
}

/// Defines operations on words from one, two or many Keccak states. The arguments after a semicolon
/// are constants.
macro_rules! words {
    ($level:literal, $of:ty, $states:ident; $( $name:expr => $op:ident ($($arg:ident),* $(; $constant:expr)?) )+) => {
        functions! { $level, isa: $of;
            $( concat!($name, " ", stringify!($states)) => ($($arg: Row),*) out: Row = {
                let words = isa.$states();
                words.store_u64(words.$op($(words.load_u64($arg)),* $(, $constant)?), out);
            }; )+
        }
    };
}

/// Defines the functions for [`U64s`], on the lanes that the level uses for one, two, four or many
/// Keccak states.
macro_rules! u64s {
    ($level:literal, $of:ty, $states:ident: $lanes:ident) => {
        const _: () = {
            type Row = [u64; <<$of as Simd>::$lanes as U64s>::LANES_U64];
            words! { $level, $of, $states;
                "xor_u64" => xor_u64(a, b)
                "xor3_u64" => xor3_u64(a, b, c)
                "rax1_u64" => rax1_u64(a, b)
            }
            functions! { $level, isa: $of;
                concat!("load_u64 ", stringify!($states)) => (a: Row) out: Row =
                    isa.$states().store_u64(isa.$states().load_u64(a), out);
                concat!("splat_u64 ", stringify!($states)) => (x: u64) out: Row =
                    isa.$states().store_u64(isa.$states().splat_u64(*x), out);
            }
            rotations!($level, $of, $states; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
                31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
            chis!($level, $of, $states; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        };
    };
}

/// Defines the rotations by each of the given distances.
macro_rules! rotations {
    ($level:literal, $of:ty, $states:ident; $($by:literal)+) => {
        words! { $level, $of, $states;
            $( concat!("rotate_u64 ", $by) => rotate_u64(a; $by)
               concat!("xar_u64 ", $by) => xar_u64(a, b; $by) )+
        }
    };
}

/// Defines `chi_u64`. The number `$flags` has a bit for each word: `a`, `b`, `c` and the result. A
/// set bit means that the word is stored inverted, on levels that invert words
/// (`U64s::STORES_INVERTED_WORDS`).
macro_rules! chis {
    ($level:literal, $of:ty, $states:ident; $($flags:literal)+) => {
        words! { $level, $of, $states;
            $( concat!("chi_u64 ", $flags) => chi_u64(a, b, c; [1, 2, 4, 8].map(#[inline(always)] |flag| $flags & flag != 0)) )+
        }
    };
}

/// Defines the functions for [`I64s`].
macro_rules! i64s {
    ($level:literal, $of:ty) => {
        const _: () = {
            type Row = [i64; <$of as I64s>::LANES_I64];
            vectors! { $level, $of, Row, load_i64, store_i64;
                "add_i64" => add_i64(a, b)
                "sub_i64" => sub_i64(a, b)
                "half_i64" => half_i64(a)
                "mul_fixed" => mul_fixed(a, b)
            }
            functions! { $level, isa: $of;
                "load_i64" => (a: Row) out: Row = isa.store_i64(isa.load_i64(a), out);
            }
            blocks! { $level, $of, Row, load_i64, store_i64, "unzip_i64" unzip_i64; 1 2 4 }
            blocks! { $level, $of, Row, load_i64, store_i64, "zip_i64" zip_i64; 1 2 4 }
        };
    };
}

/// Defines the functions for [`RealRows`] and [`F64s`].
macro_rules! f64s {
    ($level:literal, $of:ty) => {
        const _: () = {
            type Row = [f64; <$of as RealRows>::LANES_F64];
            vectors! { $level, $of, Row, load_f64, store_f64;
                "add_f64" => add_f64(a, b)
                "sub_f64" => sub_f64(a, b)
                "mul_f64" => mul_f64(a, b)
                "div_f64" => div_f64(a, b)
                "neg_f64" => neg_f64(a)
                "half_f64" => half_f64(a)
            }
            functions! { $level, isa: $of;
                "load_f64" => (a: Row) out: Row = isa.store_f64(isa.load_f64(a), out);
                "load_bits" => (a: [u64; <$of as RealRows>::LANES_F64]) out: Row = isa.store_f64(isa.load_bits(a), out);
                "splat_f64" => (x: f64) out: Row = isa.store_f64(isa.splat_f64(*x), out);
                "quotient" => (a: f64, b: f64) out: f64 = *out = isa.quotient(*a, *b);
                "add_sub_f64" => (a: Row, b: Row) out: [Row; 2] = {
                    let (sum, difference) = isa.add_sub_f64(isa.load_f64(a), isa.load_f64(b));
                    isa.store_f64(sum, &mut out[0]);
                    isa.store_f64(difference, &mut out[1]);
                };
            }
            blocks! { $level, $of, Row, load_f64, store_f64, "interleave_f64" interleave_f64; 1 2 4 }
        };
    };
}

/// Defines operations for `F32s`. Integer vectors are read and written as binary32 numbers with the
/// same bits.
macro_rules! f32s {
    ($level:literal, $of:ty) => {
        const _: () = {
            type Row = [f32; <$of as F32s>::LANES_F32];
            vectors! { $level, $of, Row, load_f32, store_f32;
                "add_f32" => add_f32(a, b)
                "sub_f32" => sub_f32(a, b)
                "mul_f32" => mul_f32(a, b)
            }
            integers! { $level, $of;
                "add_i32" => add_i32(a, b)
                "sub_i32" => sub_i32(a, b)
                "and_i32" => and_i32(a, b)
                "or_i32" => or_i32(a, b)
                "xor_i32" => xor_i32(a, b)
                "less_i32" => less_i32(a, b)
                "count_less_i32" => count_less_i32(n, a, b)
            }
            functions! { $level, isa: $of;
                "load_f32" => (a: Row) out: Row = isa.store_f32(isa.load_f32(a), out);
                "splat_f32" => (x: f32) out: Row = isa.store_f32(isa.splat_f32(*x), out);
                "splat_i32" => (x: i32) out: Row = isa.store_f32(isa.cast_f32(isa.splat_i32(*x)), out);
                "to_f32" => (a: Row) out: Row = isa.store_f32(isa.to_f32(isa.cast_i32(isa.load_f32(a))), out);
                "le_f32" => (a: Row, b: Row) out: u32 = *out = isa.le_f32(isa.load_f32(a), isa.load_f32(b));
                "words_every_11_bytes" => (src: [u8; 11 * <$of as F32s>::LANES_F32 + 5]) out: [Row; 3] = {
                    let [first, second, third] = isa.words_every_11_bytes(src);
                    isa.store_f32(isa.cast_f32(first), &mut out[0]);
                    isa.store_f32(isa.cast_f32(second), &mut out[1]);
                    isa.store_f32(isa.cast_f32(third), &mut out[2]);
                };
                "lookup_i32" => (table: [i32; 16], index: Row) out: Row =
                    isa.store_f32(isa.cast_f32(isa.lookup_i32(table, isa.cast_i32(isa.load_f32(index)))), out);
                "lookup_u8" => (table: [u8; 128], index: Row) out: Row =
                    isa.store_f32(isa.cast_f32(isa.lookup_u8(table, isa.cast_i32(isa.load_f32(index)))), out);
            }
    bits!($level, $of; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        };
    };
}

/// Defines operations on 32-bit integers in [`F32s`]. A function reads and writes the integers as
/// `f32` values with the same bits.
macro_rules! integers {
    ($level:literal, $of:ty; $( $name:expr => $op:ident $(::<$n:literal>)? ($($arg:ident),*) )+) => {
        functions! { $level, isa: $of;
            $( $name => ($($arg: Row),*) out: Row =
                isa.store_f32(isa.cast_f32(isa.$op $(::<$n>)? ($(isa.cast_i32(isa.load_f32($arg))),*)), out); )+
        }
    };
}

/// Defines the shifts in [`F32s`] by each of the given distances.
macro_rules! bits {
    ($level:literal, $of:ty; $($n:literal)+) => {
        integers! { $level, $of;
            $( concat!("shl_i32 ", $n) => shl_i32::<$n>(a)
               concat!("shr_i32 ", $n) => shr_i32::<$n>(a) )+
        }
    };
}

/// Defines the functions for all operation groups on a level with vectors. Levels with a single
/// lane do not have `F32s`.
macro_rules! level {
    ($level:literal, $of:ty) => {
        one_lane_or_more!($level, $of);
        f32s!($level, $of);
    };
}

/// Defines the functions for the operation groups that every level has.
macro_rules! one_lane_or_more {
    ($level:literal, $of:ty) => {
        u16s!($level, $of);
        u32s!($level, $of);
        u64s!($level, $of, one_state: OneState);
        u64s!($level, $of, two_states: TwoStates);
        u64s!($level, $of, four_states: FourStates);
        u64s!($level, $of, many_states: ManyStates);
        i64s!($level, $of);
        f64s!($level, $of);
    };
}

one_lane_or_more!("scalar", Scalar);
#[cfg(target_arch = "x86_64")]
const _: () = {
    level!("sse2", Sse2);
    level!("avx2", Avx2);
    level!("avx512", Avx512);
};
#[cfg(any(target_arch = "aarch64", target_arch = "arm64ec"))]
const _: () = {
    level!("neon", Neon);
    level!("neon-sha3", NeonSha3);
};
#[cfg(target_arch = "wasm32")]
level!("simd128", Simd128);
