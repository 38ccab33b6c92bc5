/* Signatures of FN-DSA, Falcon, ML-DSA and Ed25519 in the memory of the caller.
 *
 * Every function returns an int: FNDSA_OK, which is 0, or one of the negative numbers below, for which fndsa_strerror has a text.
 *
 *     A verification says YES by 0 and by nothing else.
 *     Write `if (fndsa_verify(...) == FNDSA_OK)`, never `if (fndsa_verify(...))`: that would believe every forgery.
 *
 * Memory: the library keeps none, and allocates none but for a signature of Ed25519. Keys, messages and signatures are bytes at any address. Work memory is bytes
 * at any address, too, at least as many as the macro whose name ends in _WORK_BYTES; more, up to _FAST_WORK_BYTES, makes
 * operations of ML-DSA and key generation faster. What it had of secrets is wiped when a function returns. An input of length 0
 * may be null. An output may not overlap anything else, except where a function says so.
 *
 * Errors: every function checks all of its memory, structures included, before it writes anything: FNDSA_E_OVERLAP and a null length
 * leave all memory as it was. When a function fails after that, its outputs are all zeros, except a message that is signed in place;
 * a length that is an output is 0 whenever a function fails for another reason than FNDSA_E_OVERLAP. The work memory may be written to.
 *
 * Threads: no function keeps anything of what it was given, but in a fndsa_verifier. All functions may run at the same time, as long
 * as no memory that one writes to is used by another.
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

/* The algorithms. Falcon is the submission to round 3 of NIST's process: the signatures of FNDSA_FALCON_512 have no fixed length,
 * those of FNDSA_FALCON_PADDED_512 have; keys are the same. */
#define FNDSA_512 0x0109
#define FNDSA_1024 0x010a
#define FNDSA_FALCON_512 0x0309
#define FNDSA_FALCON_1024 0x030a
#define FNDSA_FALCON_PADDED_512 0x1309
#define FNDSA_FALCON_PADDED_1024 0x130a
#define FNDSA_ML_DSA_44 0x052c
#define FNDSA_ML_DSA_65 0x0541
#define FNDSA_ML_DSA_87 0x0557
/* Ed25519ph of RFC 8032, the classic signature beside one of the others; not in a library without the feature ed25519. It has no
 * pre-hash but its own, and takes neither work memory (null, 0) nor, to sign, random bytes. */
#define FNDSA_ED25519 0x0600

/* What functions return. */
#define FNDSA_OK 0
#define FNDSA_E_NOT_VALID (-1)  /* the signature is not valid: the NO of a verification */
#define FNDSA_E_NULL (-2)       /* a pointer is null where bytes are needed */
#define FNDSA_E_LENGTH (-3)     /* a length is not the one that the algorithm has, or an output is too short */
#define FNDSA_E_ALGORITHM (-4)  /* the number names no algorithm */
#define FNDSA_E_KEY (-5)        /* the key is damaged or belongs to another algorithm */
#define FNDSA_E_CONTEXT (-6)    /* the context is longer than 255 bytes, or the algorithm has none */
#define FNDSA_E_PREHASH (-7)    /* the algorithm does not know the pre-hash, or the message is not as long as its digest */
#define FNDSA_E_WORK (-8)       /* the work memory is too short */
#define FNDSA_E_OVERLAP (-9)    /* an output overlaps an input or another output */
#define FNDSA_E_ALIGNMENT (-10) /* a verifier is not aligned */
#define FNDSA_E_RANDOM (-11)    /* the generator failed, or there is none */
#define FNDSA_E_STATE (-12)     /* the verifier was not begun, or was finished */
#define FNDSA_E_FAULT (-13)     /* a result did not pass its check and is withheld */
#define FNDSA_E_INTERNAL (-14)  /* a mistake in the library */
#define FNDSA_E_WEAK_PREHASH (-15) /* the pre-hash is weaker than the algorithm */

/* Returns what a number above means and what to do: one line, never null, not to be freed. */
const char *fndsa_strerror(int code);

/* Returns the version of the library, for example "0.2.0". */
const char *fndsa_version(void);

/* What is signed beside the message. Initialize it with { 0 } and set what you need. A null pointer to it is the same as all
 * zeros: no context, no pre-hash. Falcon has no context. */
typedef struct fndsa_form {
    const uint8_t *context; /* at most 255 bytes */
    size_t context_len;
    uint32_t prehash; /* the message is a digest made by this hash: one of FNDSA_PREHASH_*, 0 for none */
} fndsa_form;

