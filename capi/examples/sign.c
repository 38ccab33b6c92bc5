/* Makes a key pair, signs a message, and verifies the message in pieces. The program provides all
 * buffers.
 *
 *     cc -Icapi/include capi/examples/sign.c target/library/libfndsa.a -o sign && ./sign
 */
#include "fndsa.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints the text of an error and ends the program. */
static void check(const char *what, int code) {
    if (code != FNDSA_OK) {
        fprintf(stderr, "%s: %s\n", what, fndsa_strerror(code));
        exit(1);
    }
}

int main(void) {
    static uint8_t private_key[FNDSA_512_PRIVATE_KEY_BYTES], public_key[FNDSA_512_PUBLIC_KEY_BYTES];
    static uint8_t signature[FNDSA_512_SIGNATURE_BYTES];
    /* All operations use the same work memory. Signing needs the most. */
    static uint8_t work[FNDSA_512_SIGN_WORK_BYTES];
    static const char *const pieces[] = { "a message ", "in ", "pieces" };
    const uint8_t *message = (const uint8_t *)"a message in pieces";
    size_t len = sizeof signature, i;
    fndsa_form form = { (const uint8_t *)"release v1", 10, 0 };
    fndsa_verifier verifier;

    /* NULL as the generator means the random bytes of the operating system. */
    check("key pair", fndsa_keygen(FNDSA_512, private_key, sizeof private_key, public_key, sizeof public_key, NULL, work, sizeof work));
    check("signature", fndsa_sign(FNDSA_512, private_key, sizeof private_key, &form, message, strlen((const char *)message), signature,
                                  &len, NULL, work, sizeof work));

    check("begin", fndsa_verify_begin(&verifier, FNDSA_512, public_key, sizeof public_key, &form, signature, len));
    for (i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        check("update", fndsa_verify_update(&verifier, (const uint8_t *)pieces[i], strlen(pieces[i])));
    }
    check("verification", fndsa_verify_finish(&verifier, public_key, sizeof public_key, signature, len, work, sizeof work));
    printf("the signature of %u bytes is valid\n", (unsigned)len);
    return 0;
}
