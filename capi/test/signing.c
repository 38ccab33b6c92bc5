/* Tests signing in pieces, with loaded keys and with a basis, and calls without work memory, for all
 * algorithms: their results, the arguments that they reject, and that they wipe secrets. */
#include "fndsa.h"
#define ARENA 2000000
#include "guarded.h"

#ifndef ROUNDS
#define ROUNDS 4
#endif

/* The result of a call without work memory. */
#ifdef NO_SYSTEM
#define WITHOUT_WORK FNDSA_E_WORK
#else
#define WITHOUT_WORK FNDSA_OK
#endif

/* The difference between the macros and the functions for memory, in bytes. */
#if defined(__x86_64__) || defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64) || defined(__wasm_simd128__)
#define SLACK 0
#else
#define SLACK 56
#endif

static const uint32_t algorithms[] = {
    FNDSA_512, FNDSA_FALCON_512, FNDSA_FALCON_PADDED_512, FNDSA_ML_DSA_44,
#ifndef FEW_ALGORITHMS
    FNDSA_1024, FNDSA_FALCON_1024, FNDSA_FALCON_PADDED_1024, FNDSA_ML_DSA_65, FNDSA_ML_DSA_87,
#endif
#ifndef NO_SYSTEM
    FNDSA_ED25519, FNDSA_ML_DSA_44_ED25519, FNDSA_ML_DSA_65_ED25519,
#endif
};
#define ALGORITHMS (sizeof algorithms / sizeof *algorithms)

static struct test_random state = { 0x9e3779b97f4a7c15u, -1 };
static const fndsa_random random_bytes = { test_fill, &state };

/* A key pair, a message, and memory for outputs. */
struct session {
    uint32_t id;
    struct guarded private_key, public_key, other_key, message, signature, again, work;
    fndsa_form form;
    size_t len;
};

static uint8_t context[255];

static int is_falcon(uint32_t id) {
    return (id & 0xf00) == 0x300;
}

/* Returns whether a signer for the algorithm owns allocated memory: Ed25519, and ML-DSA with Ed25519. */
static int owns_memory(uint32_t id) {
    return (id & 0xf00) == 0x600 || (id & 0xf00) == 0x700;
}

static struct session start_session(uint32_t id, size_t round) {
    struct session s;
    struct guarded public_key;
    size_t keygen_work = fndsa_keygen_work_bytes(id), sign_work = fndsa_sign_work_bytes(id);
    arena_used = 0;
    memset(&s, 0, sizeof s);
    s.id = id;
    s.private_key = allocate_guarded(round % 2 ? fndsa_private_key_bytes(id) : fndsa_expanded_key_bytes(id), round % 8);
    s.other_key = allocate_guarded(s.private_key.len, (round + 1) % 8);
    s.public_key = allocate_guarded(fndsa_public_key_bytes(id), (round + 2) % 8);
    s.message = allocate_guarded(round * 251 % 700, (round + 3) % 8);
    s.signature = allocate_guarded(fndsa_signature_bytes(id), (round + 4) % 8);
    s.again = allocate_guarded(fndsa_signature_bytes(id), (round + 5) % 8);
    s.work = allocate_guarded(keygen_work > sign_work ? keygen_work : sign_work, (round + 6) % 8);
    public_key = allocate_guarded(s.public_key.len, 0);
    test_fill(&state, context, sizeof context);
    test_fill(&state, s.message.at, s.message.len);
    s.form.context = context;
    s.form.context_len = is_falcon(id) ? 0 : round * 51 % 256;
    EXPECT(fndsa_keygen(id, s.other_key.at, s.other_key.len, public_key.at, public_key.len, &random_bytes, s.work.at, s.work.len), FNDSA_OK);
    EXPECT(fndsa_keygen(id, s.private_key.at, s.private_key.len, s.public_key.at, s.public_key.len, &random_bytes, s.work.at, s.work.len),
           FNDSA_OK);
    return s;
}

static int verify(struct session *s, const uint8_t *signature, size_t len) {
    return fndsa_verify(s->id, s->public_key.at, s->public_key.len, &s->form, s->message.at, s->message.len, signature, len, s->work.at,
                        s->work.len);
}

static int session_intact(const struct session *s) {
    return guards_are_intact(s->private_key) && guards_are_intact(s->public_key) && guards_are_intact(s->other_key) && guards_are_intact(s->message) && guards_are_intact(s->signature)
        && guards_are_intact(s->again) && guards_are_intact(s->work);
}

/* Signs in one call with a generator of this state, into `signature`. */
static void sign_whole(struct session *s, struct test_random random) {
    fndsa_random whole = { test_fill, NULL };
    whole.state = &random;
    s->len = s->signature.len;
    EXPECT(fndsa_sign(s->id, s->private_key.at, s->private_key.len, &s->form, s->message.at, s->message.len, s->signature.at, &s->len,
                      &whole, s->work.at, s->work.len),
           FNDSA_OK);
    EXPECT(verify(s, s->signature.at, s->len), FNDSA_OK);
}

static int begin(struct session *s, fndsa_signer *signer, const fndsa_random *random) {
    return fndsa_sign_begin(signer, s->id, s->private_key.at, s->private_key.len, &s->form, random, s->work.at, s->work.len);
}

static int finish(struct session *s, fndsa_signer *signer, const fndsa_random *random, size_t *len) {
    *len = s->again.len;
    return fndsa_sign_finish(signer, s->private_key.at, s->private_key.len, s->again.at, len, random, s->work.at, s->work.len);
}

/* Adds the message to a signer in pieces of all lengths. */
static void add_message(struct session *s, fndsa_signer *signer) {
    size_t at = 0, piece = 0;
    EXPECT(fndsa_sign_update(signer, NULL, 0), FNDSA_OK);
    for (; at < s->message.len; piece++) {
        const size_t most = s->message.len - at < piece ? s->message.len - at : piece;
        EXPECT(fndsa_sign_update(signer, s->message.at + at, most), FNDSA_OK);
        at += most;
    }
}

