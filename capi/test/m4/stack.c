/* Measures the stack of each operation in bytes, without its work memory: writes a pattern to the
 * memory below the caller before the operation, and looks for changed bytes after the operation.
 * The bounds are the same as in docs/c.md. */
#include "fndsa.h"
#include "expect.h"

#define PAINT 0xa5
#define PAINTED_BYTES 32768

/* Returns an address at the top of the free stack. `paint` and `depth` are called in the same way as an
 * operation, so they write and read the stack memory that the operation uses. */
static volatile uint8_t *top_of_free_stack(void) {
    volatile uint8_t here = 0;
    return (volatile uint8_t *)((uintptr_t)&here & ~(uintptr_t)7);
}

__attribute__((noinline)) static void paint(void) {
    volatile uint8_t *top = top_of_free_stack();
    size_t i;
    for (i = 64; i < PAINTED_BYTES; i++) *(top - i) = PAINT;
}

__attribute__((noinline)) static long depth(void) {
    volatile uint8_t *top = top_of_free_stack();
    size_t i = PAINTED_BYTES - 1;
    while (i > 64 && *(top - i) == PAINT) i--;
    return (long)i;
}

static uint8_t private_key[FNDSA_ML_DSA_87_EXPANDED_KEY_BYTES], public_key[FNDSA_ML_DSA_87_PUBLIC_KEY_BYTES];
static uint8_t signature[FNDSA_ML_DSA_87_SIGNATURE_BYTES], work[FNDSA_1024_SIGN_WORK_BYTES];

static int fill(void *state, uint8_t *out, size_t len) {
    uint32_t *x = (uint32_t *)state;
    while (len-- > 0) {
        *x ^= *x << 13;
        *x ^= *x >> 17;
        *x ^= *x << 5;
        *out++ = (uint8_t)*x;
    }
    return 0;
}

int main(void) {
    static const uint32_t algorithms[] = { FNDSA_512, FNDSA_1024, FNDSA_FALCON_512, FNDSA_FALCON_1024, FNDSA_ML_DSA_44,
                                           FNDSA_ML_DSA_65, FNDSA_ML_DSA_87 };
    uint32_t seed = 88172645u;
    fndsa_random random = { fill, NULL };
    size_t i;
    random.state = &seed;
    for (i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        const uint32_t a = algorithms[i];
        const size_t private_len = fndsa_private_key_bytes(a), public_len = fndsa_public_key_bytes(a);
        size_t len = sizeof signature;
        long keygen, sign, verify;
        paint();
        EXPECT(fndsa_keygen(a, private_key, private_len, public_key, public_len, &random, work, fndsa_keygen_work_bytes(a)), FNDSA_OK);
        keygen = depth();
        paint();
        EXPECT(fndsa_sign(a, private_key, private_len, NULL, NULL, 0, signature, &len, &random, work, fndsa_sign_work_bytes(a)), FNDSA_OK);
        sign = depth();
        paint();
        EXPECT(fndsa_verify(a, public_key, public_len, NULL, NULL, 0, signature, len, work, fndsa_verify_work_bytes(a)), FNDSA_OK);
        verify = depth();
        printf("stack %04x: keygen %ld, sign %ld, verify %ld\n", (unsigned)a, keygen, sign, verify);
        EXPECT(keygen > 500 && keygen <= 4608 && sign > 500 && sign <= 6656 && verify > 500 && verify <= 5120, 1);
    }
    return report("stack");
}
