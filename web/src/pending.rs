//! Signatures whose message is being read: which key may have made which of them, and how many keys must have. It is counted as in
//! `src/tool/work/pending.rs`: a key counts once in whatever forms it is given, and a signature for one key.

use crate::answers::Yes;
use crate::causes::Complaint;
use crate::files::{Refusal, TrustedKey, Verdict};
use crate::hints::Cause;
use crate::no::No;
use crate::noted::{Claims, Noted};
use crate::prehash::Hasher;
use fndsa::files::Object;
use fndsa::files::hex::exactly;
use fndsa::{Hashed, HashedBuilder, Level, MU_LEN, Mu, Verified, VerifyError};
use serde_json::{Value, json};

/// A key that may have made a signature, each by its number, and the message as it is hashed for the two; `None` where the algorithm cannot
/// have such a signature.
pub struct Candidate {
    /// The number of the signature in its file, from 0.
    pub signature: usize,
    /// The number of the key, from 0.
    pub key: usize,
    /// The message.
    pub message: Option<HashedBuilder>,
}

/// What is done with the pieces of a file.
pub enum Reader {
    /// They are the message.
    Plain,
    /// They are hashed first.
    Hash(Box<dyn Hasher>),
    /// They are a value of this many bytes, or its digits. What is behind them is counted and not kept.
    Value { len: usize, kept: Vec<u8> },
}

impl Reader {
    /// Ends the file, of so many bytes, and returns what is hashed of it at the end.
    fn end(self, bytes: u64) -> Result<Vec<u8>, Refusal> {
        match self {
            Self::Plain => Ok(Vec::new()),
            Self::Hash(hasher) => Ok(hasher.digest()),
            Self::Value { len, kept } => exactly(&kept, len)
                .map(|value| value.to_vec())
                .ok_or_else(|| Refusal::of(&Complaint::Digest { wanted: len, found: bytes }, None)),
        }
    }
}

/// A signature that a key has made, both by their numbers.
struct Matched {
    signature: usize,
    key: usize,
    yes: Yes,
}

/// Signatures whose message is being read.
pub struct Pending {
    /// The signatures.
    pub signatures: Vec<Object>,
    /// Who may have made which.
    pub candidates: Vec<Candidate>,
    /// The keys that count, by their numbers: of one key that is given in several schemes the first.
    pub counting: Vec<usize>,
    /// How many keys must have signed.
    pub required: usize,
    /// What is done with the file.
    pub reader: Reader,
    /// The given context and pre-hash, or that the file is the mu of the message.
    pub form: Noted,
    /// Whether neither context nor pre-hash are asked for.
    pub is_plain: bool,
    /// The bytes read.
    pub bytes: u64,
}

impl Pending {
    /// Takes the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.bytes += piece.len() as u64;
        match &mut self.reader {
            Reader::Hash(hasher) => hasher.absorb(piece),
            Reader::Plain => {
                self.candidates.iter_mut().filter_map(|it| it.message.as_mut()).for_each(|it| it.update(piece));
            }
            Reader::Value { len, kept } => {
                // Two digits a byte, an end of line, and one byte more.
                let room = (2 * *len + 3).saturating_sub(kept.len());
                kept.extend_from_slice(&piece[..piece.len().min(room)]);
            }
        }
    }

    /// Ends the message: the verdict, and the numbers of the keys that have signed. `keys` are all that are given.
    pub fn finish(self, keys: &[TrustedKey]) -> Result<(Verdict, Vec<usize>), Refusal> {
        let Self { signatures, mut candidates, counting, required, reader, form, is_plain, bytes } = self;
        let digest = reader.end(bytes)?;
        let mu = <[u8; MU_LEN]>::try_from(&digest[..]).ok().filter(|_| form == Noted::Mu).map(Mu::from_bytes);
        if mu.is_none() {
            candidates.iter_mut().filter_map(|it| it.message.as_mut()).for_each(|it| it.update(&digest));
        }
        let several = candidates.iter().any(|it| it.key != candidates[0].key);
        let mut no = No::Mismatch { several, plain: is_plain };
        let mut counted: Vec<Matched> = Vec::new();
        for Candidate { signature, key, message } in candidates {
            let trusted = &keys[key];
            let is_settled = |it: &Matched| it.signature == signature || keys[it.key].identity == trusted.identity;
            if counted.len() >= required || counted.iter().any(is_settled) {
                continue;
            }
            let message = match &mu {
                Some(mu) => Some(Hashed::from(*mu)),
                None => {
                    let hashed = message.map(HashedBuilder::finish).transpose();
                    hashed.map_err(|e| Refusal::own("internal", &e.to_string()))?
                }
            };
            match verified(trusted, message, &signatures[signature].bytes) {
                Ok(verified) => counted.push(Matched { signature, key, yes: Yes::of(verified) }),
                Err(VerifyError::Mismatch) => {}
                Err(e @ (VerifyError::Work(_) | VerifyError::OtherMessage)) => {
                    return Err(Refusal::own("internal", &e.to_string()));
                }
                Err(_) => no = No::of_malformed(&signatures[signature], trusted.key.algorithm()),
            }
        }
        let signer = |key: usize| counted.iter().find(|it| keys[it.key].identity == keys[key].identity);
        let each: Vec<Yes> = counted.iter().map(|it| it.yes).collect();
        let said_of_keys = (counting.len() > 1).then(|| {
            counting
                .iter()
                .map(|&key| signer(key).map_or(keys[key].signed(false), |it| keys[it.key].signed(true)))
                .collect()
        });
        if let Some(first) = counted.first().filter(|_| Yes::of_all(&each, required).holds()) {
            let mut said = keys[first.key].value();
            said["status"] = json!("ok");
            said["bytes"] = json!(bytes);
            said["required"] = json!(required);
            said["keys"] = said_of_keys.unwrap_or(Value::Null);
            return Ok(((Verified::YES, said), counted.iter().map(|it| it.key).collect()));
        }
        if counted.is_empty() {
            let notes: Vec<_> = signatures.iter().filter_map(Claims::of).collect();
            let given: Vec<_> = counting.iter().map(|&key| keys[key].fingerprint.as_str()).collect();
            let cause = matches!(no, No::Mismatch { .. }).then(|| Cause::of(&notes, &given, &form)).flatten();
            return Err(Refusal::from(no).because(cause).about(said_of_keys, None));
        }
        let missing: Vec<_> =
            counting.iter().filter(|key| signer(**key).is_none()).map(|key| keys[*key].name()).collect();
        // That one key may be enough is no advice to give here: it is what somebody who has taken a signature away would like.
        let hint = format!("there is no valid signature by {}", missing.join(", "));
        Err(Refusal::from(No::TooFew { found: counted.len(), required }).about(said_of_keys, Some(hint)))
    }
}

/// Verifies a signature by a key, of a message that was hashed for the two.
fn verified(trusted: &TrustedKey, message: Option<Hashed>, signature: &[u8]) -> Result<Verified, VerifyError> {
    let message = message.ok_or(VerifyError::Encoding)?;
    let mut work = vec![0; trusted.key.algorithm().verify_work_len()];
    trusted.key.borrowed().verified(Level::detect(), &message, signature, &mut work)
}