/* Signs in pieces, and tests wrong uses of a signer. */
static void test_sign_in_pieces(struct session *s) {
    fndsa_signer signer, copy;
    struct guarded odd = allocate_guarded(sizeof(fndsa_signer), 1);
    struct test_random same = state, failing = { 1, 0 };
    fndsa_random random = { test_fill, NULL }, none = { test_fill, NULL };
    size_t len;
    sign_whole(s, same);
    random.state = &same;
    EXPECT(begin(s, &signer, &random), FNDSA_OK);
    EXPECT(all_are(s->work.at, s->work.len, 0), 1);
    add_message(s, &signer);
    EXPECT(finish(s, &signer, &random, &len), FNDSA_OK);
    EXPECT(all_are((uint8_t *)&signer, sizeof signer, 0), 1);
    EXPECT(all_are(s->again.at + len, s->again.len - len, 0), 1);
    EXPECT(verify(s, s->again.at, len), FNDSA_OK);
    if (!is_falcon(s->id)) {
        /* Falcon draws several nonces before the message. All others draw the random bytes of
         * fndsa_sign. */
        EXPECT(len == s->len && memcmp(s->again.at, s->signature.at, len) == 0, 1);
    }
    /* A signer that has ended. */
    EXPECT(finish(s, &signer, &random_bytes, &len), FNDSA_E_STATE);
    EXPECT(len, 0);
    EXPECT(fndsa_sign_update(&signer, s->message.at, s->message.len), FNDSA_E_STATE);
    EXPECT(fndsa_sign_cancel(&signer), FNDSA_OK);
    /* A copy of a signer. */
    EXPECT(begin(s, &signer, &random_bytes), FNDSA_OK);
    copy = signer;
    EXPECT(fndsa_sign_update(&copy, s->message.at, s->message.len), FNDSA_E_STATE);
    EXPECT(finish(s, &copy, &random_bytes, &len), FNDSA_E_STATE);
    EXPECT(fndsa_sign_cancel(&copy), FNDSA_OK);
    /* Arguments that leave the signer unchanged. */
    add_message(s, &signer);
    len = s->again.len - 1;
    EXPECT(fndsa_sign_finish(&signer, s->private_key.at, s->private_key.len, s->again.at, &len, &random_bytes, s->work.at, s->work.len),
           FNDSA_E_LENGTH);
    len = s->again.len;
    EXPECT(fndsa_sign_finish(&signer, NULL, s->private_key.len, s->again.at, &len, &random_bytes, s->work.at, s->work.len), FNDSA_E_NULL);
    len = s->again.len;
    EXPECT(fndsa_sign_finish(&signer, s->private_key.at, s->private_key.len, NULL, &len, &random_bytes, s->work.at, s->work.len),
           FNDSA_E_NULL);
    EXPECT(fndsa_sign_finish(&signer, s->private_key.at, s->private_key.len, s->again.at, NULL, &random_bytes, s->work.at, s->work.len),
           FNDSA_E_NULL);
    len = s->again.len;
    EXPECT(fndsa_sign_finish(&signer, s->private_key.at, s->private_key.len, (uint8_t *)&signer, &len, &random_bytes, s->work.at,
                             s->work.len),
           FNDSA_E_OVERLAP);
    if (s->id != FNDSA_ED25519) {
        len = s->again.len;
        EXPECT(fndsa_sign_finish(&signer, s->private_key.at, s->private_key.len, s->again.at, &len, &random_bytes, s->work.at, 100),
               FNDSA_E_WORK);
    }
    EXPECT(finish(s, &signer, &random_bytes, &len), FNDSA_OK);
    EXPECT(verify(s, s->again.at, len), FNDSA_OK);
    /* After an error, a piece is missing, so there is no signature. */
    EXPECT(begin(s, &signer, &random_bytes), FNDSA_OK);
    EXPECT(fndsa_sign_update(&signer, (uint8_t *)&signer + sizeof signer - 1, 1), FNDSA_E_OVERLAP);
    EXPECT(finish(s, &signer, &random_bytes, &len), FNDSA_E_STATE);
    EXPECT(begin(s, &signer, &random_bytes), FNDSA_OK);
    EXPECT(fndsa_sign_update(&signer, NULL, 1), FNDSA_E_NULL);
    EXPECT(finish(s, &signer, &random_bytes, &len), FNDSA_E_STATE);
    EXPECT(begin(s, &signer, &random_bytes), FNDSA_OK);
    EXPECT(fndsa_sign_cancel(&signer), FNDSA_OK);
    if (!owns_memory(s->id)) {
        EXPECT(begin(s, &signer, &random_bytes), FNDSA_OK);
        EXPECT(fndsa_sign_begin(&signer, s->id, NULL, s->private_key.len, NULL, &random_bytes, s->work.at, s->work.len), FNDSA_E_NULL);
        EXPECT(finish(s, &signer, &random_bytes, &len), FNDSA_E_STATE);
    }
    /* Another private key. */
    EXPECT(begin(s, &signer, &random_bytes), FNDSA_OK);
    add_message(s, &signer);
    len = s->again.len;
    EXPECT(fndsa_sign_finish(&signer, s->other_key.at, s->other_key.len, s->again.at, &len, &random_bytes, s->work.at, s->work.len),
           FNDSA_E_KEY);
    EXPECT(len == 0 && all_are(s->again.at, s->again.len, 0) && all_are((uint8_t *)&signer, sizeof signer, 0), 1);
    /* A generator that fails. */
    none.state = &failing;
    EXPECT(begin(s, &signer, &none), is_falcon(s->id) ? FNDSA_E_RANDOM : FNDSA_OK);
    EXPECT(all_are((uint8_t *)&signer, sizeof signer, 0), is_falcon(s->id));
    EXPECT(fndsa_sign_cancel(&signer), FNDSA_OK);
    EXPECT(begin(s, &signer, &random_bytes), FNDSA_OK);
    EXPECT(finish(s, &signer, &none, &len), s->id == FNDSA_ED25519 ? FNDSA_OK : FNDSA_E_RANDOM);
    EXPECT(all_are((uint8_t *)&signer, sizeof signer, 0), 1);
    /* A signer that is not begun because of an argument, and wrong addresses. */
    memset(&signer, FILL_BYTE, sizeof signer);
    s->form.context_len = 256;
    EXPECT(begin(s, &signer, &random_bytes), FNDSA_E_CONTEXT);
    s->form.context_len = 0;
    EXPECT(all_are((uint8_t *)&signer, sizeof signer, 0), 1);
    EXPECT(fndsa_sign_begin(&signer, 1, s->private_key.at, s->private_key.len, NULL, &random_bytes, s->work.at, s->work.len),
           FNDSA_E_ALGORITHM);
    EXPECT(fndsa_sign_begin(&signer, s->id, s->private_key.at, s->private_key.len - 1, NULL, &random_bytes, s->work.at, s->work.len),
           FNDSA_E_KEY);
    EXPECT(fndsa_sign_begin(NULL, s->id, s->private_key.at, s->private_key.len, NULL, &random_bytes, s->work.at, s->work.len), FNDSA_E_NULL);
    EXPECT(fndsa_sign_begin((fndsa_signer *)(void *)odd.at, s->id, s->private_key.at, s->private_key.len, NULL, &random_bytes, s->work.at,
                            s->work.len),
           FNDSA_E_ALIGNMENT);
    EXPECT(finish(s, NULL, &random_bytes, &len), FNDSA_E_NULL);
    EXPECT(len, 0);
    EXPECT(finish(s, (fndsa_signer *)(void *)odd.at, &random_bytes, &len), FNDSA_E_ALIGNMENT);
    EXPECT(len, 0);
    EXPECT(fndsa_sign_update(NULL, s->message.at, s->message.len), FNDSA_E_NULL);
    EXPECT(is_untouched(odd) && session_intact(s), 1);
}

