/* Expectations, for all tests in C. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int expectations, failures;

/* Counts an expectation, and prints its line if it is not met. */
static void expect(const char *file, int line, const char *what, long got, long wanted) {
    expectations++;
    if (got != wanted) {
        failures++;
        printf("%s:%d: %s is %ld, not %ld\n", file, line, what, got, wanted);
    }
}
#define EXPECT(got, wanted) expect(__FILE__, __LINE__, #got, (long)(got), (long)(wanted))

/* Prints the result. Returns the exit code of the program. */
static int report(const char *name) {
    printf("%s: %d of %d\n", name, expectations - failures, expectations);
    return failures != 0 || expectations == 0;
}

#endif
