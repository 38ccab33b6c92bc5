/* Prints the constant key of a boot loader: checks a raw public key, which `fndsa keygen --format raw` writes, and prints its hash and
 * its bytes as C. For example: boot_key fndsa_ml_dsa_44 boot.pub >boot_key.h */
#include "fndsa.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t algorithm;
} names[] = {
    { "fndsa_512", FNDSA_512 },
    { "fndsa_1024", FNDSA_1024 },
    { "fndsa_ml_dsa_44", FNDSA_ML_DSA_44 },
    { "fndsa_ml_dsa_65", FNDSA_ML_DSA_65 },
    { "fndsa_ml_dsa_87", FNDSA_ML_DSA_87 },
};

static void print_bytes(const uint8_t *bytes, size_t len) {
    size_t i;
    for (i = 0; i < len; i++) printf("%s%u,", i % 16 == 0 ? "\n        " : " ", (unsigned)bytes[i]);
}

int main(int argc, char **argv) {
    static uint8_t public_key[FNDSA_ML_DSA_87_PUBLIC_KEY_BYTES + 1], key[sizeof(fndsa_ml_dsa_87_boot_key)];
    size_t i, len;
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (file == NULL) return fputs("usage: boot_key ALGORITHM FILE.pub, for example: boot_key fndsa_ml_dsa_44 boot.pub\n", stderr), 2;
    len = fread(public_key, 1, sizeof public_key, file);
    fclose(file);
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, argv[1]) == 0) {
            const size_t key_len = FNDSA_BOOT_HASH_BYTES + fndsa_public_key_bytes(names[i].algorithm);
            const int code = fndsa_boot_key(names[i].algorithm, public_key, len, key, key_len);
            if (code != FNDSA_OK) return fprintf(stderr, "%s: %s\n", argv[2], fndsa_strerror(code)), 1;
            printf("static const %s_boot_key boot_key = {\n    {", argv[1]);
            print_bytes(key, FNDSA_BOOT_HASH_BYTES);
            printf("\n    },\n    {");
            print_bytes(key + FNDSA_BOOT_HASH_BYTES, key_len - FNDSA_BOOT_HASH_BYTES);
            printf("\n    },\n};\n");
            return 0;
        }
    }
    return fprintf(stderr, "%s: no algorithm for boot loaders has this name\n", argv[1]), 2;
}
