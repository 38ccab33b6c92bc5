/* The function names of NIST's call for signatures, built on fndsa.h, for programs that were written for PQClean or pqm4.
 *
 * Define one or both of these macros before you include this header:
 *
 *     FNDSA_PQCLEAN_NAMES            PQCLEAN_FALCON512_CLEAN_crypto_sign_keypair and all others, with PQCLEAN_*_CRYPTO_*BYTES
 *     FNDSA_PLAIN_NAMES=FALCON512    crypto_sign_keypair and the other names, with CRYPTO_*BYTES, as in pqm4, for one algorithm:
 *                                    FNDSA512, FNDSA1024, FALCON512, FALCON1024, FALCONPADDED512, FALCONPADDED1024, MLDSA44,
 *                                    MLDSA65 or MLDSA87
 *
 * The names are static functions of the file that includes this header, and the library does not export them. So you can
 * link a program with this library and with the code of PQClean, as long as no file includes the headers of both.
 *
 * Random bytes come from the operating system. To take them from your own function, define FNDSA_RANDOMBYTES to its name.
 * This header declares the function as PQClean and pqm4 do: int randombytes(uint8_t *out, size_t len), which returns 0.
 *
 * Work memory is on the stack. By default, each operation gets the memory that makes it fastest: up to 122 KB for ML-DSA-87.
 * If you define FNDSA_SMALL_STACK, it gets the minimum: up to 60 KB for Falcon-1024, and 5 KB for ML-DSA-87.
 *
 * Every function returns 0 for success or YES, and -1 for every error. The formats of keys, signatures and signed messages
 * are the formats of PQClean. The functions differ from PQClean in these points: a private key is checked before each use;
 * sig must not overlap m or sk, and sm must not overlap sk (m may overlap sm, in both directions); after an error, *siglen,
 * *smlen and *mlen are 0, and crypto_sign_open does not change m.
 */
#ifndef FNDSA_NIST_H
#define FNDSA_NIST_H

#include "fndsa.h"

#ifdef FNDSA_RANDOMBYTES
#ifdef __cplusplus
extern "C" {
#endif
int FNDSA_RANDOMBYTES(uint8_t *out, size_t len);
#ifdef __cplusplus
}
#endif
static inline int fndsa_nist_fill(void *state, uint8_t *out, size_t len) {
    (void)state;
    return FNDSA_RANDOMBYTES(out, len);
}
#define FNDSA_NIST_RANDOM(name) const fndsa_random name##_from = { fndsa_nist_fill, NULL }, *const name = &name##_from
#else
#define FNDSA_NIST_RANDOM(name) const fndsa_random *const name = NULL
#endif

#ifdef FNDSA_SMALL_STACK
#define FNDSA_NIST_WORK(word, operation) FNDSA_##word##_##operation##_WORK_BYTES
#define FNDSA_NIST_SIGN_WORK(word) FNDSA_##word##_SIGN_EXPANDED_WORK_BYTES
#else
#define FNDSA_NIST_WORK(word, operation) FNDSA_##word##_##operation##_FAST_WORK_BYTES
#define FNDSA_NIST_SIGN_WORK(word) FNDSA_##word##_SIGN_FAST_WORK_BYTES
#endif

/* The bodies of all functions below, with a context. */
#define FNDSA_NIST_KEYPAIR(word, pk, sk)                                                                                       \
    uint8_t work[FNDSA_NIST_WORK(word, KEYGEN)];                                                                               \
    FNDSA_NIST_RANDOM(random);                                                                                                 \
    return fndsa_keygen(FNDSA_##word, sk, FNDSA_##word##_EXPANDED_KEY_BYTES, pk, FNDSA_##word##_PUBLIC_KEY_BYTES, random, work, \
                        sizeof work) == FNDSA_OK ? 0 : -1
#define FNDSA_NIST_SIGNATURE(word, sig, siglen, m, mlen, ctx, ctxlen, sk)                                                      \
    uint8_t work[FNDSA_NIST_SIGN_WORK(word)];                                                                                 \
    const fndsa_form form = { ctx, ctxlen, 0 };                                                                                \
    FNDSA_NIST_RANDOM(random);                                                                                                 \
    if (siglen != NULL) *siglen = FNDSA_##word##_SIGNATURE_BYTES;                                                              \
    return fndsa_sign(FNDSA_##word, sk, FNDSA_##word##_EXPANDED_KEY_BYTES, &form, m, mlen, sig, siglen, random, work, sizeof work) \
        == FNDSA_OK ? 0 : -1
#define FNDSA_NIST_VERIFY(word, sig, siglen, m, mlen, ctx, ctxlen, pk)                                                         \
    uint8_t work[FNDSA_NIST_WORK(word, VERIFY)];                                                                               \
    const fndsa_form form = { ctx, ctxlen, 0 };                                                                                \
    return fndsa_verify(FNDSA_##word, pk, FNDSA_##word##_PUBLIC_KEY_BYTES, &form, m, mlen, sig, siglen, work, sizeof work)     \
        == FNDSA_OK ? 0 : -1
#define FNDSA_NIST_SIGN(word, sm, smlen, m, mlen, ctx, ctxlen, sk)                                                             \
    uint8_t work[FNDSA_NIST_SIGN_WORK(word)];                                                                                 \
    const fndsa_form form = { ctx, ctxlen, 0 };                                                                                \
    FNDSA_NIST_RANDOM(random);                                                                                                 \
    if (smlen != NULL) *smlen = SIZE_MAX;                                                                                      \
    return fndsa_sign_attached(FNDSA_##word, sk, FNDSA_##word##_EXPANDED_KEY_BYTES, &form, m, mlen, sm, smlen, random, work,   \
                               sizeof work) == FNDSA_OK ? 0 : -1
#define FNDSA_NIST_OPEN(word, m, mlen, sm, smlen, ctx, ctxlen, pk)                                                             \
    uint8_t work[FNDSA_NIST_WORK(word, OPEN)];                                                                                 \
    const fndsa_form form = { ctx, ctxlen, 0 };                                                                                \
    if (mlen != NULL) *mlen = smlen;                                                                                           \
    return fndsa_open_attached(FNDSA_##word, pk, FNDSA_##word##_PUBLIC_KEY_BYTES, &form, sm, smlen, m, mlen, work, sizeof work) \
        == FNDSA_OK ? 0 : -1

/* The five functions of an algorithm. */
#define FNDSA_NIST_FUNCTIONS(prefix, word)                                                                                     \
    static inline int prefix##crypto_sign_keypair(uint8_t *pk, uint8_t *sk) {                                                  \
        FNDSA_NIST_KEYPAIR(word, pk, sk);                                                                                      \
    }                                                                                                                          \
    static inline int prefix##crypto_sign_signature(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen,               \
                                                    const uint8_t *sk) {                                                       \
        FNDSA_NIST_SIGNATURE(word, sig, siglen, m, mlen, NULL, 0, sk);                                                         \
    }                                                                                                                          \
    static inline int prefix##crypto_sign_verify(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen,             \
                                                 const uint8_t *pk) {                                                          \
        FNDSA_NIST_VERIFY(word, sig, siglen, m, mlen, NULL, 0, pk);                                                            \
    }                                                                                                                          \
    static inline int prefix##crypto_sign(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *sk) {      \
        FNDSA_NIST_SIGN(word, sm, smlen, m, mlen, NULL, 0, sk);                                                                \
    }                                                                                                                          \
    static inline int prefix##crypto_sign_open(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, const uint8_t *pk) { \
        FNDSA_NIST_OPEN(word, m, mlen, sm, smlen, NULL, 0, pk);                                                                \
    }                                                                                                                          \
    struct fndsa_nist_semicolon

/* The four functions with a context, for algorithms that have a context. */
#define FNDSA_NIST_CONTEXT_FUNCTIONS(prefix, word)                                                                             \
    static inline int prefix##crypto_sign_signature_ctx(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen,           \
                                                        const uint8_t *ctx, size_t ctxlen, const uint8_t *sk) {                \
        FNDSA_NIST_SIGNATURE(word, sig, siglen, m, mlen, ctx, ctxlen, sk);                                                     \
    }                                                                                                                          \
    static inline int prefix##crypto_sign_verify_ctx(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen,         \
                                                     const uint8_t *ctx, size_t ctxlen, const uint8_t *pk) {                   \
        FNDSA_NIST_VERIFY(word, sig, siglen, m, mlen, ctx, ctxlen, pk);                                                        \
    }                                                                                                                          \
    static inline int prefix##crypto_sign_ctx(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *ctx,   \
                                              size_t ctxlen, const uint8_t *sk) {                                              \
        FNDSA_NIST_SIGN(word, sm, smlen, m, mlen, ctx, ctxlen, sk);                                                            \
    }                                                                                                                          \
    static inline int prefix##crypto_sign_open_ctx(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen,                  \
                                                   const uint8_t *ctx, size_t ctxlen, const uint8_t *pk) {                     \
        FNDSA_NIST_OPEN(word, m, mlen, sm, smlen, ctx, ctxlen, pk);                                                            \
    }                                                                                                                          \
    struct fndsa_nist_semicolon

