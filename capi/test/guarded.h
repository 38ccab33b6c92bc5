/* Memory with guards on both sides, and a generator that can fail. */
#ifndef GUARDED_H
#define GUARDED_H

#include "expect.h"

#define GUARD 16
#define FILL_BYTE 0xa5

/* Memory between guards. `at` is `offset` bytes after an address that is a multiple of 16, and
 * `block` is the start of the guard before it. */
struct guarded {
    uint8_t *block;
    uint8_t *at;
    size_t offset;
    size_t len;
};

#ifndef ARENA
#define ARENA 1500000
#endif
static uint64_t arena[ARENA / 8];
static size_t arena_used;

/* Returns `len` bytes between guards. All bytes and guards are FILL_BYTE. */
static struct guarded allocate_guarded(size_t len, size_t offset) {
    struct guarded memory;
    size_t all = (GUARD + offset + len + GUARD + 15) / 16 * 16;
    if (arena_used + all > sizeof arena) {
        printf("the arena is too small\n");
        exit(2);
    }
    memory.block = (uint8_t *)arena + arena_used;
    memory.at = memory.block + GUARD + offset;
    memory.offset = offset;
    memory.len = len;
    memset(memory.block, FILL_BYTE, all);
    arena_used += all;
    return memory;
}

/* Returns whether all `len` bytes are `value`. */
static int all_are(const uint8_t *bytes, size_t len, uint8_t value) {
    while (len > 0) {
        len--;
        if (bytes[len] != value) return 0;
    }
    return 1;
}

/* Returns whether the guards before and after the memory are unchanged. */
static int guards_are_intact(struct guarded memory) {
    return all_are(memory.block, GUARD + memory.offset, FILL_BYTE) && all_are(memory.at + memory.len, GUARD, FILL_BYTE);
}

/* Returns whether the memory and its guards are unchanged since the memory was made. */
static int is_untouched(struct guarded memory) {
    return guards_are_intact(memory) && all_are(memory.at, memory.len, FILL_BYTE);
}

/* A generator for tests, never for keys, because its numbers are predictable. `left` is the number
 * of calls before it fails. */
struct test_random {
    uint64_t state;
    long left;
};

static int test_fill(void *state, uint8_t *out, size_t len) {
    struct test_random *random = (struct test_random *)state;
    if (random->left == 0) return 7;
    random->left--;
    while (len > 0) {
        random->state ^= random->state << 13;
        random->state ^= random->state >> 7;
        random->state ^= random->state << 17;
        *out++ = (uint8_t)(random->state >> 24);
        len--;
    }
    return 0;
}

#endif
