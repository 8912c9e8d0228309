// The one place that selects the C library: a file that imports `Platform` gets all of it, and
// writes `Platform.send` where its own name shadows the function.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif
