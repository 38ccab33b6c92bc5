/* Tests the functions with the names of NIST's call, as PQClean's tests do. If PQClean's code is
 * linked, also checks that both libraries make the same bytes, and that each library returns the
 * right verdict for the other library's signatures. */
#include "guarded.h"
#include "nist.h"

static struct test_random state = { 0x0123456789abcdefu, -1 };

/* The generator that both libraries call. */
int PQCLEAN_randombytes(uint8_t *out, size_t len) {
    return test_fill(&state, out, len);
}

/* Keys, a message, its signature and its signed message, in guarded memory. */
struct session {
    struct guarded pk, sk, m, sig, sm, out;
    size_t siglen, smlen;
};

static struct session start_session(const struct nist *n, size_t round) {
    struct session s;
    size_t mlen = round * 53 % 200;
    memset(&s, 0, sizeof s);
    arena_used = 0;
    s.pk = allocate_guarded(n->public_len, round % 8);
    s.sk = allocate_guarded(n->private_len, (round + 3) % 8);
    s.m = allocate_guarded(mlen, (round + 5) % 8);
    s.sig = allocate_guarded(n->signature_len, (round + 1) % 8);
    s.sm = allocate_guarded(mlen + n->signature_len, (round + 6) % 8);
    s.out = allocate_guarded(mlen + n->signature_len, (round + 2) % 8);
    test_fill(&state, s.m.at, mlen);
    return s;
}

static int session_intact(const struct session *s) {
    return guards_are_intact(s->pk) && guards_are_intact(s->sk) && guards_are_intact(s->m) && guards_are_intact(s->sig) && guards_are_intact(s->sm) && guards_are_intact(s->out);
}

/* Signs with a library, and verifies with the same or another library. */
static void test_round_trip(const struct nist *signer, const struct nist *verifier, size_t round) {
    struct session s = start_session(signer, round);
    size_t mlen = s.m.len, outlen = 1, i;
    EXPECT(signer->keypair(s.pk.at, s.sk.at), 0);
    EXPECT(signer->signature(s.sig.at, &s.siglen, s.m.at, mlen, s.sk.at), 0);
    EXPECT(s.siglen <= signer->signature_len, 1);
    EXPECT(verifier->verify(s.sig.at, s.siglen, s.m.at, mlen, s.pk.at), 0);
    EXPECT(signer->sign(s.sm.at, &s.smlen, s.m.at, mlen, s.sk.at), 0);
    EXPECT(verifier->open(s.out.at, &outlen, s.sm.at, s.smlen, s.pk.at), 0);
    EXPECT(outlen, mlen);
    EXPECT(memcmp(s.out.at, s.m.at, mlen), 0);
    EXPECT(session_intact(&s), 1);
    /* Signs and opens in place, as the tests of NIST's call do. PQClean does not sign in place
     * here, because its padded Falcon hashes a message that it has already overwritten. */
    memcpy(s.sm.at, s.m.at, mlen);
    EXPECT(signer->sign(s.sm.at, &s.smlen, signer >= ours && signer < ours + SCHEMES ? s.sm.at : s.m.at, mlen, s.sk.at), 0);
    EXPECT(verifier->open(s.sm.at, &outlen, s.sm.at, s.smlen, s.pk.at), 0);
    EXPECT(outlen, mlen);
    EXPECT(memcmp(s.sm.at, s.m.at, mlen), 0);
    /* Both libraries reject the same changed signatures. */
    for (i = 0; i < s.siglen; i += s.siglen / 23) {
        s.sig.at[i] ^= (uint8_t)(1 << round % 8);
        EXPECT(verifier->verify(s.sig.at, s.siglen, s.m.at, mlen, s.pk.at), -1);
        EXPECT(signer->verify(s.sig.at, s.siglen, s.m.at, mlen, s.pk.at), -1);
        s.sig.at[i] ^= (uint8_t)(1 << round % 8);
    }
    for (i = 0; i < s.siglen; i += 1 + s.siglen / 9) {
        EXPECT(verifier->verify(s.sig.at, i, s.m.at, mlen, s.pk.at), -1);
    }
    EXPECT(verifier->verify(s.sig.at, s.siglen - 1, s.m.at, mlen, s.pk.at), -1);
    /* Both libraries also reject a changed signed message (length, headers and nonce first), and a
     * shortened signed message. */
    EXPECT(signer->sign(s.sm.at, &s.smlen, s.m.at, mlen, s.sk.at), 0);
    for (i = 0; i < s.smlen; i += i < 4 ? 1 : s.smlen / 17) {
        s.sm.at[i] ^= (uint8_t)(1 << (round + i) % 8);
        EXPECT(verifier->open(s.out.at, &outlen, s.sm.at, s.smlen, s.pk.at), -1);
        EXPECT(signer->open(s.out.at, &outlen, s.sm.at, s.smlen, s.pk.at), -1);
        s.sm.at[i] ^= (uint8_t)(1 << (round + i) % 8);
        EXPECT(verifier->open(s.out.at, &outlen, s.sm.at, i, s.pk.at), -1);
        EXPECT(signer->open(s.out.at, &outlen, s.sm.at, i, s.pk.at), -1);
    }
    EXPECT(verifier->verify(s.sig.at, s.siglen, s.m.at, mlen, s.pk.at), 0);
    EXPECT(session_intact(&s), 1);
}

