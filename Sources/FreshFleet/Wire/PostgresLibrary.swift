#if Fleet
  internal import CPostgres
  internal import FreshStore
  internal import Platform

  /// The library libpq, loaded at its first use and kept: a program that never uses it pays nothing.
  @safe
  struct PostgresLibrary: Sendable {
    /// Its functions, all of them present.
    let functions: freshstore_libpq

    /// The library, or the reason why there is none.
    static let shared: Result<PostgresLibrary, SharedTierError> = load()

    #if canImport(Darwin)
      private static let names = ["libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib"]
    #else
      private static let names = ["libpq.so.5"]
    #endif

    private static func load() -> Result<PostgresLibrary, SharedTierError> {
      for name in names {
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
        var functions = freshstore_libpq()
        guard let missing = unsafe freshstore_libpq_load(handle, &functions) else {
          return .success(PostgresLibrary(functions: functions))
        }
        let function = unsafe String(cString: missing)
        return .failure(
          SharedTierError(
            .noLibrary, "\(name) has no \(function): libpq of PostgreSQL 14 or later is needed"))
      }
      return .failure(
        SharedTierError(.noLibrary, "\(names[0]) is not installed (on Debian: apt install libpq5)"))
    }
  }
#endif
