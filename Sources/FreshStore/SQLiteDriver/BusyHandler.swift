internal import CSQLite
internal import Platform
internal import Strategies

/// Waits for another connection's lock, for a bounded time (``LockWait``), with growing pauses.
///
/// It differs in three ways from SQLite's own busy timeout:
/// - It goes on waiting for a lock that keeps changing hands.
/// - It *interrupts* a checkpoint whose wait runs out. SQLite would fall back to a PASSIVE checkpoint, the one kind
///   that can lose committed rows on versions with the WAL-reset defect (https://sqlite.org/wal.html#walresetbug).
/// - It measures the wait, and does not count tries.
///
/// Owned by its ``Connection`` and used only while that connection is locked.
@safe
final class BusyHandler {
  private let database: OpaquePointer
  private let timeoutMilliseconds: Int64
  private let path: String
  private var waitingSince: Int64 = 0
  private var lockWait: LockWait?
  /// The log's path, with links resolved; computed at the first wait for a lock.
  private lazy var log = PathName.resolved(path) + "-wal"
  /// True while a checkpoint runs on the connection.
  var interruptsWhenItGivesUp = false
  /// The current limit on waiting, which replaces the timeout.
  var patience: Duration?
  /// A shorter timeout for waits for the lock of writers.
  var shorterTimeout: Duration?
  /// The total wait so far.
  private(set) var waited = Duration.zero

  /// Installs the handler on `database`.
  init(on database: OpaquePointer, at path: String, timeout: Duration) {
    unsafe self.database = database
    self.path = path
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
    if tries == 0 {
      waitingSince = now
      lockWait = nil
    }
    guard goesOn(at: now) else {
      if interruptsWhenItGivesUp { unsafe sqlite3_interrupt(database) }
      return 0
    }
    // Writers hold the lock for well under a millisecond; short first pauses keep the tail short. A
    // long wait means many waiters, and each of their attempts slows the working writers.
    let pause: UInt32 =
      tries < 10 ? 100 : tries < 50 ? 500 : tries < 200 ? 2000 : .random(in: 5000...20_000)
    let start = ContinuousClock.now
    usleep(pause)
    waited += ContinuousClock.now - start
    return 1
  }

  private func goesOn(at now: Int64) -> Bool {
    if let patience { return now - waitingSince < patience.wholeMilliseconds }
    // A checkpoint waits for readers, which commit nothing.
    guard !interruptsWhenItGivesUp else { return now - waitingSince < timeoutMilliseconds }
    let stamp = LockWait.LogStamp(of: log)
    if lockWait == nil {
      let timeout = min(shorterTimeout?.wholeMilliseconds ?? .max, timeoutMilliseconds)
      lockWait = LockWait(timeout: timeout, at: now, log: stamp)
    }
    return lockWait?.goesOn(at: now, log: stamp) ?? false
  }

  private static func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension LockWait.LogStamp {
  /// The state of the log; zeros when there is none.
  fileprivate init(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    (size, seconds, nanoseconds) = (Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec))
  }
}

/// Limits a connection's wait for a lock that others hold in turns.
///
/// As long as others commit, the lock changes hands and this connection gets its turn. With hundreds of processes
/// on few processors one turn can take longer than the timeout. So the timeout applies to a lock whose holder
/// commits nothing, and the total wait has a much longer limit.
struct LockWait {
  /// The limit of the total wait, in multiples of the timeout.
  static let most: Int64 = 12

  private let timeout: Int64
  private let start: Int64
  private var commit: LogStamp
  private var committedAt: Int64

  /// A stamp that changes with every commit.
  struct LogStamp: Equatable {
    var size: Int64 = 0
    var seconds: Int64 = 0
    var nanoseconds: Int64 = 0
  }

  /// - Parameters:
  ///   - timeout: In milliseconds.
  ///   - now: On any clock, in milliseconds.
  init(timeout: Int64, at now: Int64, log: LogStamp) {
    (self.timeout, start, commit, committedAt) = (timeout, now, log, now)
  }

  /// Whether to continue waiting.
  mutating func goesOn(at now: Int64, log: LogStamp) -> Bool {
    if log != commit { (commit, committedAt) = (log, now) }
    let most = timeout.multipliedReportingOverflow(by: Self.most)
    return now - committedAt < timeout && (most.overflow || now - start < most.partialValue)
  }
}