/* Tests calls without work memory. */
static void test_without_work_memory(struct session *s) {
    struct guarded private_key = allocate_guarded(s->private_key.len, 3), public_key = allocate_guarded(s->public_key.len, 3);
    struct guarded signed_message = allocate_guarded(s->message.len + s->signature.len, 1), opened = allocate_guarded(s->message.len, 1);
    const int expected = s->id == FNDSA_ED25519 ? FNDSA_OK : WITHOUT_WORK;
    fndsa_signer signer;
    fndsa_verifier verifier;
    size_t len = s->signature.len;
    EXPECT(fndsa_keygen(s->id, private_key.at, private_key.len, public_key.at, public_key.len, &random_bytes, NULL, 0), expected);
    EXPECT(fndsa_sign(s->id, s->private_key.at, s->private_key.len, &s->form, s->message.at, s->message.len, s->signature.at, &len,
                      &random_bytes, NULL, 0),
           expected);
    if (expected != FNDSA_OK) {
        EXPECT(is_untouched(private_key) && is_untouched(public_key) && len == 0, 1);
        return;
    }
    EXPECT(verify(s, s->signature.at, len), FNDSA_OK);
    EXPECT(fndsa_verify(s->id, s->public_key.at, s->public_key.len, &s->form, s->message.at, s->message.len, s->signature.at, len, NULL, 0),
           FNDSA_OK);
    EXPECT(fndsa_verify(s->id, public_key.at, public_key.len, &s->form, s->message.at, s->message.len, s->signature.at, len, NULL, 0),
           FNDSA_E_NOT_VALID);
    EXPECT(fndsa_public_key(s->id, s->private_key.at, s->private_key.len, public_key.at, public_key.len, NULL, 0), FNDSA_OK);
    EXPECT(memcmp(public_key.at, s->public_key.at, public_key.len), 0);
    EXPECT(fndsa_verify_begin(&verifier, s->id, s->public_key.at, s->public_key.len, &s->form, s->signature.at, len), FNDSA_OK);
    EXPECT(fndsa_verify_update(&verifier, s->message.at, s->message.len), FNDSA_OK);
    EXPECT(fndsa_verify_finish(&verifier, s->public_key.at, s->public_key.len, s->signature.at, len, NULL, 0), FNDSA_OK);
    EXPECT(fndsa_sign_begin(&signer, s->id, s->private_key.at, s->private_key.len, &s->form, &random_bytes, NULL, 0), FNDSA_OK);
    EXPECT(fndsa_sign_update(&signer, s->message.at, s->message.len), FNDSA_OK);
    len = s->again.len;
    EXPECT(fndsa_sign_finish(&signer, s->private_key.at, s->private_key.len, s->again.at, &len, &random_bytes, NULL, 0), FNDSA_OK);
    EXPECT(verify(s, s->again.at, len), FNDSA_OK);
    len = signed_message.len;
    EXPECT(fndsa_sign_attached(s->id, s->private_key.at, s->private_key.len, &s->form, s->message.at, s->message.len, signed_message.at,
                               &len, &random_bytes, NULL, 0),
           FNDSA_OK);
    signed_message.len = len;
    len = opened.len;
    EXPECT(fndsa_open_attached(s->id, s->public_key.at, s->public_key.len, &s->form, signed_message.at, signed_message.len, opened.at, &len,
                               NULL, 0),
           FNDSA_OK);
    EXPECT(len == s->message.len && memcmp(opened.at, s->message.at, len) == 0, 1);
    EXPECT(guards_are_intact(private_key) && guards_are_intact(public_key) && guards_are_intact(opened) && session_intact(s), 1);
}

