/* Tests the differences of Ed25519: signatures without random bytes and without work memory, and
 * only one pre-hash. vectors.c tests the published vectors. */
#include "fndsa.h"
#include "guarded.h"

static struct test_random state = { 0x9e3779b97f4a7c15u, -1 };
static const fndsa_random random_bytes = { test_fill, &state };

/* The order of the group, least significant byte first. */
static const uint8_t order[32] = {
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
};

static int verify(const struct guarded *public_key, const fndsa_form *form, const uint8_t *message, size_t len, const uint8_t *signature,
                  size_t signature_len) {
    return fndsa_verify(FNDSA_ED25519, public_key->at, public_key->len, form, message, len, signature, signature_len, NULL, 0);
}

/* Verifies the message in pieces of all lengths. The address of the verifier is a multiple of 8,
 * but not of 16. */
static int verify_in_pieces(const struct guarded *public_key, const fndsa_form *form, const uint8_t *message, size_t len, const uint8_t *signature) {
    static uint64_t memory[2 * FNDSA_VERIFIER_BYTES / 8];
    const size_t odd = (size_t)memory % 16 == 0;
    fndsa_verifier *verifier = (fndsa_verifier *)(void *)(memory + odd), copy;
    size_t at = 0, piece = 0;
    int code = fndsa_verify_begin(verifier, FNDSA_ED25519, public_key->at, public_key->len, form, signature, 64);
    if (code != FNDSA_OK) return code;
    for (; at < len; piece++) {
        const size_t most = len - at < piece ? len - at : piece;
        /* A caller may copy a verifier between the calls, and use the copy. */
        copy = *verifier;
        EXPECT(fndsa_verify_update(&copy, message + at, most), FNDSA_OK);
        *verifier = copy;
        at += most;
    }
    copy = *verifier;
    code = fndsa_verify_finish(verifier, public_key->at, public_key->len, signature, 64, NULL, 0);
    EXPECT(fndsa_verify_finish(&copy, public_key->at, public_key->len, signature, 64, NULL, 0), code);
    EXPECT(all_are((uint8_t *)verifier, sizeof *verifier, 0), 1);
    EXPECT(fndsa_verify_finish(verifier, public_key->at, public_key->len, signature, 64, NULL, 0), FNDSA_E_STATE);
    return code;
}

