/* Calls pqm4's ML-DSA. Its functions take work memory from the stack. The option PEER_NAME is the name of the parameter set. */
#include "api.h"
#include "peer.h"
#include "randombytes.h"

static uint8_t private_key[CRYPTO_SECRETKEYBYTES], public_key[CRYPTO_PUBLICKEYBYTES], signature[CRYPTO_BYTES];

int randombytes(uint8_t *out, size_t len) {
    peer_random(out, len);
    return 0;
}

static int keygen(uint8_t *work) {
    (void)work;
    return crypto_sign_keypair(public_key, private_key) == 0;
}

static int sign(uint8_t *work, const uint8_t *message, size_t message_len) {
    size_t len = 0;
    (void)work;
    return crypto_sign_signature_ctx(signature, &len, message, message_len, NULL, 0, private_key) == 0 && len == CRYPTO_BYTES;
}

static int verify(uint8_t *work, const uint8_t *message, size_t message_len) {
    (void)work;
    return crypto_sign_verify_ctx(signature, CRYPTO_BYTES, message, message_len, NULL, 0, public_key) == 0;
}

const peer_algorithm peer_algorithms[] = {
    { PEER_NAME, 0, 0, 0, keygen, sign, verify },
    { 0 },
};
