/* Signs and verifies with FN-DSA, Falcon, ML-DSA and Ed25519, in the memory of the caller.
 *
 * Every function that can fail returns an int: FNDSA_OK, which is 0, or one of the negative error codes below.
 * fndsa_strerror returns a text for each code.
 *
 *     A verification returns 0 for YES. Every other number is NO.
 *     Write `if (fndsa_verify(...) == FNDSA_OK)`, never `if (fndsa_verify(...))`: that would accept every forgery.
 *
 * Memory: Keys, messages and signatures are bytes at any address. The work memory is a buffer at any address with at
 * least as many bytes as the macro whose name ends in _WORK_BYTES. With more memory, up to _FAST_WORK_BYTES, key
 * generation and the operations of ML-DSA are faster. Secrets in the work memory are wiped before a function returns.
 * An input of length 0 may be null. An output must not overlap other memory of the call, unless the description of
 * the function allows it.
 *
 * Instead of work memory, you can pass a null pointer and the length 0 to each function with work memory. The
 * function then allocates the fastest work memory, and wipes and frees it before it returns; if there is too little
 * memory, it returns FNDSA_E_MEMORY. A library without the feature std has no allocator, and returns FNDSA_E_WORK.
 * Otherwise, the library allocates memory only for signatures of Ed25519 and of ML-DSA with Ed25519, policies and files,
 * and frees it before the call returns, except in a fndsa_signer of these algorithms.
 *
 * Errors: every function checks all of its memory, structures included, before it writes. FNDSA_E_OVERLAP, and
 * FNDSA_E_NULL for a null pointer to a length, leave all memory unchanged, except that a signature or a verification
 * in pieces may end. If a function fails after that check and after the checks of the algorithm and of all lengths, its
 * outputs are all zeros, except a message that is signed in place. A length that is an output is 0 after every error
 * except FNDSA_E_OVERLAP. The work memory may have been changed.
 *
 * Threads: only a fndsa_signer, a fndsa_verifier and the memory of a loaded key keep data between calls. All
 * functions may run at the same time, as long as no call uses memory that another call writes to. Several threads may
 * sign with the same loaded key.
 */
#ifndef FNDSA_H
#define FNDSA_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define FNDSA_MUST_CHECK __attribute__((warn_unused_result))
#else
#define FNDSA_MUST_CHECK
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The algorithms. Falcon is the submission to round 3 of NIST's process. The signatures of FNDSA_FALCON_512 have different
 * lengths, and the signatures of FNDSA_FALCON_PADDED_512 have a fixed length. Both use the same keys. */
#define FNDSA_512 0x0109
#define FNDSA_1024 0x010a
#define FNDSA_FALCON_512 0x0309
#define FNDSA_FALCON_1024 0x030a
#define FNDSA_FALCON_PADDED_512 0x1309
#define FNDSA_FALCON_PADDED_1024 0x130a
#define FNDSA_ML_DSA_44 0x052c
#define FNDSA_ML_DSA_65 0x0541
#define FNDSA_ML_DSA_87 0x0557
/* Ed25519 of RFC 8032, for a classical signature next to a post-quantum signature. A library without the feature ed25519 does
 * not have it. The only pre-hash is SHA-512. It needs no work memory (pass null and 0) and no random bytes to sign. */
#define FNDSA_ED25519 0x0600
/* ML-DSA and Ed25519 together, by draft-ietf-lamps-pq-composite-sigs-19. A signature is valid only if both halves are valid. The
 * RFC is not published yet, and these algorithms will change with it. There is no pre-hash. A library without the feature ed25519
 * does not have them. */
#define FNDSA_ML_DSA_44_ED25519 0x072c
#define FNDSA_ML_DSA_65_ED25519 0x0741

/* The codes that functions return. */
#define FNDSA_OK 0
#define FNDSA_E_NOT_VALID (-1)  /* the signature is not valid: the NO of a verification */
#define FNDSA_E_NULL (-2)       /* a pointer is null where bytes are needed */
#define FNDSA_E_LENGTH (-3)     /* a length does not fit the algorithm, or an output is too short */
#define FNDSA_E_ALGORITHM (-4)  /* the library or this function does not support an algorithm of this number */
#define FNDSA_E_KEY (-5)        /* the key is damaged, or belongs to another algorithm, signature in progress or basis */
#define FNDSA_E_CONTEXT (-6)    /* the context is longer than 255 bytes, or the algorithm has no context */
#define FNDSA_E_PREHASH (-7)    /* no such pre-hash for the algorithm or in this build, or the length of the digest is wrong */
#define FNDSA_E_WORK (-8)       /* the work memory is too short */
#define FNDSA_E_OVERLAP (-9)    /* an output overlaps an input or another output */
#define FNDSA_E_ALIGNMENT (-10) /* a signer, a verifier, the memory of a boot loader or a basis is not aligned */
#define FNDSA_E_RANDOM (-11)    /* the generator failed, or there is no generator */
#define FNDSA_E_STATE (-12)     /* the signature or verification did not begin or has already ended, or no key is loaded */
#define FNDSA_E_FAULT (-13)     /* a result did not pass its check and is withheld */
#define FNDSA_E_INTERNAL (-14)  /* there is a bug in the library */
#define FNDSA_E_WEAK_PREHASH (-15) /* the pre-hash is weaker than the algorithm */
#define FNDSA_E_POLICY (-16)    /* the policy cannot be used: see the report of fndsa_verify_policy */
#define FNDSA_E_FILE (-17)      /* the contents of a file are damaged or not what the call reads: see the report of the function */
#define FNDSA_E_PASSWORD (-18)  /* the password is wrong or missing, or the private key is not encrypted */
#define FNDSA_E_MEMORY (-19)    /* the system has too little memory */
#define FNDSA_E_FORMAT (-20)    /* the format is unknown, or the key or signature has no such format */

/* Returns a line that explains a code and the next step. The text is never null, and you must not free it. */
const char *fndsa_strerror(int code);

/* The version of this header. FNDSA_VERSION_NUMBER grows with each version, so that the preprocessor can compare it. */
#define FNDSA_VERSION "0.2.0"
#define FNDSA_VERSION_MAJOR 0
#define FNDSA_VERSION_MINOR 2
#define FNDSA_VERSION_PATCH 0
#define FNDSA_VERSION_NUMBER (FNDSA_VERSION_MAJOR * 1000000 + FNDSA_VERSION_MINOR * 1000 + FNDSA_VERSION_PATCH)

/* Returns the version of the library, for example "0.2.0". It differs from FNDSA_VERSION if a program runs with another library than it
 * was compiled for. */
const char *fndsa_version(void);

/* Fills memory with zeros, in a way that the compiler cannot remove. Use it for private keys, passwords and loaded keys
 * that you no longer need. A null pointer is allowed if `len` is 0. */
int fndsa_wipe(void *memory, size_t len);

/* The context and the pre-hash of a message. Initialize the structure with { 0 } and set the members that you need. A null
 * pointer means all zeros: no context and no pre-hash. Falcon has no context. */
typedef struct fndsa_form {
    const uint8_t *context; /* at most 255 bytes */
    size_t context_len;
    uint32_t prehash; /* the hash of the message that is signed: FNDSA_PREHASH_*, or 0 to sign the message itself */
} fndsa_form;

