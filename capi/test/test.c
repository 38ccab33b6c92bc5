/* Tests all functions of fndsa.h for all algorithms: their results, the arguments that they reject,
 * and that they write only to their outputs. */
#include "fndsa.h"
#include "guarded.h"

#ifndef ROUNDS
#define ROUNDS 8
#endif

/* The result of a call without a generator. */
#ifdef NO_SYSTEM
#define WITHOUT_GENERATOR FNDSA_E_RANDOM
#else
#define WITHOUT_GENERATOR FNDSA_OK
#endif

/* The number of bytes by which the macros for work memory exceed the functions: the alignment of vectors. */
#if defined(__x86_64__) || defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64) || defined(__wasm_simd128__)
#define SLACK 0
#else
#define SLACK 56
#endif

struct algorithm {
    uint32_t id;
    const char *name;
    size_t public_len, private_len, expanded_len, signature_len;
    size_t keygen_work, keygen_fast_work, sign_work, sign_expanded_work, sign_matrix_work, sign_fast_work, verify_work, verify_fast_work, open_work, open_fast_work;
    int has_context, has_fixed_length;
};

#define ROW(word, has_context, has_fixed_length)                                                                     \
    {                                                                                                                \
        FNDSA_##word, #word, FNDSA_##word##_PUBLIC_KEY_BYTES, FNDSA_##word##_PRIVATE_KEY_BYTES,                      \
            FNDSA_##word##_EXPANDED_KEY_BYTES, FNDSA_##word##_SIGNATURE_BYTES,                                       \
            FNDSA_##word##_KEYGEN_WORK_BYTES - SLACK, FNDSA_##word##_KEYGEN_FAST_WORK_BYTES - SLACK,                 \
            FNDSA_##word##_SIGN_WORK_BYTES - SLACK, FNDSA_##word##_SIGN_EXPANDED_WORK_BYTES - SLACK,                 \
            FNDSA_##word##_SIGN_MATRIX_WORK_BYTES - SLACK,                                                           \
            FNDSA_##word##_SIGN_FAST_WORK_BYTES - SLACK, FNDSA_##word##_VERIFY_WORK_BYTES - SLACK,                   \
            FNDSA_##word##_VERIFY_FAST_WORK_BYTES - SLACK, FNDSA_##word##_OPEN_WORK_BYTES - SLACK,                   \
            FNDSA_##word##_OPEN_FAST_WORK_BYTES - SLACK, has_context, has_fixed_length                               \
    }

static const struct algorithm algorithms[] = {
    ROW(512, 1, 1),           ROW(FALCON_512, 0, 0),        ROW(FALCON_PADDED_512, 0, 1), ROW(ML_DSA_44, 1, 1),
#ifndef FEW_ALGORITHMS
    ROW(1024, 1, 1),          ROW(FALCON_1024, 0, 0),       ROW(FALCON_PADDED_1024, 0, 1),
    ROW(ML_DSA_65, 1, 1),     ROW(ML_DSA_87, 1, 1),
#endif
#ifndef NO_SYSTEM
    ROW(ML_DSA_44_ED25519, 1, 1), ROW(ML_DSA_65_ED25519, 1, 1),
#endif
};
#define ALGORITHMS (sizeof algorithms / sizeof *algorithms)

static struct test_random state = { 0x9e3779b97f4a7c15u, -1 };
static const fndsa_random random_bytes = { test_fill, &state };

/* Tests the published lengths, and numbers that are not the number of an algorithm. */
static void test_lengths(void) {
    static const uint32_t unknown[] = { 0, 9, 0x0108, 0x010b, 0x0209, 0x0409, 0x0509, 0x1109, 0x152c, 0x2309, 0x10309, 0xffffffff };
    size_t i;
    int code;
    struct {
        char c;
        fndsa_verifier verifier;
    } aligned;
    for (i = 0; i < ALGORITHMS; i++) {
        const struct algorithm *a = &algorithms[i];
        EXPECT(fndsa_public_key_bytes(a->id), a->public_len);
        EXPECT(fndsa_private_key_bytes(a->id), a->private_len);
        EXPECT(fndsa_expanded_key_bytes(a->id), a->expanded_len);
        EXPECT(fndsa_signature_bytes(a->id), a->signature_len);
        EXPECT(fndsa_keygen_work_bytes(a->id), a->keygen_work);
        EXPECT(fndsa_keygen_fast_work_bytes(a->id), a->keygen_fast_work);
        EXPECT(fndsa_sign_work_bytes(a->id), a->sign_work);
        EXPECT(fndsa_sign_expanded_work_bytes(a->id), a->sign_expanded_work);
        EXPECT(fndsa_sign_matrix_work_bytes(a->id), a->sign_matrix_work);
        EXPECT(fndsa_sign_fast_work_bytes(a->id), a->sign_fast_work);
        EXPECT(fndsa_verify_work_bytes(a->id), a->verify_work);
        EXPECT(fndsa_verify_fast_work_bytes(a->id), a->verify_fast_work);
        EXPECT(fndsa_open_work_bytes(a->id), a->open_work);
        EXPECT(fndsa_open_fast_work_bytes(a->id), a->open_fast_work);
    }
    for (i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        EXPECT(fndsa_public_key_bytes(unknown[i]), 0);
        EXPECT(fndsa_verify_work_bytes(unknown[i]) + fndsa_sign_matrix_work_bytes(unknown[i]), 0);
        EXPECT(fndsa_verify(unknown[i], NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0), FNDSA_E_ALGORITHM);
    }
    EXPECT(sizeof(fndsa_verifier), fndsa_verifier_bytes());
    EXPECT(sizeof(fndsa_verifier), FNDSA_VERIFIER_BYTES);
    EXPECT(((char *)&aligned.verifier - &aligned.c) % sizeof(uint32_t), 0);
    /* Each error code has a different text with two parts: the error and the next step. */
    for (code = FNDSA_E_FORMAT; code <= FNDSA_OK; code++) {
        EXPECT(strchr(fndsa_strerror(code), ':') != NULL || code == FNDSA_OK, 1);
        EXPECT(strcmp(fndsa_strerror(code), fndsa_strerror(1)) != 0, 1);
        EXPECT(code == FNDSA_OK || strcmp(fndsa_strerror(code), fndsa_strerror(code + 1)) != 0, 1);
    }
    EXPECT(strcmp(fndsa_strerror(FNDSA_E_FORMAT - 1), fndsa_strerror(1)), 0);
    EXPECT(strcmp(fndsa_version(), FNDSA_VERSION), 0);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", FNDSA_VERSION_MAJOR, FNDSA_VERSION_MINOR, FNDSA_VERSION_PATCH);
    EXPECT(strcmp(version, FNDSA_VERSION), 0);
    EXPECT(FNDSA_VERSION_NUMBER,
           FNDSA_VERSION_MAJOR * 1000000 + FNDSA_VERSION_MINOR * 1000 + FNDSA_VERSION_PATCH);
}

