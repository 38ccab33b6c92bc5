/* Calls c-fn-dsa. Its scheme is the FN-DSA preview of 2024, whose private keys do not contain a hash of the public key. */
#include "fndsa.h"
#include "peer.h"

/* The work memory for key generation, signing and verification, by the formulas in fndsa.h. */
#define KEYGEN_WORK(logn) ((26u << (logn)) + 31)
#define SIGN_WORK(logn) ((59u << (logn)) + 31)
#define VERIFY_WORK(logn) ((4u << (logn)) + 31)

static uint8_t private_key[FNDSA_SIGN_KEY_SIZE(10)], public_key[FNDSA_VRFY_KEY_SIZE(10)], signature[FNDSA_SIGNATURE_SIZE(10)];

/* Replaces the random numbers of a system, which does not exist. The functions with a seed do not call it. */
int fndsa_sysrng(void *out, size_t len) {
    (void)out;
    (void)len;
    return 0;
}

static int keygen(unsigned logn, uint8_t *work) {
    uint8_t seed[40];
    peer_random(seed, sizeof seed);
    return fndsa_keygen_seeded_temp(logn, seed, sizeof seed, private_key, public_key, work, KEYGEN_WORK(logn));
}

static int sign(unsigned logn, uint8_t *work, const uint8_t *message, size_t len) {
    uint8_t seed[40];
    peer_random(seed, sizeof seed);
    return fndsa_sign_seeded_temp(private_key, FNDSA_SIGN_KEY_SIZE(logn), NULL, 0, FNDSA_HASH_ID_RAW, message, len, seed, sizeof seed,
                                  signature, FNDSA_SIGNATURE_SIZE(logn), work, SIGN_WORK(logn)) == FNDSA_SIGNATURE_SIZE(logn);
}

static int verify(unsigned logn, uint8_t *work, const uint8_t *message, size_t len) {
    return fndsa_verify_temp(signature, FNDSA_SIGNATURE_SIZE(logn), public_key, FNDSA_VRFY_KEY_SIZE(logn), NULL, 0, FNDSA_HASH_ID_RAW,
                             message, len, work, VERIFY_WORK(logn));
}

static int keygen_512(uint8_t *work) { return keygen(9, work); }
static int sign_512(uint8_t *work, const uint8_t *message, size_t len) { return sign(9, work, message, len); }
static int verify_512(uint8_t *work, const uint8_t *message, size_t len) { return verify(9, work, message, len); }
static int keygen_1024(uint8_t *work) { return keygen(10, work); }
static int sign_1024(uint8_t *work, const uint8_t *message, size_t len) { return sign(10, work, message, len); }
static int verify_1024(uint8_t *work, const uint8_t *message, size_t len) { return verify(10, work, message, len); }

const peer_algorithm peer_algorithms[] = {
    { "FN-DSA-512", KEYGEN_WORK(9), SIGN_WORK(9), VERIFY_WORK(9), keygen_512, sign_512, verify_512 },
    { "FN-DSA-1024", KEYGEN_WORK(10), SIGN_WORK(10), VERIFY_WORK(10), keygen_1024, sign_1024, verify_1024 },
    { 0 },
};
