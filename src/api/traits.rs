//! The traits of crate `signature`, for code that is generic over algorithms. They know no context and no pre-hash: messages are
//! signed as they are, with the empty context, as [`Form::default`] says.

use super::{Form, OwnedSignature, OwnedSigningKey, OwnedVerifyingKey};
use alloc::string::ToString;
use rand_core::TryCryptoRng;
use signature::{Error, Keypair, MultipartVerifier, RandomizedMultipartSigner, RandomizedSigner, Verifier};

impl Keypair for OwnedSigningKey {
    type VerifyingKey = OwnedVerifyingKey;

    fn verifying_key(&self) -> OwnedVerifyingKey {
        Self::verifying_key(self)
    }
}

impl RandomizedSigner<OwnedSignature> for OwnedSigningKey {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(&self, rng: &mut R, msg: &[u8]) -> Result<OwnedSignature, Error> {
        self.try_multipart_sign_with_rng(rng, &[msg])
    }
}

impl RandomizedMultipartSigner<OwnedSignature> for OwnedSigningKey {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        mut rng: &mut R,
        msg: &[&[u8]],
    ) -> Result<OwnedSignature, Error> {
        // The generator's error may borrow, and the error of the traits may not.
        let error = |e: super::SignError<R::Error>| Error::from_source(e.to_string());
        let mut signer = self.signer(Form::default(), &mut rng).map_err(error)?;
        msg.iter().for_each(|piece| signer.update(piece));
        signer.finish(&mut rng).map_err(error)
    }
}

impl Verifier<OwnedSignature> for OwnedVerifyingKey {
    fn verify(&self, msg: &[u8], signature: &OwnedSignature) -> Result<(), Error> {
        self.multipart_verify(&[msg], signature)
    }
}

impl MultipartVerifier<OwnedSignature> for OwnedVerifyingKey {
    fn multipart_verify(&self, msg: &[&[u8]], signature: &OwnedSignature) -> Result<(), Error> {
        let mut verifier = self.verifier(Form::default(), signature.as_bytes()).map_err(Error::from_source)?;
        msg.iter().for_each(|piece| verifier.update(piece));
        verifier.finish().map_err(Error::from_source)
    }
}
