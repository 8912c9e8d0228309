/// What the thread sanitizer is not to report; it asks every program it is linked into
/// (https://clang.llvm.org/docs/ThreadSanitizer.html).
const char *__tsan_default_suppressions(void);
