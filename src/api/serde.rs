//! Implements serialisation and deserialisation with `serde`.
//!
//! | type | in human-readable formats | in other formats |
//! |---|---|---|
//! | `Scheme`, `Algorithm`, `SignatureEncoding`, `PreHash` | the name: `"falcon-512"` | the same |
//! | `Degree` | the degree: 512 | the same |
//! | `KeyHash`, `Mu`, `Context` | hexadecimal digits | bytes |
//! | keys, signatures | `{"algorithm": "falcon-512", "bytes": "39.."}` | bytes instead of digits |
//! | `Options` | `{"context": "", "prehash": "sha512"}` (or `null`) | bytes instead of digits |
//!
//! Names are in lower case. For public keys, signatures and options, you can serialise borrowed and
//! owned types, but deserialise only owned types. For private keys, only [`SigningKey`] supports
//! serialisation and deserialisation. Deserialisation checks keys and signatures in full: a private
//! key must pass all checks of [`SigningKey::of_algorithm`].

#[cfg(feature = "sign")]
use super::SigningKey;
use super::algorithm::{Algorithm, Scheme};
use super::{Context, KeyHash, Mu, Options, OwnedOptions, Signature, SignatureRef, VerifyingKey, VerifyingKeyRef, hex};
use crate::engine::falcon::params::Degree;
use crate::engine::falcon::scheme::SignatureEncoding;
use crate::engine::hash::prehash::PreHash;
use crate::simd::ct;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::marker::PhantomData;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// A wrapper that displays a value in lower case.
struct LowercaseName<T>(T);

impl<T: fmt::Display> fmt::Display for LowercaseName<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct LowercaseWriter<'a, 'f>(&'a mut fmt::Formatter<'f>);
        impl fmt::Write for LowercaseWriter<'_, '_> {
            fn write_str(&mut self, s: &str) -> fmt::Result {
                s.chars().try_for_each(|c| self.0.write_char(c.to_ascii_lowercase()))
            }
        }
        write!(LowercaseWriter(f), "{}", self.0)
    }
}

/// A visitor that parses a name.
struct NameVisitor<T> {
    expecting: &'static str,
    parse: fn(&str) -> Option<T>,
}

impl<T> Visitor<'_> for NameVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
        (self.parse)(name).ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
    }
}

/// Implements `Serialize` and `Deserialize` for a type that is serialised as its name.
macro_rules! named {
    ($type:ty, $expecting:literal, $name:expr, $parse:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&LowercaseName($name(self)))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(NameVisitor { expecting: $expecting, parse: $parse })
            }
        }
    };
}

named!(Scheme, "the name of a scheme", |scheme: &Self| scheme.title(), |name| {
    Scheme::ALL.into_iter().find(|scheme| scheme.title().eq_ignore_ascii_case(name))
});
named!(Algorithm, "the name of an algorithm", |algorithm: &Self| *algorithm, |name| name.parse().ok());
named!(SignatureEncoding, "the name of an encoding", |encoding: &Self| encoding.name(), |name| {
    Scheme::Falcon.encodings().iter().copied().find(|encoding| encoding.name().eq_ignore_ascii_case(name))
});
named!(PreHash, "the name of a pre-hash", |hash: &Self| hash.name(), |name| {
    PreHash::all().find(|hash| hash.name().eq_ignore_ascii_case(name))
});

impl Serialize for Degree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.n() as u16)
    }
}

impl<'de> Deserialize<'de> for Degree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let n = u16::deserialize(deserializer)?;
        let degree = Self::all().find(|degree| degree.n() == usize::from(n) && !degree.is_toy());
        degree.ok_or_else(|| Error::invalid_value(Unexpected::Unsigned(n.into()), &"512 or 1024"))
    }
}

/// Bytes that are serialised as hexadecimal digits in human-readable formats. The bytes may be
/// secret, so this code does not use them in a branch or as an index. However, the crate that
/// implements a text format may branch on each digit.
struct SerializedBytes<'a>(&'a [u8]);