/* The hashes, by the last number of their object identifiers. The hashes of 224 bits are for ML-DSA alone. FIPS 204, 5.4.1, requires
 * digests of at least 32 bytes for ML-DSA-44, 48 for ML-DSA-65 and 64 for ML-DSA-87: a shorter digest is FNDSA_E_WEAK_PREHASH, unless
 * FNDSA_PREHASH_ALLOW_WEAK is added to the number (for test vectors): then the signature is as weak as the hash. */
#define FNDSA_PREHASH_ALLOW_WEAK 0x100
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

/* Where random bytes come from. `fill` writes `len` bytes good enough for keys to `out` and returns 0; any other number fails the
 * call with FNDSA_E_RANDOM. It must return (no longjmp, no C++ exception) and touch no memory that the call was given. `state` is
 * handed to it as it is. A null pointer to a fndsa_random means the operating system; a build without it returns FNDSA_E_RANDOM. */
typedef struct fndsa_random {
    int (*fill)(void *state, uint8_t *out, size_t len);
    void *state;
} fndsa_random;

/* Makes a key pair.
 *
 * public_key_len is FNDSA_*_PUBLIC_KEY_BYTES. private_key_len is FNDSA_*_PRIVATE_KEY_BYTES or FNDSA_*_EXPANDED_KEY_BYTES, which
 * differ in ML-DSA alone: there the first is the seed of 32 bytes, the second what FIPS 204 names a private key. Every function
 * takes either. */
FNDSA_MUST_CHECK int fndsa_keygen(uint32_t algorithm, uint8_t *private_key, size_t private_key_len, uint8_t *public_key,
                                  size_t public_key_len, const fndsa_random *random, void *work, size_t work_len);

/* Checks a private key in full and writes its public key. Work memory: FNDSA_*_SIGN_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_public_key(uint32_t algorithm, const uint8_t *private_key, size_t private_key_len,
                                      uint8_t *public_key, size_t public_key_len, void *work, size_t work_len);

/* Checks a private key in full, signs a message, and verifies the signature before it is returned.
 *
 * Work memory: FNDSA_*_SIGN_WORK_BYTES, or FNDSA_*_SIGN_EXPANDED_WORK_BYTES with a key of FNDSA_*_EXPANDED_KEY_BYTES.
 * *signature_len is the room at `signature`, at least FNDSA_*_SIGNATURE_BYTES, and then the bytes of the signature. Behind them
 * the room that an algorithm without a fixed length asks for is zeros. */
FNDSA_MUST_CHECK int fndsa_sign(uint32_t algorithm, const uint8_t *private_key, size_t private_key_len,
                                const fndsa_form *form, const uint8_t *message, size_t message_len, uint8_t *signature,
                                size_t *signature_len, const fndsa_random *random, void *work, size_t work_len);

/* Verifies a signature. YES is FNDSA_OK, which is 0; every other number is NO, whatever the reason. */
FNDSA_MUST_CHECK int fndsa_verify(uint32_t algorithm, const uint8_t *public_key, size_t public_key_len,
                                  const fndsa_form *form, const uint8_t *message, size_t message_len,
                                  const uint8_t *signature, size_t signature_len, void *work, size_t work_len);

/* A verification whose message comes in pieces. Declare one, give its address to the three functions below, and leave its contents
 * alone. It may be copied between the calls. It is as aligned as uint64_t. */
#define FNDSA_VERIFIER_BYTES 512
typedef struct fndsa_verifier {
    uint64_t opaque[FNDSA_VERIFIER_BYTES / 8];
} fndsa_verifier;

/* Returns FNDSA_VERIFIER_BYTES as the library was built with. */
size_t fndsa_verifier_bytes(void);

/* Begins: the signature comes before the message, for Falcon hashes a part of it first. */
FNDSA_MUST_CHECK int fndsa_verify_begin(fndsa_verifier *verifier, uint32_t algorithm, const uint8_t *public_key,
                                        size_t public_key_len, const fndsa_form *form, const uint8_t *signature,
                                        size_t signature_len);

/* Takes the next piece of the message, of any length. After fndsa_verify_begin failed it returns FNDSA_E_STATE. */
FNDSA_MUST_CHECK int fndsa_verify_update(fndsa_verifier *verifier, const uint8_t *message, size_t message_len);

/* Ends the message and verifies. Give the same key and signature as in the beginning. YES is FNDSA_OK, which is 0; every other
 * number is NO. The verifier is wiped, and can be begun again. Work memory: FNDSA_*_VERIFY_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_verify_finish(fndsa_verifier *verifier, const uint8_t *public_key, size_t public_key_len,
                                         const uint8_t *signature, size_t signature_len, void *work, size_t work_len);

/* Signs a message and writes signature and message in one piece, in the format of crypto_sign in PQClean.
 *
 * *signed_len is the room at `signed_message`, at least message_len + FNDSA_*_SIGNATURE_BYTES, and then the bytes of the signed
 * message. `message` may overlap `signed_message` in any way. If signing fails, the message is as it was, and the rest of the room is
 * zeros, or as it was if an argument was rejected. */
