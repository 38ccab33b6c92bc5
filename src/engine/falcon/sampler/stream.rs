//! A stream with the random bytes for a signing attempt: a generator's output in order. Some bytes
//! are computed before the sampler needs them.

#[cfg(feature = "alloc")]
use super::eight::EightStreams;
use super::{Generator, ahead};
#[cfg(feature = "alloc")]
use crate::engine::hash::shake::KECCAK_STATES;
use crate::engine::hash::shake::{PARTS, RATE, Shake256, has_two_states, keccak_f};
use crate::simd::{F32s, Simd, ct, recast};

/// The largest number of bytes that are in a buffer with length [`SMALL_LEN`] before the next block
/// is added. Some of these bytes, up to 7 in the first word, may already have been consumed,
/// because [`SamplerStream::compact`] moves complete words.
const MAX_UNREAD_BYTES: usize = 24;
/// The buffer's length in bytes on levels (instruction sets) that do not use [`ahead`]: space for
/// the remaining bytes and a block. Without the feature `alloc`, the bytes come directly from the
/// sponge, so there is no buffer.
const SMALL_LEN: usize = if cfg!(feature = "alloc") { RATE + MAX_UNREAD_BYTES + CHUNK } else { 0 };
/// The buffer's length in bytes on levels that use [`ahead`]. This buffer also has space for blocks
/// that are made in advance.
const LARGE_LEN: usize = 12 * RATE + CHUNK;
/// How many bytes [`SamplerStream::compact`] moves at a time. The buffer has this many
/// spare bytes at its end.
const CHUNK: usize = 32;
/// A word's length in bytes. Blocks start at multiples of a word, because not all processors can
/// read and write words at addresses between these multiples.
const WORD: usize = 8;
/// If the buffer contains more unread bytes than this, [`SamplerStream::compute_part`] does
/// nothing. This number is enough for the bytes that [`ahead`] reads at a time (`BYTES`), and for
/// the bytes that the sampler uses until [`ahead`] reads again (two blocks).
const AMPLE_LEN: usize = ahead::BYTES + 2 * RATE;

/// Returns whether the bytes of SHAKE256 come directly from the sponge, without the buffer. There
/// are two cases:
///
/// - On this level, a small stack is more important than few function calls (`SMALL_STACK`).
/// - SHAKE256 is the only generator in the build (`SMALL_LEN` is 0), and the level does not compute
///   candidates ahead.
#[inline(always)]
const fn reads_sponge<S: Simd>() -> bool {
    S::SMALL_STACK || (SMALL_LEN == 0 && S::F32s::LANES_F32 == 1)
}

/// The generator in use.
enum StreamSource<S: Simd> {
    Shake256(Shake256<S>),
    #[cfg(feature = "alloc")]
    Eight(EightStreams<S>),
    /// The stream has no generator. Instead, [`SamplerStream::feed`] adds the blocks, because the
    /// generators for several signatures work together.
    #[cfg(feature = "alloc")]
    Fed,
}

/// The random bytes for a signature: a generator's output in order, without gaps.
pub struct SamplerStream<S: Simd> {
    source: StreamSource<S>,
    /// The buffer with the bytes, as words in memory order.
    pub(super) words: <S::F32s as F32s>::LevelArray<u64, { SMALL_LEN / WORD }, { LARGE_LEN / WORD }>,
    /// The index of the next byte.
    pub at: usize,
    /// The index after the last byte, a multiple of [`WORD`].
    pub(super) end: usize,
    /// How many generator bytes precede the first byte in `words`.
    pub(super) bytes_before_words: usize,
    /// The number of finished parts in the permutation for the next block. A permutation has
    /// [`PARTS`] parts.
    finished_parts: usize,
    /// True if the sampler needed bytes that were not available, for example because the generator
    /// was not started. In this case, the attempt must be dropped.
    pub(super) lacks_bytes: bool,
}

