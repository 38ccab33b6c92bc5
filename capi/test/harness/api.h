/* Replaces the "api.h" of PQClean or pqm4. The compiler's options select the names. */
#include "fndsa_nist.h"