FNDSA_MUST_CHECK int fndsa_sign_attached(uint32_t algorithm, const uint8_t *private_key, size_t private_key_len,
                                         const fndsa_form *form, const uint8_t *message, size_t message_len,
                                         uint8_t *signed_message, size_t *signed_len, const fndsa_random *random, void *work,
                                         size_t work_len);

/* Verifies a signed message and writes its message. YES is FNDSA_OK, which is 0; every other number is NO.
 *
 * *message_len is the room at `message`, and then the bytes of the message, which are fewer than signed_len. `message` may overlap
 * `signed_message` in any way. Unless the signature is valid, `message` is as it was. Work memory: FNDSA_*_OPEN_WORK_BYTES. */
FNDSA_MUST_CHECK int fndsa_open_attached(uint32_t algorithm, const uint8_t *public_key, size_t public_key_len,
                                         const fndsa_form *form, const uint8_t *signed_message, size_t signed_len,
                                         uint8_t *message, size_t *message_len, void *work, size_t work_len);

/* The lengths below as functions, for programs that choose the algorithm while they run. 0 if there is no such algorithm. */
size_t fndsa_public_key_bytes(uint32_t algorithm);
size_t fndsa_private_key_bytes(uint32_t algorithm);
size_t fndsa_expanded_key_bytes(uint32_t algorithm);
size_t fndsa_signature_bytes(uint32_t algorithm);
size_t fndsa_keygen_work_bytes(uint32_t algorithm);
size_t fndsa_keygen_fast_work_bytes(uint32_t algorithm);
size_t fndsa_sign_work_bytes(uint32_t algorithm);
size_t fndsa_sign_expanded_work_bytes(uint32_t algorithm);
size_t fndsa_sign_fast_work_bytes(uint32_t algorithm);
size_t fndsa_verify_work_bytes(uint32_t algorithm);
size_t fndsa_verify_fast_work_bytes(uint32_t algorithm);
size_t fndsa_open_work_bytes(uint32_t algorithm);
size_t fndsa_open_fast_work_bytes(uint32_t algorithm);

/* Lengths in bytes. A signature of FNDSA_FALCON_512 and FNDSA_FALCON_1024 has at most so many; those that are made here are never
 * longer than padded ones. Those of work memory have room to align it for vectors: where there are none, on a Cortex-M for example, 56
 * bytes less are enough, which is what the functions above return. */
#define FNDSA_512_PUBLIC_KEY_BYTES                 897
#define FNDSA_512_PRIVATE_KEY_BYTES                1345
#define FNDSA_512_EXPANDED_KEY_BYTES               1345
#define FNDSA_512_SIGNATURE_BYTES                  666
#define FNDSA_512_KEYGEN_WORK_BYTES                10304
#define FNDSA_512_KEYGEN_FAST_WORK_BYTES           19520
#define FNDSA_512_SIGN_WORK_BYTES                  29760
#define FNDSA_512_SIGN_EXPANDED_WORK_BYTES         29760
#define FNDSA_512_SIGN_FAST_WORK_BYTES             29760
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
#define FNDSA_1024_SIGN_WORK_BYTES                 59456
#define FNDSA_1024_SIGN_EXPANDED_WORK_BYTES        59456
#define FNDSA_1024_SIGN_FAST_WORK_BYTES            59456
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
#define FNDSA_FALCON_512_SIGN_WORK_BYTES           29760
#define FNDSA_FALCON_512_SIGN_EXPANDED_WORK_BYTES  29760
#define FNDSA_FALCON_512_SIGN_FAST_WORK_BYTES      29760
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
#define FNDSA_FALCON_1024_SIGN_WORK_BYTES          59456
#define FNDSA_FALCON_1024_SIGN_EXPANDED_WORK_BYTES 59456
#define FNDSA_FALCON_1024_SIGN_FAST_WORK_BYTES     59456
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
#define FNDSA_FALCON_PADDED_512_SIGN_WORK_BYTES    29760
#define FNDSA_FALCON_PADDED_512_SIGN_EXPANDED_WORK_BYTES 29760
#define FNDSA_FALCON_PADDED_512_SIGN_FAST_WORK_BYTES 29760
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
#define FNDSA_FALCON_PADDED_1024_SIGN_WORK_BYTES   59456
#define FNDSA_FALCON_PADDED_1024_SIGN_EXPANDED_WORK_BYTES 59456
#define FNDSA_FALCON_PADDED_1024_SIGN_FAST_WORK_BYTES 59456
#define FNDSA_FALCON_PADDED_1024_VERIFY_WORK_BYTES 4160
#define FNDSA_FALCON_PADDED_1024_VERIFY_FAST_WORK_BYTES 4160
#define FNDSA_FALCON_PADDED_1024_OPEN_WORK_BYTES   4160
#define FNDSA_FALCON_PADDED_1024_OPEN_FAST_WORK_BYTES 4160

