/*
 * Loaded into a server by LD_PRELOAD. Faults are switched on and off by files in the folder
 * FAULTS_FOLDER: `fsync` makes syncs fail, and `read-only` makes writes to the database fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const char *path_of(const char *fault, char *path, size_t size) {
  const char *folder = getenv("FAULTS_FOLDER");
  snprintf(path, size, "%s/%s", folder == NULL ? "" : folder, fault);
  return path;
}

static int is_on(const char *fault) {
  char path[512];
  return access(path_of(fault, path, sizeof path), F_OK) == 0;
}

static int fail(int number) {
  errno = number;
  return -1;
}

int fsync(int file) {
  return is_on("fsync") ? fail(EIO) : REAL(fsync)(file);
}

int fdatasync(int file) {
  return is_on("fsync") ? fail(EIO) : REAL(fdatasync)(file);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  return is_on("read-only") ? fail(EROFS) : REAL(pwrite64)(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  return pwrite64(file, bytes, count, at);
}
