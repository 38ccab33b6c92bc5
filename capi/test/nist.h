/* The functions of NIST's call for an algorithm, as a table, so that a test can use this library
 * and PQClean in the same way. */
#ifndef NIST_H
#define NIST_H

#include <stddef.h>
#include <stdint.h>

struct nist {
    const char *name;
    size_t public_len, private_len, signature_len;
    int (*keypair)(uint8_t *pk, uint8_t *sk);
    int (*signature)(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen, const uint8_t *sk);
    int (*verify)(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen, const uint8_t *pk);
    int (*sign)(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *sk);
    int (*open)(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, const uint8_t *pk);
};

#define SCHEMES 7
extern const struct nist ours[SCHEMES];
extern const struct nist theirs[SCHEMES];

/* The functions of ML-DSA-44 with a context. */
struct nist_context {
    int (*signature)(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen, const uint8_t *ctx, size_t ctxlen, const uint8_t *sk);
    int (*verify)(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen, const uint8_t *ctx, size_t ctxlen, const uint8_t *pk);
    int (*sign)(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *ctx, size_t ctxlen, const uint8_t *sk);
    int (*open)(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, const uint8_t *ctx, size_t ctxlen, const uint8_t *pk);
};
extern const struct nist_context ours_with_context, theirs_with_context;

#define NIST_ROW(prefix)                                                                                             \
    {                                                                                                                \
        prefix##CRYPTO_ALGNAME, prefix##CRYPTO_PUBLICKEYBYTES, prefix##CRYPTO_SECRETKEYBYTES, prefix##CRYPTO_BYTES,  \
            prefix##crypto_sign_keypair, NIST_FUNCTION(prefix, signature), NIST_FUNCTION(prefix, verify),            \
            NIST_SIGN(prefix), NIST_FUNCTION(prefix, open)                                                           \
    }
#define NIST_ROWS(table)                                                                                             \
    const struct nist table[SCHEMES] = {                                                                             \
        NIST_ROW(PQCLEAN_FALCON512_CLEAN_),       NIST_ROW(PQCLEAN_FALCON1024_CLEAN_),                               \
        NIST_ROW(PQCLEAN_FALCONPADDED512_CLEAN_), NIST_ROW(PQCLEAN_FALCONPADDED1024_CLEAN_),                         \
        NIST_ROW(PQCLEAN_MLDSA44_CLEAN_),         NIST_ROW(PQCLEAN_MLDSA65_CLEAN_),                                  \
        NIST_ROW(PQCLEAN_MLDSA87_CLEAN_),                                                                            \
    };                                                                                                               \
    const struct nist_context table##_with_context = {                                                               \
        PQCLEAN_MLDSA44_CLEAN_crypto_sign_signature_ctx, PQCLEAN_MLDSA44_CLEAN_crypto_sign_verify_ctx,               \
        PQCLEAN_MLDSA44_CLEAN_crypto_sign_ctx, PQCLEAN_MLDSA44_CLEAN_crypto_sign_open_ctx,                           \
    }

#endif