impl fmt::Display for SerializedBytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        for block in self.0.chunks(32) {
            hex::encode(block, &mut digits);
            f.write_str(core::str::from_utf8(&digits[..2 * block.len()]).unwrap_or_default())?;
        }
        ct::wipe(&mut digits);
        Ok(())
    }
}

impl Serialize for SerializedBytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { serializer.serialize_bytes(self.0) }
    }
}

/// A buffer with bytes from the input. The bytes are wiped when the buffer is dropped.
struct WipedBuffer(Vec<u8>);

impl Drop for WipedBuffer {
    fn drop(&mut self) {
        ct::wipe(&mut self.0);
    }
}

impl WipedBuffer {
    /// Parses hexadecimal digits. Returns `None` if there are other characters, or if the number of
    /// digits is odd.
    fn from_hex(digits: &[u8]) -> Option<Self> {
        let mut bytes = Self(vec![0; digits.len() / 2]);
        hex::decode(digits, &mut bytes.0).then_some(bytes)
    }
}

impl<'de> Deserialize<'de> for WipedBuffer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BytesVisitor;
        impl Visitor<'_> for BytesVisitor {
            type Value = WipedBuffer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes, in hexadecimal digits where text is expected")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<WipedBuffer, E> {
                // The text may be secret, so the error message does not quote it.
                WipedBuffer::from_hex(text.as_bytes()).ok_or_else(|| E::custom("not pairs of hexadecimal digits"))
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<WipedBuffer, E> {
                Ok(WipedBuffer(bytes.into()))
            }

            fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<WipedBuffer, E> {
                Ok(WipedBuffer(bytes))
            }
        }
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(BytesVisitor)
        } else {
            deserializer.deserialize_byte_buf(BytesVisitor)
        }
    }
}

/// Implements `Serialize` and `Deserialize` for a type with 64 bytes.
macro_rules! hashes {
    ($($type:ident),*) => { $(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                SerializedBytes(&self.0).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bytes = WipedBuffer::deserialize(deserializer)?;
                let array = bytes.0.as_slice().try_into();
                array.map($type).map_err(|_| Error::invalid_length(bytes.0.len(), &"64 bytes"))
            }
        }
    )* };
}

hashes!(KeyHash, Mu);

impl Serialize for Context {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedBytes(self.as_bytes()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Context {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&WipedBuffer::deserialize(deserializer)?.0).map_err(Error::custom)
    }
}

/// A visitor that reads a map with two fields, or a sequence of two values. The fields of a map can
/// be in any order, but each field may appear only once. A missing field is `None`.
struct TwoFields<A, B> {
    expecting: &'static str,
    names: &'static [&'static str; 2],
    values: PhantomData<(A, B)>,
}

impl<A, B> TwoFields<A, B> {
    const fn new(expecting: &'static str, names: &'static [&'static str; 2]) -> Self {
        Self { expecting, names, values: PhantomData }
    }
}

/// A visitor that reads one of two field names, and returns true for the second name.
struct FieldName(&'static [&'static str; 2]);