/* A key pair with a signature of a message, and memory for further outputs. */
struct session {
    const struct algorithm *a;
    struct guarded private_key, public_key, message, signature, signed_message, opened, keygen_work, sign_work, verify_work, open_work;
    size_t signature_len;
    fndsa_form form;
};

static uint8_t context[256];

static int verify(struct session *s, const struct guarded *public_key, const uint8_t *signature, size_t len) {
    return fndsa_verify(s->a->id, public_key->at, public_key->len, &s->form, s->message.at, s->message.len, signature, len,
                        s->verify_work.at, s->verify_work.len);
}

static int open_attached(struct session *s, const uint8_t *signed_message, size_t len, uint8_t *out, size_t *out_len) {
    return fndsa_open_attached(s->a->id, s->public_key.at, s->public_key.len, &s->form, signed_message, len, out, out_len,
                               s->open_work.at, s->open_work.len);
}

static int sign_attached(struct session *s, const uint8_t *message, size_t *len) {
    return fndsa_sign_attached(s->a->id, s->private_key.at, s->private_key.len, &s->form, message, s->message.len,
                               s->signed_message.at, len, &random_bytes, s->sign_work.at, s->sign_work.len);
}

static int session_intact(const struct session *s) {
    return guards_are_intact(s->private_key) && guards_are_intact(s->public_key) && guards_are_intact(s->message) && guards_are_intact(s->signature)
        && guards_are_intact(s->signed_message) && guards_are_intact(s->opened) && guards_are_intact(s->keygen_work) && guards_are_intact(s->sign_work)
        && guards_are_intact(s->verify_work) && guards_are_intact(s->open_work);
}

/* Returns the least work memory for a signature with a key of this length. */
static size_t least_sign_work(const struct algorithm *a, size_t private_len) {
    return private_len == a->expanded_len ? a->sign_expanded_work : a->sign_work;
}

/* Makes a key pair and a signature. The round chooses addresses, lengths, the form of the key and
 * the amount of work memory. */
static struct session start_session(const struct algorithm *a, size_t round) {
    struct session s;
    struct guarded again, again_work;
    int fast = round % 2 != 0;
    size_t message_len = round * 37 % 128;
    arena_used = 0;
    memset(&s, 0, sizeof s);
    s.a = a;
    s.private_key = allocate_guarded(round % 4 < 2 ? a->expanded_len : a->private_len, round % 8);
    s.public_key = allocate_guarded(a->public_len, (round + 1) % 8);
    s.message = allocate_guarded(message_len, (round + 2) % 8);
    s.signature = allocate_guarded(a->signature_len, (round + 3) % 8);
    s.signed_message = allocate_guarded(message_len + a->signature_len, (round + 4) % 8);
    s.opened = allocate_guarded(message_len, (round + 5) % 8);
    s.keygen_work = allocate_guarded(fast ? a->keygen_fast_work : a->keygen_work, (round + 6) % 8);
    s.sign_work = allocate_guarded(fast ? a->sign_fast_work : least_sign_work(a, s.private_key.len), (round + 7) % 8);
    s.verify_work = allocate_guarded(fast ? a->verify_fast_work : a->verify_work, (round + 1) % 8);
    s.open_work = allocate_guarded(fast ? a->open_fast_work : a->open_work, (round + 3) % 8);
    test_fill(&state, context, sizeof context);
    test_fill(&state, s.message.at, message_len);
    s.form.context = context;
    s.form.context_len = a->has_context ? round * 51 % 256 : 0;

    EXPECT(fndsa_keygen(a->id, s.private_key.at, s.private_key.len, s.public_key.at, s.public_key.len, &random_bytes,
                        s.keygen_work.at, s.keygen_work.len),
           FNDSA_OK);
    EXPECT(all_are(s.keygen_work.at, s.keygen_work.len, 0), 1);
    again = allocate_guarded(a->public_len, round % 8);
    again_work = allocate_guarded(a->sign_work, 3);
    EXPECT(fndsa_public_key(a->id, s.private_key.at, s.private_key.len, again.at, again.len, again_work.at, again_work.len), FNDSA_OK);
    EXPECT(memcmp(again.at, s.public_key.at, a->public_len), 0);
    s.signature_len = a->signature_len;
    EXPECT(fndsa_sign(a->id, s.private_key.at, s.private_key.len, &s.form, s.message.at, s.message.len, s.signature.at,
                      &s.signature_len, &random_bytes, s.sign_work.at, s.sign_work.len),
           FNDSA_OK);
    EXPECT(a->has_fixed_length ? s.signature_len == a->signature_len : s.signature_len > 600, 1);
    EXPECT(all_are(s.signature.at + s.signature_len, a->signature_len - s.signature_len, 0), 1);
    EXPECT(verify(&s, &s.public_key, s.signature.at, s.signature_len), FNDSA_OK);
    EXPECT(session_intact(&s), 1);
    return s;
}

/* Signs with the same random bytes and different amounts of work memory: the signatures have the same bytes. */
static void test_sign_work(struct session *s) {
    const struct algorithm *a = s->a;
    const size_t lengths[] = { least_sign_work(a, s->private_key.len), a->sign_matrix_work, a->sign_fast_work };
    struct guarded first = allocate_guarded(a->signature_len, 0), next = allocate_guarded(a->signature_len, 1);
    struct test_random begin = state;
    size_t i, len, first_len = 0;
    for (i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct guarded work = allocate_guarded(lengths[i], i), *out = i == 0 ? &first : &next;
        state = begin;
        len = a->signature_len;
        EXPECT(fndsa_sign(a->id, s->private_key.at, s->private_key.len, &s->form, s->message.at, s->message.len, out->at, &len,
                          &random_bytes, work.at, work.len),
               FNDSA_OK);
        EXPECT(all_are(work.at, work.len, 0) && guards_are_intact(work) && guards_are_intact(*out), 1);
        if (i == 0) first_len = len;
        EXPECT(len, first_len);
        EXPECT(memcmp(out->at, first.at, a->signature_len), 0);
    }
    EXPECT(verify(s, &s->public_key, next.at, len), FNDSA_OK);
}