/* The hashes, by the last number of their object identifiers. The library hashes the message; if the message is already the
 * digest, add FNDSA_PREHASH_DIGEST to the number. A library without the feature sha2 cannot compute SHA-2. Only ML-DSA
 * supports the hashes of 224 bits. FIPS 204, 5.4.1, requires digests of at least 32 bytes for ML-DSA-44, 48 for ML-DSA-65
 * and 64 for ML-DSA-87. A shorter digest fails with FNDSA_E_WEAK_PREHASH, unless you add FNDSA_PREHASH_ALLOW_WEAK to the
 * number, for test vectors: then the signature is as weak as the hash.
 *
 * Falcon has no domain separation for a pre-hash: the library signs the digest as a message of Falcon. Such a signature
 * is also valid without a pre-hash for a message that has the same bytes as the digest, and a signature of such a
 * message is also valid with the pre-hash. FN-DSA and ML-DSA separate them. */
#define FNDSA_PREHASH_ALLOW_WEAK 0x100
#define FNDSA_PREHASH_DIGEST 0x200
#define FNDSA_PREHASH_SHA256 1
#define FNDSA_PREHASH_SHA384 2
#define FNDSA_PREHASH_SHA512 3
#define FNDSA_PREHASH_SHA224 4
#define FNDSA_PREHASH_SHA512_224 5
#define FNDSA_PREHASH_SHA512_256 6
#define FNDSA_PREHASH_SHA3_224 7
#define FNDSA_PREHASH_SHA3_256 8
#define FNDSA_PREHASH_SHA3_384 9
#define FNDSA_PREHASH_SHA3_512 10
#define FNDSA_PREHASH_SHAKE128 11 /* 32 bytes */
#define FNDSA_PREHASH_SHAKE256 12 /* 64 bytes */

/* A generator of random bytes. `fill` writes `len` bytes that are good enough for keys to `out`, and returns 0; if it
 * returns another number, the call fails with FNDSA_E_RANDOM. `fill` must return (no longjmp, no C++ exception), and must
 * not access memory that you passed to the call. The library passes `state` to it unchanged. A null pointer to a
 * fndsa_random means the generator of the operating system; a build without that generator returns FNDSA_E_RANDOM. */
typedef struct fndsa_random {
    int (*fill)(void *state, uint8_t *out, size_t len);
    void *state;
} fndsa_random;

/* Makes a key pair.
 *
 * public_key_len is FNDSA_*_PUBLIC_KEY_BYTES. private_key_len is FNDSA_*_PRIVATE_KEY_BYTES or FNDSA_*_EXPANDED_KEY_BYTES.
 * The two lengths differ only for ML-DSA: the first is the length of the seed, 32 bytes, and the second is the length of the
 * expanded key, which FIPS 204 calls the private key. Every function accepts both. Work memory: FNDSA_*_KEYGEN_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_keygen(uint32_t algorithm, uint8_t *private_key, size_t private_key_len, uint8_t *public_key,
                                  size_t public_key_len, const fndsa_random *random, void *work, size_t work_len);

/* Checks a private key in full and writes its public key. Work memory: FNDSA_*_SIGN_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_public_key(uint32_t algorithm, const uint8_t *private_key, size_t private_key_len,
                                      uint8_t *public_key, size_t public_key_len, void *work, size_t work_len);

/* Checks a private key in full, signs a message, and verifies the signature before it returns the signature.
 *
 * Work memory: FNDSA_*_SIGN_WORK_BYTES, or FNDSA_*_SIGN_EXPANDED_WORK_BYTES with a key of FNDSA_*_EXPANDED_KEY_BYTES. With
 * FNDSA_*_SIGN_MATRIX_WORK_BYTES, ML-DSA stores the matrix A and the mask y, and computes A only once; with an expanded key,
 * FNDSA_*_EXPANDED_KEY_BYTES less are enough for that.
 *
 * Set *signature_len to the size of the buffer `signature`, at least FNDSA_*_SIGNATURE_BYTES. The function sets it to the length
 * of the signature. If the algorithm has no fixed length, the bytes after the signature, up to FNDSA_*_SIGNATURE_BYTES, are
 * zeros. */
FNDSA_MUST_CHECK int fndsa_sign(uint32_t algorithm, const uint8_t *private_key, size_t private_key_len,
                                const fndsa_form *form, const uint8_t *message, size_t message_len, uint8_t *signature,
                                size_t *signature_len, const fndsa_random *random, void *work, size_t work_len);

/* The state of a signature whose message comes in pieces. Declare one, and pass its address to the four functions
 * below. Do not change, move or copy its contents: the functions return FNDSA_E_STATE for a copy. (In Falcon, two
 * signatures of the same message that begin with the same state would reveal the private key. So do not copy a signer
 * and copy it back, and after a fork, use it in only one of the processes.) It has the alignment of uint64_t. It contains no private key. */
#define FNDSA_SIGNER_BYTES 1664
typedef struct fndsa_signer {
    uint64_t opaque[FNDSA_SIGNER_BYTES / 8];
} fndsa_signer;

/* Returns the FNDSA_SIGNER_BYTES with which the library was built. */
size_t fndsa_signer_bytes(void);

/* Checks a private key in full and begins a signature. `random` is used for Falcon only, but it must be a generator
 * that works. End each signature with fndsa_sign_finish or fndsa_sign_cancel: with Ed25519 and with ML-DSA with Ed25519, the
 * signer owns memory.
 * A signature that was in progress ends, also if this function fails. Work memory: as for fndsa_sign. */
FNDSA_MUST_CHECK int fndsa_sign_begin(fndsa_signer *signer, uint32_t algorithm, const uint8_t *private_key,
                                      size_t private_key_len, const fndsa_form *form, const fndsa_random *random,
                                      void *work, size_t work_len);

/* Adds the next piece of the message, of any length. Returns FNDSA_E_STATE if fndsa_sign_begin failed. After an error,
 * the signature has ended, because a piece of the message is missing. */
FNDSA_MUST_CHECK int fndsa_sign_update(fndsa_signer *signer, const uint8_t *message, size_t message_len);

/* Ends the message and signs it. Pass the private key of fndsa_sign_begin, in any form; another key returns
 * FNDSA_E_KEY. All other arguments are those of fndsa_sign. The function checks the private key in full again, and
 * verifies the signature before it returns the signature. Then it wipes the signer, and you can use it again with
 * fndsa_sign_begin. FNDSA_E_NULL, FNDSA_E_LENGTH, FNDSA_E_WORK, FNDSA_E_OVERLAP, FNDSA_E_ALIGNMENT and FNDSA_E_MEMORY
 * leave the signer unchanged, so that you can call the function again, or fndsa_sign_cancel. */
FNDSA_MUST_CHECK int fndsa_sign_finish(fndsa_signer *signer, const uint8_t *private_key, size_t private_key_len,
                                       uint8_t *signature, size_t *signature_len, const fndsa_random *random,
                                       void *work, size_t work_len);

/* Ends a signature without a result, and wipes the signer. The signer must be all zeros, or fndsa_sign_begin was
 * called with it. */
int fndsa_sign_cancel(fndsa_signer *signer);