#ifdef FNDSA_PQCLEAN_NAMES

FNDSA_NIST_FUNCTIONS(PQCLEAN_FALCON512_CLEAN_, FALCON_512);
#define PQCLEAN_FALCON512_CLEAN_CRYPTO_PUBLICKEYBYTES FNDSA_FALCON_512_PUBLIC_KEY_BYTES
#define PQCLEAN_FALCON512_CLEAN_CRYPTO_SECRETKEYBYTES FNDSA_FALCON_512_EXPANDED_KEY_BYTES
#define PQCLEAN_FALCON512_CLEAN_CRYPTO_BYTES FNDSA_FALCON_512_SIGNATURE_BYTES
#define PQCLEAN_FALCON512_CLEAN_CRYPTO_ALGNAME "Falcon-512"

FNDSA_NIST_FUNCTIONS(PQCLEAN_FALCON1024_CLEAN_, FALCON_1024);
#define PQCLEAN_FALCON1024_CLEAN_CRYPTO_PUBLICKEYBYTES FNDSA_FALCON_1024_PUBLIC_KEY_BYTES
#define PQCLEAN_FALCON1024_CLEAN_CRYPTO_SECRETKEYBYTES FNDSA_FALCON_1024_EXPANDED_KEY_BYTES
#define PQCLEAN_FALCON1024_CLEAN_CRYPTO_BYTES FNDSA_FALCON_1024_SIGNATURE_BYTES
#define PQCLEAN_FALCON1024_CLEAN_CRYPTO_ALGNAME "Falcon-1024"

FNDSA_NIST_FUNCTIONS(PQCLEAN_FALCONPADDED512_CLEAN_, FALCON_PADDED_512);
#define PQCLEAN_FALCONPADDED512_CLEAN_CRYPTO_PUBLICKEYBYTES FNDSA_FALCON_PADDED_512_PUBLIC_KEY_BYTES
#define PQCLEAN_FALCONPADDED512_CLEAN_CRYPTO_SECRETKEYBYTES FNDSA_FALCON_PADDED_512_EXPANDED_KEY_BYTES
#define PQCLEAN_FALCONPADDED512_CLEAN_CRYPTO_BYTES FNDSA_FALCON_PADDED_512_SIGNATURE_BYTES
#define PQCLEAN_FALCONPADDED512_CLEAN_CRYPTO_ALGNAME "Falcon-padded-512"

FNDSA_NIST_FUNCTIONS(PQCLEAN_FALCONPADDED1024_CLEAN_, FALCON_PADDED_1024);
#define PQCLEAN_FALCONPADDED1024_CLEAN_CRYPTO_PUBLICKEYBYTES FNDSA_FALCON_PADDED_1024_PUBLIC_KEY_BYTES
#define PQCLEAN_FALCONPADDED1024_CLEAN_CRYPTO_SECRETKEYBYTES FNDSA_FALCON_PADDED_1024_EXPANDED_KEY_BYTES
#define PQCLEAN_FALCONPADDED1024_CLEAN_CRYPTO_BYTES FNDSA_FALCON_PADDED_1024_SIGNATURE_BYTES
#define PQCLEAN_FALCONPADDED1024_CLEAN_CRYPTO_ALGNAME "Falcon-padded-1024"

FNDSA_NIST_FUNCTIONS(PQCLEAN_MLDSA44_CLEAN_, ML_DSA_44);
FNDSA_NIST_CONTEXT_FUNCTIONS(PQCLEAN_MLDSA44_CLEAN_, ML_DSA_44);
#define PQCLEAN_MLDSA44_CLEAN_CRYPTO_PUBLICKEYBYTES FNDSA_ML_DSA_44_PUBLIC_KEY_BYTES
#define PQCLEAN_MLDSA44_CLEAN_CRYPTO_SECRETKEYBYTES FNDSA_ML_DSA_44_EXPANDED_KEY_BYTES
#define PQCLEAN_MLDSA44_CLEAN_CRYPTO_BYTES FNDSA_ML_DSA_44_SIGNATURE_BYTES
#define PQCLEAN_MLDSA44_CLEAN_CRYPTO_ALGNAME "ML-DSA-44"