/* Checks that a verification rejects a changed signature, message, context or key. */
static void test_changed_inputs(struct session *s) {
    struct guarded other = allocate_guarded(s->a->public_len, 0), secret = allocate_guarded(s->a->private_len, 0);
    size_t i, step = s->signature_len / 40 + 1;
    EXPECT(fndsa_keygen(s->a->id, secret.at, secret.len, other.at, other.len, &random_bytes, s->keygen_work.at, s->keygen_work.len),
           FNDSA_OK);
    EXPECT(verify(s, &other, s->signature.at, s->signature_len), FNDSA_E_NOT_VALID);
    for (i = 0; i < s->signature_len; i += step) {
        s->signature.at[i] ^= (uint8_t)(1 << i % 8);
        EXPECT(verify(s, &s->public_key, s->signature.at, s->signature_len), FNDSA_E_NOT_VALID);
        s->signature.at[i] ^= (uint8_t)(1 << i % 8);
    }
    for (i = 0; i < s->message.len; i += 11) {
        s->message.at[i] ^= 0x40;
        EXPECT(verify(s, &s->public_key, s->signature.at, s->signature_len), FNDSA_E_NOT_VALID);
        s->message.at[i] ^= 0x40;
    }
    EXPECT(verify(s, &s->public_key, s->signature.at, s->signature_len - 1), FNDSA_E_NOT_VALID);
    EXPECT(verify(s, &s->public_key, s->signature.at, 1), FNDSA_E_NOT_VALID);
    EXPECT(verify(s, &s->public_key, s->signature.at, 0), FNDSA_E_NOT_VALID);
    EXPECT(verify(s, &s->public_key, NULL, 0), FNDSA_E_NOT_VALID);
    if (!s->a->has_fixed_length) {
        /* A signature with zeros after it is valid only if it has the padded length. */
        EXPECT(verify(s, &s->public_key, s->signature.at, s->signature_len + 1),
               s->signature_len + 1 == (s->a->id == FNDSA_FALCON_512 ? 666 : 1280) ? FNDSA_OK : FNDSA_E_NOT_VALID);
        EXPECT(verify(s, &s->public_key, s->signature.at, s->a->id == FNDSA_FALCON_512 ? 666 : 1280), FNDSA_OK);
    }
    if (s->form.context_len > 0) {
        s->form.context_len--;
        EXPECT(verify(s, &s->public_key, s->signature.at, s->signature_len), FNDSA_E_NOT_VALID);
        s->form.context_len++;
    }
    /* Keys that are damaged, cut, or for another algorithm. */
    EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len - 1, &s->form, s->message.at, s->message.len, s->signature.at,
                        s->signature_len, s->verify_work.at, s->verify_work.len),
           FNDSA_E_KEY);
    if (s->private_key.len > 64) { /* every seed is a valid key */
        size_t len = s->a->signature_len;
        s->private_key.at[0] ^= 1;
        memset(s->signature.at, FILL_BYTE, s->a->signature_len);
        EXPECT(fndsa_sign(s->a->id, s->private_key.at, s->private_key.len, &s->form, s->message.at, s->message.len, s->signature.at,
                          &len, &random_bytes, s->sign_work.at, s->sign_work.len),
               FNDSA_E_KEY);
        EXPECT(len, 0);
        EXPECT(all_are(s->signature.at, s->a->signature_len, 0), 1);
        s->private_key.at[0] ^= 1;
    }
    EXPECT(session_intact(s), 1);
}

/* Verifies the message in pieces, and tests wrong uses of a verifier. */
static void test_verify_in_pieces(struct session *s) {
    fndsa_verifier verifier, copy, begun;
    struct guarded misaligned = allocate_guarded(sizeof(fndsa_verifier), 1);
    struct guarded other = allocate_guarded(s->a->public_len + s->a->signature_len, 0), secret = allocate_guarded(s->a->private_len, 0);
    size_t at = 0, piece = 0;
    EXPECT(fndsa_verify_begin(&verifier, s->a->id, s->public_key.at, s->public_key.len, &s->form, s->signature.at, s->signature_len),
           FNDSA_OK);
    EXPECT(fndsa_verify_update(&verifier, NULL, 0), FNDSA_OK);
    while (at < s->message.len) {
        size_t len = s->message.len - at < piece ? s->message.len - at : piece;
        EXPECT(fndsa_verify_update(&verifier, s->message.at + at, len), FNDSA_OK);
        at += len;
        piece++;
    }
    copy = begun = verifier;
    EXPECT(fndsa_verify_finish(&verifier, s->public_key.at, s->public_key.len, s->signature.at, s->signature_len, s->verify_work.at,
                               s->verify_work.len),
           FNDSA_OK);
    EXPECT(all_are((uint8_t *)&verifier, sizeof verifier, 0), 1);
    EXPECT(fndsa_verify_finish(&verifier, s->public_key.at, s->public_key.len, s->signature.at, s->signature_len, s->verify_work.at,
                               s->verify_work.len),
           FNDSA_E_STATE);
    EXPECT(fndsa_verify_update(&verifier, s->message.at, s->message.len), FNDSA_E_STATE);
    /* A message with an additional byte. */
    EXPECT(fndsa_verify_update(&copy, (const uint8_t *)"x", 1), FNDSA_OK);
    EXPECT(fndsa_verify_finish(&copy, s->public_key.at, s->public_key.len, s->signature.at, s->signature_len, s->verify_work.at,
                               s->verify_work.len),
           FNDSA_E_NOT_VALID);
    /* fndsa_verify_finish gets another key or another signature than fndsa_verify_begin. */
    EXPECT(fndsa_keygen(s->a->id, secret.at, secret.len, other.at, s->a->public_len, &random_bytes, s->keygen_work.at,
                        s->keygen_work.len),
           FNDSA_OK);
    copy = begun;
    EXPECT(fndsa_verify_finish(&copy, other.at, s->a->public_len, s->signature.at, s->signature_len, s->verify_work.at, s->verify_work.len),
           FNDSA_E_NOT_VALID);
    copy = begun;
    EXPECT(fndsa_verify_finish(&copy, s->public_key.at, s->public_key.len, other.at, s->signature_len, s->verify_work.at,
                               s->verify_work.len),
           FNDSA_E_NOT_VALID);
    copy = begun;
    EXPECT(fndsa_verify_finish(&copy, s->public_key.at, s->public_key.len, s->signature.at, s->signature_len, s->verify_work.at,
                               s->a->verify_work - 1),
           FNDSA_E_WORK);
    /* If fndsa_verify_begin fails, the later calls also fail. */
    EXPECT(fndsa_verify_begin(&verifier, s->a->id, s->public_key.at, s->public_key.len, &s->form, s->signature.at, s->signature_len),
           FNDSA_OK);
    EXPECT(fndsa_verify_begin(&verifier, s->a->id, s->public_key.at, s->public_key.len - 1, &s->form, s->signature.at, s->signature_len),
           FNDSA_E_KEY);
    EXPECT(fndsa_verify_update(&verifier, s->message.at, s->message.len), FNDSA_E_STATE);
    EXPECT(fndsa_verify_finish(&verifier, s->public_key.at, s->public_key.len, s->signature.at, s->signature_len, s->verify_work.at,
                               s->verify_work.len),
           FNDSA_E_STATE);
    /* After an error of fndsa_verify_begin or fndsa_verify_update, a part of the message is missing, so there is no verdict. */
    verifier = begun;
    EXPECT(fndsa_verify_update(&verifier, NULL, 1), FNDSA_E_NULL);
    EXPECT(fndsa_verify_finish(&verifier, s->public_key.at, s->public_key.len, s->signature.at, s->signature_len, s->verify_work.at,
                               s->verify_work.len),
           FNDSA_E_STATE);
    verifier = begun;
    EXPECT(fndsa_verify_update(&verifier, (uint8_t *)&verifier + 8, 1), FNDSA_E_OVERLAP);
    EXPECT(fndsa_verify_finish(&verifier, s->public_key.at, s->public_key.len, s->signature.at, s->signature_len, s->verify_work.at,
                               s->verify_work.len),
           FNDSA_E_STATE);
    verifier = begun;
    EXPECT(fndsa_verify_begin(&verifier, s->a->id, NULL, s->public_key.len, &s->form, s->signature.at, s->signature_len), FNDSA_E_NULL);
    EXPECT(fndsa_verify_finish(&verifier, s->public_key.at, s->public_key.len, s->signature.at, s->signature_len, s->verify_work.at,
                               s->verify_work.len),
           FNDSA_E_STATE);
    EXPECT(fndsa_verify_begin(&verifier, 0, s->public_key.at, s->public_key.len, &s->form, s->signature.at, s->signature_len),
           FNDSA_E_ALGORITHM);
    EXPECT(fndsa_verify_begin((fndsa_verifier *)(void *)misaligned.at, s->a->id, s->public_key.at, s->public_key.len, &s->form,
                              s->signature.at, s->signature_len),
           FNDSA_E_ALIGNMENT);
    EXPECT(is_untouched(misaligned), 1);
    EXPECT(fndsa_verify_begin(NULL, s->a->id, s->public_key.at, s->public_key.len, &s->form, s->signature.at, s->signature_len),
           FNDSA_E_NULL);
    memset(&verifier, FILL_BYTE, sizeof verifier);
    EXPECT(fndsa_verify_update(&verifier, s->message.at, s->message.len), FNDSA_E_STATE);
    EXPECT(fndsa_verify_update(&verifier, (uint8_t *)&verifier, 1), FNDSA_E_OVERLAP);
}

/* Tests signed messages, in place and in separate memory. */
static void test_signed_messages(struct session *s) {
    struct guarded sm = s->signed_message, kept;
    size_t room = sm.len, len = room, opened_len = s->opened.len, i;
    EXPECT(sign_attached(s, s->message.at, &len), FNDSA_OK);
    EXPECT(s->a->has_fixed_length ? len == room : len < room && len > s->message.len, 1);
    EXPECT(all_are(sm.at + len, room - len, 0), 1);
    EXPECT(open_attached(s, sm.at, len, s->opened.at, &opened_len), FNDSA_OK);
    EXPECT(opened_len, s->message.len);
    EXPECT(memcmp(s->opened.at, s->message.at, opened_len), 0);
    kept = allocate_guarded(len, 2);
    memcpy(kept.at, sm.at, len);
    /* With too little output memory, a missing byte, or a change in any part, the output is not
     * written. */
    memset(s->opened.at, FILL_BYTE, s->opened.len);
    if (s->message.len > 0) {
        opened_len = s->message.len - 1;
        EXPECT(open_attached(s, sm.at, len, s->opened.at, &opened_len), FNDSA_E_LENGTH);
        EXPECT(opened_len, 0);
        opened_len = s->message.len;
        EXPECT(open_attached(s, sm.at, len, NULL, &opened_len), FNDSA_E_NULL);
        EXPECT(open_attached(s, sm.at, len, s->public_key.at, (opened_len = s->message.len, &opened_len)), FNDSA_E_OVERLAP);
    }
    for (i = 0; i < len; i += len / 40 + 1) {
        sm.at[i] ^= 0x10;
        opened_len = s->message.len;
        EXPECT(open_attached(s, sm.at, len, s->opened.at, &opened_len), FNDSA_E_NOT_VALID);
        EXPECT(opened_len, 0);
        sm.at[i] ^= 0x10;
    }
    for (i = 0; i < len; i += i < 50 ? 1 : 97) {
        opened_len = s->message.len;
        EXPECT(open_attached(s, sm.at, i, s->opened.at, &opened_len), FNDSA_E_NOT_VALID);
    }
    EXPECT(is_untouched(s->opened), 1);
    if (!s->a->has_fixed_length) {
        /* Changes the header before the coefficients, which no other check reads. */
        sm.at[2 + 40 + s->message.len] ^= 1;
        opened_len = s->message.len;
        EXPECT(open_attached(s, sm.at, len, s->opened.at, &opened_len), FNDSA_E_NOT_VALID);
    }
    EXPECT(is_untouched(s->opened), 1);
    /* Opens and signs in place, with the message at three addresses each. */
    for (i = 0; i < 3; i++) {
        uint8_t *out = sm.at + i * 7;
        memcpy(sm.at, kept.at, len);
        opened_len = s->message.len;
        EXPECT(open_attached(s, sm.at, len, out, &opened_len), FNDSA_OK);
        EXPECT(memcmp(out, s->message.at, s->message.len), 0);
    }
    for (i = 0; i < 3; i++) {
        memcpy(sm.at + i * 23, s->message.at, s->message.len);
        len = room;
        EXPECT(sign_attached(s, sm.at + i * 23, &len), FNDSA_OK);
        opened_len = s->opened.len;
        EXPECT(open_attached(s, sm.at, len, s->opened.at, &opened_len), FNDSA_OK);
        EXPECT(memcmp(s->opened.at, s->message.at, s->message.len), 0);
    }
    /* If the key is rejected, the message stays unchanged at its position. */
    if (s->private_key.len > 64) { /* every seed is a valid key */
        memcpy(sm.at, s->message.at, s->message.len);
        s->private_key.at[0] ^= 1;
        len = room;
        EXPECT(sign_attached(s, sm.at, &len), FNDSA_E_KEY);
        EXPECT(len, 0);
        EXPECT(memcmp(sm.at, s->message.at, s->message.len), 0);
        s->private_key.at[0] ^= 1;
    }
    len = room;
    EXPECT(s->message.len == 0 || sign_attached(s, s->sign_work.at, &len) == FNDSA_E_OVERLAP, 1);
    len = room - 1;
    EXPECT(sign_attached(s, s->message.at, &len), FNDSA_E_LENGTH);
    EXPECT(session_intact(s) && guards_are_intact(kept), 1);
}