/* Loads a private key of FN-DSA or Falcon, to sign many messages faster: checks the key in full, and expands it into
 * `loaded`, a buffer at any address with at least FNDSA_*_LOADED_KEY_BYTES. The buffer must stay writable, because
 * fndsa_sign_loaded counts the signatures in it. Do not change, move, copy or store its contents: fndsa_sign_loaded
 * returns FNDSA_E_STATE for a copy. The contents are as secret as the private key, so call fndsa_wipe after use. ML-DSA
 * and Ed25519 have no loaded keys and return FNDSA_E_ALGORITHM; a private key of FNDSA_ML_DSA_*_EXPANDED_KEY_BYTES
 * makes ML-DSA faster. Work memory: FNDSA_*_SIGN_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_load_key(uint32_t algorithm, const uint8_t *private_key, size_t private_key_len,
                                    void *loaded, size_t loaded_len, void *work, size_t work_len);

/* Signs a message with a loaded key. Pass the same address as to fndsa_load_key. A loaded key can change in memory by a
 * fault of the machine, and signatures of a changed key could reveal the private key. So before the first signature,
 * and then before every 1024th signature, the function compares the key with its checksum, and returns FNDSA_E_FAULT
 * if they differ. (If several threads sign, there can be more than 1024 signatures between two checks.) All other
 * arguments and results are those of fndsa_sign. The random bytes that make a signature with fndsa_sign make the same
 * signature here. Work memory: FNDSA_*_SIGN_LOADED_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_sign_loaded(const void *loaded, size_t loaded_len, const fndsa_form *form,
                                       const uint8_t *message, size_t message_len, uint8_t *signature,
                                       size_t *signature_len, const fndsa_random *random, void *work,
                                       size_t work_len);

/* A function that stores the next `len` bytes of a basis. The library passes `state` to it unchanged. It must return
 * (no longjmp, no C++ exception), and must not access memory that you passed to the call. If it cannot store the
 * bytes, note this in `state`. */
typedef void (*fndsa_basis_writer)(void *state, const uint8_t *part, size_t len);

/* Computes the basis of a private key for fndsa_512_sign_with_basis and fndsa_1024_sign_with_basis:
 * FNDSA_*_BASIS_BYTES bytes that you store once, for example in flash memory, at an address that is a multiple of 8.
 * With the basis, signing needs less memory. The basis is as secret as the private key. It can only be used with the
 * version of the library that computed it, on machines with the same byte order.
 *
 * The function checks the private key in full, and passes the basis to `write` in parts, from the beginning. The
 * length of each part is a multiple of 8 and at most 8192 bytes. If the function fails after it has called `write`,
 * do not use the parts. Work memory: FNDSA_*_BASIS_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_512_write_basis(const uint8_t *private_key, size_t private_key_len,
                                           fndsa_basis_writer write, void *state, void *work, size_t work_len);
FNDSA_MUST_CHECK int fndsa_1024_write_basis(const uint8_t *private_key, size_t private_key_len,
                                            fndsa_basis_writer write, void *state, void *work, size_t work_len);

/* Signs a message of FNDSA_512 or FNDSA_1024 with a private key and its basis, which the function only reads. It
 * checks both in full: a basis that is damaged or of another key returns FNDSA_E_KEY, another length than
 * FNDSA_*_BASIS_BYTES returns FNDSA_E_LENGTH, and an address that is not a multiple of 8 returns FNDSA_E_ALIGNMENT.
 * All other arguments and results are those of fndsa_sign. The random bytes that make a signature with fndsa_sign
 * make the same signature here. Work memory: FNDSA_*_BASIS_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_512_sign_with_basis(const uint8_t *private_key, size_t private_key_len,
                                               const uint8_t *basis, size_t basis_len, const fndsa_form *form,
                                               const uint8_t *message, size_t message_len, uint8_t *signature,
                                               size_t *signature_len, const fndsa_random *random, void *work,
                                               size_t work_len);
FNDSA_MUST_CHECK int fndsa_1024_sign_with_basis(const uint8_t *private_key, size_t private_key_len,
                                                const uint8_t *basis, size_t basis_len, const fndsa_form *form,
                                                const uint8_t *message, size_t message_len, uint8_t *signature,
                                                size_t *signature_len, const fndsa_random *random, void *work,
                                                size_t work_len);

/* Verifies a signature. FNDSA_OK, which is 0, is YES; every other number is NO, for any reason. Work memory:
 * FNDSA_*_VERIFY_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_verify(uint32_t algorithm, const uint8_t *public_key, size_t public_key_len,
                                  const fndsa_form *form, const uint8_t *message, size_t message_len,
                                  const uint8_t *signature, size_t signature_len, void *work, size_t work_len);

/* The state of a verification whose message comes in pieces. Declare one, pass its address to the three functions below, and
 * do not change its contents. You may copy it between the calls. It has the alignment of uint64_t. */
#define FNDSA_VERIFIER_BYTES 640
typedef struct fndsa_verifier {
    uint64_t opaque[FNDSA_VERIFIER_BYTES / 8];
} fndsa_verifier;

/* Returns the FNDSA_VERIFIER_BYTES with which the library was built. */
size_t fndsa_verifier_bytes(void);

/* Begins a verification. The signature comes before the message, because Falcon hashes a part of the signature first. A
 * verification that was in progress ends, also if this function fails. */
FNDSA_MUST_CHECK int fndsa_verify_begin(fndsa_verifier *verifier, uint32_t algorithm, const uint8_t *public_key,
                                        size_t public_key_len, const fndsa_form *form, const uint8_t *signature,
                                        size_t signature_len);

/* Adds the next piece of the message, of any length. Returns FNDSA_E_STATE if fndsa_verify_begin failed. After an
 * error, the verification has ended, and fndsa_verify_finish returns FNDSA_E_STATE. */
FNDSA_MUST_CHECK int fndsa_verify_update(fndsa_verifier *verifier, const uint8_t *message, size_t message_len);

/* Ends the message and verifies the signature. Pass the same key and signature as to fndsa_verify_begin. FNDSA_OK, which is 0, is
 * YES; every other number is NO. The function wipes the verifier, and you can use it again with fndsa_verify_begin. Work memory:
 * FNDSA_*_VERIFY_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_verify_finish(fndsa_verifier *verifier, const uint8_t *public_key, size_t public_key_len,
                                         const uint8_t *signature, size_t signature_len, void *work, size_t work_len);

/* Trusted keys, and how many of them must have signed. Initialize the structure with { 0 } and set `trusted_keys` and `required`.
 * A library without the feature policy does not have the function fndsa_verify_policy.
 *
 * `signature_format` is the format of the signature file. A file in another format is an error. Signatures in the formats of SSH,
 * JOSE and CMS have no context and no pre-hash, so `form` must be null or empty. A trusted key can also be an X.509 certificate, a
 * JSON Web Key or the file of an OpenSSH public key. A file with a JSON Web Key, an OpenSSH public key or DER contains only one key.
 * fndsa uses no key and no certificate from a signature file, and does not verify who issued a certificate. */