/* Signs with a loaded key. */
static void test_loaded_key(struct session *s, size_t round) {
    struct guarded memory = allocate_guarded(fndsa_loaded_key_bytes(s->id), round % 8), copy = allocate_guarded(memory.len, round % 8);
    struct test_random same = state;
    fndsa_random random = { test_fill, NULL };
    const size_t least = fndsa_sign_loaded_work_bytes(s->id);
    size_t len = s->again.len, i;
#define SIGN_LOADED(key, key_len, memory_len)                                                                        \
    (len = s->again.len, fndsa_sign_loaded(key, key_len, &s->form, s->message.at, s->message.len, s->again.at, &len, \
                                           &random, s->work.at, memory_len))
    random.state = &same;
    if (memory.len == 0) {
        struct guarded any = allocate_guarded(60000, 0);
        EXPECT(fndsa_load_key(s->id, s->private_key.at, s->private_key.len, any.at, any.len, s->work.at, s->work.len), FNDSA_E_ALGORITHM);
        EXPECT(is_untouched(any), 1);
        EXPECT(SIGN_LOADED(any.at, any.len, s->work.len), FNDSA_E_STATE);
        return;
    }
    EXPECT(fndsa_load_key(s->id, s->private_key.at, s->private_key.len, memory.at, memory.len - 1, s->work.at, s->work.len), FNDSA_E_LENGTH);
    EXPECT(fndsa_load_key(s->id, s->private_key.at, s->private_key.len, memory.at, memory.len, s->work.at, fndsa_sign_work_bytes(s->id) - 1),
           FNDSA_E_WORK);
    EXPECT(fndsa_load_key(s->id, s->private_key.at, s->private_key.len, s->private_key.at, memory.len, s->work.at, s->work.len),
           FNDSA_E_OVERLAP);
    EXPECT(fndsa_load_key(s->id, s->private_key.at, s->private_key.len, NULL, memory.len, s->work.at, s->work.len), FNDSA_E_NULL);
    EXPECT(fndsa_load_key(1, s->private_key.at, s->private_key.len, memory.at, memory.len, s->work.at, s->work.len), FNDSA_E_ALGORITHM);
    EXPECT(is_untouched(memory), 1);
    EXPECT(SIGN_LOADED(memory.at, memory.len, s->work.len), FNDSA_E_STATE);
    s->private_key.at[20] ^= 4;
    EXPECT(fndsa_load_key(s->id, s->private_key.at, s->private_key.len, memory.at, memory.len, s->work.at, s->work.len), FNDSA_E_KEY);
    EXPECT(all_are(memory.at, memory.len, 0), 1);
    s->private_key.at[20] ^= 4;
    sign_whole(s, same);
    EXPECT(fndsa_load_key(s->id, s->private_key.at, s->private_key.len, memory.at, memory.len, s->work.at, s->work.len), FNDSA_OK);
    EXPECT(all_are(s->work.at, s->work.len, 0), 1);
    EXPECT(SIGN_LOADED(memory.at, memory.len, least - 1), FNDSA_E_WORK);
    EXPECT(len, 0);
    EXPECT(SIGN_LOADED(memory.at, 10, least), FNDSA_E_STATE);
    EXPECT(SIGN_LOADED(NULL, memory.len, least), FNDSA_E_NULL);
    EXPECT(len, 0);
    EXPECT(SIGN_LOADED(memory.at, memory.len, least), FNDSA_OK);
    EXPECT(len == s->len && memcmp(s->again.at, s->signature.at, s->again.len) == 0, 1);
    EXPECT(all_are(s->work.at, least, 0), 1);
    for (i = 0; i < 3; i++) {
        s->form.context_len = is_falcon(s->id) ? 0 : i;
        EXPECT(SIGN_LOADED(memory.at, memory.len, least), FNDSA_OK);
        EXPECT(verify(s, s->again.at, len), FNDSA_OK);
    }
    memcpy(copy.at, memory.at, memory.len);
    EXPECT(SIGN_LOADED(copy.at, copy.len, least), FNDSA_E_STATE);
    EXPECT(fndsa_wipe(memory.at, memory.len), FNDSA_OK);
    EXPECT(all_are(memory.at, memory.len, 0), 1);
    EXPECT(SIGN_LOADED(memory.at, memory.len, least), FNDSA_E_STATE);
    /* A bit that changes after the key was loaded. */
    EXPECT(fndsa_load_key(s->id, s->private_key.at, s->private_key.len, memory.at, memory.len, s->work.at, s->work.len), FNDSA_OK);
    memory.at[memory.len / 2] ^= 1;
    EXPECT(SIGN_LOADED(memory.at, memory.len, least), FNDSA_E_FAULT);
    EXPECT(len == 0 && all_are(s->again.at, s->again.len, 0), 1);
    EXPECT(guards_are_intact(memory) && guards_are_intact(copy) && session_intact(s), 1);
}

/* Memory for a basis, and the bytes in it. */
struct flash {
    uint64_t bytes[32816 / 8 + 1];
    size_t used, parts;
};

static void store_part(void *state_of_store, const uint8_t *part, size_t len) {
    struct flash *flash = (struct flash *)state_of_store;
    if (len % 8 == 0 && len <= 8192 && flash->used + len <= sizeof flash->bytes) memcpy((uint8_t *)flash->bytes + flash->used, part, len);
    flash->used += len;
    flash->parts++;
}

typedef int sign_with_basis(const uint8_t *, size_t, const uint8_t *, size_t, const fndsa_form *, const uint8_t *, size_t, uint8_t *, size_t *,
                            const fndsa_random *, void *, size_t);
typedef int write_basis(const uint8_t *, size_t, fndsa_basis_writer, void *, void *, size_t);

/* Signs with a basis. */
static void test_basis(struct session *s, write_basis *write, sign_with_basis *sign, size_t basis_len, size_t work_len) {
    static struct flash flash;
    struct test_random same = state;
    fndsa_random random = { test_fill, NULL };
    uint8_t *at = (uint8_t *)flash.bytes;
    size_t len, i;
#define SIGN_WITH(key, basis_at, basis_bytes, memory_len)                                                               \
    (len = s->again.len, sign((key).at, (key).len, basis_at, basis_bytes, &s->form, s->message.at, s->message.len, \
                              s->again.at, &len, &random, s->work.at, memory_len))
    random.state = &same;
    memset(&flash, 0, sizeof flash);
    EXPECT(write(s->private_key.at, s->private_key.len, store_part, &flash, s->work.at, work_len - 1), FNDSA_E_WORK);
    EXPECT(write(s->private_key.at, s->private_key.len, NULL, &flash, s->work.at, work_len), FNDSA_E_NULL);
    EXPECT(write(s->private_key.at, s->private_key.len - 1, store_part, &flash, s->work.at, work_len), FNDSA_E_KEY);
    EXPECT(write(NULL, s->private_key.len, store_part, &flash, s->work.at, work_len), FNDSA_E_NULL);
    EXPECT(flash.parts, 0);
    EXPECT(write(s->private_key.at, s->private_key.len, store_part, &flash, s->work.at, work_len), FNDSA_OK);
    EXPECT(all_are(s->work.at, work_len, 0), 1);
    EXPECT(flash.used, basis_len);
    sign_whole(s, same);
    EXPECT(SIGN_WITH(s->private_key, at, basis_len, work_len), FNDSA_OK);
    EXPECT(len == s->len && memcmp(s->again.at, s->signature.at, len) == 0, 1);
    EXPECT(all_are(s->work.at, work_len, 0), 1);
    EXPECT(SIGN_WITH(s->other_key, at, basis_len, work_len), FNDSA_E_KEY);
    EXPECT(len == 0 && all_are(s->again.at, s->again.len, 0), 1);
    EXPECT(SIGN_WITH(s->private_key, at, basis_len - 8, work_len), FNDSA_E_LENGTH);
    EXPECT(SIGN_WITH(s->private_key, at + 1, basis_len, work_len), FNDSA_E_ALIGNMENT);
    EXPECT(SIGN_WITH(s->private_key, NULL, basis_len, work_len), FNDSA_E_NULL);
    EXPECT(SIGN_WITH(s->private_key, at, basis_len, work_len - 1), FNDSA_E_WORK);
    EXPECT(SIGN_WITH(s->private_key, s->work.at, basis_len, work_len), FNDSA_E_OVERLAP);
    for (i = 3; i < basis_len; i += basis_len / 5) {
        at[i] ^= 8;
        EXPECT(SIGN_WITH(s->private_key, at, basis_len, work_len), FNDSA_E_KEY);
        at[i] ^= 8;
    }
    EXPECT(SIGN_WITH(s->private_key, at, basis_len, work_len), FNDSA_OK);
    EXPECT(verify(s, s->again.at, len), FNDSA_OK);
    EXPECT(session_intact(s), 1);
}