impl<S: Simd> SamplerStream<S> {
    /// Returns a stream to be [started](Self::start) later. Until then, its bytes must not be used.
    #[inline(always)]
    pub fn empty(isa: S) -> Self {
        let mut stream = Self::of(StreamSource::Shake256(Shake256::new(isa)));
        stream.lacks_bytes = true;
        stream
    }

    /// Returns the empty sponge from a stream that has not started.
    #[inline(always)]
    pub fn sponge(&mut self) -> Option<&mut Shake256<S>> {
        match &mut self.source {
            StreamSource::Shake256(sponge) => {
                sponge.clear();
                Some(sponge)
            }
            #[cfg(feature = "alloc")]
            _ => None,
        }
    }

    /// Starts a generator's output for the concatenated `parts`. If the stream has no sponge,
    /// because it was started with `Generator::Eight` or is fed with blocks, sets `lacks_bytes`, so
    /// that the attempt is dropped.
    #[inline(always)]
    #[cfg_attr(not(feature = "alloc"), allow(unused_variables))]
    pub fn start(&mut self, isa: S, generator: Generator, parts: &[&[u8]]) {
        let Some(sponge) = self.sponge() else {
            self.lacks_bytes = true;
            return;
        };
        for part in parts {
            sponge.absorb(part);
        }
        match generator {
            Generator::Shake256 => sponge.finish(),
            #[cfg(feature = "alloc")]
            Generator::Eight => self.source = StreamSource::Eight(EightStreams::new(isa, sponge)),
        }
        self.lacks_bytes = false;
    }

    /// Returns a stream that receives its blocks from [`Self::feed`].
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn without_generator() -> Self {
        Self::of(StreamSource::Fed)
    }

    /// Returns a stream with an empty buffer.
    #[inline(always)]
    fn of(source: StreamSource<S>) -> Self {
        Self {
            source,
            words: S::F32s::level_array(0),
            at: 0,
            end: 0,
            bytes_before_words: 0,
            finished_parts: 0,
            lacks_bytes: false,
        }
    }