#define FNDSA_ML_DSA_44_PUBLIC_KEY_BYTES           1312
#define FNDSA_ML_DSA_44_PRIVATE_KEY_BYTES          32
#define FNDSA_ML_DSA_44_EXPANDED_KEY_BYTES         2560
#define FNDSA_ML_DSA_44_SIGNATURE_BYTES            2420
#define FNDSA_ML_DSA_44_KEYGEN_WORK_BYTES          3424
#define FNDSA_ML_DSA_44_KEYGEN_FAST_WORK_BYTES     18656
#define FNDSA_ML_DSA_44_SIGN_WORK_BYTES            5984
#define FNDSA_ML_DSA_44_SIGN_EXPANDED_WORK_BYTES   2112
#define FNDSA_ML_DSA_44_SIGN_FAST_WORK_BYTES       54984
#define FNDSA_ML_DSA_44_VERIFY_WORK_BYTES          1600
#define FNDSA_ML_DSA_44_VERIFY_FAST_WORK_BYTES     17344
#define FNDSA_ML_DSA_44_OPEN_WORK_BYTES            1600
#define FNDSA_ML_DSA_44_OPEN_FAST_WORK_BYTES       17344

#define FNDSA_ML_DSA_65_PUBLIC_KEY_BYTES           1952
#define FNDSA_ML_DSA_65_PRIVATE_KEY_BYTES          32
#define FNDSA_ML_DSA_65_EXPANDED_KEY_BYTES         4032
#define FNDSA_ML_DSA_65_SIGNATURE_BYTES            3309
#define FNDSA_ML_DSA_65_KEYGEN_WORK_BYTES          4064
#define FNDSA_ML_DSA_65_KEYGEN_FAST_WORK_BYTES     20320
#define FNDSA_ML_DSA_65_SIGN_WORK_BYTES            8096
#define FNDSA_ML_DSA_65_SIGN_EXPANDED_WORK_BYTES   2528
#define FNDSA_ML_DSA_65_SIGN_FAST_WORK_BYTES       80688
#define FNDSA_ML_DSA_65_VERIFY_WORK_BYTES          1600
#define FNDSA_ML_DSA_65_VERIFY_FAST_WORK_BYTES     18368
#define FNDSA_ML_DSA_65_OPEN_WORK_BYTES            1600
#define FNDSA_ML_DSA_65_OPEN_FAST_WORK_BYTES       18368

#define FNDSA_ML_DSA_87_PUBLIC_KEY_BYTES           2592
#define FNDSA_ML_DSA_87_PRIVATE_KEY_BYTES          32
#define FNDSA_ML_DSA_87_EXPANDED_KEY_BYTES         4896
#define FNDSA_ML_DSA_87_SIGNATURE_BYTES            4627
#define FNDSA_ML_DSA_87_KEYGEN_WORK_BYTES          4704
#define FNDSA_ML_DSA_87_KEYGEN_FAST_WORK_BYTES     23008
#define FNDSA_ML_DSA_87_SIGN_WORK_BYTES            9600
#define FNDSA_ML_DSA_87_SIGN_EXPANDED_WORK_BYTES   2816
#define FNDSA_ML_DSA_87_SIGN_FAST_WORK_BYTES       121416
#define FNDSA_ML_DSA_87_VERIFY_WORK_BYTES          1600
#define FNDSA_ML_DSA_87_VERIFY_FAST_WORK_BYTES     20416
#define FNDSA_ML_DSA_87_OPEN_WORK_BYTES            1600
#define FNDSA_ML_DSA_87_OPEN_FAST_WORK_BYTES       20416

#define FNDSA_ED25519_PUBLIC_KEY_BYTES             32
#define FNDSA_ED25519_PRIVATE_KEY_BYTES            32
#define FNDSA_ED25519_EXPANDED_KEY_BYTES           32
#define FNDSA_ED25519_SIGNATURE_BYTES              64

#ifdef __cplusplus
}
#endif

#endif
