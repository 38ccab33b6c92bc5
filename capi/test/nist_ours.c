/* The functions with the names of PQClean, from fndsa_nist.h. */
#define FNDSA_PQCLEAN_NAMES
#define FNDSA_RANDOMBYTES PQCLEAN_randombytes
#include "fndsa_nist.h"
#include "nist.h"

#define NIST_FUNCTION(prefix, name) prefix##crypto_sign_##name
#define NIST_SIGN(prefix) prefix##crypto_sign
NIST_ROWS(ours);
