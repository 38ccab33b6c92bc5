/* Tests the published vectors that vectors.py prints, from standard input: keys and signatures from
 * given random bytes, verdicts for messages in memory and in pieces, and the messages in signed
 * messages. */
#include "fndsa.h"
#include "expect.h"

#define MAX_FIELD_BYTES 60000
#define FIELDS 8

struct field {
    uint8_t bytes[MAX_FIELD_BYTES];
    size_t len;
};
static struct field fields[FIELDS];
static uint8_t work[130000];

/* A generator that returns the given bytes, and then fails. */
struct given {
    const uint8_t *bytes;
    size_t len;
};

static int fill(void *state, uint8_t *out, size_t len) {
    struct given *given = (struct given *)state;
    if (given->len < len) return -1;
    memcpy(out, given->bytes, len);
    given->bytes += len;
    given->len -= len;
    return 0;
}

/* Returns the value of a hexadecimal digit, or -1. */
static int digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Reads the next field of a line. Returns 0 at the end of the line. */
static int read_field(struct field *field) {
    int high, low;
    field->len = 0;
    for (;;) {
        high = getchar();
        if (high == '\n' || high == EOF) return 0;
        if (high == ' ') return 1;
        if (high == '-') continue;
        low = getchar();
        if (digit(high) < 0 || digit(low) < 0 || field->len == MAX_FIELD_BYTES) {
            printf("a line of standard input is not a line of vectors.py\n");
            exit(2);
        }
        field->bytes[field->len++] = (uint8_t)(digit(high) << 4 | digit(low));
    }
}

static void test_keygen(uint32_t algorithm, const struct field *seed, const struct field *private_key, const struct field *public_key) {
    static uint8_t made_private[MAX_FIELD_BYTES], made_public[MAX_FIELD_BYTES];
    struct given given;
    fndsa_random random = { fill, NULL };
    given.bytes = seed->bytes;
    given.len = seed->len;
    random.state = &given;
    EXPECT(fndsa_keygen(algorithm, made_private, private_key->len, made_public, public_key->len, &random, work, sizeof work), FNDSA_OK);
    EXPECT(memcmp(made_private, private_key->bytes, private_key->len), 0);
    EXPECT(memcmp(made_public, public_key->bytes, public_key->len), 0);
    EXPECT(given.len, 0);
}

static void test_sign(uint32_t algorithm, uint32_t prehash, const struct field *f) {
    const struct field *private_key = &f[0], *context = &f[1], *message = &f[2], *random_bytes = &f[3], *signature = &f[4];
    static uint8_t made[MAX_FIELD_BYTES];
    struct given given;
    fndsa_random random = { fill, NULL };
    fndsa_form form = { NULL, 0, 0 };
    size_t len = fndsa_signature_bytes(algorithm);
    given.bytes = random_bytes->bytes;
    given.len = random_bytes->len;
    random.state = &given;
    form.context = context->bytes;
    form.context_len = context->len;
    /* The vectors contain digests. Some vectors of NIST have weak pre-hashes. */
    form.prehash = prehash ? prehash | FNDSA_PREHASH_DIGEST | FNDSA_PREHASH_ALLOW_WEAK : 0;
    EXPECT(fndsa_sign(algorithm, private_key->bytes, private_key->len, &form, message->bytes, message->len, made, &len, &random, work,
                      sizeof work),
           FNDSA_OK);
    EXPECT(len, signature->len);
    EXPECT(memcmp(made, signature->bytes, len), 0);
}

/* Verifies the message in two pieces. */
static int verify_pieces(uint32_t algorithm, const struct field *public_key, const fndsa_form *form, const struct field *message,
                         const struct field *signature) {
    fndsa_verifier verifier;
    size_t half = message->len / 2;
    int code = fndsa_verify_begin(&verifier, algorithm, public_key->bytes, public_key->len, form, signature->bytes, signature->len);
    if (code == FNDSA_OK) code = fndsa_verify_update(&verifier, message->bytes, half);
    if (code == FNDSA_OK) code = fndsa_verify_update(&verifier, message->bytes + half, message->len - half);
    if (code != FNDSA_OK) return code;
    return fndsa_verify_finish(&verifier, public_key->bytes, public_key->len, signature->bytes, signature->len, work,
                               fndsa_verify_work_bytes(algorithm));
}

static void test_verify(uint32_t algorithm, const struct field *f, int valid) {
    const struct field *public_key = &f[0], *context = &f[1], *message = &f[2], *signature = &f[3];
    fndsa_form form = { NULL, 0, 0 };
    int whole;
    form.context = context->bytes;
    form.context_len = context->len;
    whole = fndsa_verify(algorithm, public_key->bytes, public_key->len, &form, message->bytes, message->len, signature->bytes,
                         signature->len, work, fndsa_verify_work_bytes(algorithm));
    EXPECT(whole == FNDSA_OK, valid);
    EXPECT(verify_pieces(algorithm, public_key, &form, message, signature), whole);
}

static void test_open_attached(uint32_t algorithm, const struct field *public_key, struct field *signed_message, const struct field *message) {
    size_t len = signed_message->len;
    /* Opens in place: the message is written to the beginning of the signed message. */
    EXPECT(fndsa_open_attached(algorithm, public_key->bytes, public_key->len, NULL, signed_message->bytes, signed_message->len,
                               signed_message->bytes, &len, work, sizeof work),
           FNDSA_OK);
    EXPECT(len, message->len);
    EXPECT(memcmp(signed_message->bytes, message->bytes, len), 0);
}

int main(void) {
    static struct field last;
    char word[16];
    unsigned algorithm, prehash = 0;
    int counts[4] = { 0, 0, 0, 0 };
    while (scanf("%15s %x", word, &algorithm) == 2) {
        size_t i = 0;
        getchar();
        if (strcmp(word, "sign") == 0) {
            read_field(&fields[0]);
            read_field(&fields[1]);
            if (scanf("%u", &prehash) != 1 || getchar() != ' ') return 2;
            i = 2;
        }
        if (strcmp(word, "verify") == 0) {
            int valid;
            for (i = 0; i < 4; i++) read_field(&fields[i]);
            if (scanf("%d", &valid) != 1) return 2;
            test_verify(algorithm, fields, valid);
            counts[2]++;
            continue;
        }
        while (i < FIELDS && read_field(&fields[i])) i++;
        if (strcmp(word, "keygen") == 0 && i == 2) {
            test_keygen(algorithm, &fields[0], &fields[1], &fields[2]);
            counts[0]++;
        } else if (strcmp(word, "sign") == 0 && i == 4) {
            test_sign(algorithm, prehash, fields);
            counts[1]++;
        } else if (strcmp(word, "open") == 0 && i == 2) {
            last = fields[1];
            test_open_attached(algorithm, &fields[0], &last, &fields[2]);
            counts[3]++;
        } else {
            printf("%s with %u fields is not from vectors.py\n", word, (unsigned)i);
            return 2;
        }
    }
    printf("keys: %d, signatures: %d, verdicts: %d, signed messages: %d\n", counts[0], counts[1], counts[2], counts[3]);
    EXPECT(counts[0] > 80 && counts[1] > 90 && counts[2] > 500 && counts[3] == 200, 1);
    return report("vectors");
}
