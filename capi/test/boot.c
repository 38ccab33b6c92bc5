/* Tests the functions for boot loaders, with keys and signatures that this program makes. */
#include "fndsa.h"
#include "expect.h"

#include <stdlib.h>
#include <string.h>

static uint8_t private_key[FNDSA_1024_PRIVATE_KEY_BYTES], public_key[FNDSA_ML_DSA_87_PUBLIC_KEY_BYTES];
static uint8_t signature[FNDSA_ML_DSA_87_SIGNATURE_BYTES + 1], work_memory[FNDSA_1024_SIGN_WORK_BYTES], message[1000];

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

/* Makes a key pair and a signature for the message, and writes the constant key. */
static size_t make(uint32_t algorithm, const fndsa_form *form, uint8_t *boot_key, size_t boot_key_len) {
    static uint32_t seed = 2463534242u;
    fndsa_random random = { fill, NULL };
    const size_t private_len = fndsa_private_key_bytes(algorithm), public_len = fndsa_public_key_bytes(algorithm);
    size_t len = sizeof signature - 1;
    random.state = &seed;
    EXPECT(fndsa_keygen(algorithm, private_key, private_len, public_key, public_len, &random, work_memory, sizeof work_memory), FNDSA_OK);
    EXPECT(fndsa_sign(algorithm, private_key, private_len, form, message, sizeof message, signature, &len, &random, work_memory, sizeof work_memory), FNDSA_OK);
    EXPECT(fndsa_boot_key(algorithm, public_key, public_len, boot_key, boot_key_len), FNDSA_OK);
    EXPECT(memcmp(boot_key + FNDSA_BOOT_HASH_BYTES, public_key, public_len), 0);
    EXPECT(fndsa_boot_key(algorithm, public_key, public_len, boot_key, boot_key_len - 1), FNDSA_E_LENGTH);
    EXPECT(fndsa_boot_key(algorithm, public_key, public_len - 1, boot_key, boot_key_len), FNDSA_E_KEY);
    EXPECT(fndsa_boot_key(algorithm, public_key, public_len, NULL, boot_key_len), FNDSA_E_NULL);
    EXPECT(fndsa_boot_key(algorithm, public_key, public_len, boot_key, boot_key_len), FNDSA_OK);
    return len;
}

