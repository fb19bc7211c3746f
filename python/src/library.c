// Libraries of environments: which file the loader is given.
//
// The loader knows libraries by their path: while one is in use, and arrays of a closed simulation
// keep theirs, loading the path again gives the old code, although a compiler has written the file
// anew. So the stamp of each file is kept from the first load on, and a file that has changed is
// loaded as a private copy, which is removed as soon as it is loaded.
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file that was loaded by its own path. Written with the GIL held; never removed.
struct known {
    struct known *next;
    struct stat stamp;
    char path[];
};

static struct known *known_list;

static struct known *find_known(const char *path) {
    struct known *known = known_list;
    while (known != NULL && strcmp(known->path, path) != 0) {
        known = known->next;
    }
    return known;
}

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

// Does the process have the code of another file under this path?
static bool is_outdated(const char *path, const struct stat *now) {
    const struct known *known = find_known(path);
    if (known == NULL || is_same_file(&known->stamp, now)) {
        return false;
    }
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) {
        (void)dlerror();
        return false;
    }
    dlclose(handle);
    return true;
}

// Opens a file with a new name beside `path`, where $ORIGIN means the same and code may be run, or
// among temporary files where that folder is read-only. -1 with errno.
static int open_beside(const char *path, char *name) {
    const char *base = strrchr(path, '/') + 1;
    int length = snprintf(name, PATH_MAX, "%.*s.%s.XXXXXX", (int)(base - path), path, base);
    int file = length < PATH_MAX ? mkstemp(name) : -1;
    if (file < 0) {
        const char *folder = getenv("TMPDIR");
        folder = folder == NULL || folder[0] != '/' ? "/tmp" : folder;
        length = snprintf(name, PATH_MAX, "%s/cosm.XXXXXX", folder);
        file = length < PATH_MAX ? mkstemp(name) : -1;
    }
    return file;
}

static bool copy_bytes(int from, int to) {
    char block[1 << 16];
    ssize_t count;
    while ((count = read(from, block, sizeof block)) > 0) {
        for (ssize_t done = 0; done < count;) {
            ssize_t written = write(to, block + done, (size_t)(count - done));
            if (written < 0) {
                return false;
            }
            done += written;
        }
    }
    return count == 0;
}

// A copy of the file under a name of its own, which goes to `name`. False with errno.
static bool copy_file(const char *path, char *name) {
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : open_beside(path, name);
    bool is_copied = to >= 0 && copy_bytes(from, to);
    int reason = errno;
    if (to >= 0) {
        is_copied = close(to) == 0 && is_copied;
        if (!is_copied) {
            (void)unlink(name);
        }
    }
    if (from >= 0) {
        (void)close(from);
    }
    errno = reason;
    return is_copied;
}

bool cosmi_python_library_open(struct library *library, const char *path) {
    char whole[PATH_MAX];
    char copy[PATH_MAX];
    *library = (struct library){.path = NULL};
    const char *found = realpath(path, whole);
    if (found == NULL || stat(found, &library->stamp) != 0) {
        found = path; // the loader says what is wrong with it
    } else if (is_outdated(found, &library->stamp)) {
        if (!copy_file(found, copy)) {
            PyErr_Format(PyExc_OSError,
                         "Sim: '%s' was rebuilt while the old one is in use, and cannot be copied "
                         "(%s); free space in its folder, or start a new process",
                         path, strerror(errno));
            return false;
        }
        found = copy;
        library->is_copy = true;
    } else {
        library->is_known = true;
    }
    library->path = strdup(found);
    if (library->path == NULL) {
        PyErr_NoMemory();
    }
    return library->path != NULL;
}

void cosmi_python_library_close(struct library *library, bool is_loaded) {
    if (library->is_copy && library->path != NULL) {
        (void)unlink(library->path);
    }
    if (is_loaded && library->is_known) {
        struct known *known = find_known(library->path);
        size_t size = strlen(library->path) + 1;
        if (known == NULL && (known = malloc(sizeof *known + size)) != NULL) {
            memcpy(known->path, library->path, size);
            known->next = known_list;
            known_list = known;
        }
        if (known != NULL) {
            known->stamp = library->stamp;
        }
    }
    free(library->path);
    library->path = NULL;
}
