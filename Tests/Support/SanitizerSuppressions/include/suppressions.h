#include <stdbool.h>

/// What the thread sanitizer is not to report; it asks every program it is linked into
/// (https://clang.llvm.org/docs/ThreadSanitizer.html).
const char *__tsan_default_suppressions(void);

/// Whether a sanitizer watches, under which a function takes several times as much of the stack.
bool isSanitized(void);
