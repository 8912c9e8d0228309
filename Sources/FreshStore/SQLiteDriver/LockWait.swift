/// How long a connection waits for a lock that others hold in turns.
///
/// As long as somebody commits, the lock goes from hand to hand and will come: with hundreds of processes
/// on few processors a turn alone can take longer than the timeout. So the timeout is for a lock with
/// which nothing is done, and all waiting together has an end that is far off.
struct LockWait {
  /// All waiting together, in multiples of the timeout.
  static let most: Int64 = 12

  private let timeout: Int64
  private let start: Int64
  private var commit: LogStamp
  private var committedAt: Int64

  /// What changes when somebody commits.
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

  /// Whether to wait on.
  mutating func goesOn(at now: Int64, log: LogStamp) -> Bool {
    if log != commit { (commit, committedAt) = (log, now) }
    let most = timeout.multipliedReportingOverflow(by: Self.most)
    return now - committedAt < timeout && (most.overflow || now - start < most.partialValue)
  }
}
