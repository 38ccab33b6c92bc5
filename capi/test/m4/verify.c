/* A program that only verifies. A signature of zeros must not be valid. */
#include "fndsa.h"

int main(void) {
    static uint8_t public_key[FNDSA_512_PUBLIC_KEY_BYTES] = { 9, 1 }, signature[FNDSA_512_SIGNATURE_BYTES] = { 0x39 };
    static uint8_t work[FNDSA_512_VERIFY_WORK_BYTES];
    const int code = fndsa_verify(FNDSA_512, public_key, sizeof public_key, NULL, NULL, 0, signature, sizeof signature, work, sizeof work);
    return code != FNDSA_E_NOT_VALID;
}
