/* The functions with the same names, from PQClean's headers. */
#include "falcon-1024/clean/api.h"
#include "falcon-512/clean/api.h"
#include "falcon-padded-1024/clean/api.h"
#include "falcon-padded-512/clean/api.h"
#include "ml-dsa-44/clean/api.h"
#include "ml-dsa-65/clean/api.h"
#include "ml-dsa-87/clean/api.h"
#include "nist.h"

/* Wraps the functions, because the ML-DSA functions without a context are macros and have no
 * address. */
#define FUNCTIONS(prefix)                                                                                            \
    static int prefix##signature(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen, const uint8_t *sk) {   \
        return prefix##crypto_sign_signature(sig, siglen, m, mlen, sk);                                              \
    }                                                                                                                \
    static int prefix##verify(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen, const uint8_t *pk) { \
        return prefix##crypto_sign_verify(sig, siglen, m, mlen, pk);                                                 \
    }                                                                                                                \
    static int prefix##sign(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *sk) {          \
        return prefix##crypto_sign(sm, smlen, m, mlen, sk);                                                          \
    }                                                                                                                \
    static int prefix##open(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, const uint8_t *pk) {          \
        return prefix##crypto_sign_open(m, mlen, sm, smlen, pk);                                                     \
    }
FUNCTIONS(PQCLEAN_FALCON512_CLEAN_)
FUNCTIONS(PQCLEAN_FALCON1024_CLEAN_)
FUNCTIONS(PQCLEAN_FALCONPADDED512_CLEAN_)
FUNCTIONS(PQCLEAN_FALCONPADDED1024_CLEAN_)
FUNCTIONS(PQCLEAN_MLDSA44_CLEAN_)
FUNCTIONS(PQCLEAN_MLDSA65_CLEAN_)
FUNCTIONS(PQCLEAN_MLDSA87_CLEAN_)

#define NIST_FUNCTION(prefix, name) prefix##name
#define NIST_SIGN(prefix) prefix##sign
NIST_ROWS(theirs);
