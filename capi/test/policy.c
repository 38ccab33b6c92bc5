/* Tests fndsa_verify_policy, with the cases of policy.py from standard input, and with arguments
 * that must not give a YES. */
#include "expect.h"
#include "field.h"
#include "fndsa.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* Tests arguments that are errors, with a signature file and trusted keys that give a YES. */
static void test_wrong_arguments(fndsa_policy good, const uint8_t *message, size_t message_len, const uint8_t *signatures,
                            size_t signatures_len) {
    char text[400];
#define VERIFY(policy) fndsa_verify_policy(policy, NULL, message, message_len, signatures, signatures_len, text, sizeof text)
    EXPECT(VERIFY(&good), FNDSA_OK);
    EXPECT(strstr(text, "sha256:") != NULL, 1);
    EXPECT(text[strlen(text) - 1], '\n');
    EXPECT(fndsa_verify_policy(&good, NULL, message, message_len, signatures, signatures_len, NULL, 0), FNDSA_OK);
    EXPECT(fndsa_verify_policy(&good, NULL, message, message_len, signatures, signatures_len, NULL, 1), FNDSA_E_NULL);
    for (size_t room = 1; room < 60; room++) {
        memset(text, 'x', sizeof text);
        EXPECT(fndsa_verify_policy(&good, NULL, message, message_len, signatures, signatures_len, text, room), FNDSA_OK);
        EXPECT(strlen(text) < room, 1);
        EXPECT(text[room], 'x');
    }
    EXPECT(VERIFY(NULL), FNDSA_E_NULL);
    fndsa_policy policy = {0};
    EXPECT(VERIFY(&policy), FNDSA_E_NULL);
    policy = good;
    policy.trusted_keys_len = 0;
    EXPECT(VERIFY(&policy), FNDSA_E_FILE);
    policy = good;
    policy.required = 0;
    EXPECT(VERIFY(&policy), FNDSA_E_POLICY);
    EXPECT(strstr(text, "required") != NULL, 1);
    policy.required = 1000;
    EXPECT(VERIFY(&policy), FNDSA_E_POLICY);
    policy = good;
    policy.expected = "";
    EXPECT(VERIFY(&policy), FNDSA_E_POLICY);
    EXPECT(strstr(text, "expected") != NULL, 1);
    policy.expected = "sha256:00";
    policy.expected_len = strlen(policy.expected);
    EXPECT(VERIFY(&policy), FNDSA_E_POLICY);
    EXPECT(strstr(text, "64 hexadecimal digits") != NULL, 1);
    policy.expected = "\xff\xfe";
    policy.expected_len = 2;
    EXPECT(VERIFY(&policy), FNDSA_E_POLICY);
    policy = good;
    policy.expected_len = 71;
    EXPECT(VERIFY(&policy), FNDSA_E_NULL);
    policy = good;
    policy.day = "2026-02-30";
    EXPECT(VERIFY(&policy), FNDSA_E_POLICY);
    EXPECT(strstr(text, "2026-02-30") != NULL, 1);
    policy.day = "yesterday ";
    EXPECT(VERIFY(&policy), FNDSA_E_POLICY);
    policy.day = text + 20;
    EXPECT(VERIFY(&policy), FNDSA_E_OVERLAP);
#undef VERIFY
#define VERIFY(form, message_len, signatures, signatures_len) \
    fndsa_verify_policy(&good, form, message, message_len, signatures, signatures_len, text, sizeof text)
    EXPECT(VERIFY(NULL, message_len, NULL, 0), FNDSA_E_FILE);
    EXPECT(VERIFY(NULL, message_len, good.trusted_keys, good.trusted_keys_len), FNDSA_E_FILE);
    EXPECT(VERIFY(NULL, message_len - 1, signatures, signatures_len), FNDSA_E_NOT_VALID);
    EXPECT(strncmp(text, "signature_mismatch: ", 20), 0);
    static const uint8_t context[256];
    fndsa_form form = {context, sizeof context, 0};
    EXPECT(VERIFY(&form, message_len, signatures, signatures_len), FNDSA_E_CONTEXT);
    form.prehash = 99;
    EXPECT(VERIFY(&form, message_len, signatures, signatures_len), FNDSA_E_PREHASH);
#undef VERIFY
}

int main(void) {
    static char line[LINE], text[4000];
    int tried = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        /* required, day, expected fingerprints, context, trusted keys, signatures, message */
        char *fields[7], *rest = line;
        line[strcspn(line, "\n")] = 0;
        for (int i = 0; i < 7; i++) {
            fields[i] = rest;
            rest += strcspn(rest, "\t");
            if (i < 6) EXPECT(*rest, '\t');
            if (*rest != 0) *rest++ = 0;
        }
        size_t context_len, keys_len, signatures_len, message_len;
        uint8_t *context = decode_field(fields[3], &context_len), *keys = decode_field(fields[4], &keys_len);
        uint8_t *signatures = decode_field(fields[5], &signatures_len), *message = decode_field(fields[6], &message_len);
        fndsa_policy policy = {0};
        policy.trusted_keys = keys;
        policy.trusted_keys_len = keys_len;
        policy.required = strcmp(fields[0], "all") == 0 ? FNDSA_REQUIRE_ALL : (size_t)strtoul(fields[0], NULL, 10);
        policy.day = fields[1];
        if (*fields[2] != 0) {
            policy.expected = fields[2];
            policy.expected_len = strlen(fields[2]);
        }
        fndsa_form form = {context, context_len, 0};
        int code = fndsa_verify_policy(&policy, &form, message, message_len, signatures, signatures_len, text, sizeof text);
        int lines = 0;
        for (char *at = text; (at = strchr(at, '\n')) != NULL; at++) lines++;
        text[strcspn(text, "\n")] = 0;
        printf("%d\t%d\t%s\n", code, lines, text);
        if (code == FNDSA_OK && policy.required == 1 && context_len == 0 && policy.expected == NULL && tried++ == 0)
            test_wrong_arguments(policy, message, message_len, signatures, signatures_len);
        free(context), free(keys), free(signatures), free(message);
    }
    EXPECT(tried > 0, 1);
    return report("arguments of policies");
}
