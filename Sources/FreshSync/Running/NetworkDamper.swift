/// Decides how far a network that has returned may be used.
///
/// The network must hold briefly first. When it comes and goes, it must hold for longer: twice as long with each
/// return within a minute. Until then only one attempt at a time is made over it. The first attempt after a return
/// does not wait for that, as one attempt is no storm.
///
/// Moments are times on the boot clock.
struct NetworkDamper {
  private let settle: Duration
  private let longest: Duration
  private var isAway = false
  private var generation: UInt64?
  private var returns: [Duration] = []
  private var lostAt: Duration?
  private var usableAt: Duration?
  private var settledAt: Duration?
  /// True from a return until ``takeReturn(at:)`` has reported it.
  private var hasReturned = false

  /// The time after which a return says nothing about the network's health.
  private static let memory = Duration.seconds(60)

  init(settle: Duration, longest: Duration) {
    self.settle = settle
    self.longest = longest
  }

  /// Notes the present state; returns how far the network may be used now.
  ///
  /// - Parameter generation: The number of the network. Another number is a return, too, as a gap may be too short to
  ///   be seen. That return does not have to settle.
  mutating func note(isAway: Bool, generation: UInt64 = 0, at now: Duration) -> NetworkSettlement {
    defer { (self.isAway, self.generation) = (isAway, generation) }
    if isAway {
      if !self.isAway { lostAt = now }
      (usableAt, settledAt, hasReturned) = (nil, nil, false)
      return .done
    }
    if self.isAway {
      returns.removeAll { now - $0 > Self.memory }
      returns.append(now)
      usableAt = now + min(settle, longest)
      settledAt = now + pause(afterReturns: returns.count)
      hasReturned = true
    } else if self.generation ?? generation != generation {
      hasReturned = true
    }
    if let usableAt, usableAt > now { return .waiting(usableAt - now) }
    if let settledAt, settledAt > now { return .cautious(settledAt - now) }
    return .done
  }

  /// True once for each return of the network, as soon as the network may be used.
  mutating func takeReturn(at now: Duration) -> Bool {
    guard hasReturned, usableAt.map({ $0 <= now }) ?? true else { return false }
    hasReturned = false
    return true
  }

  /// True while the network is away again, if it had not held for `time` after its last return.
  func hasReturnedInVain(within time: Duration) -> Bool {
    guard isAway, let lostAt, let returned = returns.last else { return false }
    return lostAt - returned < time
  }

  private func pause(afterReturns count: Int) -> Duration {
    var pause = settle
    for _ in 1..<max(2, count) where count > 1 && pause < longest { pause += pause }
    return min(pause, longest)
  }
}

/// How far a network that has returned may be used at one moment.
enum NetworkSettlement: Hashable {
  /// Without limit.
  case done
  /// Not yet: the network has to hold for so long first.
  case waiting(Duration)
  /// With caution for so long, because the network comes and goes: one new attempt at a time for each source.
  case cautious(Duration)

  /// The time until that changes; `nil` when it does not.
  var rest: Duration? {
    switch self {
    case .done: nil
    case .waiting(let rest), .cautious(let rest): rest
    }
  }
}