/* Tests the errors that PQClean does not detect: null pointers, overlaps, bad keys, and a generator
 * that fails. */
static void test_rejected_arguments(const struct nist *n) {
    struct session s = start_session(n, 9);
    size_t len = 1;
    EXPECT(n->keypair(s.pk.at, s.sk.at), 0);
    EXPECT(n->keypair(NULL, s.sk.at), -1);
    EXPECT(n->keypair(s.pk.at, NULL), -1);
    EXPECT(n->signature(s.sig.at, NULL, s.m.at, 1, s.sk.at), -1);
    EXPECT(n->signature(NULL, &len, s.m.at, 1, s.sk.at), -1);
    EXPECT(len, 0);
    EXPECT(n->signature(s.sig.at, &len, NULL, 1, s.sk.at), -1);
    EXPECT(n->signature(s.sig.at, &len, s.m.at, 1, NULL), -1);
    EXPECT(n->signature(s.sig.at, &len, s.sig.at + 9, 1, s.sk.at), -1);
    EXPECT(n->signature(s.sk.at, &len, s.m.at, 1, s.sk.at), -1);
    EXPECT(is_untouched(s.sig), 1);
    EXPECT(n->signature(s.sig.at, &len, NULL, 0, s.sk.at), 0);
    EXPECT(n->verify(s.sig.at, len, NULL, 0, s.pk.at), 0);
    EXPECT(n->verify(s.sig.at, len, s.m.at, 1, s.pk.at), -1);
    EXPECT(n->verify(NULL, len, NULL, 0, s.pk.at), -1);
    EXPECT(n->verify(s.sig.at, len, NULL, 0, NULL), -1);
    EXPECT(n->sign(NULL, &len, s.m.at, 1, s.sk.at), -1);
    EXPECT(n->sign(s.sm.at, NULL, s.m.at, 1, s.sk.at), -1);
    EXPECT(is_untouched(s.sm), 1);
    EXPECT(n->sign(s.sm.at, &s.smlen, s.m.at, s.m.len, s.sk.at), 0);
    EXPECT(n->open(s.out.at, NULL, s.sm.at, s.smlen, s.pk.at), -1);
    EXPECT(n->open(NULL, &len, s.sm.at, s.smlen, s.pk.at), -1);
    EXPECT(n->open(s.out.at, &len, NULL, s.smlen, s.pk.at), -1);
    s.sm.at[s.smlen - 1] ^= 1;
    EXPECT(n->open(s.out.at, &len, s.sm.at, s.smlen, s.pk.at), -1);
    EXPECT(len, 0);
    EXPECT(is_untouched(s.out), 1);
    s.sk.at[1] ^= 0x10;
    EXPECT(n->signature(s.sig.at, &len, s.m.at, 1, s.sk.at), -1);
    EXPECT(len, 0);
    EXPECT(all_are(s.sig.at, s.sig.len, 0), 1);
    state.left = 0;
    EXPECT(n->keypair(s.pk.at, s.sk.at), -1);
    EXPECT(all_are(s.pk.at, s.pk.len, 0) && all_are(s.sk.at, s.sk.len, 0), 1);
    state.left = -1;
    EXPECT(session_intact(&s), 1);
}

static void test_contexts(const struct nist_context *signer, const struct nist_context *verifier, const struct nist *n) {
    static uint8_t context[256];
    size_t len, outlen, ctxlen;
    for (ctxlen = 0; ctxlen <= 255; ctxlen += 85) {
        struct session s = start_session(n, 2);
        EXPECT(n->keypair(s.pk.at, s.sk.at), 0);
        EXPECT(signer->signature(s.sig.at, &len, s.m.at, s.m.len, context, ctxlen, s.sk.at), 0);
        EXPECT(verifier->verify(s.sig.at, len, s.m.at, s.m.len, context, ctxlen, s.pk.at), 0);
        EXPECT(verifier->verify(s.sig.at, len, s.m.at, s.m.len, context, ctxlen ^ 1, s.pk.at), -1);
        EXPECT(signer->sign(s.sm.at, &s.smlen, s.m.at, s.m.len, context, ctxlen, s.sk.at), 0);
        EXPECT(verifier->open(s.out.at, &outlen, s.sm.at, s.smlen, context, ctxlen, s.pk.at), 0);
        EXPECT(outlen == s.m.len && memcmp(s.out.at, s.m.at, outlen) == 0, 1);
        EXPECT(signer->signature(s.sig.at, &len, s.m.at, s.m.len, context, 256, s.sk.at), -1);
    }
}

#ifdef WITH_PQCLEAN
/* Checks that both libraries make the same ML-DSA keys and signatures from the same random bytes,
 * as the standard requires. */
static void test_same_bytes(const struct nist *a, const struct nist *b, size_t round) {
    struct test_random before = state;
    struct session ours_made = start_session(a, round), theirs_made;
    uint8_t *kept[5];
    size_t lengths[5], i;
    EXPECT(a->keypair(ours_made.pk.at, ours_made.sk.at), 0);
    EXPECT(a->signature(ours_made.sig.at, &ours_made.siglen, ours_made.m.at, ours_made.m.len, ours_made.sk.at), 0);
    EXPECT(a->sign(ours_made.sm.at, &ours_made.smlen, ours_made.m.at, ours_made.m.len, ours_made.sk.at), 0);
    kept[0] = ours_made.pk.at, lengths[0] = ours_made.pk.len;
    kept[1] = ours_made.sk.at, lengths[1] = ours_made.sk.len;
    kept[2] = ours_made.sig.at, lengths[2] = ours_made.siglen;
    kept[3] = ours_made.sm.at, lengths[3] = ours_made.smlen;
    kept[4] = ours_made.m.at, lengths[4] = ours_made.m.len;
    for (i = 0; i < 5; i++) {
        uint8_t *copy = (uint8_t *)malloc(lengths[i] + 1);
        memcpy(copy, kept[i], lengths[i]);
        kept[i] = copy;
    }
    state = before;
    theirs_made = start_session(b, round);
    EXPECT(b->keypair(theirs_made.pk.at, theirs_made.sk.at), 0);
    EXPECT(b->signature(theirs_made.sig.at, &theirs_made.siglen, theirs_made.m.at, theirs_made.m.len, theirs_made.sk.at), 0);
    EXPECT(b->sign(theirs_made.sm.at, &theirs_made.smlen, theirs_made.m.at, theirs_made.m.len, theirs_made.sk.at), 0);
    EXPECT(memcmp(theirs_made.pk.at, kept[0], lengths[0]), 0);
    EXPECT(memcmp(theirs_made.sk.at, kept[1], lengths[1]), 0);
    EXPECT(theirs_made.siglen == lengths[2] && memcmp(theirs_made.sig.at, kept[2], lengths[2]) == 0, 1);
    EXPECT(theirs_made.smlen == lengths[3] && memcmp(theirs_made.sm.at, kept[3], lengths[3]) == 0, 1);
    EXPECT(memcmp(theirs_made.m.at, kept[4], lengths[4]), 0);
    for (i = 0; i < 5; i++) free(kept[i]);
}

/* Signs with a key of the other library, and compares the names and lengths of both libraries. */
static void test_both_libraries(const struct nist *a, const struct nist *b, size_t round) {
    struct session s = start_session(a, round);
    EXPECT(a->keypair(s.pk.at, s.sk.at), 0);
    EXPECT(b->signature(s.sig.at, &s.siglen, s.m.at, s.m.len, s.sk.at), 0);
    EXPECT(a->verify(s.sig.at, s.siglen, s.m.at, s.m.len, s.pk.at), 0);
    EXPECT(b->verify(s.sig.at, s.siglen, s.m.at, s.m.len, s.pk.at), 0);
    EXPECT(strcmp(a->name, b->name), 0);
    EXPECT(a->public_len == b->public_len && a->private_len == b->private_len && a->signature_len == b->signature_len, 1);
}
#endif

int main(void) {
    size_t i, round;
    for (i = 0; i < SCHEMES; i++) {
        for (round = 0; round < 8; round++) {
            test_round_trip(&ours[i], &ours[i], round);
#ifdef WITH_PQCLEAN
            test_round_trip(&ours[i], &theirs[i], round);
            test_round_trip(&theirs[i], &ours[i], round);
            test_both_libraries(&ours[i], &theirs[i], round);
            test_both_libraries(&theirs[i], &ours[i], round);
            if (i >= 4) test_same_bytes(&ours[i], &theirs[i], round);
#endif
        }
        test_rejected_arguments(&ours[i]);
    }
#ifdef WITH_PQCLEAN
    /* Verifies padded signatures with the functions for compressed signatures. Both libraries must
     * agree. */
    for (i = 0; i < 2; i++) {
        struct session s = start_session(&ours[i + 2], 4);
        EXPECT(ours[i + 2].keypair(s.pk.at, s.sk.at), 0);
        EXPECT(ours[i + 2].signature(s.sig.at, &s.siglen, s.m.at, s.m.len, s.sk.at), 0);
        EXPECT(ours[i].verify(s.sig.at, s.siglen, s.m.at, s.m.len, s.pk.at), theirs[i].verify(s.sig.at, s.siglen, s.m.at, s.m.len, s.pk.at));
    }
    test_contexts(&ours_with_context, &theirs_with_context, &theirs[4]);
    test_contexts(&theirs_with_context, &ours_with_context, &ours[4]);
#endif
    test_contexts(&ours_with_context, &ours_with_context, &ours[4]);
    return report("nist");
}
