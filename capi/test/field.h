/* Reads the cases of formats.py and policy.py: lines with fields in hexadecimal. */
#ifndef FNDSA_TEST_FIELD_H
#define FNDSA_TEST_FIELD_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The maximum length of a line in bytes. */
#define LINE (1 << 20)

/* Decodes a field in hexadecimal to newly allocated memory. */
static uint8_t *decode_field(const char *field, size_t *len) {
    *len = strlen(field) / 2;
    uint8_t *out = malloc(*len + 1);
    for (size_t i = 0; i < *len; i++) {
        const char digits[3] = {field[2 * i], field[2 * i + 1], 0};
        out[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return out;
}

#endif