int main(void) {
    uint8_t secret[9];
    size_t i, round;
    EXPECT(sizeof(fndsa_signer), fndsa_signer_bytes());
    EXPECT(sizeof(fndsa_signer), FNDSA_SIGNER_BYTES);
    memset(secret, 1, sizeof secret);
    EXPECT(fndsa_wipe(secret + 1, sizeof secret - 2), FNDSA_OK);
    EXPECT(secret[0] == 1 && secret[8] == 1 && all_are(secret + 1, 7, 0), 1);
    EXPECT(fndsa_wipe(NULL, 0), FNDSA_OK);
    EXPECT(fndsa_wipe(NULL, 1), FNDSA_E_NULL);
#define LENGTHS(name)                                                                \
    EXPECT(fndsa_loaded_key_bytes(FNDSA_##name), FNDSA_##name##_LOADED_KEY_BYTES - SLACK); \
    EXPECT(fndsa_sign_loaded_work_bytes(FNDSA_##name), FNDSA_##name##_SIGN_LOADED_WORK_BYTES - SLACK)
    LENGTHS(512);
    LENGTHS(1024);
    LENGTHS(FALCON_512);
    LENGTHS(FALCON_1024);
    LENGTHS(FALCON_PADDED_512);
    LENGTHS(FALCON_PADDED_1024);
    EXPECT(fndsa_loaded_key_bytes(1) + fndsa_sign_loaded_work_bytes(1), 0);
    EXPECT(fndsa_sign_cancel(NULL), FNDSA_E_NULL);
    for (i = 0; i < ALGORITHMS; i++) {
        for (round = 0; round < ROUNDS; round++) {
            struct session s = start_session(algorithms[i], round);
            test_sign_in_pieces(&s);
            s = start_session(algorithms[i], round);
            test_without_work_memory(&s);
            test_loaded_key(&s, round);
            if (algorithms[i] == FNDSA_512) {
                test_basis(&s, fndsa_512_write_basis, fndsa_512_sign_with_basis, FNDSA_512_BASIS_BYTES, FNDSA_512_BASIS_WORK_BYTES - SLACK);
            } else if (algorithms[i] == FNDSA_1024) {
                test_basis(&s, fndsa_1024_write_basis, fndsa_1024_sign_with_basis, FNDSA_1024_BASIS_BYTES, FNDSA_1024_BASIS_WORK_BYTES - SLACK);
            }
        }
    }
    return report("signing");
}
