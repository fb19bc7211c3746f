// Numbers as people read them; format.h says which.
#include "format.h"

#include <stdio.h>
#include <string.h>

void format_count(char *buffer, size_t size, uint64_t count) {
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
    size_t used = 0;
    for (int i = 0; i < length && used + 2 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            buffer[used++] = ',';
        }
        buffer[used++] = digits[i];
    }
    buffer[used] = '\0';
}

void format_bytes(char *buffer, size_t size, uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) {
        snprintf(buffer, size, "%u B", (unsigned)bytes);
        return;
    }
    double value = (double)bytes / 1024.0;
    size_t unit = 0;
    while (value >= 1024.0 && unit < 3) {
        value /= 1024.0;
        unit++;
    }
    snprintf(buffer, size, "%.1f %s", value, units[unit]);
}

void format_rate(char *buffer, size_t size, uint64_t count, uint64_t elapsed_ns) {
    static const char *const units[] = {"", " k", " M", " G"};
    double rate = (double)count * 1e9 / (double)(elapsed_ns > 0 ? elapsed_ns : 1);
    size_t unit = 0;
    while (rate >= 1000.0 && unit < 3) {
        rate /= 1000.0;
        unit++;
    }
    int decimals = rate < 10.0 ? 2 : rate < 100.0 ? 1 : 0;
    snprintf(buffer, size, "%.*f%s", decimals, rate, units[unit]);
}
