// The hooks are the Swift runtime's own, for those who bring an executor
// (https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/Concurrency.h).
#include "global_queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SWIFT_CC __attribute__((swiftcall))

typedef struct {
  void *identity;
  uintptr_t implementation;
} executor_ref;

typedef SWIFT_CC void (*enqueue_original)(void *job);
typedef SWIFT_CC void (*delay_original)(unsigned long long delay, void *job);
typedef SWIFT_CC void (*deadline_original)(
    long long sec, long long nsec, long long tsec, long long tnsec, int clock, void *job);

extern SWIFT_CC void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);
extern SWIFT_CC void (*swift_task_enqueueGlobalWithDelay_hook)(
    unsigned long long delay, void *job, delay_original original);
extern SWIFT_CC void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long sec, long long nsec, long long tsec, long long tnsec, int clock, void *job,
    deadline_original original);
SWIFT_CC void swift_job_run(void *job, executor_ref executor);

typedef struct {
  void *job;
  uint64_t due;
} entry;

typedef struct {
  entry *entries;
  size_t count, capacity;
} list;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static list ready, sleepers;
static uint64_t now;

static void append(list *list, void *job, uint64_t due) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 64;
    list->entries = realloc(list->entries, list->capacity * sizeof(entry));
    if (!list->entries) abort();
  }
  list->entries[list->count++] = (entry){job, due};
}

static entry take(list *list, size_t index) {
  entry taken = list->entries[index];
  memmove(
      list->entries + index, list->entries + index + 1,
      (--list->count - index) * sizeof(entry));
  return taken;
}

static SWIFT_CC void enqueue(void *job, enqueue_original original) {
  (void)original;
  pthread_mutex_lock(&lock);
  append(&ready, job, 0);
  pthread_mutex_unlock(&lock);
}

static SWIFT_CC void enqueue_after(
    unsigned long long delay, void *job, delay_original original) {
  (void)original;
  pthread_mutex_lock(&lock);
  append(&sleepers, job, now + delay);
  pthread_mutex_unlock(&lock);
}

static SWIFT_CC void enqueue_at(
    long long sec, long long nsec, long long tsec, long long tnsec, int clock, void *job,
    deadline_original original) {
  (void)tsec, (void)tnsec, (void)original;
  struct timespec time;
  // The runtime counts its clocks from 1: the continuous one, then the suspending one.
  clock_gettime(clock == 1 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC, &time);
  long long left = (sec - time.tv_sec) * 1000000000 + nsec - time.tv_nsec;
  enqueue_after(left > 0 ? (unsigned long long)left : 0, job, NULL);
}

void global_queue_take_over(void) {
  swift_task_enqueueGlobal_hook = enqueue;
  swift_task_enqueueGlobalWithDelay_hook = enqueue_after;
  swift_task_enqueueGlobalWithDeadline_hook = enqueue_at;
}

size_t global_queue_count(void) {
  pthread_mutex_lock(&lock);
  size_t count = ready.count;
  pthread_mutex_unlock(&lock);
  return count;
}

void global_queue_run(size_t index) {
  pthread_mutex_lock(&lock);
  void *job = take(&ready, index).job;
  pthread_mutex_unlock(&lock);
  swift_job_run(job, (executor_ref){NULL, 0});
}

bool global_queue_wake(uint64_t *left) {
  pthread_mutex_lock(&lock);
  size_t first = 0;
  for (size_t index = 1; index < sleepers.count; index++) {
    if (sleepers.entries[index].due < sleepers.entries[first].due) first = index;
  }
  uint64_t due = sleepers.count ? sleepers.entries[first].due : UINT64_MAX;
  bool isDue = due <= now + *left;
  uint64_t passed = !isDue ? *left : due > now ? due - now : 0;
  now += passed;
  *left -= passed;
  if (isDue) append(&ready, take(&sleepers, first).job, 0);
  pthread_mutex_unlock(&lock);
  return isDue;
}
