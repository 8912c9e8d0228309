internal import CSQLite
internal import Strategies

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Waits for another connection's lock, for a bounded time, with growing pauses.
///
/// Two things SQLite's own busy timeout does not do: a checkpoint whose wait runs out is
/// *interrupted*, because SQLite would otherwise fall back to a PASSIVE checkpoint, the one kind
/// that can lose committed rows on versions with the WAL-reset defect
/// (https://sqlite.org/wal.html#walresetbug); and the wait is measured, not counted in tries.
///
/// Owned by its ``Connection`` and used only while that connection is locked.
@safe
final class BusyHandler {
  private let database: OpaquePointer
  private let timeoutMilliseconds: Int64
  private var waitingSince: Int64 = 0
  /// True while a checkpoint runs on the connection.
  var interruptsWhenItGivesUp = false
  /// How long to wait for now, in place of the timeout.
  var patience: Duration?
  /// How long was waited so far.
  private(set) var waited = Duration.zero

  /// Installs the handler on `database`.
  init(on database: OpaquePointer, timeout: Duration) {
    unsafe self.database = database
    timeoutMilliseconds = timeout.wholeMilliseconds
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe sqlite3_busy_handler(
      database,
      { context, tries in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
          .wait(tries: tries)
      }, context)
  }

  private func wait(tries: Int32) -> Int32 {
    let now = Self.monotonicMilliseconds()
    if tries == 0 { waitingSince = now }
    guard now - waitingSince < patience?.wholeMilliseconds ?? timeoutMilliseconds else {
      if interruptsWhenItGivesUp { unsafe sqlite3_interrupt(database) }
      return 0
    }
    // Writers hold the lock for well under a millisecond; short first pauses keep the tail short.
    let pause: UInt32 = tries < 10 ? 100 : tries < 50 ? 500 : 2000
    let start = ContinuousClock.now
    usleep(pause)
    waited += ContinuousClock.now - start
    return 1
  }

  private static func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