#define FNDSA_REQUIRE_ALL SIZE_MAX
#define FNDSA_SIGNATURE_FORMAT_FNDSA 0 /* a signature file of fndsa */
#define FNDSA_SIGNATURE_FORMAT_SSH 1   /* SSHSIG, of `ssh-keygen -Y sign`; keys of ed25519 and ml-dsa-44-ed25519 */
#define FNDSA_SIGNATURE_FORMAT_JWS 2   /* a JSON Web Signature (RFC 7515) without its message; keys of ML-DSA and Ed25519 */
#define FNDSA_SIGNATURE_FORMAT_CMS 3   /* CMS (RFC 5652) without its message, in DER or PEM; keys of ML-DSA and Ed25519 */
typedef struct fndsa_policy {
    const uint8_t *trusted_keys; /* the contents of a file of trusted keys: public keys in PEM, with key lines before them */
    size_t trusted_keys_len;
    size_t required;      /* the number of different keys that must have signed, at least 1; or FNDSA_REQUIRE_ALL */
    const char *expected; /* fingerprints with spaces or line ends between them: accept only these keys; null for each trusted key */
    size_t expected_len;  /* the bytes of `expected`, without a zero byte at the end */
    const char *day;      /* 10 bytes, for example "2026-01-31": the day with which dates in key lines are compared; null for today (UTC) */
    uint32_t signature_format; /* FNDSA_SIGNATURE_FORMAT_*; 0 for a signature file of fndsa */
    const char *ssh_namespace; /* for FNDSA_SIGNATURE_FORMAT_SSH, and otherwise null: the purpose of the signature, such as "file" */
    size_t ssh_namespace_len;
    const char *signer; /* null, or for FNDSA_SIGNATURE_FORMAT_SSH: the name of the signer, for example "alice@example.com". Then
                           `trusted_keys` is a file of allowed signers of OpenSSH, and only the keys of this signer are accepted. */
    size_t signer_len;
} fndsa_policy;

/* Verifies the contents of a signature file, with one signature or several, by a policy. FNDSA_OK, which is 0, is YES; every
 * other number is NO, for any reason.
 *
 * The function writes a text to `report`, which ends with a zero byte and is cut if report_len bytes are too few; `report` may be
 * null if report_len is 0. After a YES, the text has a line for each key that has signed: its name, algorithm and fingerprint. After
 * FNDSA_E_NOT_VALID, it has the reason code, a colon and a message, for example "too_few_signatures: 1 of 2 required keys ...".
 * After FNDSA_E_POLICY and FNDSA_E_FILE, it explains the error. After another error, it may be empty. */
FNDSA_MUST_CHECK int fndsa_verify_policy(const fndsa_policy *policy, const fndsa_form *form, const uint8_t *message,
                                         size_t message_len, const uint8_t *signatures, size_t signatures_len, char *report,
                                         size_t report_len);

/* Signs a message and writes a signature file in the format of another program: FNDSA_SIGNATURE_FORMAT_SSH, _JWS or _CMS. The file does
 * not contain the message. `ssh_namespace` is for SSH, and `certificate` for CMS: the contents of the key's X.509 certificate, which
 * will be in the file. Both are otherwise null. The private key is checked in full, and the file is verified before it is written.
 *
 * Set *file_len to the size of the buffer `file`: FNDSA_MAX_FILE_BYTES + certificate_len are always enough. The function sets it to the
 * length of the contents, and the rest of the buffer is zeros. If the buffer is too short, the function returns FNDSA_E_LENGTH.
 * FNDSA_E_FORMAT: the format is unknown, it is not defined for the algorithm, or the namespace or the certificate does not fit;
 * `report` explains this error as in fndsa_verify_policy. The function allocates memory. A library without the feature policy does not
 * have this function. */
FNDSA_MUST_CHECK int fndsa_sign_format(uint32_t algorithm, const uint8_t *private_key, size_t private_key_len,
                                       uint32_t signature_format, const char *ssh_namespace, size_t ssh_namespace_len,
                                       const uint8_t *certificate, size_t certificate_len, const uint8_t *message,
                                       size_t message_len, uint8_t *file, size_t *file_len, const fndsa_random *random,
                                       char *report, size_t report_len);

/* Files with keys and signatures, in the formats of the program fndsa. A library without the feature files does not
 * have these six functions. They work on the contents of a file, which you read and write. They allocate memory, and
 * wipe it before they return.
 *
 * The functions that read take the contents of a file in any of the formats below. Public keys can also be in an
 * X.509 certificate, and private keys of ML-DSA, Ed25519 and both together in hexadecimal digits. The file must contain only one key
 * or signature.
 *
 * - `algorithm` is the algorithm that the file must have: other algorithms return FNDSA_E_FILE. With
 *   FNDSA_ANY_ALGORITHM, every algorithm is accepted, except in raw files of 32 bytes, which do not show their
 *   algorithm. *found will be the algorithm, or 0 after an error; it may be null if `algorithm` is not
 *   FNDSA_ANY_ALGORITHM. For a key or signature of Falcon, *found will be FNDSA_FALCON_512 or FNDSA_FALCON_1024. Use
 *   *found only to decide whether you accept the key. An attacker who writes the file chooses its algorithm.
 * - Set the length of the output to the size of its buffer: FNDSA_MAX_*_BYTES are enough for every algorithm. The
 *   function sets it to the length of the key or signature, and the rest of the buffer is zeros. If the buffer is too
 *   short, the function returns FNDSA_E_LENGTH.
 * - Keys are checked in full, with all keys next to them in the file. If a check fails, the function returns
 *   FNDSA_E_KEY. Signatures are not verified.
 * - Set report[0] = 0 before the call. After FNDSA_E_FILE, FNDSA_E_KEY, FNDSA_E_PASSWORD and FNDSA_E_ALGORITHM,
 *   `report` contains a text about the file that ends with a zero byte and is cut if report_len bytes are too few. It
 *   contains no secret. `report` may be null if report_len is 0. */
#define FNDSA_ANY_ALGORITHM 0
#define FNDSA_MAX_PRIVATE_KEY_BYTES 4896
#define FNDSA_MAX_PUBLIC_KEY_BYTES 2592
#define FNDSA_MAX_SIGNATURE_BYTES 4627

/* Reads a private key. The length shows whether a private key of ML-DSA is the seed or the expanded key; if the file
 * has both, the function returns the seed. `password` is null, or the password of an encrypted key (PKCS#8 with
 * PBES2), of any bytes, without a zero byte at the end. FNDSA_E_PASSWORD: the password is wrong or missing, or the
 * key is not encrypted. Wipe the key after use. */
FNDSA_MUST_CHECK int fndsa_read_private_key(uint32_t algorithm, const uint8_t *file, size_t file_len,
                                            const uint8_t *password, size_t password_len, uint32_t *found,
                                            uint8_t *private_key, size_t *private_key_len, char *report,
                                            size_t report_len);

/* Reads a public key. */
FNDSA_MUST_CHECK int fndsa_read_public_key(uint32_t algorithm, const uint8_t *file, size_t file_len, uint32_t *found,
                                           uint8_t *public_key, size_t *public_key_len, char *report,
                                           size_t report_len);

/* Reads a signature, for fndsa_verify. To verify a signature file with several signatures, call fndsa_verify_policy. */
FNDSA_MUST_CHECK int fndsa_read_signature(uint32_t algorithm, const uint8_t *file, size_t file_len, uint32_t *found,
                                          uint8_t *signature, size_t *signature_len, char *report, size_t report_len);

/* The formats, as with `fndsa convert --to`. PKCS#8 is for private keys, and SubjectPublicKeyInfo (SPKI) is for
 * public keys. */
#define FNDSA_FORMAT_PEM 1       /* what `fndsa keygen` and `fndsa sign` write: PEM; PKCS#8 or SPKI for keys of ML-DSA, Ed25519 and both together */
#define FNDSA_FORMAT_RAW 2       /* the bytes alone; not for keys of Ed25519 and private keys of ML-DSA with Ed25519, whose bytes do not show the algorithm */
#define FNDSA_FORMAT_PKCS8 3     /* PKCS#8 in PEM */
#define FNDSA_FORMAT_PKCS8_DER 4 /* PKCS#8 in DER */
#define FNDSA_FORMAT_SPKI 5      /* SPKI in PEM */
#define FNDSA_FORMAT_SPKI_DER 6  /* SPKI in DER */

/* The three functions below write the contents of a file. Set *file_len to the size of the buffer `file`:
 * FNDSA_MAX_FILE_BYTES are always enough. The function sets it to the length of the contents, and the rest of the
 * buffer is zeros. If the buffer is too short, the functions return FNDSA_E_LENGTH. FNDSA_E_FORMAT: the format is
 * unknown, or the key or signature has no such format. */
#define FNDSA_MAX_FILE_BYTES 8192

/* Checks a private key in full and writes it. With a password, the format must be FNDSA_FORMAT_PKCS8 or
 * FNDSA_FORMAT_PKCS8_DER: the file is then encrypted (scrypt and AES-256 in CBC mode, with random bytes from
 * `random`), which takes 16 MiB of memory and about a third of a second. `password` is null to write the key without
 * a password; `random` is not used then. Wipe the contents after use. */
FNDSA_MUST_CHECK int fndsa_write_private_key(uint32_t algorithm, const uint8_t *private_key, size_t private_key_len,
                                             uint32_t format, const uint8_t *password, size_t password_len,
                                             const fndsa_random *random, uint8_t *file, size_t *file_len);

/* Checks a public key and writes it. */
FNDSA_MUST_CHECK int fndsa_write_public_key(uint32_t algorithm, const uint8_t *public_key, size_t public_key_len,
                                            uint32_t format, uint8_t *file, size_t *file_len);

/* Writes a signature, in the format FNDSA_FORMAT_PEM or FNDSA_FORMAT_RAW. A signature of another length or encoding
 * than the algorithm's returns FNDSA_E_NOT_VALID. The signature is not verified. */
FNDSA_MUST_CHECK int fndsa_write_signature(uint32_t algorithm, const uint8_t *signature, size_t signature_len,
                                           uint32_t format, uint8_t *file, size_t *file_len);

/* Signs a message and writes the signature and the message into one buffer, in the format of crypto_sign in PQClean.
 *
 * Set *signed_len to the size of the buffer `signed_message`, at least message_len + FNDSA_*_SIGNATURE_BYTES. The function
 * sets it to the length of the signed message. `message` may overlap `signed_message` in any way. If signing fails, the
 * message is unchanged, and the rest of the buffer is zeros, or unchanged if an argument was rejected. Work memory: as for
 * fndsa_sign. */
FNDSA_MUST_CHECK int fndsa_sign_attached(uint32_t algorithm, const uint8_t *private_key, size_t private_key_len,
                                         const fndsa_form *form, const uint8_t *message, size_t message_len,
                                         uint8_t *signed_message, size_t *signed_len, const fndsa_random *random, void *work,
                                         size_t work_len);

/* Verifies a signed message and writes its message. FNDSA_OK, which is 0, is YES; every other number is NO.
 *
 * Set *message_len to the size of the buffer `message`. The function sets it to the length of the message, which is less
 * than signed_len. `message` may overlap `signed_message` in any way. If the signature is not valid, `message` is unchanged.
 * Work memory: FNDSA_*_OPEN_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_open_attached(uint32_t algorithm, const uint8_t *public_key, size_t public_key_len,
                                         const fndsa_form *form, const uint8_t *signed_message, size_t signed_len,
                                         uint8_t *message, size_t *message_len, void *work, size_t work_len);

/* The lengths below as functions, for programs that choose the algorithm at run time. They return 0 if there is no
 * algorithm with this number, or if the algorithm has no loaded keys. */
size_t fndsa_public_key_bytes(uint32_t algorithm);
size_t fndsa_private_key_bytes(uint32_t algorithm);
size_t fndsa_expanded_key_bytes(uint32_t algorithm);
size_t fndsa_signature_bytes(uint32_t algorithm);
size_t fndsa_keygen_work_bytes(uint32_t algorithm);
size_t fndsa_keygen_fast_work_bytes(uint32_t algorithm);
size_t fndsa_sign_work_bytes(uint32_t algorithm);
size_t fndsa_sign_expanded_work_bytes(uint32_t algorithm);
size_t fndsa_sign_matrix_work_bytes(uint32_t algorithm);
size_t fndsa_sign_fast_work_bytes(uint32_t algorithm);
size_t fndsa_loaded_key_bytes(uint32_t algorithm);
size_t fndsa_sign_loaded_work_bytes(uint32_t algorithm);
size_t fndsa_verify_work_bytes(uint32_t algorithm);
size_t fndsa_verify_fast_work_bytes(uint32_t algorithm);
size_t fndsa_open_work_bytes(uint32_t algorithm);
size_t fndsa_open_fast_work_bytes(uint32_t algorithm);

/* Lengths in bytes. For FNDSA_FALCON_512 and FNDSA_FALCON_1024 the length of a signature is a maximum; a signature from this
 * library is never longer than a padded signature. The lengths of work memory include 56 bytes for the alignment of vectors.
 * A processor without vectors, for example a Cortex-M, does not need them, and the functions above then return 56 bytes
 * less. */
#define FNDSA_512_PUBLIC_KEY_BYTES                 897
#define FNDSA_512_PRIVATE_KEY_BYTES                1345
#define FNDSA_512_EXPANDED_KEY_BYTES               1345
#define FNDSA_512_SIGNATURE_BYTES                  666
#define FNDSA_512_KEYGEN_WORK_BYTES                10304
#define FNDSA_512_KEYGEN_FAST_WORK_BYTES           19520
#define FNDSA_512_SIGN_WORK_BYTES                  28736
#define FNDSA_512_SIGN_EXPANDED_WORK_BYTES         28736
#define FNDSA_512_SIGN_MATRIX_WORK_BYTES           28736
#define FNDSA_512_SIGN_FAST_WORK_BYTES             29760
#define FNDSA_512_LOADED_KEY_BYTES                 52528
#define FNDSA_512_SIGN_LOADED_WORK_BYTES           17472
#define FNDSA_512_BASIS_BYTES                      16432
#define FNDSA_512_BASIS_WORK_BYTES                 18496
#define FNDSA_512_VERIFY_WORK_BYTES                1088
#define FNDSA_512_VERIFY_FAST_WORK_BYTES           1088
#define FNDSA_512_OPEN_WORK_BYTES                  1088
#define FNDSA_512_OPEN_FAST_WORK_BYTES             1088

#define FNDSA_1024_PUBLIC_KEY_BYTES                1793
#define FNDSA_1024_PRIVATE_KEY_BYTES               2369
#define FNDSA_1024_EXPANDED_KEY_BYTES              2369
#define FNDSA_1024_SIGNATURE_BYTES                 1280
#define FNDSA_1024_KEYGEN_WORK_BYTES               20544
#define FNDSA_1024_KEYGEN_FAST_WORK_BYTES          38976
#define FNDSA_1024_SIGN_WORK_BYTES                 57408
#define FNDSA_1024_SIGN_EXPANDED_WORK_BYTES        57408
#define FNDSA_1024_SIGN_MATRIX_WORK_BYTES          57408
#define FNDSA_1024_SIGN_FAST_WORK_BYTES            59456
#define FNDSA_1024_LOADED_KEY_BYTES                112944
#define FNDSA_1024_SIGN_LOADED_WORK_BYTES          34880
#define FNDSA_1024_BASIS_BYTES                     32816
#define FNDSA_1024_BASIS_WORK_BYTES                36928
#define FNDSA_1024_VERIFY_WORK_BYTES               2112
#define FNDSA_1024_VERIFY_FAST_WORK_BYTES          2112
#define FNDSA_1024_OPEN_WORK_BYTES                 2112
#define FNDSA_1024_OPEN_FAST_WORK_BYTES            2112

#define FNDSA_FALCON_512_PUBLIC_KEY_BYTES          897
#define FNDSA_FALCON_512_PRIVATE_KEY_BYTES         1281
#define FNDSA_FALCON_512_EXPANDED_KEY_BYTES        1281
#define FNDSA_FALCON_512_SIGNATURE_BYTES           752
#define FNDSA_FALCON_512_KEYGEN_WORK_BYTES         10304
#define FNDSA_FALCON_512_KEYGEN_FAST_WORK_BYTES    19520
#define FNDSA_FALCON_512_SIGN_WORK_BYTES           28736
#define FNDSA_FALCON_512_SIGN_EXPANDED_WORK_BYTES  28736
#define FNDSA_FALCON_512_SIGN_MATRIX_WORK_BYTES    28736
#define FNDSA_FALCON_512_SIGN_FAST_WORK_BYTES      29760
#define FNDSA_FALCON_512_LOADED_KEY_BYTES          52528
#define FNDSA_FALCON_512_SIGN_LOADED_WORK_BYTES    17472
#define FNDSA_FALCON_512_VERIFY_WORK_BYTES         2112
#define FNDSA_FALCON_512_VERIFY_FAST_WORK_BYTES    2112
#define FNDSA_FALCON_512_OPEN_WORK_BYTES           2864
#define FNDSA_FALCON_512_OPEN_FAST_WORK_BYTES      2864

#define FNDSA_FALCON_1024_PUBLIC_KEY_BYTES         1793
#define FNDSA_FALCON_1024_PRIVATE_KEY_BYTES        2305
#define FNDSA_FALCON_1024_EXPANDED_KEY_BYTES       2305
#define FNDSA_FALCON_1024_SIGNATURE_BYTES          1462
#define FNDSA_FALCON_1024_KEYGEN_WORK_BYTES        20544
#define FNDSA_FALCON_1024_KEYGEN_FAST_WORK_BYTES   38976
#define FNDSA_FALCON_1024_SIGN_WORK_BYTES          57408
#define FNDSA_FALCON_1024_SIGN_EXPANDED_WORK_BYTES 57408
#define FNDSA_FALCON_1024_SIGN_MATRIX_WORK_BYTES   57408
#define FNDSA_FALCON_1024_SIGN_FAST_WORK_BYTES     59456
#define FNDSA_FALCON_1024_LOADED_KEY_BYTES         112944
#define FNDSA_FALCON_1024_SIGN_LOADED_WORK_BYTES   34880
#define FNDSA_FALCON_1024_VERIFY_WORK_BYTES        4160
#define FNDSA_FALCON_1024_VERIFY_FAST_WORK_BYTES   4160
#define FNDSA_FALCON_1024_OPEN_WORK_BYTES          5622
#define FNDSA_FALCON_1024_OPEN_FAST_WORK_BYTES     5622

#define FNDSA_FALCON_PADDED_512_PUBLIC_KEY_BYTES   897
#define FNDSA_FALCON_PADDED_512_PRIVATE_KEY_BYTES  1281
#define FNDSA_FALCON_PADDED_512_EXPANDED_KEY_BYTES 1281
#define FNDSA_FALCON_PADDED_512_SIGNATURE_BYTES    666
#define FNDSA_FALCON_PADDED_512_KEYGEN_WORK_BYTES  10304
#define FNDSA_FALCON_PADDED_512_KEYGEN_FAST_WORK_BYTES 19520
#define FNDSA_FALCON_PADDED_512_SIGN_WORK_BYTES    28736
#define FNDSA_FALCON_PADDED_512_SIGN_EXPANDED_WORK_BYTES 28736
#define FNDSA_FALCON_PADDED_512_SIGN_MATRIX_WORK_BYTES 28736
#define FNDSA_FALCON_PADDED_512_SIGN_FAST_WORK_BYTES 29760
#define FNDSA_FALCON_PADDED_512_LOADED_KEY_BYTES   52528
#define FNDSA_FALCON_PADDED_512_SIGN_LOADED_WORK_BYTES 17472
#define FNDSA_FALCON_PADDED_512_VERIFY_WORK_BYTES  2112
#define FNDSA_FALCON_PADDED_512_VERIFY_FAST_WORK_BYTES 2112
#define FNDSA_FALCON_PADDED_512_OPEN_WORK_BYTES    2112
#define FNDSA_FALCON_PADDED_512_OPEN_FAST_WORK_BYTES 2112

#define FNDSA_FALCON_PADDED_1024_PUBLIC_KEY_BYTES  1793
#define FNDSA_FALCON_PADDED_1024_PRIVATE_KEY_BYTES 2305
#define FNDSA_FALCON_PADDED_1024_EXPANDED_KEY_BYTES 2305
#define FNDSA_FALCON_PADDED_1024_SIGNATURE_BYTES   1280
#define FNDSA_FALCON_PADDED_1024_KEYGEN_WORK_BYTES 20544
#define FNDSA_FALCON_PADDED_1024_KEYGEN_FAST_WORK_BYTES 38976
#define FNDSA_FALCON_PADDED_1024_SIGN_WORK_BYTES   57408
#define FNDSA_FALCON_PADDED_1024_SIGN_EXPANDED_WORK_BYTES 57408
#define FNDSA_FALCON_PADDED_1024_SIGN_MATRIX_WORK_BYTES 57408
#define FNDSA_FALCON_PADDED_1024_SIGN_FAST_WORK_BYTES 59456
#define FNDSA_FALCON_PADDED_1024_LOADED_KEY_BYTES  112944
#define FNDSA_FALCON_PADDED_1024_SIGN_LOADED_WORK_BYTES 34880
#define FNDSA_FALCON_PADDED_1024_VERIFY_WORK_BYTES 4160
#define FNDSA_FALCON_PADDED_1024_VERIFY_FAST_WORK_BYTES 4160
#define FNDSA_FALCON_PADDED_1024_OPEN_WORK_BYTES   4160
#define FNDSA_FALCON_PADDED_1024_OPEN_FAST_WORK_BYTES 4160

#define FNDSA_ML_DSA_44_PUBLIC_KEY_BYTES           1312
#define FNDSA_ML_DSA_44_PRIVATE_KEY_BYTES          32
#define FNDSA_ML_DSA_44_EXPANDED_KEY_BYTES         2560
#define FNDSA_ML_DSA_44_SIGNATURE_BYTES            2420
#define FNDSA_ML_DSA_44_KEYGEN_WORK_BYTES          3040
#define FNDSA_ML_DSA_44_KEYGEN_FAST_WORK_BYTES     19680
#define FNDSA_ML_DSA_44_SIGN_WORK_BYTES            5600
#define FNDSA_ML_DSA_44_SIGN_EXPANDED_WORK_BYTES   1856
#define FNDSA_ML_DSA_44_SIGN_MATRIX_WORK_BYTES     37184
#define FNDSA_ML_DSA_44_SIGN_FAST_WORK_BYTES       56648
#define FNDSA_ML_DSA_44_VERIFY_WORK_BYTES          1344
#define FNDSA_ML_DSA_44_VERIFY_FAST_WORK_BYTES     17344
#define FNDSA_ML_DSA_44_OPEN_WORK_BYTES            1344
#define FNDSA_ML_DSA_44_OPEN_FAST_WORK_BYTES       17344

#define FNDSA_ML_DSA_65_PUBLIC_KEY_BYTES           1952
#define FNDSA_ML_DSA_65_PRIVATE_KEY_BYTES          32
#define FNDSA_ML_DSA_65_EXPANDED_KEY_BYTES         4032
#define FNDSA_ML_DSA_65_SIGNATURE_BYTES            3309
#define FNDSA_ML_DSA_65_KEYGEN_WORK_BYTES          3936
#define FNDSA_ML_DSA_65_KEYGEN_FAST_WORK_BYTES     21856
#define FNDSA_ML_DSA_65_SIGN_WORK_BYTES            7968
#define FNDSA_ML_DSA_65_SIGN_EXPANDED_WORK_BYTES   2528
#define FNDSA_ML_DSA_65_SIGN_MATRIX_WORK_BYTES     58624
#define FNDSA_ML_DSA_65_SIGN_FAST_WORK_BYTES       82928
#define FNDSA_ML_DSA_65_VERIFY_WORK_BYTES          1344
#define FNDSA_ML_DSA_65_VERIFY_FAST_WORK_BYTES     18368
#define FNDSA_ML_DSA_65_OPEN_WORK_BYTES            1344
#define FNDSA_ML_DSA_65_OPEN_FAST_WORK_BYTES       18368

#define FNDSA_ML_DSA_87_PUBLIC_KEY_BYTES           2592
#define FNDSA_ML_DSA_87_PRIVATE_KEY_BYTES          32
#define FNDSA_ML_DSA_87_EXPANDED_KEY_BYTES         4896
#define FNDSA_ML_DSA_87_SIGNATURE_BYTES            4627
#define FNDSA_ML_DSA_87_KEYGEN_WORK_BYTES          4608
#define FNDSA_ML_DSA_87_KEYGEN_FAST_WORK_BYTES     25056
#define FNDSA_ML_DSA_87_SIGN_WORK_BYTES            9504
#define FNDSA_ML_DSA_87_SIGN_EXPANDED_WORK_BYTES   2816
#define FNDSA_ML_DSA_87_SIGN_MATRIX_WORK_BYTES     94304
#define FNDSA_ML_DSA_87_SIGN_FAST_WORK_BYTES       124840
#define FNDSA_ML_DSA_87_VERIFY_WORK_BYTES          1344
#define FNDSA_ML_DSA_87_VERIFY_FAST_WORK_BYTES     20416
#define FNDSA_ML_DSA_87_OPEN_WORK_BYTES            1344
#define FNDSA_ML_DSA_87_OPEN_FAST_WORK_BYTES       20416

#define FNDSA_ED25519_PUBLIC_KEY_BYTES             32
#define FNDSA_ED25519_PRIVATE_KEY_BYTES            32
#define FNDSA_ED25519_EXPANDED_KEY_BYTES           32
#define FNDSA_ED25519_SIGNATURE_BYTES              64

#define FNDSA_ML_DSA_44_ED25519_PUBLIC_KEY_BYTES   1344
#define FNDSA_ML_DSA_44_ED25519_PRIVATE_KEY_BYTES  64
#define FNDSA_ML_DSA_44_ED25519_EXPANDED_KEY_BYTES 64
#define FNDSA_ML_DSA_44_ED25519_SIGNATURE_BYTES    2484
#define FNDSA_ML_DSA_44_ED25519_KEYGEN_WORK_BYTES  1728
#define FNDSA_ML_DSA_44_ED25519_KEYGEN_FAST_WORK_BYTES 18368
#define FNDSA_ML_DSA_44_ED25519_SIGN_WORK_BYTES    5600
#define FNDSA_ML_DSA_44_ED25519_SIGN_EXPANDED_WORK_BYTES 5600
#define FNDSA_ML_DSA_44_ED25519_SIGN_MATRIX_WORK_BYTES 37184
#define FNDSA_ML_DSA_44_ED25519_SIGN_FAST_WORK_BYTES 56648
#define FNDSA_ML_DSA_44_ED25519_VERIFY_WORK_BYTES  1344
#define FNDSA_ML_DSA_44_ED25519_VERIFY_FAST_WORK_BYTES 17344
#define FNDSA_ML_DSA_44_ED25519_OPEN_WORK_BYTES    1344
#define FNDSA_ML_DSA_44_ED25519_OPEN_FAST_WORK_BYTES 17344

#define FNDSA_ML_DSA_65_ED25519_PUBLIC_KEY_BYTES   1984
#define FNDSA_ML_DSA_65_ED25519_PRIVATE_KEY_BYTES  64
#define FNDSA_ML_DSA_65_ED25519_EXPANDED_KEY_BYTES 64
#define FNDSA_ML_DSA_65_ED25519_SIGNATURE_BYTES    3373
#define FNDSA_ML_DSA_65_ED25519_KEYGEN_WORK_BYTES  1984
#define FNDSA_ML_DSA_65_ED25519_KEYGEN_FAST_WORK_BYTES 19904
#define FNDSA_ML_DSA_65_ED25519_SIGN_WORK_BYTES    7968
#define FNDSA_ML_DSA_65_ED25519_SIGN_EXPANDED_WORK_BYTES 7968
#define FNDSA_ML_DSA_65_ED25519_SIGN_MATRIX_WORK_BYTES 58624
#define FNDSA_ML_DSA_65_ED25519_SIGN_FAST_WORK_BYTES 82928
#define FNDSA_ML_DSA_65_ED25519_VERIFY_WORK_BYTES  1344
#define FNDSA_ML_DSA_65_ED25519_VERIFY_FAST_WORK_BYTES 18368
#define FNDSA_ML_DSA_65_ED25519_OPEN_WORK_BYTES    1344
#define FNDSA_ML_DSA_65_ED25519_OPEN_FAST_WORK_BYTES 18368

