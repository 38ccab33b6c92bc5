/* Exchanges raw files with the program fndsa: files write|read|verify ALGORITHM DIRECTORY
 * ALGORITHM is the number of the algorithm in hexadecimal.
 *
 * write: makes c.key, c.pub, message and c.sig. read: verifies tool.sig with tool.pub, checks
 * tool.key, and makes c.sig with tool.key. verify: prints the code for tool.sig. */
#include "fndsa.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t private_key[8192], public_key[4096], message[256], signature[8192], work[130000];
static const char *directory;

static FILE *open_file(const char *name, const char *mode) {
    char path[1024];
    FILE *file;
    if (strlen(directory) + strlen(name) + 2 > sizeof path) exit(2);
    strcpy(path, directory);
    strcat(path, "/");
    strcat(path, name);
    file = fopen(path, mode);
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    return file;
}

static void write_file(const char *name, const uint8_t *bytes, size_t len) {
    FILE *file = open_file(name, "wb");
    if (fwrite(bytes, 1, len, file) != len || fclose(file) != 0) exit(2);
}

static size_t read_file(const char *name, uint8_t *bytes, size_t room) {
    FILE *file = open_file(name, "rb");
    size_t len = fread(bytes, 1, room, file);
    fclose(file);
    return len;
}

/* Ends the program if a call failed. */
static void require_ok(int code) {
    if (code == FNDSA_OK) return;
    fprintf(stderr, "%s\n", fndsa_strerror(code));
    exit(1);
}

/* Signs the message in the directory, with a context if the algorithm has contexts. */
static void sign(uint32_t algorithm, size_t private_len) {
    static const uint8_t context[] = { 'c', 't', 'x' };
    fndsa_form form = { context, sizeof context, 0 };
    size_t message_len = read_file("message", message, sizeof message), len = sizeof signature;
    require_ok(fndsa_sign(algorithm, private_key, private_len, (algorithm & 0xf00) == 0x300 ? NULL : &form, message, message_len, signature,
                    &len, NULL, work, sizeof work));
    write_file("c.sig", signature, len);
}

int main(int argc, char **argv) {
    uint32_t algorithm;
    size_t public_len, private_len;
    if (argc != 4) return 2;
    algorithm = (uint32_t)strtoul(argv[2], NULL, 16);
    directory = argv[3];
    if (strcmp(argv[1], "write") == 0) {
        public_len = fndsa_public_key_bytes(algorithm);
        private_len = fndsa_expanded_key_bytes(algorithm);
        require_ok(fndsa_keygen(algorithm, private_key, private_len, public_key, public_len, NULL, work, sizeof work));
        write_file("c.key", private_key, private_len);
        write_file("c.pub", public_key, public_len);
        write_file("message", (const uint8_t *)"a message of C", 14);
        sign(algorithm, private_len);
    } else if (strcmp(argv[1], "verify") == 0) {
        size_t message_len = read_file("message", message, sizeof message), len = read_file("tool.sig", signature, sizeof signature);
        public_len = read_file("tool.pub", public_key, sizeof public_key);
        printf("%d\n", fndsa_verify(algorithm, public_key, public_len, NULL, message, message_len, signature, len, work, sizeof work));
    } else {
        static uint8_t computed[4096];
        size_t message_len = read_file("message", message, sizeof message), len = read_file("tool.sig", signature, sizeof signature);
        public_len = read_file("tool.pub", public_key, sizeof public_key);
        private_len = read_file("tool.key", private_key, sizeof private_key);
        require_ok(fndsa_public_key(algorithm, private_key, private_len, computed, public_len, work, sizeof work));
        if (memcmp(computed, public_key, public_len) != 0) return 1;
        require_ok(fndsa_verify(algorithm, public_key, public_len, NULL, message, message_len, signature, len, work, sizeof work));
        sign(algorithm, private_len);
    }
    return 0;
}