FNDSA_NIST_FUNCTIONS(PQCLEAN_MLDSA65_CLEAN_, ML_DSA_65);
FNDSA_NIST_CONTEXT_FUNCTIONS(PQCLEAN_MLDSA65_CLEAN_, ML_DSA_65);
#define PQCLEAN_MLDSA65_CLEAN_CRYPTO_PUBLICKEYBYTES FNDSA_ML_DSA_65_PUBLIC_KEY_BYTES
#define PQCLEAN_MLDSA65_CLEAN_CRYPTO_SECRETKEYBYTES FNDSA_ML_DSA_65_EXPANDED_KEY_BYTES
#define PQCLEAN_MLDSA65_CLEAN_CRYPTO_BYTES FNDSA_ML_DSA_65_SIGNATURE_BYTES
#define PQCLEAN_MLDSA65_CLEAN_CRYPTO_ALGNAME "ML-DSA-65"

FNDSA_NIST_FUNCTIONS(PQCLEAN_MLDSA87_CLEAN_, ML_DSA_87);
FNDSA_NIST_CONTEXT_FUNCTIONS(PQCLEAN_MLDSA87_CLEAN_, ML_DSA_87);
#define PQCLEAN_MLDSA87_CLEAN_CRYPTO_PUBLICKEYBYTES FNDSA_ML_DSA_87_PUBLIC_KEY_BYTES
#define PQCLEAN_MLDSA87_CLEAN_CRYPTO_SECRETKEYBYTES FNDSA_ML_DSA_87_EXPANDED_KEY_BYTES
#define PQCLEAN_MLDSA87_CLEAN_CRYPTO_BYTES FNDSA_ML_DSA_87_SIGNATURE_BYTES
#define PQCLEAN_MLDSA87_CLEAN_CRYPTO_ALGNAME "ML-DSA-87"

#endif

#ifdef FNDSA_PLAIN_NAMES

/* Finds the algorithm: each name gets a number, which is compared with the number of the name in FNDSA_PLAIN_NAMES. */
#define FNDSA_PLAIN_FNDSA512 1
#define FNDSA_PLAIN_FNDSA1024 2
#define FNDSA_PLAIN_FALCON512 3
#define FNDSA_PLAIN_FALCON1024 4
#define FNDSA_PLAIN_FALCONPADDED512 5
#define FNDSA_PLAIN_FALCONPADDED1024 6
#define FNDSA_PLAIN_MLDSA44 7
#define FNDSA_PLAIN_MLDSA65 8
#define FNDSA_PLAIN_MLDSA87 9
#define FNDSA_PLAIN_JOIN(word) FNDSA_PLAIN_##word
#define FNDSA_PLAIN_NUMBER(word) FNDSA_PLAIN_JOIN(word)

#if FNDSA_PLAIN_NUMBER(FNDSA_PLAIN_NAMES) == FNDSA_PLAIN_FNDSA512
FNDSA_NIST_FUNCTIONS(, 512);
FNDSA_NIST_CONTEXT_FUNCTIONS(, 512);
#define CRYPTO_PUBLICKEYBYTES FNDSA_512_PUBLIC_KEY_BYTES
#define CRYPTO_SECRETKEYBYTES FNDSA_512_EXPANDED_KEY_BYTES
#define CRYPTO_BYTES FNDSA_512_SIGNATURE_BYTES
#define CRYPTO_ALGNAME "FN-DSA-512"

#elif FNDSA_PLAIN_NUMBER(FNDSA_PLAIN_NAMES) == FNDSA_PLAIN_FNDSA1024
FNDSA_NIST_FUNCTIONS(, 1024);
FNDSA_NIST_CONTEXT_FUNCTIONS(, 1024);
#define CRYPTO_PUBLICKEYBYTES FNDSA_1024_PUBLIC_KEY_BYTES
#define CRYPTO_SECRETKEYBYTES FNDSA_1024_EXPANDED_KEY_BYTES
#define CRYPTO_BYTES FNDSA_1024_SIGNATURE_BYTES
#define CRYPTO_ALGNAME "FN-DSA-1024"

#elif FNDSA_PLAIN_NUMBER(FNDSA_PLAIN_NAMES) == FNDSA_PLAIN_FALCON512
FNDSA_NIST_FUNCTIONS(, FALCON_512);
#define CRYPTO_PUBLICKEYBYTES FNDSA_FALCON_512_PUBLIC_KEY_BYTES
#define CRYPTO_SECRETKEYBYTES FNDSA_FALCON_512_EXPANDED_KEY_BYTES
#define CRYPTO_BYTES FNDSA_FALCON_512_SIGNATURE_BYTES
#define CRYPTO_ALGNAME "Falcon-512"

