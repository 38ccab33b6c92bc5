/* Tests several threads that use the same key pair and the same loaded key. Each thread has separate
 * memory for its outputs. */
#include "fndsa.h"
#include "expect.h"
#include <pthread.h>

#define THREADS 4
#define ROUNDS 12

static uint8_t private_key[FNDSA_512_PRIVATE_KEY_BYTES], public_key[FNDSA_512_PUBLIC_KEY_BYTES];
static uint8_t loaded[FNDSA_512_LOADED_KEY_BYTES];

/* The number of a thread, and the number of its wrong results. */
struct thread_result {
    unsigned number;
    unsigned wrong;
};

/* Signs and verifies in a thread, and counts the wrong results. */
static void *run_thread(void *argument) {
    struct thread_result *result = (struct thread_result *)argument;
    uint8_t work[FNDSA_512_SIGN_WORK_BYTES], signature[FNDSA_512_SIGNATURE_BYTES], message[2];
    unsigned round;
    for (round = 0; round < ROUNDS; round++) {
        size_t len = sizeof signature;
        message[0] = (uint8_t)result->number;
        message[1] = (uint8_t)round;
        result->wrong += fndsa_sign(FNDSA_512, private_key, sizeof private_key, NULL, message, sizeof message, signature, &len, NULL, work,
                                   sizeof work) != FNDSA_OK;
        result->wrong += fndsa_verify(FNDSA_512, public_key, sizeof public_key, NULL, message, sizeof message, signature, len, work,
                                     sizeof work) != FNDSA_OK;
        len = sizeof signature;
        result->wrong += fndsa_sign_loaded(loaded, sizeof loaded, NULL, message, sizeof message, signature, &len, NULL, NULL, 0) != FNDSA_OK;
        result->wrong += fndsa_verify(FNDSA_512, public_key, sizeof public_key, NULL, message, sizeof message, signature, len, NULL, 0)
                        != FNDSA_OK;
        message[0]++;
        result->wrong += fndsa_verify(FNDSA_512, public_key, sizeof public_key, NULL, message, sizeof message, signature, len, work,
                                     sizeof work) != FNDSA_E_NOT_VALID;
    }
    return NULL;
}

int main(void) {
    static uint8_t work[FNDSA_512_KEYGEN_WORK_BYTES];
    pthread_t threads[THREADS];
    struct thread_result results[THREADS];
    unsigned i;
    EXPECT(fndsa_keygen(FNDSA_512, private_key, sizeof private_key, public_key, sizeof public_key, NULL, work, sizeof work), FNDSA_OK);
    EXPECT(fndsa_load_key(FNDSA_512, private_key, sizeof private_key, loaded, sizeof loaded, NULL, 0), FNDSA_OK);
    for (i = 0; i < THREADS; i++) {
        results[i].number = i;
        results[i].wrong = 0;
        EXPECT(pthread_create(&threads[i], NULL, run_thread, &results[i]), 0);
    }
    for (i = 0; i < THREADS; i++) {
        EXPECT(pthread_join(threads[i], NULL), 0);
        EXPECT(results[i].wrong, 0);
    }
    return report("threads");
}
