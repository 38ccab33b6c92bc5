/* pqm4 takes this header from a submodule of mupq, which is not needed for anything else. */
#ifndef RANDOMBYTES_H
#define RANDOMBYTES_H

#include <stddef.h>
#include <stdint.h>

int randombytes(uint8_t *out, size_t len);

#endif
