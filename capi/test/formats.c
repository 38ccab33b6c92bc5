/* Tests fndsa_verify_policy with signature files of SSH, JOSE and CMS: the cases of formats.py from
 * standard input, and arguments that must not give a YES. */
#include "expect.h"
#include "field.h"
#include "fndsa.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 10

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

/* Reads a file. */
static size_t read_file(const char *name, uint8_t *out, size_t room) {
    FILE *file = fopen(name, "rb");
    size_t len = file == NULL ? 0 : fread(out, 1, room, file);
    if (file != NULL) fclose(file);
    return len;
}

/* Signs in each format with a key of Ed25519 and its certificate, verifies the signature files, and tests arguments that are errors.
 * The signature files of SSH and CMS are written to the files ssh.sig and cms.p7s. */
static void test_signing(const char *key_name, const char *certificate_name) {
    static uint8_t key_file[4000], certificate[4000], file[FNDSA_MAX_FILE_BYTES + 4000];
    static const uint8_t message[] = "a message";
    uint8_t key[FNDSA_MAX_PRIVATE_KEY_BYTES];
    char text[400];
    size_t key_len = sizeof key, key_file_len = read_file(key_name, key_file, sizeof key_file);
    size_t certificate_len = read_file(certificate_name, certificate, sizeof certificate);
    EXPECT(fndsa_read_private_key(FNDSA_ED25519, key_file, key_file_len, NULL, 0, NULL, key, &key_len, text, sizeof text), FNDSA_OK);
#define SIGN(format, namespace, namespace_len, certificate, certificate_len, file, file_len)                                          \
    fndsa_sign_format(FNDSA_ED25519, key, key_len, format, namespace, namespace_len, certificate, certificate_len, message,           \
                      sizeof message - 1, file, file_len, NULL, text, sizeof text)
    size_t len;
    for (uint32_t format = FNDSA_SIGNATURE_FORMAT_SSH; format <= FNDSA_SIGNATURE_FORMAT_CMS; format++) {
        const char *namespace = format == FNDSA_SIGNATURE_FORMAT_SSH ? "file" : NULL;
        const uint8_t *given = format == FNDSA_SIGNATURE_FORMAT_CMS ? certificate : NULL;
        size_t namespace_len = namespace == NULL ? 0 : 4, given_len = given == NULL ? 0 : certificate_len;
        len = FNDSA_MAX_FILE_BYTES + given_len;
        EXPECT(SIGN(format, namespace, namespace_len, given, given_len, file, &len), FNDSA_OK);
        fndsa_policy policy = {0};
        policy.trusted_keys = certificate;
        policy.trusted_keys_len = certificate_len;
        policy.required = 1;
        policy.signature_format = format;
        policy.ssh_namespace = namespace;
        policy.ssh_namespace_len = namespace_len;
        EXPECT(fndsa_verify_policy(&policy, NULL, message, sizeof message - 1, file, len, text, sizeof text), FNDSA_OK);
        EXPECT(fndsa_verify_policy(&policy, NULL, message, sizeof message, file, len, text, sizeof text), FNDSA_E_NOT_VALID);
        if (format != FNDSA_SIGNATURE_FORMAT_JWS) {
            FILE *out = fopen(format == FNDSA_SIGNATURE_FORMAT_SSH ? "ssh.sig" : "cms.p7s", "wb");
            EXPECT(fwrite(file, 1, len, out), len);
            fclose(out);
        }
        size_t needed = len;
        len = needed - 1;
        EXPECT(SIGN(format, namespace, namespace_len, given, given_len, file, &len), FNDSA_E_LENGTH);
        EXPECT(len, 0);
        len = needed;
        EXPECT(SIGN(format, namespace, namespace_len, given, given_len, file, &len), FNDSA_OK);
        /* Only one of the formats has a namespace, and only one has a certificate. */
        len = sizeof file;
        EXPECT(SIGN(format, namespace == NULL ? "file" : NULL, namespace == NULL ? 4 : 0, given, given_len, file, &len), FNDSA_E_FORMAT);
        len = sizeof file;
        EXPECT(SIGN(format, namespace, namespace_len, given == NULL ? certificate : NULL, given == NULL ? certificate_len : 0, file, &len),
               FNDSA_E_FORMAT);
        EXPECT(text[0] != 0, 1);
    }
    len = sizeof file;
    EXPECT(SIGN(FNDSA_SIGNATURE_FORMAT_FNDSA, NULL, 0, NULL, 0, file, &len), FNDSA_E_FORMAT);
    len = sizeof file;
    EXPECT(SIGN(4, NULL, 0, NULL, 0, file, &len), FNDSA_E_FORMAT);
    len = sizeof file;
    EXPECT(SIGN(FNDSA_SIGNATURE_FORMAT_CMS, NULL, 0, certificate, certificate_len - 1, file, &len), FNDSA_E_FORMAT);
    len = sizeof file;
    EXPECT(SIGN(FNDSA_SIGNATURE_FORMAT_JWS, NULL, 0, NULL, 0, key, &len), FNDSA_E_OVERLAP);
    EXPECT(SIGN(FNDSA_SIGNATURE_FORMAT_JWS, NULL, 0, NULL, 0, file, NULL), FNDSA_E_NULL);
    len = sizeof file;
    EXPECT(SIGN(FNDSA_SIGNATURE_FORMAT_JWS, NULL, 0, NULL, 1, file, &len), FNDSA_E_NULL);
    len = sizeof file;
    key_len--;
    EXPECT(SIGN(FNDSA_SIGNATURE_FORMAT_JWS, NULL, 0, NULL, 0, file, &len), FNDSA_E_KEY);
#undef SIGN
    fndsa_random broken = {NULL, NULL};
    len = sizeof file;
    EXPECT(fndsa_sign_format(FNDSA_ED25519, key, key_len + 1, FNDSA_SIGNATURE_FORMAT_JWS, NULL, 0, NULL, 0, message, 1, file, &len,
                             &broken, text, sizeof text),
           FNDSA_E_NULL);
    /* JOSE has no signatures of FN-DSA. */
    uint8_t private_key[FNDSA_512_PRIVATE_KEY_BYTES], public_key[FNDSA_512_PUBLIC_KEY_BYTES];
    EXPECT(fndsa_keygen(FNDSA_512, private_key, sizeof private_key, public_key, sizeof public_key, NULL, NULL, 0), FNDSA_OK);
    len = sizeof file;
    EXPECT(fndsa_sign_format(FNDSA_512, private_key, sizeof private_key, FNDSA_SIGNATURE_FORMAT_JWS, NULL, 0, NULL, 0, message, 1, file,
                             &len, NULL, text, sizeof text),
           FNDSA_E_FORMAT);
    EXPECT(strncmp(text, "JOSE has no signatures of FN-DSA-512", 36), 0);
}

int main(int argc, char **argv) {
    static char line[LINE], text[4000];
    int tried = 0;
    EXPECT(argc, 3);
    if (argc == 3) test_signing(argv[1], argv[2]);
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
