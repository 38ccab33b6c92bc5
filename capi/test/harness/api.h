/* What a program that includes "api.h" of PQClean or pqm4 gets in its place. The compiler is told which names it wants. */
#include "fndsa_nist.h"
