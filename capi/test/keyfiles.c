/* Reads and writes the contents of files with keys and signatures.
 *
 * keyfiles test: tests arguments and formats.
 * keyfiles read private|public|signature ALGORITHM FILE OUT [PASSWORD]: reads FILE, prints the code, the algorithm and the report,
 * and writes the bytes to OUT. keyfiles write private|public|signature ALGORITHM FORMAT FILE OUT [PASSWORD]: the reverse. Numbers
 * of algorithms are hexadecimal. */
#include "fndsa.h"
#include "guarded.h"

static const uint32_t algorithms[] = {
    FNDSA_512,       FNDSA_1024,      FNDSA_FALCON_512, FNDSA_FALCON_1024, FNDSA_FALCON_PADDED_512, FNDSA_FALCON_PADDED_1024,
    FNDSA_ML_DSA_44, FNDSA_ML_DSA_65, FNDSA_ML_DSA_87,  FNDSA_ED25519,     FNDSA_ML_DSA_44_ED25519, FNDSA_ML_DSA_65_ED25519,
};
#define ALGORITHMS (sizeof algorithms / sizeof *algorithms)

static struct test_random state = { 0x9e3779b97f4a7c15u, -1 };
static const fndsa_random random_bytes = { test_fill, &state };
static const uint8_t password[] = "a password";

enum kind { PRIVATE, PUBLIC, SIGNATURE };

static int read_kind(enum kind kind, uint32_t algorithm, const uint8_t *file, size_t len, const uint8_t *word, size_t word_len, uint32_t *found,
                     uint8_t *out, size_t *out_len, char *text, size_t text_len) {
    switch (kind) {
    case PRIVATE: return fndsa_read_private_key(algorithm, file, len, word, word_len, found, out, out_len, text, text_len);
    case PUBLIC: return fndsa_read_public_key(algorithm, file, len, found, out, out_len, text, text_len);
    default: return fndsa_read_signature(algorithm, file, len, found, out, out_len, text, text_len);
    }
}

static int write_kind(enum kind kind, uint32_t algorithm, const uint8_t *bytes, size_t len, uint32_t format, const uint8_t *word, size_t word_len,
                      uint8_t *file, size_t *file_len) {
    switch (kind) {
    case PRIVATE: return fndsa_write_private_key(algorithm, bytes, len, format, word, word_len, &random_bytes, file, file_len);
    case PUBLIC: return fndsa_write_public_key(algorithm, bytes, len, format, file, file_len);
    default: return fndsa_write_signature(algorithm, bytes, len, format, file, file_len);
    }
}

/* Returns whether the algorithm is ML-DSA and Ed25519 together. */
static int is_composite(uint32_t algorithm) {
    return algorithm == FNDSA_ML_DSA_44_ED25519 || algorithm == FNDSA_ML_DSA_65_ED25519;
}

/* Returns whether this kind of object of this algorithm has a format. */
static int has_format(enum kind kind, uint32_t algorithm, uint32_t format, int with_password) {
    if (with_password) return format == FNDSA_FORMAT_PKCS8 || format == FNDSA_FORMAT_PKCS8_DER;
    switch (format) {
    case FNDSA_FORMAT_PEM: return 1;
    case FNDSA_FORMAT_RAW: return kind == SIGNATURE || !(algorithm == FNDSA_ED25519 || (is_composite(algorithm) && kind == PRIVATE));
    case FNDSA_FORMAT_PKCS8:
    case FNDSA_FORMAT_PKCS8_DER: return kind == PRIVATE;
    case FNDSA_FORMAT_SPKI:
    case FNDSA_FORMAT_SPKI_DER: return kind == PUBLIC;
    default: return 0;
    }
}

