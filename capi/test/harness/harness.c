/* A program like the test programs of PQClean and pqm4. It includes "api.h" and calls the five
 * functions. Their names have the prefix from the compiler's options
 * (-DPREFIX=PQCLEAN_FALCON512_CLEAN_), or no prefix. */
#include "api.h"
#include <stdio.h>
#include <string.h>

#define ROUNDS 5
#define MESSAGE 33
#define CANARY 8

#ifdef PREFIX
#define PASTE(prefix, name) prefix##name
#define EXPAND(prefix, name) PASTE(prefix, name)
#define NAMED(name) EXPAND(PREFIX, name)
#else
#define NAMED(name) name
#endif

#define PK NAMED(CRYPTO_PUBLICKEYBYTES)
#define SK NAMED(CRYPTO_SECRETKEYBYTES)
#define SIG NAMED(CRYPTO_BYTES)

static int randombytes_calls;

/* The generator of the program. Its name is the same as in PQClean and pqm4. */
int randombytes(uint8_t *out, size_t len) {
    static uint32_t state = 2463534242u;
    randombytes_calls++;
    while (len-- > 0) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        *out++ = (uint8_t)state;
    }
    return 0;
}

static void put_canaries(uint8_t *bytes, size_t len) {
    memset(bytes, 0xc5, CANARY);
    memset(bytes + CANARY + len, 0xc5, CANARY);
}

static int canaries_are_intact(const uint8_t *bytes, size_t len) {
    size_t i;
    for (i = 0; i < CANARY; i++) {
        if (bytes[i] != 0xc5 || bytes[CANARY + len + i] != 0xc5) return 0;
    }
    return 1;
}

int main(void) {
    static uint8_t pk[PK + 2 * CANARY], other[PK + 2 * CANARY], sk[SK + 2 * CANARY], sm[MESSAGE + SIG + 2 * CANARY], m[MESSAGE + 2 * CANARY];
    size_t smlen, mlen, siglen;
    static uint8_t sig[SIG];
    int round;
    for (round = 0; round < ROUNDS; round++) {
        put_canaries(pk, PK);
        put_canaries(other, PK);
        put_canaries(sk, SK);
        put_canaries(sm, MESSAGE + SIG);
        put_canaries(m, MESSAGE);
        if (NAMED(crypto_sign_keypair)(other + CANARY, sk + CANARY) != 0) return printf("no key\n"), 1;
        if (NAMED(crypto_sign_keypair)(pk + CANARY, sk + CANARY) != 0) return printf("no key\n"), 1;
        randombytes(m + CANARY, MESSAGE);
        if (NAMED(crypto_sign)(sm + CANARY, &smlen, m + CANARY, MESSAGE, sk + CANARY) != 0) return printf("not signed\n"), 1;
        if (NAMED(crypto_sign_signature)(sig, &siglen, m + CANARY, MESSAGE, sk + CANARY) != 0) return printf("not signed\n"), 1;
        if (NAMED(crypto_sign_verify)(sig, siglen, m + CANARY, MESSAGE, pk + CANARY) != 0) return printf("a valid signature is rejected\n"), 1;
        if (NAMED(crypto_sign_verify)(sig, siglen, m + CANARY, MESSAGE, other + CANARY) == 0) return printf("a signature is accepted with another key\n"), 1;
        if (NAMED(crypto_sign_open)(m + CANARY, &mlen, sm + CANARY, smlen, other + CANARY) == 0) return printf("a signed message is accepted with another key\n"), 1;
        if (NAMED(crypto_sign_open)(sm + CANARY, &mlen, sm + CANARY, smlen, pk + CANARY) != 0) return printf("a valid signed message is rejected\n"), 1;
        if (mlen != MESSAGE || memcmp(sm + CANARY, m + CANARY, mlen) != 0) return printf("the opened message differs from the signed message\n"), 1;
        if (!canaries_are_intact(pk, PK) || !canaries_are_intact(sk, SK) || !canaries_are_intact(sm, MESSAGE + SIG) || !canaries_are_intact(m, MESSAGE)) {
            return printf("the library has written outside its outputs\n"), 1;
        }
    }
    if (randombytes_calls < 4 * ROUNDS) return printf("the library does not call randombytes\n"), 1;
    printf("harness %s: %d rounds\n", NAMED(CRYPTO_ALGNAME), ROUNDS);
    return 0;
}
