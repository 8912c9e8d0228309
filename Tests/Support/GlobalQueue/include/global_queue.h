#ifndef GLOBAL_QUEUE_H
#define GLOBAL_QUEUE_H

#include <stddef.h>

/// Takes the jobs of Swift's global executor over, for good: none runs but by `global_queue_run`, on
/// the thread that calls it.
void global_queue_take_over(void);

/// How many jobs are ready.
size_t global_queue_count(void);

/// Runs one of those that are ready, counted from the oldest.
void global_queue_run(size_t index);

#endif