impl<'de> DeserializeSeed<'de> for FieldName {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldName {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` or `{}`", self.0[0], self.0[1])
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<bool, E> {
        let index = self.0.iter().position(|field| *field == name);
        index.map(|index| index == 1).ok_or_else(|| E::unknown_field(name, self.0))
    }
}

impl<'de, A: Deserialize<'de>, B: Deserialize<'de>> Visitor<'de> for TwoFields<A, B> {
    type Value = (Option<A>, Option<B>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut a = None;
        let mut b = None;
        while let Some(is_second) = map.next_key_seed(FieldName(self.names))? {
            match is_second {
                false if a.is_none() => a = Some(map.next_value()?),
                true if b.is_none() => b = Some(map.next_value()?),
                _ => return Err(Error::duplicate_field(self.names[usize::from(is_second)])),
            }
        }
        Ok((a, b))
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Self::Value, S::Error> {
        let a = seq.next_element()?.ok_or_else(|| Error::invalid_length(0, &self))?;
        let b = seq.next_element()?.ok_or_else(|| Error::invalid_length(1, &self))?;
        Ok((Some(a), Some(b)))
    }
}

/// The field names for keys and signatures.
const ENCODED: [&str; 2] = ["algorithm", "bytes"];

/// Writes a key or a signature.
fn encoded<S: Serializer>(
    serializer: S,
    name: &'static str,
    algorithm: Algorithm,
    bytes: &[u8],
) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_struct(name, 2)?;
    fields.serialize_field(ENCODED[0], &algorithm)?;
    fields.serialize_field(ENCODED[1], &SerializedBytes(bytes))?;
    fields.end()
}

/// Reads a key or a signature. `check` converts the algorithm and the bytes from the input to a
/// value. `algorithm_of` returns the value's algorithm. If it is not the algorithm from the input,
/// this function fails.
fn decoded<'de, D: Deserializer<'de>, T, E: fmt::Display>(
    deserializer: D,
    name: &'static str,
    check: impl FnOnce(Algorithm, &[u8]) -> Result<T, E>,
    algorithm_of: impl FnOnce(&T) -> Algorithm,
) -> Result<T, D::Error> {
    let visitor = TwoFields::<Algorithm, WipedBuffer>::new("an algorithm and bytes", &ENCODED);
    let (algorithm, bytes) = deserializer.deserialize_struct(name, &ENCODED, visitor)?;
    let algorithm = algorithm.ok_or_else(|| Error::missing_field(ENCODED[0]))?;
    let bytes = bytes.ok_or_else(|| Error::missing_field(ENCODED[1]))?;
    let value = check(algorithm, &bytes.0).map_err(Error::custom)?;
    let actual = algorithm_of(&value);
    if actual != algorithm {
        return Err(Error::custom(format_args!("the bytes are of {actual}, not of {algorithm}")));
    }
    Ok(value)
}

/// Implements `Serialize` for a borrowed type, and `Serialize` and `Deserialize` in the same format
/// for the owned type.
macro_rules! owned {
    ($owned:ident, $borrowed:ident, $name:literal) => {
        impl Serialize for $borrowed<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                encoded(serializer, $name, self.algorithm(), self.as_bytes())
            }
        }

        impl Serialize for $owned {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_ref().serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $owned {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let parse = |algorithm: Algorithm, bytes: &[u8]| Self::from_bytes(algorithm.scheme(), bytes);
                decoded(deserializer, $name, parse, Self::algorithm)
            }
        }
    };
}

owned!(VerifyingKey, VerifyingKeyRef, "VerifyingKey");
owned!(Signature, SignatureRef, "Signature");

/// The output contains the private key, so you must wipe the output.
#[cfg(feature = "sign")]
impl Serialize for SigningKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        encoded(serializer, "SigningKey", self.algorithm(), self.as_bytes())
    }
}

#[cfg(feature = "sign")]
impl<'de> Deserialize<'de> for SigningKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        decoded(deserializer, "SigningKey", Self::of_algorithm, Self::algorithm)
    }
}

/// The field names for options.
const OPTIONS: [&str; 2] = ["context", "prehash"];

impl Serialize for Options<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Options", 2)?;
        fields.serialize_field(OPTIONS[0], &SerializedBytes(self.context))?;
        fields.serialize_field(OPTIONS[1], &self.prehash)?;
        fields.end()
    }
}

impl Serialize for OwnedOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_ref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for OwnedOptions {
    /// Reads the options. A missing field means an empty context or no pre-hash.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TwoFields::<Context, Option<PreHash>>::new("a context and a pre-hash", &OPTIONS);
        let (context, prehash) = deserializer.deserialize_struct("Options", &OPTIONS, visitor)?;
        Ok(Self { context: context.unwrap_or_default(), prehash: prehash.flatten(), allow_weak_prehash: false })
    }
}