#elif FNDSA_PLAIN_NUMBER(FNDSA_PLAIN_NAMES) == FNDSA_PLAIN_FALCON1024
FNDSA_NIST_FUNCTIONS(, FALCON_1024);
#define CRYPTO_PUBLICKEYBYTES FNDSA_FALCON_1024_PUBLIC_KEY_BYTES
#define CRYPTO_SECRETKEYBYTES FNDSA_FALCON_1024_EXPANDED_KEY_BYTES
#define CRYPTO_BYTES FNDSA_FALCON_1024_SIGNATURE_BYTES
#define CRYPTO_ALGNAME "Falcon-1024"

#elif FNDSA_PLAIN_NUMBER(FNDSA_PLAIN_NAMES) == FNDSA_PLAIN_FALCONPADDED512
FNDSA_NIST_FUNCTIONS(, FALCON_PADDED_512);
#define CRYPTO_PUBLICKEYBYTES FNDSA_FALCON_PADDED_512_PUBLIC_KEY_BYTES
#define CRYPTO_SECRETKEYBYTES FNDSA_FALCON_PADDED_512_EXPANDED_KEY_BYTES
#define CRYPTO_BYTES FNDSA_FALCON_PADDED_512_SIGNATURE_BYTES
#define CRYPTO_ALGNAME "Falcon-padded-512"

#elif FNDSA_PLAIN_NUMBER(FNDSA_PLAIN_NAMES) == FNDSA_PLAIN_FALCONPADDED1024
FNDSA_NIST_FUNCTIONS(, FALCON_PADDED_1024);
#define CRYPTO_PUBLICKEYBYTES FNDSA_FALCON_PADDED_1024_PUBLIC_KEY_BYTES
#define CRYPTO_SECRETKEYBYTES FNDSA_FALCON_PADDED_1024_EXPANDED_KEY_BYTES
#define CRYPTO_BYTES FNDSA_FALCON_PADDED_1024_SIGNATURE_BYTES
#define CRYPTO_ALGNAME "Falcon-padded-1024"

#elif FNDSA_PLAIN_NUMBER(FNDSA_PLAIN_NAMES) == FNDSA_PLAIN_MLDSA44
FNDSA_NIST_FUNCTIONS(, ML_DSA_44);
FNDSA_NIST_CONTEXT_FUNCTIONS(, ML_DSA_44);
#define CRYPTO_PUBLICKEYBYTES FNDSA_ML_DSA_44_PUBLIC_KEY_BYTES
#define CRYPTO_SECRETKEYBYTES FNDSA_ML_DSA_44_EXPANDED_KEY_BYTES
#define CRYPTO_BYTES FNDSA_ML_DSA_44_SIGNATURE_BYTES
#define CRYPTO_ALGNAME "ML-DSA-44"

#elif FNDSA_PLAIN_NUMBER(FNDSA_PLAIN_NAMES) == FNDSA_PLAIN_MLDSA65
FNDSA_NIST_FUNCTIONS(, ML_DSA_65);
FNDSA_NIST_CONTEXT_FUNCTIONS(, ML_DSA_65);
#define CRYPTO_PUBLICKEYBYTES FNDSA_ML_DSA_65_PUBLIC_KEY_BYTES
#define CRYPTO_SECRETKEYBYTES FNDSA_ML_DSA_65_EXPANDED_KEY_BYTES
#define CRYPTO_BYTES FNDSA_ML_DSA_65_SIGNATURE_BYTES
#define CRYPTO_ALGNAME "ML-DSA-65"

#elif FNDSA_PLAIN_NUMBER(FNDSA_PLAIN_NAMES) == FNDSA_PLAIN_MLDSA87
FNDSA_NIST_FUNCTIONS(, ML_DSA_87);
FNDSA_NIST_CONTEXT_FUNCTIONS(, ML_DSA_87);
#define CRYPTO_PUBLICKEYBYTES FNDSA_ML_DSA_87_PUBLIC_KEY_BYTES
#define CRYPTO_SECRETKEYBYTES FNDSA_ML_DSA_87_EXPANDED_KEY_BYTES
#define CRYPTO_BYTES FNDSA_ML_DSA_87_SIGNATURE_BYTES
#define CRYPTO_ALGNAME "ML-DSA-87"

#else
#error "FNDSA_PLAIN_NAMES names no algorithm: define it to FNDSA512, FALCON512, MLDSA44 or another name in the list in fndsa_nist.h"
#endif

#endif

#endif
