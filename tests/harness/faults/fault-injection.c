/*
 * Loaded into a server by LD_PRELOAD. Faults are switched on and off by files in the folder
 * FAULTS_FOLDER: `fsync` makes syncs fail, `read-only` makes writes to the database fail, and
 * `clock` holds the seconds by which the wall clock is off.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
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

static long clock_offset(void) {
  char path[512];
  long seconds = 0;
  FILE *file = fopen(path_of("clock", path, sizeof path), "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
  fclose(file);
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = REAL(clock_gettime)(clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec += clock_offset();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  int result = REAL(gettimeofday)(now, zone);
  now->tv_sec += clock_offset();
  return result;
}