/* Boot loaders.
 *
 * These functions verify a signature with a public key that is a constant in the program. Each algorithm has its own functions, so
 * that a program that is linked with --gc-sections contains only the code of the algorithms that it calls. The code of
 * fndsa_*_boot_* cannot call abort if the library is built without std and with opt-level s or 3, as docs/c.md describes.
 *
 * A constant key is the public key with its hash in front (the first 64 bytes of SHAKE256; FIPS 204 calls it tr). The program
 * capi/examples/boot_key.c prints it as C, after fndsa_boot_key has checked the public key. The functions below do not check the
 * constant again. They verify signatures without a pre-hash. */
#define FNDSA_BOOT_HASH_BYTES 64
typedef struct fndsa_512_boot_key {
    uint8_t hash[FNDSA_BOOT_HASH_BYTES];
    uint8_t public_key[FNDSA_512_PUBLIC_KEY_BYTES];
} fndsa_512_boot_key;
typedef struct fndsa_1024_boot_key {
    uint8_t hash[FNDSA_BOOT_HASH_BYTES];
    uint8_t public_key[FNDSA_1024_PUBLIC_KEY_BYTES];
} fndsa_1024_boot_key;
typedef struct fndsa_ml_dsa_44_boot_key {
    uint8_t hash[FNDSA_BOOT_HASH_BYTES];
    uint8_t public_key[FNDSA_ML_DSA_44_PUBLIC_KEY_BYTES];
} fndsa_ml_dsa_44_boot_key;
typedef struct fndsa_ml_dsa_65_boot_key {
    uint8_t hash[FNDSA_BOOT_HASH_BYTES];
    uint8_t public_key[FNDSA_ML_DSA_65_PUBLIC_KEY_BYTES];
} fndsa_ml_dsa_65_boot_key;
typedef struct fndsa_ml_dsa_87_boot_key {
    uint8_t hash[FNDSA_BOOT_HASH_BYTES];
    uint8_t public_key[FNDSA_ML_DSA_87_PUBLIC_KEY_BYTES];
} fndsa_ml_dsa_87_boot_key;

/* Checks a public key of FN-DSA or ML-DSA, and writes a constant key: the hash and then the public key. boot_key_len is
 * FNDSA_BOOT_HASH_BYTES + FNDSA_*_PUBLIC_KEY_BYTES, the size of the structure above, or the call fails with FNDSA_E_LENGTH. Returns
 * FNDSA_E_KEY if the public key has a wrong length or is damaged, and FNDSA_E_ALGORITHM for other schemes. */
FNDSA_MUST_CHECK int fndsa_boot_key(uint32_t algorithm, const uint8_t *public_key, size_t public_key_len, uint8_t *boot_key,
                                    size_t boot_key_len);

/* The state of a verification: 256 bytes with the alignment of uint64_t. Do not change its contents. With a state for each of two
 * signatures, a program verifies both signatures and reads the message only once. */
#define FNDSA_BOOT_STATE_BYTES 256
typedef struct fndsa_boot_state {
    uint64_t opaque[FNDSA_BOOT_STATE_BYTES / 8];
} fndsa_boot_state;

/* The work memory of `_boot_finish`: 1024, 2048 and 1536 bytes. The function overwrites it. */
typedef struct fndsa_512_boot_work {
    uint16_t values[512];
} fndsa_512_boot_work;
typedef struct fndsa_1024_boot_work {
    uint16_t values[1024];
} fndsa_1024_boot_work;
typedef struct fndsa_ml_dsa_boot_work {
    uint32_t values[384];
} fndsa_ml_dsa_boot_work;

/* Begins a verification. The context has at most 255 bytes, or the call fails with FNDSA_E_CONTEXT; for a signature without a context,
 * pass NULL and 0. The key must not change until `_boot_finish`. After an error, no verification has begun. */
FNDSA_MUST_CHECK int fndsa_512_boot_begin(fndsa_boot_state *state, const fndsa_512_boot_key *key,
                                          const uint8_t *context, size_t context_len);
FNDSA_MUST_CHECK int fndsa_1024_boot_begin(fndsa_boot_state *state, const fndsa_1024_boot_key *key,
                                           const uint8_t *context, size_t context_len);
FNDSA_MUST_CHECK int fndsa_ml_dsa_44_boot_begin(fndsa_boot_state *state, const fndsa_ml_dsa_44_boot_key *key,
                                                const uint8_t *context, size_t context_len);
FNDSA_MUST_CHECK int fndsa_ml_dsa_65_boot_begin(fndsa_boot_state *state, const fndsa_ml_dsa_65_boot_key *key,
                                                const uint8_t *context, size_t context_len);
FNDSA_MUST_CHECK int fndsa_ml_dsa_87_boot_begin(fndsa_boot_state *state, const fndsa_ml_dsa_87_boot_key *key,
                                                const uint8_t *context, size_t context_len);

/* Adds the next piece of the message, of any length. Returns FNDSA_E_STATE if no verification of this algorithm has begun. After an
 * error, the verification is over, and `_boot_finish` returns FNDSA_E_STATE. */
FNDSA_MUST_CHECK int fndsa_512_boot_update(fndsa_boot_state *state, const uint8_t *piece, size_t piece_len);
FNDSA_MUST_CHECK int fndsa_1024_boot_update(fndsa_boot_state *state, const uint8_t *piece, size_t piece_len);
FNDSA_MUST_CHECK int fndsa_ml_dsa_44_boot_update(fndsa_boot_state *state, const uint8_t *piece, size_t piece_len);
FNDSA_MUST_CHECK int fndsa_ml_dsa_65_boot_update(fndsa_boot_state *state, const uint8_t *piece, size_t piece_len);
FNDSA_MUST_CHECK int fndsa_ml_dsa_87_boot_update(fndsa_boot_state *state, const uint8_t *piece, size_t piece_len);

/* Ends the message and verifies the signature. FNDSA_OK, which is 0, is YES; every other number is NO. A signature with a wrong length
 * is FNDSA_E_NOT_VALID. Afterwards, the verification is over: a second call returns FNDSA_E_STATE. */
FNDSA_MUST_CHECK int fndsa_512_boot_finish(fndsa_boot_state *state, const uint8_t *signature,
                                           size_t signature_len, fndsa_512_boot_work *work);
FNDSA_MUST_CHECK int fndsa_1024_boot_finish(fndsa_boot_state *state, const uint8_t *signature,
                                            size_t signature_len, fndsa_1024_boot_work *work);
FNDSA_MUST_CHECK int fndsa_ml_dsa_44_boot_finish(fndsa_boot_state *state, const uint8_t *signature,
                                                 size_t signature_len, fndsa_ml_dsa_boot_work *work);
FNDSA_MUST_CHECK int fndsa_ml_dsa_65_boot_finish(fndsa_boot_state *state, const uint8_t *signature,
                                                 size_t signature_len, fndsa_ml_dsa_boot_work *work);
FNDSA_MUST_CHECK int fndsa_ml_dsa_87_boot_finish(fndsa_boot_state *state, const uint8_t *signature,
                                                 size_t signature_len, fndsa_ml_dsa_boot_work *work);

#ifdef __cplusplus
}
#endif

#endif
