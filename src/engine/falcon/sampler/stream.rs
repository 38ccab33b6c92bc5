//! The random bytes of one signing attempt: a generator's output in order, some of it made before it is wanted.

#[cfg(feature = "alloc")]
use super::eight::Eight;
use super::{Generator, ahead};
#[cfg(feature = "alloc")]
use crate::engine::hash::shake::MANY;
use crate::engine::hash::shake::{PARTS, RATE, Shake256, has_two, keccak_f};
use crate::simd::{F32s, Simd, ct, recast};

/// The bytes of the generator that are kept: a block, and what is left of the one before, with what was taken of its first
/// word. [`ahead`] takes more, and so do blocks that are made before they are wanted.
const LEFT: usize = 24;
const SMALL: usize = if cfg!(feature = "alloc") { RATE + LEFT + CHUNK } else { 0 };
const LARGE: usize = 12 * RATE + CHUNK;
/// The bytes that are moved at a time. There is room for so many behind the last one.
const CHUNK: usize = 32;
/// The bytes of a word. Blocks begin at words, for not every processor reads and writes words elsewhere.
const WORD: usize = 8;
/// With more bytes than these, [`Stream::meanwhile`] does nothing: they are what [`ahead`] wants at a time, and what
/// pairs use until it wants more.
const AMPLE: usize = ahead::BYTES + 2 * RATE;

/// Returns whether bytes of one generator are taken from its sponge, one after the other: on the level of small machines, and on all that
/// make no candidates ahead where there is no other generator. Then no bytes are kept beside the sponge.
#[inline(always)]
const fn reads_sponge<S: Simd>() -> bool {
    S::SHALLOW || (SMALL == 0 && S::F32s::LANES_F32 == 1)
}

/// The generator at work.
enum Source<S: Simd> {
    Shake256(Shake256<S>),
    #[cfg(feature = "alloc")]
    Eight(Eight<S>),
    /// Blocks come by [`Stream::feed`], for the generators of several signatures work together.
    #[cfg(feature = "alloc")]
    Fed,
}

/// The generator of a signature: its output in order, nothing skipped.
pub struct Stream<S: Simd> {
    source: Source<S>,
    /// The bytes, as words in the order of memory.
    pub(super) words: <S::F32s as F32s>::Room<u64, { SMALL / WORD }, { LARGE / WORD }>,
    /// The place of the next byte.
    pub at: usize,
    /// The place behind the last byte, a multiple of [`WORD`].
    pub(super) end: usize,
    /// The number of bytes of the output before `words`.
    pub(super) gone: usize,
    /// The parts that are done of the permutation before the next block.
    part: usize,
    /// Whether the generator has not started, or bytes were wanted that had not been fed: the attempt is void.
    pub(super) is_dry: bool,
}

impl<S: Simd> Stream<S> {
    /// Returns a stream that is yet to [start](Self::start). What it gives before that is void.
    #[inline(always)]
    pub fn empty(isa: S) -> Self {
        let mut empty = Self::of(Source::Shake256(Shake256::new(isa)));
        empty.is_dry = true;
        empty
    }

    /// Returns the sponge of a stream that is yet to start, empty.
    #[inline(always)]
    pub fn sponge(&mut self) -> Option<&mut Shake256<S>> {
        match &mut self.source {
            Source::Shake256(sponge) => {
                sponge.clear();
                Some(sponge)
            }
            #[cfg(feature = "alloc")]
            _ => None,
        }
    }

    /// Starts the output of a generator for the concatenation of `parts`. A stream that has started before is void.
    #[inline(always)]
    #[cfg_attr(not(feature = "alloc"), allow(unused_variables))]
    pub fn start(&mut self, isa: S, generator: Generator, parts: &[&[u8]]) {
        let Some(sponge) = self.sponge() else {
            self.is_dry = true;
            return;
        };
        for part in parts {
            sponge.absorb(part);
        }
        match generator {
            Generator::Shake256 => sponge.finish(),
            #[cfg(feature = "alloc")]
            Generator::Eight => self.source = Source::Eight(Eight::new(isa, sponge)),
        }
        self.is_dry = false;
    }

