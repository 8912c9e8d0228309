#include "suppressions.h"

// A contended Mutex of the Synchronization module takes its slow path inside the Swift runtime,
// which is built without instrumentation: the thread sanitizer does not see the lock change hands
// and reports the next access as a race. The pattern matches closures that take `inout sending`, as
// those given to Mutex.withLock do, and nothing else; a race outside of a lock is still reported.
const char *__tsan_default_suppressions(void) { return "race:zYu*YTXE\n"; }

bool isSanitized(void) {
  return __has_feature(thread_sanitizer) || __has_feature(address_sanitizer);
}
