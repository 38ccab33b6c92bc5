/* Checks that several threads get right results if they use the same key pair and the same loaded key,
 * each with separate memory. */
#include "fndsa.h"
#include "expect.h"
#include <pthread.h>

#define THREADS 4
#define ROUNDS 12

static uint8_t private_key[FNDSA_512_PRIVATE_KEY_BYTES], public_key[FNDSA_512_PUBLIC_KEY_BYTES];
static uint8_t loaded[FNDSA_512_LOADED_KEY_BYTES];

/* The result of a thread: the number of wrong results. */
struct found {
    unsigned number;
    unsigned wrong;
};

static void *run(void *argument) {
    struct found *found = (struct found *)argument;
    uint8_t work[FNDSA_512_SIGN_WORK_BYTES], signature[FNDSA_512_SIGNATURE_BYTES], message[2];
    unsigned round;
    for (round = 0; round < ROUNDS; round++) {
        size_t len = sizeof signature;
        message[0] = (uint8_t)found->number;
        message[1] = (uint8_t)round;
        found->wrong += fndsa_sign(FNDSA_512, private_key, sizeof private_key, NULL, message, sizeof message, signature, &len, NULL, work,
                                   sizeof work) != FNDSA_OK;
        found->wrong += fndsa_verify(FNDSA_512, public_key, sizeof public_key, NULL, message, sizeof message, signature, len, work,
                                     sizeof work) != FNDSA_OK;
        len = sizeof signature;
        found->wrong += fndsa_sign_loaded(loaded, sizeof loaded, NULL, message, sizeof message, signature, &len, NULL, NULL, 0) != FNDSA_OK;
        found->wrong += fndsa_verify(FNDSA_512, public_key, sizeof public_key, NULL, message, sizeof message, signature, len, NULL, 0)
                        != FNDSA_OK;
        message[0]++;
        found->wrong += fndsa_verify(FNDSA_512, public_key, sizeof public_key, NULL, message, sizeof message, signature, len, work,
                                     sizeof work) != FNDSA_E_NOT_VALID;
    }
    return NULL;
}

int main(void) {
    static uint8_t work[FNDSA_512_KEYGEN_WORK_BYTES];
    pthread_t threads[THREADS];
    struct found found[THREADS];
    unsigned i;
    EXPECT(fndsa_keygen(FNDSA_512, private_key, sizeof private_key, public_key, sizeof public_key, NULL, work, sizeof work), FNDSA_OK);
    EXPECT(fndsa_load_key(FNDSA_512, private_key, sizeof private_key, loaded, sizeof loaded, NULL, 0), FNDSA_OK);
    for (i = 0; i < THREADS; i++) {
        found[i].number = i;
        found[i].wrong = 0;
        EXPECT(pthread_create(&threads[i], NULL, run, &found[i]), 0);
    }
    for (i = 0; i < THREADS; i++) {
        EXPECT(pthread_join(threads[i], NULL), 0);
        EXPECT(found[i].wrong, 0);
    }
    return report("threads");
}
