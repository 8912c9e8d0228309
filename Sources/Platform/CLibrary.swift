// The one place that knows which C library this is: whoever imports `Platform` has it whole, and
// writes `Platform.send` where a name of its own hides the function.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif
