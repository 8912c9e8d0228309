#ifndef GLOBAL_QUEUE_H
#define GLOBAL_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Takes the jobs of Swift's global executor over, for good: none runs but by `global_queue_run`, on
/// the thread that calls it, and sleep in real time takes none.
void global_queue_take_over(void);

/// How many jobs are ready.
size_t global_queue_count(void);

/// Runs one of those that are ready, counted from the oldest.
void global_queue_run(size_t index);

/// Makes the sleeper ready that is due first; false when none is due within so many nanoseconds,
/// which have then passed. `left` is what is left of them.
bool global_queue_wake(uint64_t *left);

#endif