/* Signs and verifies a message. The round chooses its length, the addresses and the context. */
static void test_round(size_t i) {
    static uint8_t message[700], context[255];
    struct guarded private_key = allocate_guarded(FNDSA_ED25519_PRIVATE_KEY_BYTES, i % 8), public_key = allocate_guarded(FNDSA_ED25519_PUBLIC_KEY_BYTES, (i + 1) % 8);
    struct guarded again = allocate_guarded(32, (i + 2) % 8), signature = allocate_guarded(FNDSA_ED25519_SIGNATURE_BYTES, (i + 3) % 8);
    struct guarded other = allocate_guarded(32, (i + 4) % 8), attached = allocate_guarded(i * 41 + 64, 3), opened = allocate_guarded(i * 41, 5);
    fndsa_form form = { NULL, 0, 0 };
    size_t len = signature.len, message_len = i * 41, bit, carry;
    test_fill(&state, message, message_len);
    test_fill(&state, context, sizeof context);
    form.context = context;
    form.context_len = i * 16;
    EXPECT(fndsa_keygen(FNDSA_ED25519, other.at, other.len, public_key.at, public_key.len, &random_bytes, NULL, 0), FNDSA_OK);
    memcpy(again.at, public_key.at, 32);
    EXPECT(fndsa_keygen(FNDSA_ED25519, private_key.at, private_key.len, public_key.at, public_key.len, &random_bytes, NULL, 0), FNDSA_OK);
    memcpy(other.at, again.at, 32);
    EXPECT(memcmp(other.at, public_key.at, 32) != 0, 1);
    EXPECT(fndsa_public_key(FNDSA_ED25519, private_key.at, 32, again.at, 32, NULL, 0), FNDSA_OK);
    EXPECT(memcmp(again.at, public_key.at, 32), 0);
    /* Signing calls no generator. */
    EXPECT(fndsa_sign(FNDSA_ED25519, private_key.at, 32, &form, message, message_len, signature.at, &len, NULL, NULL, 0), FNDSA_OK);
    EXPECT(len, 64);
    EXPECT(verify(&public_key, &form, message, message_len, signature.at, 64), FNDSA_OK);
    EXPECT(verify_in_pieces(&public_key, &form, message, message_len, signature.at), FNDSA_OK);
    EXPECT(verify(&other, &form, message, message_len, signature.at, 64), FNDSA_E_NOT_VALID);
    EXPECT(verify_in_pieces(&other, &form, message, message_len, signature.at), FNDSA_E_NOT_VALID);
    EXPECT(verify(&public_key, &form, message, message_len + 1, signature.at, 64), FNDSA_E_NOT_VALID);
    EXPECT(verify(&public_key, &form, message, message_len, signature.at, 63), FNDSA_E_NOT_VALID);
    form.context_len++;
    EXPECT(verify(&public_key, &form, message, message_len, signature.at, 64), FNDSA_E_NOT_VALID);
    EXPECT(verify_in_pieces(&public_key, &form, message, message_len, signature.at), FNDSA_E_NOT_VALID);
    form.context_len--;
    for (bit = 0; bit < 512; bit += 7) {
        signature.at[bit / 8] ^= (uint8_t)(1 << bit % 8);
        EXPECT(verify(&public_key, &form, message, message_len, signature.at, 64), FNDSA_E_NOT_VALID);
        EXPECT(verify_in_pieces(&public_key, &form, message, message_len, signature.at), FNDSA_E_NOT_VALID);
        signature.at[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    /* S plus the group order is the same number modulo the group order. It must not be
     * accepted. */
    for (bit = carry = 0; bit < 32; bit++) {
        carry += (size_t)signature.at[32 + bit] + order[bit];
        again.at[bit] = signature.at[32 + bit];
        signature.at[32 + bit] = (uint8_t)carry;
        carry >>= 8;
    }
    EXPECT(verify(&public_key, &form, message, message_len, signature.at, 64), FNDSA_E_NOT_VALID);
    memcpy(signature.at + 32, again.at, 32);

    len = attached.len;
    EXPECT(fndsa_sign_attached(FNDSA_ED25519, private_key.at, 32, &form, message, message_len, attached.at, &len, NULL, NULL, 0), FNDSA_OK);
    EXPECT(len, message_len + 64);
    EXPECT(memcmp(attached.at, signature.at, 64), 0);
    len = opened.len;
    EXPECT(fndsa_open_attached(FNDSA_ED25519, public_key.at, 32, &form, attached.at, attached.len, opened.at, &len, NULL, 0), FNDSA_OK);
    EXPECT(memcmp(opened.at, message, message_len), 0);
    attached.at[0] ^= 1;
    EXPECT(fndsa_open_attached(FNDSA_ED25519, public_key.at, 32, &form, attached.at, attached.len, opened.at, &len, NULL, 0), FNDSA_E_NOT_VALID);
    EXPECT(guards_are_intact(private_key) && guards_are_intact(public_key) && guards_are_intact(again) && guards_are_intact(signature) && guards_are_intact(other) && guards_are_intact(attached) && guards_are_intact(opened), 1);
}

/* Tests arguments that the library must reject. */
static void test_rejected_arguments(void) {
    static const uint8_t digest[64] = { 0 };
    struct guarded key = allocate_guarded(32, 1), signature = allocate_guarded(64, 2);
    struct test_random failing = { 1, 0 };
    fndsa_random none = { test_fill, NULL };
    fndsa_form form = { digest, 0, FNDSA_PREHASH_SHA256 };
    fndsa_verifier verifier;
    size_t len = 64, i;
    none.state = &failing;
    EXPECT(fndsa_keygen(FNDSA_ED25519, signature.at, 32, key.at, 32, &none, NULL, 0), FNDSA_E_RANDOM);
    EXPECT(all_are(signature.at, 32, 0) && all_are(key.at, 32, 0), 1);
    signature = allocate_guarded(64, 2);
    EXPECT(fndsa_keygen(FNDSA_ED25519, signature.at, 31, key.at, 32, NULL, NULL, 0), FNDSA_E_LENGTH);
    EXPECT(is_untouched(signature), 1);
    EXPECT(fndsa_keygen(FNDSA_ED25519 | 0x1000, signature.at, 32, key.at, 32, NULL, NULL, 0), FNDSA_E_ALGORITHM);
    EXPECT(fndsa_sign(FNDSA_ED25519, digest, 32, &form, digest, 64, signature.at, &len, NULL, NULL, 0), FNDSA_E_PREHASH);
    EXPECT(len == 0 && all_are(signature.at, 64, 0), 1);
    EXPECT(fndsa_verify_begin(&verifier, FNDSA_ED25519, key.at, 32, NULL, signature.at, 64), FNDSA_E_KEY);
    EXPECT(fndsa_verify_update(&verifier, digest, 1), FNDSA_E_STATE);
    /* Points of small order, and bytes that do not encode a point. */
    for (i = 0; i < 4; i++) {
        memset(key.at, i == 3 ? 0xff : 0, 32);
        if (i == 1) key.at[0] = 1;
        if (i == 2) {
            memset(key.at, 0xff, 32);
            key.at[0] = 0xec;
            key.at[31] = 0x7f;
        }
        EXPECT(verify(&key, NULL, digest, 0, signature.at, 64), FNDSA_E_KEY);
    }
    EXPECT(fndsa_public_key(FNDSA_ED25519, digest, 33, key.at, 32, NULL, 0), FNDSA_E_KEY);
    EXPECT(guards_are_intact(key) && guards_are_intact(signature), 1);
}

int main(void) {
    size_t i;
    EXPECT(fndsa_public_key_bytes(FNDSA_ED25519), FNDSA_ED25519_PUBLIC_KEY_BYTES);
    EXPECT(fndsa_private_key_bytes(FNDSA_ED25519), FNDSA_ED25519_PRIVATE_KEY_BYTES);
    EXPECT(fndsa_expanded_key_bytes(FNDSA_ED25519), FNDSA_ED25519_EXPANDED_KEY_BYTES);
    EXPECT(fndsa_signature_bytes(FNDSA_ED25519), FNDSA_ED25519_SIGNATURE_BYTES);
    EXPECT(fndsa_keygen_fast_work_bytes(FNDSA_ED25519) + fndsa_sign_fast_work_bytes(FNDSA_ED25519) + fndsa_sign_expanded_work_bytes(FNDSA_ED25519), 0);
    EXPECT(fndsa_verify_fast_work_bytes(FNDSA_ED25519) + fndsa_open_fast_work_bytes(FNDSA_ED25519), 0);
    for (i = 0; i < 16; i++) {
        arena_used = 0;
        test_round(i);
    }
    test_rejected_arguments();
    return report("classic");
}
