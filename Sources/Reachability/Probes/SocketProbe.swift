internal import Platform
public import Strategies
internal import Synchronization

/// Tests by connecting: opens a TCP connection to a host and closes it again. It does so on a thread of its own,
/// and never on the thread of a read.
///
/// ``reachability()`` returns the result of the last attempt and begins the next attempt when one is due; it never
/// waits. The states are:
///
/// - `Reachability.online`: the host answered, even by refusing.
/// - `Reachability.offline(_:)`: the kernel finds no route.
/// - `Reachability.suspected(_:)`: silence, which proves nothing.
/// - `Reachability.unknown(_:)`: before the first attempt has ended, when the name has no address, and when the
///   attempt after one that found no route is overdue.
///
/// At most one attempt is in flight. After a failure the next attempt waits for a random time below a limit that
/// doubles from 1 s to 60 s. After a success it waits for a minute. Attempts are made only on request. Share one
/// probe for a host.
///
/// A connection says nothing about the service behind it, because a captive portal answers too.
public final class SocketProbe: ReachabilityProvider {
  /// The time for which an attempt waits for an answer, once the name is resolved.
  private let timeout: Duration

  private let state = Mutex(ProbeState())
  private let now: @Sendable () -> ContinuousClock.Instant
  private let random: @Sendable () -> Double
  private let attempt: @Sendable () -> Reachability

  /// Creates a probe; nothing is sent before the first request.
  public convenience init(host: String, port: UInt16, timeout: Duration = .seconds(1)) {
    self.init(timeout: timeout) {
      SocketAttempt.reachability(of: host, port: port, timeout: timeout)
    }
  }

  /// A probe with the caller's clock, source of numbers in 0 ..< 1 and attempt.
  init(
    timeout: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
    attempt: @escaping @Sendable () -> Reachability
  ) {
    self.timeout = timeout
    self.now = now
    self.random = random
    self.attempt = attempt
  }

  /// The result of the last attempt; begins another on its thread when one is due.
  public func reachability() -> Reachability {
    let now = now()
    let (reachability, isDue) = state.withLock {
      ($0.reachability(at: now, attemptsEndWithin: timeout), $0.begin(ifDueAt: now))
    }
    if isDue { start() }
    return reachability
  }

  /// Makes an attempt now, or joins the attempt in flight, and returns its result.
  ///
  /// Takes the time to resolve the name and at most the timeout. It does not end early when the task is cancelled.
  public func probe() async -> Reachability {
    await withCheckedContinuation { continuation in
      let isFirst = state.withLock { $0.join(continuation) }
      if isFirst { start() }
    }
  }

  private func start() {
    do throws(ErrorNumber) {
      try DetachedThread.start { [self] in end(with: attempt()) }
    } catch {
      end(with: .unknown("no thread for an attempt: \(error)"))
    }
  }

  private func end(with reachability: Reachability) {
    let (now, random) = (now(), random())
    let waiting = state.withLock { $0.end(with: reachability, at: now, random: random) }
    for continuation in waiting { continuation.resume(returning: reachability) }
  }
}

extension ReachabilityProvider where Self == SocketProbe {
  /// Opens TCP connections to a host now and then, off the path of reads.
  ///
  /// Each call makes a probe of its own: make one and pass it around.
  public static func socket(
    _ host: String, _ port: UInt16, timeout: Duration = .seconds(1)
  ) -> SocketProbe {
    SocketProbe(host: host, port: port, timeout: timeout)
  }
}

/// The memory of a ``SocketProbe``: the last answer, the time of the next attempt, and the waiting callers.
struct ProbeState {
  private(set) var reachability: Reachability = .unknown("no attempt has ended yet")
  private(set) var nextAttempt: ContinuousClock.Instant?
  private var failures = 0
  private var waiting: [CheckedContinuation<Reachability, Never>] = []
  /// The process in which an attempt is in flight; a forked child has no thread of its parent.
  private var process: UInt64?

  /// The present state. A missing route counts only until the next attempt has had its time. So it does not outlive
  /// its cause when nobody asks for long, or when an attempt never ends.
  func reachability(at now: ContinuousClock.Instant, attemptsEndWithin timeout: Duration)
    -> Reachability
  {
    guard reachability.isProvablyOffline, let nextAttempt, now > nextAttempt + timeout else {
      return reachability
    }
    return .unknown("the last attempt is too long ago")
  }

  /// Begins an attempt if none is in flight and the time has come.
  mutating func begin(ifDueAt now: ContinuousClock.Instant) -> Bool {
    if let nextAttempt, now < nextAttempt { return false }
    return begin()
  }

  /// Adds a caller that waits for the attempt in flight; true when the caller has to begin one.
  mutating func join(_ continuation: CheckedContinuation<Reachability, Never>) -> Bool {
    waiting.append(continuation)
    return begin()
  }

  /// Takes the attempt's result and returns the callers that waited for it. `random` lies in 0 ..< 1.
  mutating func end(
    with result: Reachability, at now: ContinuousClock.Instant, random: Double
  ) -> [CheckedContinuation<Reachability, Never>] {
    defer { waiting = [] }
    process = nil
    reachability = result
    if result == .online {
      failures = 0
      nextAttempt = now + AttemptBackoff.limit(afterFailures: 0)
    } else {
      failures += 1
      nextAttempt = now + AttemptBackoff.pause(afterFailures: failures, random: random)
    }
    return waiting
  }

  private mutating func begin() -> Bool {
    let present = ForkCount.begin()
    guard process != present else { return false }
    process = present
    return true
  }
}
