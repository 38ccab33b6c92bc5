/* Tests fndsa_verify_policy with signature files of SSH, JOSE and CMS: the cases of formats.py from
 * standard input, and arguments that must not give a YES. */
#include "expect.h"
#include "fndsa.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE (1 << 20)
#define FIELDS 10

/* Decodes a field in hexadecimal to newly allocated memory. */
static uint8_t *decode_field(const char *field, size_t *len) {
    *len = strlen(field) / 2;
    uint8_t *out = malloc(*len + 1);
    for (size_t i = 0; i < *len; i++) {
        const char digits[3] = {field[2 * i], field[2 * i + 1], 0};
        out[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return out;
}

/* Decodes a text. Returns NULL for the field `-`. */
static char *decode_text(const char *field, size_t *len) {
    *len = 0;
    return strcmp(field, "-") == 0 ? NULL : (char *)decode_field(field, len);
}

/* Tests arguments that are errors, with a policy for SSH that gives a YES. */
static void test_wrong_arguments(fndsa_policy good, const uint8_t *message, size_t message_len, const uint8_t *signatures,
                                 size_t signatures_len) {
    char text[400];
#define VERIFY(policy, form) fndsa_verify_policy(policy, form, message, message_len, signatures, signatures_len, text, sizeof text)
    EXPECT(VERIFY(&good, NULL), FNDSA_OK);
    EXPECT(strstr(text, "sha256:") != NULL, 1);
    fndsa_policy policy = good;
    for (uint32_t format = 4; format < 40; format++) {
        policy.signature_format = format;
        EXPECT(VERIFY(&policy, NULL), FNDSA_E_POLICY);
        EXPECT(strstr(text, "is no format of signature files") != NULL, 1);
    }
    policy.signature_format = UINT32_MAX;
    EXPECT(VERIFY(&policy, NULL), FNDSA_E_POLICY);
    for (uint32_t format = 0; format < 4; format++) {
        if (format == FNDSA_SIGNATURE_FORMAT_SSH) continue;
        policy.signature_format = format;
        EXPECT(VERIFY(&policy, NULL), FNDSA_E_POLICY);
        EXPECT(strstr(text, "ssh_namespace") != NULL, 1);
    }
    policy = good;
    policy.ssh_namespace = NULL;
    EXPECT(VERIFY(&policy, NULL), FNDSA_E_NULL);
    policy.ssh_namespace_len = 0;
    EXPECT(VERIFY(&policy, NULL), FNDSA_E_POLICY);
    EXPECT(strstr(text, "ssh_namespace") != NULL, 1);
    policy.ssh_namespace = "\xff";
    policy.ssh_namespace_len = 1;
    EXPECT(VERIFY(&policy, NULL), FNDSA_E_POLICY);
    policy = good;
    policy.signer_len = 1;
    EXPECT(VERIFY(&policy, NULL), FNDSA_E_NULL);
    policy.signer = "alice\nrevoked: no";
    policy.signer_len = strlen(policy.signer);
    EXPECT(VERIFY(&policy, NULL), FNDSA_E_POLICY);
    EXPECT(strstr(text, "a signer's name") != NULL, 1);
    policy.signer = "";
    policy.signer_len = 0;
    EXPECT(VERIFY(&policy, NULL), FNDSA_E_POLICY);
    policy = good;
    memcpy(text, good.ssh_namespace, good.ssh_namespace_len);
    policy.ssh_namespace = text;
    EXPECT(VERIFY(&policy, NULL), FNDSA_E_OVERLAP);
    policy = good;
    policy.signer = text + 10;
    policy.signer_len = 5;
    EXPECT(VERIFY(&policy, NULL), FNDSA_E_OVERLAP);
    /* A form without a context and a pre-hash has no effect. */
    fndsa_form form = {NULL, 0, 0};
    EXPECT(VERIFY(&good, &form), FNDSA_OK);
    form.prehash = FNDSA_PREHASH_ALLOW_WEAK;
    EXPECT(VERIFY(&good, &form) != FNDSA_OK, 1);
    form.prehash = FNDSA_PREHASH_SHA512 | FNDSA_PREHASH_DIGEST;
    EXPECT(VERIFY(&good, &form) != FNDSA_OK, 1);
#undef VERIFY
}

int main(void) {
    static char line[LINE], text[4000];
    int tried = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        /* format, required, pre-hash, namespace, signer, expected fingerprint, context, keys, signature, message */
        char *fields[FIELDS], *rest = line;
        line[strcspn(line, "\n")] = 0;
        for (int i = 0; i < FIELDS; i++) {
            fields[i] = rest;
            rest += strcspn(rest, "\t");
            if (i < FIELDS - 1) EXPECT(*rest, '\t');
            if (*rest != 0) *rest++ = 0;
        }
        size_t context_len, keys_len, signatures_len, message_len;
        uint8_t *context = decode_field(fields[6], &context_len), *keys = decode_field(fields[7], &keys_len);
        uint8_t *signatures = decode_field(fields[8], &signatures_len), *message = decode_field(fields[9], &message_len);
        fndsa_policy policy = {0};
        policy.trusted_keys = keys;
        policy.trusted_keys_len = keys_len;
        policy.required = (size_t)strtoul(fields[1], NULL, 10);
        policy.signature_format = (uint32_t)strtoul(fields[0], NULL, 10);
        char *namespace = decode_text(fields[3], &policy.ssh_namespace_len);
        char *signer = decode_text(fields[4], &policy.signer_len);
        char *expected = decode_text(fields[5], &policy.expected_len);
        policy.ssh_namespace = namespace;
        policy.signer = signer;
        policy.expected = expected;
        fndsa_form form = {context, context_len, (uint32_t)strtoul(fields[2], NULL, 10)};
        int code = fndsa_verify_policy(&policy, &form, message, message_len, signatures, signatures_len, text, sizeof text);
        text[strcspn(text, "\n")] = 0;
        printf("%d\t%s\n", code, text);
        if (code == FNDSA_OK && policy.signature_format == FNDSA_SIGNATURE_FORMAT_SSH && signer == NULL && tried++ == 0)
            test_wrong_arguments(policy, message, message_len, signatures, signatures_len);
        free(context), free(keys), free(signatures), free(message), free(namespace), free(signer), free(expected);
    }
    EXPECT(tried > 0, 1);
    return report("arguments of formats");
}
