/// Limits a connection's wait for a lock that others hold in turns.
///
/// As long as others commit, the lock changes hands and this connection gets its turn: with hundreds of
/// processes on few processors a turn alone can take longer than the timeout. So the timeout applies to a
/// lock whose holder commits nothing, and the total wait has a much longer limit.
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
