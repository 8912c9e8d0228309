public import FreshStore
public import Strategies
internal import Synchronization

/// A clock for tests that stands still until it is moved.
///
/// ```swift
/// let clock = ManualClock()
/// clock.advance(by: .seconds(60))   // both clocks go on; sleepers whose time has come wake
/// clock.stepWall(by: .seconds(-3600))  // the wall clock is set; no time passes
/// ```
///
/// It is the clock of a store, and a Swift `Clock` for other code that waits, such as a debounced form.
public final class ManualClock: StoreClock, Clock {
  /// A moment on the clock: the time since it was created, across restarts.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public let elapsed: Duration

    /// The moment a duration later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(elapsed: elapsed + duration)
    }

    /// The time to another moment.
    public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

    /// Orders moments by time.
    public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  private struct Sleeper {
    /// In time since the clock was created.
    let wakesAt: Duration
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Watcher {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    /// Since 1970; the stamp of a reading is rounded down to milliseconds.
    var wall: Duration
    var boot: Int64 = 1
    var sinceBoot = Duration.seconds(1000)
    var elapsed = Duration.zero
    var next = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelledEarly: Set<Int> = []
    var watchers: [Watcher] = []

    mutating func takeDue() -> [Sleeper] {
      let due = sleepers.filter { $0.value.wakesAt <= elapsed }
      for number in due.keys { sleepers[number] = nil }
      return due.values.sorted { $0.wakesAt < $1.wakesAt }
    }

    mutating func takeWatchers() -> [Watcher] {
      let count = sleepers.count
      defer { watchers.removeAll { $0.count <= count } }
      return watchers.filter { $0.count <= count }
    }
  }

  private let state: Mutex<State>

  /// Creates a clock that shows `wall`, by default a moment in 2026.
  public init(wall: Timestamp = Timestamp(millisecondsSinceEpoch: 1_780_000_000_000)) {
    state = Mutex(State(wall: .milliseconds(wall.millisecondsSinceEpoch)))
  }

  /// The time it shows.
  public func reading() -> ClockReading {
    state.withLock {
      ClockReading(
        wall: Timestamp(millisecondsSinceEpoch: $0.wall.wholeMilliseconds), boot: $0.boot,
        sinceBoot: $0.sinceBoot.wholeMilliseconds)
    }
  }

  /// The time it shows, as a Swift `Clock`.
  public var now: Instant { Instant(elapsed: state.withLock { $0.elapsed }) }

  /// The smallest difference it shows.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the clock was moved on by `duration`.
  public func sleep(for duration: Duration) async throws {
    try await sleep { $0.elapsed + duration }
  }

  /// Waits until the boot clock was moved to `moment`.
  public func sleep(until moment: Duration) async throws {
    try await sleep { $0.elapsed + (moment - $0.sinceBoot) }
  }

  /// Waits until the clock was moved to `deadline`; the tolerance changes nothing.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep { _ in deadline.elapsed }
  }

  private func sleep(until wakesAt: (State) -> Duration) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let woke = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (outcome, watchers) = state.withLock { state -> (Bool?, [Watcher]) in
          if state.cancelledEarly.remove(number) != nil { return (false, []) }
          let wakesAt = wakesAt(state)
          if wakesAt <= state.elapsed { return (true, []) }
          state.sleepers[number] = Sleeper(wakesAt: wakesAt, continuation: continuation)
          return (nil, state.takeWatchers())
        }
        if let outcome { continuation.resume(returning: outcome) }
        for watcher in watchers { watcher.continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let sleeper = state.sleepers.removeValue(forKey: number) else {
          state.cancelledEarly.insert(number)
          return nil
        }
        return sleeper
      }
      sleeper?.continuation.resume(returning: false)
    }
    if !woke { throw CancellationError() }
  }

  /// Lets time pass on both clocks.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.wall += duration
      state.sinceBoot += duration
      state.elapsed += duration
      return state.takeDue()
    }
    for sleeper in woken { sleeper.continuation.resume(returning: true) }
  }

  /// Sets the wall clock forward or back, as an administrator or NTP would: no time passes.
  public func stepWall(by duration: Duration) {
    state.withLock { $0.wall += duration }
  }

  /// Restarts the machine: another boot, a boot clock from zero, and `duration` gone by on the wall clock. Sleepers
  /// whose time has come wake.
  public func reboot(after duration: Duration = .zero) {
    let woken = state.withLock { state in
      state.boot += 1
      state.sinceBoot = .zero
      state.elapsed += duration
      state.wall += duration
      return state.takeDue()
    }
    for sleeper in woken { sleeper.continuation.resume(returning: true) }
  }

  /// The number of tasks that sleep on this clock.
  public var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Returns once at least `count` tasks sleep on this clock.
  public func sleepers(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append(Watcher(count: count, continuation: continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