/* Writes an object in all formats and reads it again. Updates *longest, the length of the longest file. */
static void test_formats(enum kind kind, uint32_t algorithm, struct guarded object, const uint8_t *word, size_t *longest) {
    const size_t word_len = word == NULL ? 0 : sizeof password - 1;
    uint32_t format;
    for (format = 0; format < 8; format++) {
        struct guarded file = allocate_guarded(FNDSA_MAX_FILE_BYTES, format), again = allocate_guarded(FNDSA_MAX_PRIVATE_KEY_BYTES, format);
        size_t len = file.len, again_len = again.len;
        uint32_t found = 7;
        char text[200] = "";
        int expected;
        if (!has_format(kind, algorithm, format, word != NULL)) {
            EXPECT(write_kind(kind, algorithm, object.at, object.len, format, word, word_len, file.at, &len), FNDSA_E_FORMAT);
            EXPECT(len == 0 && all_are(file.at, file.len, 0), 1);
            continue;
        }
        EXPECT(write_kind(kind, algorithm, object.at, object.len, format, word, word_len, file.at, &len), FNDSA_OK);
        EXPECT(all_are(file.at + len, file.len - len, 0), 1);
        if (len > *longest) *longest = len;
        EXPECT(read_kind(kind, algorithm, file.at, len, word, word_len, &found, again.at, &again_len, text, sizeof text), FNDSA_OK);
        EXPECT(text[0], 0);
        EXPECT(found, algorithm);
        EXPECT(again_len == object.len && memcmp(again.at, object.at, again_len) == 0, 1);
        EXPECT(all_are(again.at + again_len, again.len - again_len, 0), 1);
        again_len = again.len;
        EXPECT(read_kind(kind, algorithm, file.at, len, word, word_len, NULL, again.at, &again_len, NULL, 0), FNDSA_OK);
        /* Reads the file without an expected algorithm. Raw files of 32 bytes do not show their algorithm. */
        again_len = again.len;
        expected = format == FNDSA_FORMAT_RAW && object.len == 32 ? FNDSA_E_FILE : FNDSA_OK;
        EXPECT(read_kind(kind, FNDSA_ANY_ALGORITHM, file.at, len, word, word_len, &found, again.at, &again_len, text, sizeof text), expected);
        EXPECT(found, expected == FNDSA_OK ? algorithm & 0xfff : 0);
        EXPECT((text[0] != 0) == (expected != FNDSA_OK), 1);
        again_len = again.len;
        EXPECT(read_kind(kind, FNDSA_ANY_ALGORITHM, file.at, len, word, word_len, NULL, again.at, &again_len, NULL, 0), FNDSA_E_NULL);
        EXPECT(again_len, 0);
        /* Another algorithm, another kind, a short buffer, a cut file. */
        again_len = again.len;
        if (!(format == FNDSA_FORMAT_RAW && object.len == 32)) {
            EXPECT(read_kind(kind, (algorithm & 0xf00) == 0x500 ? FNDSA_512 : FNDSA_ML_DSA_44, file.at, len, word, word_len, &found, again.at,
                             &again_len, text, sizeof text),
                   FNDSA_E_FILE);
            EXPECT(found == 0 && again_len == 0 && all_are(again.at, again.len, 0) && strlen(text) > 10, 1);
            again_len = again.len;
            EXPECT(read_kind(kind == PUBLIC ? SIGNATURE : PUBLIC, algorithm, file.at, len, NULL, 0, NULL, again.at, &again_len, text, 12),
                   FNDSA_E_FILE);
            EXPECT(strlen(text), 11);
        }
        again_len = object.len - 1;
        EXPECT(read_kind(kind, algorithm, file.at, len, word, word_len, NULL, again.at, &again_len, NULL, 0), FNDSA_E_LENGTH);
        EXPECT(all_are(again.at, again.len, 0), 1);
        again_len = again.len;
        EXPECT(read_kind(kind, algorithm, file.at, len - 2, word, word_len, NULL, again.at, &again_len, NULL, 0), FNDSA_E_FILE);
        len -= 1;
        EXPECT(write_kind(kind, algorithm, object.at, object.len, format, word, word_len, file.at, &len), FNDSA_E_LENGTH);
        EXPECT(len == 0 && guards_are_intact(file) && guards_are_intact(again), 1);
    }
}

static struct guarded copy_of(struct guarded from, size_t len) {
    struct guarded to = allocate_guarded(len, 1);
    memcpy(to.at, from.at, len);
    return to;
}

