/* The interface between the image peer_c and an implementation in C. docs/boards.md explains how to add an implementation. */
#ifndef FNDSA_PEER_H
#define FNDSA_PEER_H

#include <stddef.h>
#include <stdint.h>

/* An implementation of an algorithm. The functions keep keys and signatures in static memory. They return 1 if they succeed. `work`
 * has as many bytes as the structure requires for the operation, and is aligned to 8 bytes. */
typedef struct peer_algorithm {
    /* The name in the tables, for example "ML-DSA-44". NULL marks the end of the list. */
    const char *name;
    size_t keygen_work_len, sign_work_len, verify_work_len;
    /* Generates a key pair. */
    int (*keygen)(uint8_t *work);
    /* Loads the private key and signs the message. */
    int (*sign)(uint8_t *work, const uint8_t *message, size_t message_len);
    /* Loads the public key and verifies the last signature. */
    int (*verify)(uint8_t *work, const uint8_t *message, size_t message_len);
} peer_algorithm;

/* The algorithms of an implementation, which its file peer.c defines. */
extern const peer_algorithm peer_algorithms[];

/* Fills `out` with random bytes, which are the same in each run. The image peer_c defines this function. */
void peer_random(uint8_t *out, size_t len);

#endif