/* Returns whether the algorithm is ML-DSA and Ed25519 together. These algorithms have no pre-hash,
 * and their private keys have the same length. */
static int is_composite(const struct algorithm *a) {
    return a->private_len == 64;
}

/* Verifies the signature of a session in two pieces. */
static int verify_pieces(struct session *s, const fndsa_form *form, const uint8_t *message, size_t message_len, size_t len) {
    fndsa_verifier verifier;
    int code = fndsa_verify_begin(&verifier, s->a->id, s->public_key.at, s->public_key.len, form, s->signature.at, len);
    if (code == FNDSA_OK) code = fndsa_verify_update(&verifier, message, 1);
    if (code == FNDSA_OK) code = fndsa_verify_update(&verifier, message + 1, message_len - 1);
    if (code != FNDSA_OK) return code;
    return fndsa_verify_finish(&verifier, s->public_key.at, s->public_key.len, s->signature.at, len, s->verify_work.at,
                               s->verify_work.len);
}

/* Tests contexts and pre-hashes. */
static void test_contexts_and_prehashes(struct session *s) {
    static const uint8_t digest[32] = { 1, 2, 3 };
    fndsa_form form = { NULL, 0, 0 };
    size_t len = s->a->signature_len;
    form.context = context;
    form.context_len = 256;
    EXPECT(fndsa_sign(s->a->id, s->private_key.at, s->private_key.len, &form, digest, 32, s->signature.at, &len, &random_bytes,
                      s->sign_work.at, s->sign_work.len),
           FNDSA_E_CONTEXT);
    form.context_len = 1;
    len = s->a->signature_len;
    EXPECT(fndsa_sign(s->a->id, s->private_key.at, s->private_key.len, &form, digest, 32, s->signature.at, &len, &random_bytes,
                      s->sign_work.at, s->sign_work.len),
           s->a->has_context ? FNDSA_OK : FNDSA_E_CONTEXT);
    form.context_len = 0;
    if (is_composite(s->a)) {
        form.prehash = FNDSA_PREHASH_SHA512;
        len = s->a->signature_len;
        EXPECT(fndsa_sign(s->a->id, s->private_key.at, s->private_key.len, &form, digest, 32, s->signature.at, &len, &random_bytes,
                          s->sign_work.at, s->sign_work.len),
               FNDSA_E_PREHASH);
        EXPECT(len, 0);
        EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, digest, 32, s->signature.at, s->signature_len,
                            s->verify_work.at, s->verify_work.len),
               FNDSA_E_PREHASH);
        EXPECT(verify_pieces(s, &form, digest, 32, s->signature_len), FNDSA_E_PREHASH);
        return;
    }
    /* A hash that only ML-DSA supports. */
    form.prehash = FNDSA_PREHASH_SHA224;
    len = s->a->signature_len;
    EXPECT(fndsa_sign(s->a->id, s->private_key.at, s->private_key.len, &form, digest, 28, s->signature.at, &len, &random_bytes,
                      s->sign_work.at, s->sign_work.len),
           s->a->private_len == 32 ? FNDSA_E_WEAK_PREHASH : FNDSA_E_PREHASH);
    EXPECT(len, 0);
    form.prehash = FNDSA_PREHASH_SHA224 | FNDSA_PREHASH_ALLOW_WEAK | FNDSA_PREHASH_DIGEST;
    len = s->a->signature_len;
    EXPECT(fndsa_sign(s->a->id, s->private_key.at, s->private_key.len, &form, digest, 28, s->signature.at, &len, &random_bytes,
                      s->sign_work.at, s->sign_work.len),
           s->a->private_len == 32 ? FNDSA_OK : FNDSA_E_PREHASH);
    if (s->a->private_len == 32) {
        /* All functions with a parameter `form` reject a weak pre-hash. */
        fndsa_verifier verifier;
        size_t room = s->signed_message.len;
        EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, digest, 28, s->signature.at, len, s->verify_work.at,
                            s->verify_work.len),
               FNDSA_OK);
        form.prehash = FNDSA_PREHASH_SHA224;
        EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, digest, 28, s->signature.at, len, s->verify_work.at,
                            s->verify_work.len),
               FNDSA_E_WEAK_PREHASH);
        EXPECT(fndsa_verify_begin(&verifier, s->a->id, s->public_key.at, s->public_key.len, &form, s->signature.at, len),
               FNDSA_E_WEAK_PREHASH);
        if (s->message.len >= 28) {
            EXPECT(fndsa_sign_attached(s->a->id, s->private_key.at, s->private_key.len, &form, digest, 28, s->signed_message.at, &room,
                                       &random_bytes, s->sign_work.at, s->sign_work.len),
                   FNDSA_E_WEAK_PREHASH);
        }
        room = s->opened.len;
        EXPECT(fndsa_open_attached(s->a->id, s->public_key.at, s->public_key.len, &form, s->signature.at, len, s->opened.at, &room,
                                   s->open_work.at, s->open_work.len),
               FNDSA_E_WEAK_PREHASH);
    }
    form.prehash = s->a->private_len == 32 ? FNDSA_PREHASH_SHA256 | FNDSA_PREHASH_ALLOW_WEAK : FNDSA_PREHASH_SHA256;
    form.prehash |= FNDSA_PREHASH_DIGEST;
    len = s->a->signature_len;
    EXPECT(fndsa_sign(s->a->id, s->private_key.at, s->private_key.len, &form, digest, 32, s->signature.at, &len, &random_bytes,
                      s->sign_work.at, s->sign_work.len),
           FNDSA_OK);
    EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, digest, 32, s->signature.at, len, s->verify_work.at,
                        s->verify_work.len),
           FNDSA_OK);
    EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, digest, 31, s->signature.at, len, s->verify_work.at,
                        s->verify_work.len),
           FNDSA_E_PREHASH);
    if (s->a->has_context) {
        /* The signature of a digest is not valid for a message with the same bytes. Falcon does not
         * distinguish them. */
        EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, NULL, digest, 32, s->signature.at, len, s->verify_work.at,
                            s->verify_work.len),
               FNDSA_E_NOT_VALID);
    }
    form.prehash = FNDSA_PREHASH_DIGEST;
    EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, digest, 32, s->signature.at, len, s->verify_work.at,
                        s->verify_work.len),
           FNDSA_E_PREHASH);
    form.prehash = 13;
    EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, digest, 32, s->signature.at, len, s->verify_work.at,
                        s->verify_work.len),
           FNDSA_E_PREHASH);
    form.prehash = 0;
    form.context = NULL;
    form.context_len = 1;
    EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, digest, 32, s->signature.at, len, s->verify_work.at,
                        s->verify_work.len),
           FNDSA_E_NULL);
}

/* Signs a message that the library hashes with SHA3-512. `digest` is the SHA3-512 digest of "abc". */
static void test_hashed_message(struct session *s) {
    static const uint8_t message[3] = { 'a', 'b', 'c' };
    static const uint8_t digest[64] = {
        0xb7, 0x51, 0x85, 0x0b, 0x1a, 0x57, 0x16, 0x8a, 0x56, 0x93, 0xcd, 0x92, 0x4b, 0x6b, 0x09, 0x6e,
        0x08, 0xf6, 0x21, 0x82, 0x74, 0x44, 0xf7, 0x0d, 0x88, 0x4f, 0x5d, 0x02, 0x40, 0xd2, 0x71, 0x2e,
        0x10, 0xe1, 0x16, 0xe9, 0x19, 0x2a, 0xf3, 0xc9, 0x1a, 0x7e, 0xc5, 0x76, 0x47, 0xe3, 0x93, 0x40,
        0x57, 0x34, 0x0b, 0x4c, 0xf4, 0x08, 0xd5, 0xa5, 0x65, 0x92, 0xf8, 0x27, 0x4e, 0xec, 0x53, 0xf0,
    };
    fndsa_form form = { NULL, 0, 0 };
    fndsa_form digest_form = { NULL, 0, 0 };
    size_t len = s->a->signature_len;
    form.prehash = FNDSA_PREHASH_SHA3_512;
    digest_form.prehash = FNDSA_PREHASH_SHA3_512 | FNDSA_PREHASH_DIGEST;
    EXPECT(fndsa_sign(s->a->id, s->private_key.at, s->private_key.len, &form, message, 3, s->signature.at, &len, &random_bytes,
                      s->sign_work.at, s->sign_work.len),
           FNDSA_OK);
    EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, message, 3, s->signature.at, len, s->verify_work.at,
                        s->verify_work.len),
           FNDSA_OK);
    EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &digest_form, digest, 64, s->signature.at, len, s->verify_work.at,
                        s->verify_work.len),
           FNDSA_OK);
    EXPECT(fndsa_verify(s->a->id, s->public_key.at, s->public_key.len, &form, digest, 64, s->signature.at, len, s->verify_work.at,
                        s->verify_work.len),
           FNDSA_E_NOT_VALID);
    EXPECT(verify_pieces(s, &form, message, 3, len), FNDSA_OK);
    EXPECT(verify_pieces(s, &digest_form, digest, 64, len), FNDSA_OK);
    EXPECT(verify_pieces(s, &digest_form, digest, 63, len), FNDSA_E_PREHASH);
    EXPECT(verify_pieces(s, &form, digest, 64, len), FNDSA_E_NOT_VALID);
}

/* Tests a generator that fails, and calls without a generator. */
static void test_failing_generator(struct session *s) {
    struct test_random failing = { 1, 0 };
    fndsa_random random = { test_fill, NULL };
    size_t len = s->a->signature_len;
    struct guarded secret = allocate_guarded(s->a->expanded_len, 3), public_key = allocate_guarded(s->a->public_len, 5);
    random.state = &failing;
    EXPECT(fndsa_keygen(s->a->id, secret.at, secret.len, public_key.at, public_key.len, &random, s->keygen_work.at, s->keygen_work.len),
           FNDSA_E_RANDOM);
    EXPECT(all_are(secret.at, secret.len, 0) && all_are(public_key.at, public_key.len, 0), 1);
    EXPECT(guards_are_intact(secret) && guards_are_intact(public_key), 1);
    for (failing.left = 0; failing.left < (s->a->has_context ? 1 : 2); failing.left++) {
        struct test_random again = failing;
        random.state = &again;
        memset(s->signature.at, FILL_BYTE, s->signature.len);
        len = s->a->signature_len;
        EXPECT(fndsa_sign(s->a->id, s->private_key.at, s->private_key.len, &s->form, s->message.at, s->message.len, s->signature.at,
                          &len, &random, s->sign_work.at, s->sign_work.len),
               FNDSA_E_RANDOM);
        EXPECT(len, 0);
        EXPECT(all_are(s->signature.at, s->signature.len, 0), 1);
    }
    random.state = &failing;
    failing.left = 0;
    len = s->signed_message.len;
    memset(s->signed_message.at, FILL_BYTE, len);
    EXPECT(fndsa_sign_attached(s->a->id, s->private_key.at, s->private_key.len, &s->form, s->message.at, s->message.len,
                               s->signed_message.at, &len, &random, s->sign_work.at, s->sign_work.len),
           FNDSA_E_RANDOM);
    EXPECT(len, 0);
    EXPECT(all_are(s->signed_message.at, s->signed_message.len, 0), 1);
    /* If a draw of the generator fails while signing in place, the message stays unchanged, at any
     * address. */
    for (failing.left = 0; failing.left < (s->a->has_context ? 1 : 2); failing.left++) {
        size_t offset;
        for (offset = 0; offset <= s->signed_message.len - s->message.len; offset += 101) {
            struct test_random again = failing;
            uint8_t *message = s->signed_message.at + offset;
            random.state = &again;
            memset(s->signed_message.at, FILL_BYTE, s->signed_message.len);
            memcpy(message, s->message.at, s->message.len);
            len = s->signed_message.len;
            EXPECT(fndsa_sign_attached(s->a->id, s->private_key.at, s->private_key.len, &s->form, message, s->message.len,
                                       s->signed_message.at, &len, &random, s->sign_work.at, s->sign_work.len),
                   FNDSA_E_RANDOM);
            EXPECT(len, 0);
            EXPECT(memcmp(message, s->message.at, s->message.len), 0);
            EXPECT(s->message.len == 0 || all_are(s->signed_message.at, offset, 0), 1);
        }
    }
    random.state = &failing;
    random.fill = NULL;
    EXPECT(fndsa_keygen(s->a->id, secret.at, secret.len, public_key.at, public_key.len, &random, s->keygen_work.at, s->keygen_work.len),
           FNDSA_E_NULL);
    EXPECT(fndsa_keygen(s->a->id, secret.at, secret.len, public_key.at, public_key.len, NULL, s->keygen_work.at, s->keygen_work.len),
           WITHOUT_GENERATOR);
    EXPECT(session_intact(s), 1);
}

/* Tests arguments that are rejected before the library writes to any memory. */
static void test_rejected_arguments(struct session *s) {
    const struct algorithm *a = s->a;
    struct guarded sk = allocate_guarded(a->private_len, 0), pk = allocate_guarded(a->public_len, 0), sig = allocate_guarded(a->signature_len, 0);
    struct guarded work = allocate_guarded(a->sign_work + a->keygen_work, 0);
    const size_t huge = (size_t)-1;
    size_t len;
    EXPECT(fndsa_keygen(a->id, NULL, sk.len, pk.at, pk.len, &random_bytes, work.at, work.len), FNDSA_E_NULL);
    EXPECT(fndsa_keygen(a->id, sk.at, sk.len, NULL, pk.len, &random_bytes, work.at, work.len), FNDSA_E_NULL);
    EXPECT(fndsa_keygen(a->id, sk.at, sk.len, pk.at, pk.len, &random_bytes, NULL, work.len), FNDSA_E_NULL);
    EXPECT(fndsa_keygen(a->id, NULL, 0, NULL, 0, &random_bytes, NULL, 0), FNDSA_E_LENGTH);
    EXPECT(fndsa_keygen(a->id, sk.at, sk.len - 1, pk.at, pk.len, &random_bytes, work.at, work.len), FNDSA_E_LENGTH);
    EXPECT(fndsa_keygen(a->id, sk.at, sk.len, pk.at, pk.len - 1, &random_bytes, work.at, work.len), FNDSA_E_LENGTH);
    EXPECT(fndsa_keygen(a->id, sk.at, sk.len, pk.at, pk.len, &random_bytes, work.at, huge), FNDSA_E_LENGTH);
    EXPECT(fndsa_keygen(a->id, sk.at, sk.len, pk.at, pk.len, &random_bytes, work.at, a->keygen_work - 1), FNDSA_E_WORK);
    EXPECT(fndsa_keygen(a->id, sk.at, sk.len, sk.at, pk.len, &random_bytes, work.at, work.len), FNDSA_E_OVERLAP);
    EXPECT(fndsa_keygen(a->id, sk.at, sk.len, pk.at, pk.len, &random_bytes, pk.at + pk.len - 1, a->keygen_work), FNDSA_E_OVERLAP);
    EXPECT(fndsa_keygen(1, sk.at, sk.len, pk.at, pk.len, &random_bytes, work.at, work.len), FNDSA_E_ALGORITHM);
    EXPECT(is_untouched(sk) && is_untouched(pk) && is_untouched(work), 1);

    EXPECT(fndsa_public_key(a->id, NULL, sk.len, pk.at, pk.len, work.at, work.len), FNDSA_E_NULL);
    EXPECT(fndsa_public_key(a->id, sk.at, sk.len, pk.at, pk.len + 1, work.at, work.len), FNDSA_E_LENGTH);
    EXPECT(fndsa_public_key(a->id, sk.at, sk.len, pk.at, pk.len, work.at, a->sign_work - 1), FNDSA_E_WORK);
    EXPECT(fndsa_public_key(a->id, sk.at, sk.len, sk.at, pk.len, work.at, work.len), FNDSA_E_OVERLAP);
    EXPECT(is_untouched(sk) && is_untouched(pk) && is_untouched(work), 1);

#define SIGN(sk_at, m_at, m_len, sig_at, len_at, work_at, work_len)                                                  \
    (len = a->signature_len, fndsa_sign(a->id, sk_at, s->private_key.len, &s->form, m_at, m_len, sig_at, len_at, &random_bytes, work_at, work_len))
    EXPECT(SIGN(NULL, s->message.at, 1, sig.at, &len, work.at, work.len), FNDSA_E_NULL);
    EXPECT(len, 0);
    EXPECT(SIGN(s->private_key.at, NULL, 1, sig.at, &len, work.at, work.len), FNDSA_E_NULL);
    EXPECT(SIGN(s->private_key.at, s->message.at, 1, NULL, &len, work.at, work.len), FNDSA_E_NULL);
    EXPECT(SIGN(s->private_key.at, s->message.at, 1, sig.at, NULL, work.at, work.len), FNDSA_E_NULL);
    EXPECT(SIGN(s->private_key.at, s->message.at, 1, sig.at, &len, NULL, work.len), FNDSA_E_NULL);
    EXPECT(SIGN(s->private_key.at, s->message.at, huge, sig.at, &len, work.at, work.len), FNDSA_E_LENGTH);
    EXPECT(SIGN(s->private_key.at, s->message.at, 1, sig.at, &len, work.at, least_sign_work(a, s->private_key.len) - 1), FNDSA_E_WORK);
    EXPECT(SIGN(s->private_key.at, sig.at, 1, sig.at, &len, work.at, work.len), FNDSA_E_OVERLAP);
    EXPECT(SIGN(s->private_key.at, s->message.at, 1, s->private_key.at + 1, &len, work.at, work.len), FNDSA_E_OVERLAP);
    EXPECT(SIGN(s->private_key.at, s->message.at, 1, work.at + 5, &len, work.at, work.len), FNDSA_E_OVERLAP);
    EXPECT(SIGN(s->private_key.at, (uint8_t *)&len, 1, sig.at, &len, work.at, work.len), FNDSA_E_OVERLAP);
    EXPECT(len, a->signature_len);
    len = a->signature_len - 1;
    EXPECT(fndsa_sign(a->id, s->private_key.at, s->private_key.len, &s->form, NULL, 0, sig.at, &len, &random_bytes, work.at, work.len),
           FNDSA_E_LENGTH);
    EXPECT(is_untouched(sig) && is_untouched(work), 1);

#define VERIFY(pk_at, m_at, m_len, sig_at, work_at, work_len)                                                        \
    fndsa_verify(a->id, pk_at, a->public_len, &s->form, m_at, m_len, sig_at, s->signature_len, work_at, work_len)
    EXPECT(VERIFY(NULL, s->message.at, 1, sig.at, work.at, work.len), FNDSA_E_NULL);
    EXPECT(VERIFY(pk.at, NULL, 1, sig.at, work.at, work.len), FNDSA_E_NULL);
    EXPECT(VERIFY(pk.at, s->message.at, 1, NULL, work.at, work.len), FNDSA_E_NULL);
    EXPECT(VERIFY(pk.at, s->message.at, 1, sig.at, NULL, work.len), FNDSA_E_NULL);
    EXPECT(VERIFY(pk.at, s->message.at, huge, sig.at, work.at, work.len), FNDSA_E_LENGTH);
    EXPECT(VERIFY(pk.at, s->message.at, 1, sig.at, work.at, a->verify_work - 1), FNDSA_E_WORK);
    EXPECT(VERIFY(pk.at, s->message.at, 1, sig.at, pk.at + 1, a->verify_work), FNDSA_E_OVERLAP);
    EXPECT(is_untouched(pk) && is_untouched(sig) && is_untouched(work), 1);
}

