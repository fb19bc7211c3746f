// A folder of its own for a test that writes files, so that what is left in it can be counted.
#ifndef COSM_TEST_FOLDER_H
#define COSM_TEST_FOLDER_H

#include <stdint.h>

struct folder {
    char path[64];
    char file[96]; // the path of a file in it
};

void folder_open(struct folder *folder);

// Files in it, hidden ones too.
uint32_t folder_count(const struct folder *folder);

// Removes the files and the folder.
void folder_close(const struct folder *folder);

#endif
