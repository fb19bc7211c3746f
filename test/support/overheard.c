// What this process writes to stderr meanwhile: see overheard.h.
#define _POSIX_C_SOURCE 200809L
#include "support/overheard.h"

#include <unistd.h>

#include "harness.h"

void overheard_begin(struct overheard *heard) {
    (void)fflush(stderr);
    heard->text[0] = '\0';
    heard->file = tmpfile();
    heard->kept = dup(STDERR_FILENO);
    REQUIRE(heard->file != NULL && heard->kept >= 0);
    CHECK(dup2(fileno(heard->file), STDERR_FILENO) >= 0);
}

void overheard_end(struct overheard *heard) {
    (void)fflush(stderr);
    CHECK(dup2(heard->kept, STDERR_FILENO) >= 0);
    (void)close(heard->kept);
    rewind(heard->file);
    size_t length = fread(heard->text, 1, sizeof(heard->text) - 1, heard->file);
    heard->text[length] = '\0';
    (void)fclose(heard->file);
}

uint32_t overheard_lines(const struct overheard *heard) {
    uint32_t count = 0;
    for (const char *at = heard->text; *at != '\0'; at++) {
        count += *at == '\n';
    }
    return count;
}
