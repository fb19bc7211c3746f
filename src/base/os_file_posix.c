// Files, by POSIX calls.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/hash.h"

#define OUTPUT_BUFFER ((size_t)64 << 10)
#define OUTPUT_ALIGNMENT ((size_t)64)

// Pieces of this size are written without being copied.
#define OUTPUT_DIRECT ((size_t)32 << 10)

// Names that are tried: as many outputs of one path at a time.
#define TEMPORARY_TRIES 10000u

// Room for "/.cosm-HASH-NUMBER.tmp" behind the folder.
#define TEMPORARY_NAME_SIZE ((size_t)64)

static void give_reason(struct file_reason *reason, int code) {
#if defined(__GLIBC__)
    // The form that may point elsewhere: os files are compiled as GNU sources.
    char buffer[sizeof(reason->text)];
    const char *text = strerror_r(code, buffer, sizeof(buffer));
    (void)snprintf(reason->text, sizeof(reason->text), "%s", text);
#else
    if (strerror_r(code, reason->text, sizeof(reason->text)) != 0) {
        (void)snprintf(reason->text, sizeof(reason->text), "error %d", code);
    }
#endif
}

static enum file_outcome refuse_with(struct file_reason *reason, int code) {
    give_reason(reason, code);
    return FILE_REFUSED;
}

// Opens a regular file for reading. -1: refused.
static int open_regular(const char *path, size_t *out_size, struct file_reason *reason) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat facts;
    if (descriptor < 0 || fstat(descriptor, &facts) != 0) {
        give_reason(reason, errno);
        if (descriptor >= 0) {
            (void)close(descriptor);
        }
        return -1;
    }
    if (!S_ISREG(facts.st_mode)) {
        give_reason(reason, S_ISDIR(facts.st_mode) ? EISDIR : EINVAL);
        (void)close(descriptor);
        return -1;
    }
    *out_size = (size_t)facts.st_size;
    return descriptor;
}

enum file_outcome cosmi_file_map(struct file_view *view, const char *path,
                                 struct file_reason *out_reason) {
    size_t size = 0;
    int descriptor = open_regular(path, &size, out_reason);
    if (descriptor < 0) {
        return FILE_REFUSED;
    }
    *view = (struct file_view){.bytes = "", .size = 0};
    if (size > 0) {
        // Not MAP_POPULATE: that maps page by page, where a fault maps the pages around it. Of 3 MB
        // that are in the cache it made reading a third slower.
        void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        int code = errno;
        (void)close(descriptor);
        if (bytes == MAP_FAILED) {
            return refuse_with(out_reason, code);
        }
        *view = (struct file_view){.bytes = bytes, .size = size};
        return FILE_DONE;
    }
    (void)close(descriptor);
    return FILE_DONE;
}