/* Tests the three functions of an algorithm. */
#define TEST(ALGORITHM, NAME, WORK)                                                                                 \
    static void test_##NAME(void) {                                                                                 \
        static NAME##_boot_key key, changed;                                                                        \
        static struct { uint8_t before[16]; WORK work; uint8_t after[16]; } guarded;                                \
        static struct { uint8_t before[16]; fndsa_boot_state state; uint8_t after[16]; } states;                    \
        static const uint8_t context[256] = { 'c', 't', 'x' };                                                      \
        fndsa_boot_state *const state = &states.state;                                                              \
        WORK *const work = &guarded.work;                                                                           \
        fndsa_form form = { 0 };                                                                                    \
        size_t len, i, piece;                                                                                       \
        form.context = context;                                                                                     \
        form.context_len = 3;                                                                                       \
        len = make(ALGORITHM, &form, (uint8_t *)&key, sizeof key);                                                  \
        memset(&guarded, 0xa5, sizeof guarded);                                                                     \
        memset(&states, 0xa5, sizeof states);                                                                       \
        EXPECT(NAME##_boot_update(state, message, 1), FNDSA_E_STATE);                                               \
        EXPECT(NAME##_boot_finish(state, signature, len, work), FNDSA_E_STATE);                                     \
        for (piece = 1; piece <= sizeof message; piece *= 5) {                                                      \
            EXPECT(NAME##_boot_begin(state, &key, context, 3), FNDSA_OK);                                           \
            for (i = 0; i < sizeof message; i += piece)                                                             \
                EXPECT(NAME##_boot_update(state, message + i, piece < sizeof message - i ? piece : sizeof message - i), FNDSA_OK); \
            EXPECT(NAME##_boot_finish(state, signature, len, work), FNDSA_OK);                                      \
            EXPECT(NAME##_boot_finish(state, signature, len, work), FNDSA_E_STATE);                                 \
        }                                                                                                           \
        for (i = 0; i < 5; i++) {                                                                                   \
            changed = key;                                                                                          \
            if (i == 0) changed.hash[63] ^= 1;                                                                      \
            if (i == 1) changed.public_key[500] ^= 1;                                                               \
            if (i == 2) signature[200] ^= 1;                                                                        \
            EXPECT(NAME##_boot_begin(state, &changed, context, i == 3 ? 2 : 3), FNDSA_OK);                          \
            EXPECT(NAME##_boot_update(state, message, sizeof message - (i == 4)), FNDSA_OK);                        \
            EXPECT(NAME##_boot_finish(state, signature, len, work), FNDSA_E_NOT_VALID);                             \
            if (i == 2) signature[200] ^= 1;                                                                        \
        }                                                                                                           \
        /* After an error, the verification is over, and the state has no verdict of an earlier message. */         \
        for (i = 0; i < 9; i++) {                                                                                   \
            EXPECT(NAME##_boot_begin(state, &key, context, 3), FNDSA_OK);                                           \
            EXPECT(NAME##_boot_update(state, NULL, 0), FNDSA_OK);                                                   \
            EXPECT(NAME##_boot_update(state, message, sizeof message), FNDSA_OK);                                   \
            if (i == 0) EXPECT(NAME##_boot_update(state, NULL, 1), FNDSA_E_NULL);                                   \
            if (i == 1) EXPECT(NAME##_boot_update(state, (const uint8_t *)state + 8, 1), FNDSA_E_OVERLAP);          \
            if (i == 2) EXPECT(NAME##_boot_begin(state, NULL, context, 3), FNDSA_E_NULL);                           \
            if (i == 3) EXPECT(NAME##_boot_begin(state, &key, context, 256), FNDSA_E_CONTEXT);                      \
            if (i == 4) EXPECT(NAME##_boot_begin(state, &key, NULL, 3), FNDSA_E_NULL);                              \
            if (i == 5) EXPECT(NAME##_boot_finish(state, signature, len, NULL), FNDSA_E_NULL);                      \
            if (i == 6) EXPECT(NAME##_boot_finish(state, NULL, len, work), FNDSA_E_NULL);                           \
            if (i == 7) EXPECT(NAME##_boot_finish(state, (const uint8_t *)work, len, work), FNDSA_E_OVERLAP);       \
            if (i == 8) EXPECT(NAME##_boot_finish(state, signature, len - 1, work), FNDSA_E_NOT_VALID);             \
            EXPECT(NAME##_boot_update(state, message, 1), FNDSA_E_STATE);                                           \
            EXPECT(NAME##_boot_finish(state, signature, len, work), FNDSA_E_STATE);                                 \
        }                                                                                                           \
        EXPECT(NAME##_boot_begin(state, &key, context, 3), FNDSA_OK);                                               \
        EXPECT(NAME##_boot_finish(state, signature, 0, work), FNDSA_E_NOT_VALID);                                   \
        EXPECT(NAME##_boot_begin(state, &key, context, 3), FNDSA_OK);                                               \
        EXPECT(NAME##_boot_finish(state, signature, len + 1, work), FNDSA_E_NOT_VALID);                             \
        EXPECT(NAME##_boot_begin(NULL, &key, context, 3), FNDSA_E_NULL);                                            \
        EXPECT(NAME##_boot_begin((fndsa_boot_state *)(void *)(states.before + 1), &key, context, 3), FNDSA_E_ALIGNMENT); \
        /* A state belongs to the algorithm that began it. */                                                       \
        EXPECT(NAME##_boot_begin(state, &key, NULL, 0), FNDSA_OK);                                                  \
        EXPECT((ALGORITHM == FNDSA_1024 ? fndsa_512_boot_update : fndsa_1024_boot_update)(state, message, 1), FNDSA_E_STATE); \
        for (i = 0; i < 16; i++)                                                                                    \
            EXPECT(guarded.before[i] & guarded.after[i] & states.before[i] & states.after[i], 0xa5);                \
    }

TEST(FNDSA_512, fndsa_512, fndsa_512_boot_work)
TEST(FNDSA_1024, fndsa_1024, fndsa_1024_boot_work)
TEST(FNDSA_ML_DSA_44, fndsa_ml_dsa_44, fndsa_ml_dsa_boot_work)
TEST(FNDSA_ML_DSA_65, fndsa_ml_dsa_65, fndsa_ml_dsa_boot_work)
TEST(FNDSA_ML_DSA_87, fndsa_ml_dsa_87, fndsa_ml_dsa_boot_work)

/* Verifies two signatures of different families. The message is read once. */
static void test_two_signatures(void) {
    static fndsa_512_boot_key first_key;
    static fndsa_ml_dsa_65_boot_key second_key;
    static uint8_t first_signature[FNDSA_512_SIGNATURE_BYTES];
    static fndsa_boot_state first, second;
    static fndsa_512_boot_work first_work;
    static fndsa_ml_dsa_boot_work second_work;
    const size_t first_len = make(FNDSA_512, NULL, (uint8_t *)&first_key, sizeof first_key);
    size_t second_len, i, changed;
    memcpy(first_signature, signature, first_len);
    second_len = make(FNDSA_ML_DSA_65, NULL, (uint8_t *)&second_key, sizeof second_key);
    for (changed = 0; changed < 2; changed++) {
        EXPECT(fndsa_512_boot_begin(&first, &first_key, NULL, 0), FNDSA_OK);
        EXPECT(fndsa_ml_dsa_65_boot_begin(&second, &second_key, NULL, 0), FNDSA_OK);
        message[999] ^= (uint8_t)changed;
        for (i = 0; i < sizeof message; i += 100) {
            EXPECT(fndsa_512_boot_update(&first, message + i, 100), FNDSA_OK);
            EXPECT(fndsa_ml_dsa_65_boot_update(&second, message + i, 100), FNDSA_OK);
        }
        message[999] ^= (uint8_t)changed;
        EXPECT(fndsa_512_boot_finish(&first, first_signature, first_len, &first_work), changed ? FNDSA_E_NOT_VALID : FNDSA_OK);
        EXPECT(fndsa_ml_dsa_65_boot_finish(&second, signature, second_len, &second_work), changed ? FNDSA_E_NOT_VALID : FNDSA_OK);
    }
}

/* Only FN-DSA and ML-DSA have constant keys. */
static void test_algorithms(void) {
    static uint8_t boot_key[sizeof(fndsa_512_boot_key)];
    EXPECT(fndsa_boot_key(FNDSA_FALCON_512, public_key, FNDSA_512_PUBLIC_KEY_BYTES, boot_key, sizeof boot_key), FNDSA_E_ALGORITHM);
    EXPECT(fndsa_boot_key(7, public_key, FNDSA_512_PUBLIC_KEY_BYTES, boot_key, sizeof boot_key), FNDSA_E_ALGORITHM);
    EXPECT(sizeof(fndsa_512_boot_key), FNDSA_BOOT_HASH_BYTES + FNDSA_512_PUBLIC_KEY_BYTES);
}

int main(void) {
    size_t i;
    for (i = 0; i < sizeof message; i++) message[i] = (uint8_t)(i * 7);
    test_fndsa_512();
    test_fndsa_1024();
    test_fndsa_ml_dsa_44();
    test_fndsa_ml_dsa_65();
    test_fndsa_ml_dsa_87();
    test_two_signatures();
    test_algorithms();
    return report("boot loaders");
}