/* Tests the files of an algorithm. */
static void test_files(uint32_t algorithm, int expanded, size_t *longest) {
    struct guarded private_key, public_key, signature, damaged;
    size_t len;
    arena_used = 0;
    private_key = allocate_guarded(expanded ? fndsa_expanded_key_bytes(algorithm) : fndsa_private_key_bytes(algorithm), 1);
    public_key = allocate_guarded(fndsa_public_key_bytes(algorithm), 2);
    signature = allocate_guarded(fndsa_signature_bytes(algorithm), 3);
    len = signature.len;
    EXPECT(private_key.len <= FNDSA_MAX_PRIVATE_KEY_BYTES && public_key.len <= FNDSA_MAX_PUBLIC_KEY_BYTES, 1);
    EXPECT(signature.len <= FNDSA_MAX_SIGNATURE_BYTES, 1);
    EXPECT(fndsa_keygen(algorithm, private_key.at, private_key.len, public_key.at, public_key.len, &random_bytes, NULL, 0), FNDSA_OK);
    EXPECT(fndsa_sign(algorithm, private_key.at, private_key.len, NULL, password, 3, signature.at, &len, &random_bytes, NULL, 0), FNDSA_OK);
    signature = copy_of(signature, len);
    test_formats(PRIVATE, algorithm, private_key, NULL, longest);
    test_formats(PUBLIC, algorithm, public_key, NULL, longest);
    test_formats(SIGNATURE, algorithm, signature, NULL, longest);
    arena_used = (size_t)(signature.block - (uint8_t *)arena) + 2 * signature.len + 100;
    /* The password check is slow by design, so only the smallest and the longest keys are encrypted. */
    if (algorithm == FNDSA_ED25519 || (algorithm == FNDSA_ML_DSA_87 && expanded)) test_formats(PRIVATE, algorithm, private_key, password, longest);
    /* Damaged objects are not written. */
    damaged = allocate_guarded(FNDSA_MAX_FILE_BYTES, 0);
    len = damaged.len;
    EXPECT(write_kind(PUBLIC, algorithm, public_key.at, public_key.len, FNDSA_FORMAT_PEM, NULL, 0, NULL, &len), FNDSA_E_NULL);
    EXPECT(len, 0);
    EXPECT(write_kind(PUBLIC, algorithm, public_key.at, public_key.len, FNDSA_FORMAT_PEM, NULL, 0, damaged.at, NULL), FNDSA_E_NULL);
    EXPECT(is_untouched(damaged), 1);
    damaged = copy_of(private_key, private_key.len);
    if (private_key.len > 64) { /* every seed is a valid key */
        struct guarded file = allocate_guarded(FNDSA_MAX_FILE_BYTES, 0);
        damaged.at[200] ^= 0x10;
        damaged.at[201] ^= 0xff;
        len = file.len;
        EXPECT(write_kind(PRIVATE, algorithm, damaged.at, damaged.len, FNDSA_FORMAT_PEM, NULL, 0, file.at, &len), FNDSA_E_KEY);
        len = file.len;
        EXPECT(write_kind(PRIVATE, algorithm, private_key.at, private_key.len - 1, FNDSA_FORMAT_PEM, NULL, 0, file.at, &len), FNDSA_E_KEY);
        len = file.len;
        EXPECT(write_kind(PUBLIC, algorithm, public_key.at, public_key.len - 1, FNDSA_FORMAT_PEM, NULL, 0, file.at, &len), FNDSA_E_KEY);
        len = file.len;
        EXPECT(write_kind(SIGNATURE, algorithm, signature.at, 40, FNDSA_FORMAT_PEM, NULL, 0, file.at, &len), FNDSA_E_NOT_VALID);
        len = file.len;
        EXPECT(write_kind(PRIVATE, algorithm, NULL, private_key.len, FNDSA_FORMAT_PEM, NULL, 0, file.at, &len), FNDSA_E_NULL);
        EXPECT(all_are(file.at, file.len, 0), 1);
        len = file.len;
        EXPECT(write_kind(PRIVATE, algorithm, file.at, private_key.len, FNDSA_FORMAT_PEM, NULL, 0, file.at, &len), FNDSA_E_OVERLAP);
        EXPECT(write_kind(PRIVATE, 1, private_key.at, private_key.len, FNDSA_FORMAT_PEM, NULL, 0, file.at, &len), FNDSA_E_ALGORITHM);
    }
}

/* Tests passwords. */
static void test_passwords(void) {
    static uint8_t file[FNDSA_MAX_FILE_BYTES], plain[FNDSA_MAX_FILE_BYTES];
    uint8_t private_key[32], public_key[32], again[32];
    struct test_random failing = { 1, 0 };
    fndsa_random none = { test_fill, NULL };
    size_t len = sizeof file, plain_len = sizeof plain, again_len = sizeof again;
    char text[100] = "";
    none.state = &failing;
#define READ(bytes, bytes_len, word, word_len)                                                                               \
    (again_len = sizeof again, fndsa_read_private_key(FNDSA_ED25519, bytes, bytes_len, (const uint8_t *)(word), word_len, NULL, again, \
                                                      &again_len, text, sizeof text))
    EXPECT(fndsa_keygen(FNDSA_ED25519, private_key, 32, public_key, 32, &random_bytes, NULL, 0), FNDSA_OK);
    EXPECT(fndsa_write_private_key(FNDSA_ED25519, private_key, 32, FNDSA_FORMAT_PKCS8, NULL, 0, NULL, plain, &plain_len), FNDSA_OK);
    EXPECT(fndsa_write_private_key(FNDSA_ED25519, private_key, 32, FNDSA_FORMAT_PKCS8, password, sizeof password, &none, file, &len),
           FNDSA_E_RANDOM);
    EXPECT(len == 0 && all_are(file, sizeof file, 0), 1);
    len = sizeof file;
    EXPECT(fndsa_write_private_key(FNDSA_ED25519, private_key, 32, FNDSA_FORMAT_PKCS8, password, sizeof password, NULL, file, &len), FNDSA_OK);
    EXPECT(READ(file, len, password, sizeof password), FNDSA_OK);
    EXPECT(memcmp(again, private_key, 32), 0);
    EXPECT(READ(file, len, "A password", sizeof password), FNDSA_E_PASSWORD);
    EXPECT(all_are(again, 32, 0) && strcmp(text, "the password is wrong, or the file is damaged") == 0, 1);
    EXPECT(READ(file, len, NULL, 0), FNDSA_E_PASSWORD);
    EXPECT(strcmp(text, "the private key is encrypted: pass its password"), 0);
    EXPECT(READ(file, len, "", 0), FNDSA_E_PASSWORD);
    EXPECT(READ(plain, plain_len, password, 3), FNDSA_E_PASSWORD);
    EXPECT(strcmp(text, "there is a password, but the file is not encrypted"), 0);
    EXPECT(READ(plain, plain_len, NULL, 0), FNDSA_OK);
    EXPECT(READ(NULL, plain_len, NULL, 0), FNDSA_E_NULL);
    EXPECT(READ(NULL, 0, NULL, 0), FNDSA_E_FILE);
    EXPECT(READ((const uint8_t *)"abc", 3, NULL, 0), FNDSA_E_FILE);
    EXPECT(READ(again, sizeof again, NULL, 0), FNDSA_E_OVERLAP);
    text[0] = 'x';
    EXPECT(fndsa_read_private_key(1, plain, plain_len, NULL, 0, NULL, again, &again_len, text, sizeof text), FNDSA_E_ALGORITHM);
    EXPECT(text[0], 0);
}

static size_t load(const char *name, uint8_t *out, size_t room) {
    FILE *file = fopen(name, "rb");
    size_t len;
    if (file == NULL) exit(2);
    len = fread(out, 1, room, file);
    fclose(file);
    return len;
}

static void save(const char *name, const uint8_t *bytes, size_t len) {
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(bytes, 1, len, file) != len || fclose(file) != 0) exit(2);
}

static enum kind kind_of(const char *name) {
    return strcmp(name, "private") == 0 ? PRIVATE : strcmp(name, "public") == 0 ? PUBLIC : SIGNATURE;
}

int main(int argc, char **argv) {
    static uint8_t in[100000], out[100000];
    size_t len = sizeof out, longest = 0, i;
    uint32_t found;
    char text[300] = "";
    int code;
    if (argc >= 6 && strcmp(argv[1], "read") == 0) {
        const uint8_t *word = argc > 6 ? (const uint8_t *)argv[6] : NULL;
        const size_t in_len = load(argv[4], in, sizeof in);
        code = read_kind(kind_of(argv[2]), (uint32_t)strtoul(argv[3], NULL, 16), in, in_len, word, word == NULL ? 0 : strlen(argv[6]), &found, out,
                         &len, text, sizeof text);
        printf("%d %04x %s\n", code, (unsigned)found, text);
        if (code == FNDSA_OK) save(argv[5], out, len);
        return 0;
    }
    if (argc >= 7 && strcmp(argv[1], "write") == 0) {
        const uint8_t *word = argc > 7 ? (const uint8_t *)argv[7] : NULL;
        const size_t in_len = load(argv[5], in, sizeof in);
        code = write_kind(kind_of(argv[2]), (uint32_t)strtoul(argv[3], NULL, 16), in, in_len, (uint32_t)strtoul(argv[4], NULL, 10), word,
                          word == NULL ? 0 : strlen(argv[7]), out, &len);
        printf("%d\n", code);
        if (code == FNDSA_OK) save(argv[6], out, len);
        return 0;
    }
    for (i = 0; i < ALGORITHMS; i++) {
        test_files(algorithms[i], 0, &longest);
        if (fndsa_expanded_key_bytes(algorithms[i]) != fndsa_private_key_bytes(algorithms[i])) test_files(algorithms[i], 1, &longest);
    }
    test_passwords();
    EXPECT(longest <= FNDSA_MAX_FILE_BYTES && longest > FNDSA_MAX_FILE_BYTES / 4 * 3, 1);
    return report("keyfiles");
}