// Reads `size` bytes, or as many as there are; how many, or SIZE_MAX where the system refuses.
static size_t read_all(int descriptor, unsigned char *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(descriptor, bytes + done, size - done);
        if (got < 0 && errno != EINTR) {
            return SIZE_MAX;
        }
        if (got == 0) {
            break;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return done;
}

enum file_outcome cosmi_file_read(struct file_view *view, struct memory *memory, const char *path,
                                  struct file_reason *out_reason) {
    size_t size = 0;
    int descriptor = open_regular(path, &size, out_reason);
    if (descriptor < 0) {
        return FILE_REFUSED;
    }
    size_t room = size == 0 ? 1 : size;
    unsigned char *bytes = cosmi_memory_alloc(memory, room, OUTPUT_ALIGNMENT);
    if (bytes == NULL) {
        (void)close(descriptor);
        return FILE_NO_MEMORY;
    }
    size_t done = read_all(descriptor, bytes, size);
    int code = done == SIZE_MAX ? errno : EIO; // it became shorter meanwhile
    (void)close(descriptor);
    if (done != size) {
        cosmi_memory_free(memory, bytes, room, OUTPUT_ALIGNMENT);
        return refuse_with(out_reason, code);
    }
    *view = (struct file_view){.bytes = bytes, .size = size, .memory = memory};
    return FILE_DONE;
}

void cosmi_file_end(struct file_view *view) {
    void *bytes = (void *)(uintptr_t)view->bytes;
    if (view->memory != NULL) {
        cosmi_memory_free(view->memory, bytes, view->size == 0 ? 1 : view->size, OUTPUT_ALIGNMENT);
    } else if (view->size > 0) {
        (void)munmap(bytes, view->size);
    }
    *view = (struct file_view){0};
}

// The length of the path of a file's folder, with the slash.
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

// Names go by the path that is written, so that what a killed process left is found by the next one
// that writes it, without a look at all of the folder.
static void name_temporary(struct file_output *output, uint32_t number) {
    size_t folder = folder_length(output->path);
    memcpy(output->temporary, output->path, folder);
    (void)snprintf(output->temporary + folder, TEMPORARY_NAME_SIZE, ".cosm-%016llx-%u.tmp",
                   (unsigned long long)cosmi_hash_text(output->path + folder), number);
}

// Is it the file that has the name now?
static bool has_name(int descriptor, const char *name) {
    struct stat opened;
    struct stat named;
    return fstat(descriptor, &opened) == 0 && lstat(name, &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

// Removes a temporary file without a writer: a writer holds a lock on it, which ends
// with its process, however that ends. Who has the lock and the file of that name is the only one
// who may take the name away. False: there is none, or it is somebody's.
static bool remove_stale(const char *name) {
    int descriptor = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat facts;
    if (descriptor < 0) {
        return false;
    }
    bool is_stale = fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
                    facts.st_uid == geteuid() && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
                    has_name(descriptor, name) && unlink(name) == 0;
    (void)close(descriptor);
    return is_stale;
}

// A new file of that name, with our lock on it where the system has locks. -1: it is there already,
// or was taken for a left one before it had its lock.
static int create_locked(const char *name, mode_t mode) {
    int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0) {
        return -1;
    }
    bool is_ours = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (is_ours && has_name(descriptor, name)) {
        return descriptor;
    }
    (void)close(descriptor);
    errno = EEXIST;
    return -1;
}

static int open_temporary(struct file_output *output, mode_t mode) {
    int descriptor = -1;
    uint32_t number = 0;
    for (; number < TEMPORARY_TRIES && descriptor < 0; number++) {
        name_temporary(output, number);
        descriptor = create_locked(output->temporary, mode);
        int code = errno;
        if (descriptor < 0 && code == EEXIST && remove_stale(output->temporary)) {
            descriptor = create_locked(output->temporary, mode);
            code = errno;
        }
        errno = code;
        if (descriptor < 0 && code != EEXIST) {
            return -1;
        }
    }
    if (descriptor >= 0) {
        // Others that were left come right behind it.
        uint32_t next = number;
        do {
            name_temporary(output, next);
        } while (remove_stale(output->temporary) && ++next < TEMPORARY_TRIES);
        name_temporary(output, number - 1);
    }
    return descriptor;
}

static void free_output(struct file_output *output) {
    if (output->lock >= 0) {
        (void)close(output->lock);
        output->lock = -1;
    }
    cosmi_memory_free(output->memory, output->temporary, output->temporary_size, 1);
    cosmi_memory_free(output->memory, output->buffer, OUTPUT_BUFFER, OUTPUT_ALIGNMENT);
    output->temporary = NULL;
    output->buffer = NULL;
}

enum file_outcome cosmi_output_open(struct file_output *output, struct memory *memory,
                                    const char *path) {
    *output = (struct file_output){.memory = memory, .path = path, .descriptor = -1, .lock = -1};
    // The file keeps its mode. A device or a folder is not to be replaced.
    struct stat facts;
    bool exists = stat(path, &facts) == 0;
    if (exists && !S_ISREG(facts.st_mode)) {
        return refuse_with(&output->reason, S_ISDIR(facts.st_mode) ? EISDIR : EINVAL);
    }
    output->temporary_size = folder_length(path) + TEMPORARY_NAME_SIZE;
    output->temporary = cosmi_memory_alloc(memory, output->temporary_size, 1);
    output->buffer = cosmi_memory_alloc(memory, OUTPUT_BUFFER, OUTPUT_ALIGNMENT);
    if (output->temporary == NULL || output->buffer == NULL) {
        free_output(output);
        return FILE_NO_MEMORY;
    }
    output->descriptor = open_temporary(output, 0666);
    if (output->descriptor < 0) {
        int code = errno;
        free_output(output);
        return refuse_with(&output->reason, code);
    }
    output->lock = fcntl(output->descriptor, F_DUPFD_CLOEXEC, 0);
    if (exists) {
        (void)fchmod(output->descriptor, facts.st_mode & 0777);
    }
    return FILE_DONE;
}

static void write_through(struct file_output *output, const unsigned char *bytes, size_t size) {
    while (size > 0 && !output->failed) {
        ssize_t done = write(output->descriptor, bytes, size);
        if (done < 0 && errno != EINTR) {
            give_reason(&output->reason, errno);
            output->failed = true;
        } else if (done == 0) {
            give_reason(&output->reason, EIO);
            output->failed = true;
        } else if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
}

bool cosmi_output_flush(struct file_output *output) {
    write_through(output, output->buffer, output->buffered);
    output->buffered = 0;
    return !output->failed;
}

void cosmi_output_write(void *context, const char *bytes, size_t size) {
    struct file_output *output = context;
    if (size > OUTPUT_BUFFER - output->buffered) {
        (void)cosmi_output_flush(output);
    }
    if (size >= OUTPUT_DIRECT) {
        (void)cosmi_output_flush(output);
        write_through(output, (const unsigned char *)bytes, size);
    } else if (size > 0) {
        memcpy(output->buffer + output->buffered, bytes, size);
        output->buffered += size;
    }
}

// Makes the disk know of a name in its folder. Some systems have no way to, which is not a failure.
static bool sync_folder(struct file_output *output) {
    size_t length = folder_length(output->path);
    memcpy(output->temporary, output->path, length);
    (void)snprintf(output->temporary + length, TEMPORARY_NAME_SIZE, ".");
    int descriptor = open(output->temporary, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return true;
    }
    bool done = fsync(descriptor) == 0 || errno != EIO;
    int code = errno;
    (void)close(descriptor);
    if (!done) {
        give_reason(&output->reason, code);
    }
    return done;
}

static void note_failure(struct file_output *output, bool done) {
    if (!done && !output->failed) {
        output->failed = true;
        give_reason(&output->reason, errno);
    }
}

enum file_outcome cosmi_output_finish(struct file_output *output, bool durable) {
    (void)cosmi_output_flush(output);
    if (durable && !output->failed) {
        note_failure(output, fsync(output->descriptor) == 0);
    }
    note_failure(output, close(output->descriptor) == 0);
    if (!output->failed) {
        note_failure(output, rename(output->temporary, output->path) == 0);
    }
    if (output->failed) {
        (void)unlink(output->temporary);
    } else if (durable && !sync_folder(output)) {
        output->failed = true;
    }
    free_output(output);
    return output->failed ? FILE_REFUSED : FILE_DONE;
}

void cosmi_output_cancel(struct file_output *output) {
    (void)close(output->descriptor);
    (void)unlink(output->temporary);
    free_output(output);
}
