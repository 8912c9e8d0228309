// The hook is the Swift runtime's own, for those who bring an executor
// (https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/Concurrency.h).
#include "global_queue.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SWIFT_CC __attribute__((swiftcall))

typedef struct {
  void *identity;
  uintptr_t implementation;
} executor_ref;

typedef SWIFT_CC void (*enqueue_original)(void *job);
extern SWIFT_CC void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);
SWIFT_CC void swift_job_run(void *job, executor_ref executor);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void **jobs;
static size_t count, capacity;

static SWIFT_CC void enqueue(void *job, enqueue_original original) {
  (void)original;
  pthread_mutex_lock(&lock);
  if (count == capacity) {
    capacity = capacity ? 2 * capacity : 64;
    jobs = realloc(jobs, capacity * sizeof(void *));
    if (!jobs) abort();
  }
  jobs[count++] = job;
  pthread_mutex_unlock(&lock);
}

void global_queue_take_over(void) { swift_task_enqueueGlobal_hook = enqueue; }

size_t global_queue_count(void) {
  pthread_mutex_lock(&lock);
  size_t ready = count;
  pthread_mutex_unlock(&lock);
  return ready;
}

void global_queue_run(size_t index) {
  pthread_mutex_lock(&lock);
  void *job = jobs[index];
  memmove(jobs + index, jobs + index + 1, (--count - index) * sizeof(void *));
  pthread_mutex_unlock(&lock);
  swift_job_run(job, (executor_ref){NULL, 0});
}
