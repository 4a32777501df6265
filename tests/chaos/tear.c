/* Loaded before everything else: lets the Nth change of a memory's files land half and ends the process there.

A write lands half; a rename, removal, truncation or flush does not happen at all. Only files below the folder that was armed
count. Nothing happens until tear_arm is called, so a process can open a memory first. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long at = 0, seen = 0;
static char below[PATH_MAX];

void tear_arm(const char *folder, long number) {
    snprintf(below, sizeof below, "%s", folder);
    __atomic_store_n(&seen, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&at, number, __ATOMIC_SEQ_CST);
}
long tear_seen(void) { return __atomic_load_n(&seen, __ATOMIC_SEQ_CST); }

static int is_inside(const char *path) {
    return strncmp(path, below, strlen(below)) == 0;
}
static int counts_file(int fd) {
    char link[64], path[PATH_MAX];
    if (!at) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_inside(path);
}
static int counts_path(const char *path) { return at && path && is_inside(path); }
static int is_now(void) { return __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST) == at; }

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) {
    if (counts_file(fd) && is_now()) { REAL(write)(fd, data, size / 2); _exit(99); }
    return REAL(write)(fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t place) {
    if (counts_file(fd) && is_now()) { REAL(pwrite)(fd, data, size / 2, place); _exit(99); }
    return REAL(pwrite)(fd, data, size, place);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t place) {
    if (counts_file(fd) && is_now()) { REAL(pwrite64)(fd, data, size / 2, place); _exit(99); }
    return REAL(pwrite64)(fd, data, size, place);
}
ssize_t copy_file_range(int from, off64_t *a, int to, off64_t *b, size_t size, unsigned int flags) {
    if (counts_file(to) && is_now()) { REAL(copy_file_range)(from, a, to, b, size / 2, flags); _exit(99); }
    return REAL(copy_file_range)(from, a, to, b, size, flags);
}
int ftruncate(int fd, off_t size) {
    if (counts_file(fd) && is_now()) _exit(99);
    return REAL(ftruncate)(fd, size);
}
int ftruncate64(int fd, off64_t size) {
    if (counts_file(fd) && is_now()) _exit(99);
    return REAL(ftruncate64)(fd, size);
}
int fsync(int fd) {
    if (counts_file(fd) && is_now()) _exit(99);
    return REAL(fsync)(fd);
}
int rename(const char *from, const char *to) {
    if (counts_path(to) && is_now()) _exit(99);
    return REAL(rename)(from, to);
}
int renameat(int a, const char *from, int b, const char *to) {
    if (counts_path(to) && is_now()) _exit(99);
    return REAL(renameat)(a, from, b, to);
}
int unlink(const char *path) {
    if (counts_path(path) && is_now()) _exit(99);
    return REAL(unlink)(path);
}
int unlinkat(int folder, const char *path, int flags) {
    if (counts_path(path) && is_now()) _exit(99);
    return REAL(unlinkat)(folder, path, flags);
}