    /// Returns a stream that is fed with blocks.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn fed() -> Self {
        Self::of(Source::Fed)
    }

    #[inline(always)]
    fn of(source: Source<S>) -> Self {
        Self { source, words: S::F32s::room(0), at: 0, end: 0, gone: 0, part: 0, is_dry: false }
    }

    /// Returns whether a stream that is fed wants another block before the next pair of samples: it has fewer bytes than
    /// [`ahead`] wants at a time, and what pairs use until it wants more.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn wants_block(&self) -> bool {
        self.end - self.at < AMPLE
    }

    /// Adds the next block, which stands in one lane of several. Range: the stream [wants](Self::wants_block) one.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn feed(&mut self, blocks: &[[u64; MANY]; RATE / WORD], lane: usize) {
        if !self.has_room() {
            self.compact();
        }
        for (word, lanes) in self.words.as_mut()[self.end / WORD..][..RATE / WORD].iter_mut().zip(blocks) {
            *word = lanes[lane].to_le();
        }
        self.end += RATE;
    }

    /// Returns the number of bytes taken so far.
    #[inline(always)]
    pub fn taken(&self) -> usize {
        self.gone + self.at
    }

    /// Moves the words that are left to the front. Not by the C library, whose function for it may go byte by byte, as musl's
    /// on AArch64 does; what is behind the last byte is moved with it.
    #[inline(always)]
    fn compact(&mut self) {
        let words = self.words.as_mut();
        let (from, end) = (self.at / WORD, self.end / WORD);
        let mut to = 0;
        while from + to < end {
            let chunk: [u64; CHUNK / WORD] = *words[from + to..].first_chunk().unwrap_or(&[0; CHUNK / WORD]);
            words[to..to + CHUNK / WORD].copy_from_slice(&chunk);
            to += CHUNK / WORD;
        }
        self.gone += WORD * from;
        self.end -= WORD * from;
        self.at %= WORD;
    }

    /// Moves what is left to the front when a quarter of the room is used up.
    #[inline(always)]
    pub fn make_room(&mut self) {
        if self.at > LARGE / 4 {
            self.compact();
        }
    }

    /// Makes at least `count` bytes ready. Range: `count` is at most 16, or [`ahead::BYTES`] where there are lanes.
    #[inline(never)]
    fn refill(&mut self, count: usize) {
        self.compact();
        while self.end - self.at < count {
            self.squeeze();
        }
    }

    /// Adds the next block, after what is left of the permutation under way.
    #[inline(always)]
    fn squeeze(&mut self) {
        let words = &mut self.words.as_mut()[self.end / WORD..][..RATE / WORD];
        let block = match &mut self.source {
            Source::Shake256(sponge) if self.part == 0 => sponge.squeeze_block(),
            Source::Shake256(sponge) => {
                for part in self.part..PARTS {
                    sponge.permute_part(part);
                }
                self.part = 0;
                sponge.block()
            }
            #[cfg(feature = "alloc")]
            Source::Eight(eight) => eight.squeeze(),
            #[cfg(feature = "alloc")]
            Source::Fed => {
                self.is_dry = true;
                &[0; RATE / WORD]
            }
        };
        for (word, lane) in words.iter_mut().zip(block) {
            *word = lane.to_le();
        }
        self.end += RATE;
    }

    /// Goes on with the permutation by one part, while a pair waits for a decision that leaves the CPU idle enough.
    /// Pairs take 38 bytes each and a part makes 34, so that the part is wanted nearly always.
    #[inline(always)]
    pub fn meanwhile(&mut self) {
        let is_ample = self.end - self.at > AMPLE || !self.has_room();
        if let Source::Shake256(sponge) = &mut self.source
            && !is_ample
        {
            sponge.permute_part(self.part);
            self.part += 1;
            if self.part == PARTS {
                self.squeeze();
            }
        }
    }

    /// Permutes another state (`keccak_f`), and makes the next block where that costs nothing more.
    #[inline(always)]
    pub fn permute_with(&mut self, isa: S, state: &mut [u64; 25]) {
        let has_room = self.has_room();
        match &mut self.source {
            Source::Shake256(sponge) if has_two::<S>() && has_room && self.part == 0 => {
                sponge.permute_with(state);
                self.part = PARTS;
                self.squeeze();
            }
            _ => keccak_f(isa, state),
        }
    }

    /// Returns whether there is room for a block.
    #[inline(always)]
    fn has_room(&self) -> bool {
        WORD * self.words.as_ref().len() >= self.end + RATE + CHUNK
    }

    /// Returns the next bytes, at least `count`, without taking them.
    #[inline(always)]
    pub fn ready(&mut self, count: usize) -> &[u8] {
        if self.end - self.at < count {
            self.refill(count);
        }
        &recast(self.words.as_mut())[self.at..]
    }

    /// Takes the next `N` bytes: up to 16, or a block when none are left.
    #[inline(always)]
    pub fn take<const N: usize>(&mut self) -> [u8; N] {
        // Tests give bytes of their own.
        let is_given = cfg!(test) && self.end > 0;
        if reads_sponge::<S>()
            && !is_given
            && let Source::Shake256(sponge) = &mut self.source
        {
            self.gone += N;
            return sponge.next_bytes();
        }
        let bytes = *self.ready(N).first_chunk().unwrap_or(&[0; N]);
        self.at += N;
        bytes
    }
}

impl<S: Simd> Drop for Stream<S> {
    fn drop(&mut self) {
        ct::wipe(self.words.as_mut());
    }
}