    /// Returns whether the stream has too few bytes for [`ahead`], and for the pairs that are drawn
    /// before [`ahead`] reads again. In this case, the caller must call [`Self::feed`] before the
    /// next pair is drawn.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn wants_block(&self) -> bool {
        self.end - self.at < AMPLE_LEN
    }

    /// Adds the next block, which is in a lane of `blocks`. [`Self::wants_block`] must return
    /// `true`.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn feed(&mut self, blocks: &[[u64; KECCAK_STATES]; RATE / WORD], lane: usize) {
        if !self.has_room() {
            self.compact();
        }
        for (word, lanes) in self.words.as_mut()[self.end / WORD..][..RATE / WORD].iter_mut().zip(blocks) {
            *word = lanes[lane].to_le();
        }
        self.end += RATE;
    }

    /// Returns the number of bytes that were consumed so far.
    #[inline(always)]
    pub fn consumed_bytes(&self) -> usize {
        self.bytes_before_words + self.at
    }

    /// Moves the remaining words to the front. The code does not call the C library's function to
    /// move memory, because that function might move single bytes, as in musl on AArch64. The last
    /// chunk can include bytes after the end of the data.
    #[inline(always)]
    fn compact(&mut self) {
        let words = self.words.as_mut();
        let (from_word, end) = (self.at / WORD, self.end / WORD);
        let mut to = 0;
        while from_word + to < end {
            let chunk: [u64; CHUNK / WORD] = *words[from_word + to..].first_chunk().unwrap_or(&[0; CHUNK / WORD]);
            words[to..to + CHUNK / WORD].copy_from_slice(&chunk);
            to += CHUNK / WORD;
        }
        self.bytes_before_words += WORD * from_word;
        self.end -= WORD * from_word;
        self.at %= WORD;
    }

    /// Moves the remaining bytes to the front if more than a quarter of the buffer has been
    /// consumed.
    #[inline(always)]
    pub fn make_room(&mut self) {
        if self.at > LARGE_LEN / 4 {
            self.compact();
        }
    }

    /// Computes blocks until at least `count` bytes are available. The largest `count` is:
    ///
    /// - [`ahead::BYTES`] on levels that use [`ahead`]
    /// - a block on all other levels, if the buffer is empty
    /// - otherwise, 16
    #[inline(never)]
    fn refill(&mut self, count: usize) {
        self.compact();
        while self.end - self.at < count {
            self.squeeze();
        }
    }

    /// Computes the remaining parts of the permutation, and appends the next block.
    #[inline(always)]
    fn squeeze(&mut self) {
        let words = &mut self.words.as_mut()[self.end / WORD..][..RATE / WORD];
        let block = match &mut self.source {
            StreamSource::Shake256(sponge) if self.finished_parts == 0 => sponge.squeeze_block(),
            StreamSource::Shake256(sponge) => {
                for finished_parts in self.finished_parts..PARTS {
                    sponge.permute_part(finished_parts);
                }
                self.finished_parts = 0;
                sponge.block()
            }
            #[cfg(feature = "alloc")]
            StreamSource::Eight(eight) => eight.squeeze(),
            #[cfg(feature = "alloc")]
            StreamSource::Fed => {
                self.lacks_bytes = true;
                &[0; RATE / WORD]
            }
        };
        for (word, lane) in words.iter_mut().zip(block) {
            *word = lane.to_le();
        }
        self.end += RATE;
    }

    /// Computes the next part of the permutation. The sampler calls this function while it waits
    /// for a pair's outcomes, because the CPU would otherwise be idle. A pair uses 38 bytes on
    /// average, and a part produces 34 bytes, so the part is nearly always needed.
    #[inline(always)]
    pub fn compute_part(&mut self) {
        let is_ample = self.end - self.at > AMPLE_LEN || !self.has_room();
        if let StreamSource::Shake256(sponge) = &mut self.source
            && !is_ample
        {
            sponge.permute_part(self.finished_parts);
            self.finished_parts += 1;
            if self.finished_parts == PARTS {
                self.squeeze();
            }
        }
    }

    /// Permutes `state` (`keccak_f`), and also prepares the next block if this needs no extra time.
    #[inline(always)]
    pub fn permute_with(&mut self, isa: S, state: &mut [u64; 25]) {
        let has_room = self.has_room();
        match &mut self.source {
            StreamSource::Shake256(sponge) if has_two_states::<S>() && has_room && self.finished_parts == 0 => {
                sponge.permute_with(state);
                self.finished_parts = PARTS;
                self.squeeze();
            }
            _ => keccak_f(isa, state),
        }
    }

    /// Returns whether the buffer has space for a block.
    #[inline(always)]
    fn has_room(&self) -> bool {
        WORD * self.words.as_ref().len() >= self.end + RATE + CHUNK
    }

    /// Returns the next `count` bytes or more, but does not consume any bytes.
    #[inline(always)]
    pub fn ready_bytes(&mut self, count: usize) -> &[u8] {
        if self.end - self.at < count {
            self.refill(count);
        }
        &recast(self.words.as_mut())[self.at..]
    }

    /// Consumes and returns the next `N` bytes. Range: `N` is at most 16, or at most a block if the
    /// buffer is empty.
    #[inline(always)]
    pub fn take<const N: usize>(&mut self) -> [u8; N] {
        // If a test has written bytes to the buffer, read these bytes instead of the sponge's
        // bytes.
        let is_given = cfg!(test) && self.end > 0;
        if reads_sponge::<S>()
            && !is_given
            && let StreamSource::Shake256(sponge) = &mut self.source
        {
            self.bytes_before_words += N;
            return sponge.next_bytes();
        }
        let bytes = *self.ready_bytes(N).first_chunk().unwrap_or(&[0; N]);
        self.at += N;
        bytes
    }
}

impl<S: Simd> Drop for SamplerStream<S> {
    fn drop(&mut self) {
        ct::wipe(self.words.as_mut());
    }
}