/* Tests outputs that overlap a structure, or memory that a structure points to. The library must
 * not write to them. */
static void test_overlapping_structures(struct session *s) {
    const struct algorithm *a = s->a;
    struct {
        fndsa_form form;
        fndsa_random random;
    } structures, before;
    struct guarded sig = allocate_guarded(s->signed_message.len, 0), work = allocate_guarded(a->sign_work, 0);
    size_t *lens[4];
    size_t i, len = sig.len;
    memset(&structures, 0, sizeof structures);
    structures.form = s->form;
    structures.random = random_bytes;
    lens[0] = &structures.form.context_len;
    lens[1] = (size_t *)(void *)&structures.form.context;
    lens[2] = (size_t *)(void *)&structures.random.state;
    lens[3] = (size_t *)(void *)&structures.random.fill;
    before = structures;
    for (i = 0; i < 4; i++) {
        EXPECT(fndsa_sign(a->id, s->private_key.at, s->private_key.len, &structures.form, s->message.at, s->message.len, sig.at, lens[i],
                          &structures.random, work.at, work.len),
               FNDSA_E_OVERLAP);
        EXPECT(fndsa_sign_attached(a->id, s->private_key.at, s->private_key.len, &structures.form, s->message.at, s->message.len, sig.at,
                                   lens[i], &structures.random, work.at, work.len),
               FNDSA_E_OVERLAP);
        if (i > 1) continue;
        EXPECT(fndsa_open_attached(a->id, s->public_key.at, s->public_key.len, &structures.form, s->signed_message.at, s->signed_message.len,
                                   s->opened.at, lens[i], s->open_work.at, s->open_work.len),
               FNDSA_E_OVERLAP);
    }
    EXPECT(fndsa_sign(a->id, s->private_key.at, s->private_key.len, &structures.form, s->message.at, s->message.len, (uint8_t *)&structures.form, &len,
                      &structures.random, work.at, work.len),
           FNDSA_E_OVERLAP);
    EXPECT(fndsa_keygen(a->id, (uint8_t *)&structures.random, a->private_len, sig.at, a->public_len, &structures.random, work.at, work.len),
           FNDSA_E_OVERLAP);
    EXPECT(fndsa_verify(a->id, s->public_key.at, s->public_key.len, &structures.form, s->message.at, s->message.len, s->signature.at,
                        s->signature_len, &structures.form, a->verify_work),
           FNDSA_E_OVERLAP);
    EXPECT(memcmp(&structures, &before, sizeof structures), 0);
    EXPECT(len, sig.len);
    if (a->has_context) {
        /* The length is inside the context. The call must reject this before it sets the length to
         * 0. */
        union {
            uint8_t bytes[64];
            size_t len;
        } shared;
        memset(&shared, 7, sizeof shared);
        structures.form.context = shared.bytes;
        structures.form.context_len = sizeof shared.bytes;
        EXPECT(fndsa_sign(a->id, s->private_key.at, s->private_key.len, &structures.form, s->message.at, s->message.len, sig.at, &shared.len,
                          &random_bytes, work.at, work.len),
               FNDSA_E_OVERLAP);
        EXPECT(all_are(shared.bytes, sizeof shared.bytes, 7), 1);
    }
    EXPECT(is_untouched(sig) && is_untouched(work), 1);
}

/* Uses a key and a signature with the number of another algorithm, also if the algorithms have the
 * same lengths. */
static void test_other_algorithms(struct session *s) {
    struct guarded work = allocate_guarded(130000, 0);
    size_t i, len;
    for (i = 0; i < ALGORITHMS; i++) {
        const struct algorithm *other = &algorithms[i];
        /* The two numbers of Falcon, for compressed and for padded signatures, have the same keys. Padded signatures are valid with both. */
        const int has_same_keys = (s->a->id & 0xfff) == (other->id & 0xfff) && s->a->id != other->id;
        int code;
        if (other == s->a || (has_same_keys && s->a->has_fixed_length)) continue;
        code = fndsa_verify(other->id, s->public_key.at, s->public_key.len, NULL, s->message.at, s->message.len, s->signature.at,
                            s->signature_len, work.at, work.len);
        /* Public keys of FN-DSA and Falcon have the same encoding. */
        EXPECT(code == FNDSA_E_KEY || (other->public_len == s->a->public_len && code == FNDSA_E_NOT_VALID), 1);
        len = other->signature_len;
        if (has_same_keys || s->private_key.len <= 64) continue;
        EXPECT(fndsa_sign(other->id, s->private_key.at, s->private_key.len, NULL, s->message.at, s->message.len, work.at, &len,
                          &random_bytes, work.at + 5000, work.len - 5000),
               FNDSA_E_KEY);
    }
}

int main(void) {
    size_t i, round;
    test_lengths();
    for (i = 0; i < ALGORITHMS; i++) {
        for (round = 0; round < ROUNDS; round++) {
            struct session s = start_session(&algorithms[i], round);
            test_changed_inputs(&s);
            s = start_session(&algorithms[i], round);
            test_sign_work(&s);
            s = start_session(&algorithms[i], round);
            test_verify_in_pieces(&s);
            test_signed_messages(&s);
            test_rejected_arguments(&s);
            test_overlapping_structures(&s);
            test_failing_generator(&s);
            test_other_algorithms(&s);
            test_contexts_and_prehashes(&s);
            if (!is_composite(s.a)) test_hashed_message(&s);
        }
    }
    return report("test");
}
