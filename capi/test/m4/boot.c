/* A boot loader that verifies an application page by page. The compiler's options define BEGIN, UPDATE, FINISH and WORK: the functions
 * and the work memory of an algorithm. The library needs no function of a C library, not even `abort`. */
#include "fndsa.h"
#include "boot_data.h" /* the output of capi/examples/boot_key.c, and the bytes of the signature */

/* The application. Byte i is the lower byte of i + i / 256. */
static uint8_t application[32768];

/* Returns 0 if the signature is valid for the flash contents. */
static int verify(const uint8_t *flash, size_t len, const uint8_t *signature) {
    static fndsa_boot_state state;
    static WORK work;
    size_t at;
    if (BEGIN(&state, &boot_key, NULL, 0) != FNDSA_OK) return 1;
    for (at = 0; at < len; at += 256) {
        if (UPDATE(&state, flash + at, 256) != FNDSA_OK) return 1;
    }
    return FINISH(&state, signature, sizeof boot_sig, &work) != FNDSA_OK;
}

int boot(void) {
    size_t i;
    for (i = 0; i < sizeof application; i++) application[i] = (uint8_t)(i + i / 256);
    if (verify(application, sizeof application, boot_sig) != 0) return 1;
    if (verify(application, sizeof application - 256, boot_sig) == 0) return 1;
    application[5] ^= 1;
    return verify(application, sizeof application, boot_sig) == 0;
}
