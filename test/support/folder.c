// Folders of their own for tests that write files.
#define _DEFAULT_SOURCE // mkdtemp
#include "support/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

void folder_open(struct folder *folder) {
    (void)snprintf(folder->path, sizeof(folder->path), "/tmp/cosm-faults-XXXXXX");
    CHECK(mkdtemp(folder->path) != NULL);
    (void)snprintf(folder->file, sizeof(folder->file), "%s/level.cosm", folder->path);
}

uint32_t folder_count(const struct folder *folder) {
    uint32_t count = 0;
    DIR *list = opendir(folder->path);
    for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    (void)closedir(list);
    return count;
}

void folder_close(const struct folder *folder) {
    DIR *list = opendir(folder->path);
    for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        char path[400];
        (void)snprintf(path, sizeof(path), "%s/%s", folder->path, entry->d_name);
        (void)unlink(path);
    }
    (void)closedir(list);
    CHECK_INT(rmdir(folder->path), 0);
}
