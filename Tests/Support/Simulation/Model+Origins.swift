import FreshStore
import Strategies

/// Whether the source is left alone: by all processes, because its origin keeps failing, or by one,
/// because the way there gives no answer.
extension Model {
  private var wall: Int64 { now.wall.millisecondsSinceEpoch }

  /// An attempt was answered, or took too long.
  mutating func noteWay(_ store: Int, _ how: How, isAnswered: Bool, began: Int64) {
    processes[store].routes[setting.origin(how), default: .unknown]
      .note(isAnswered: isAnswered, began: began, at: now.sinceBoot)
  }

  /// The end of an attempt is known to all.
  mutating func noteOrigin(_ how: How, isAnswered: Bool) {
    guard let origin = setting.origin(how) else { return }
    breakers[origin] = isAnswered ? nil : .counting(breakers[origin], at: wall)
  }

  private func route(_ store: Int, _ how: How) -> ModelRoute {
    processes[store].routes[setting.origin(how)] ?? .unknown
  }

  private func breaker(_ how: How) -> ModelBreaker? {
    flaw == .ignoresBreakers ? nil : setting.origin(how).flatMap { breakers[$0] }
  }

  /// The time for which the way to the source is left alone.
  func routePause(_ store: Int, _ how: How) -> Int64? {
    route(store, how).pause(at: now.sinceBoot).map { $0 - now.sinceBoot }
  }

  private func originPause(_ how: How) -> Int64? {
    breaker(how)?.pause(at: wall).map { $0 - wall }
  }

  /// The reason why an attempt is put off; `nil` for one that is let through, after which others wait.
  ///
  /// - Parameter mayWait: False for one that has nothing else to serve: it may try to reach the source
  /// at any time.
  mutating func obstacle(_ store: Int, _ how: How, mayWait: Bool) -> ModelFlight.Failure? {
    guard !isOffline else { return .offline }
    guard how != .refresh else { return nil }
    let (origin, wall) = (setting.origin(how), wall)
    if mayWait {
      guard routePause(store, how) == nil else { return .paused }
      processes[store].routes[origin]?.admit(at: now.sinceBoot)
    }
    guard originPause(how) == nil else { return .down }
    if let origin { breakers[origin]?.admit(at: wall) }
    return nil
  }

  /// The time for which a push is put off, which can always wait; `nil` for one that is let through.
  mutating func pushPause(_ store: Int) -> Int64? {
    let pauses = (route: routePause(store, .plain), origin: originPause(.plain))
    return switch obstacle(store, .plain, mayWait: true) {
    case .paused: pauses.route
    case .down: pauses.origin
    case .failed, .offline, nil: nil
    }
  }

  /// True when the synchronizer may ask or send: one at a time, where the attempt is a trial of
  /// the source.
  func mayTry(_ store: Int) -> Bool {
    guard routePause(store, .plain) == nil, originPause(.plain) == nil else { return false }
    guard route(store, .plain).isOnTrial || breaker(.plain)?.isOpen == true else { return true }
    return !flights.contains { $0.isBySync && $0.store == store }
      && !pushes.contains { $0.isBySync && $0.store == store }
  }

  // MARK: Seeing

  /// The state of the source.
  func sourceWords(_ store: Int, _ how: How) -> String {
    let until = breaker(how)?.pause(at: wall)
    return Sight.sourceWords(store, how, route: routeWords(store, how), downUntil: until)
  }

  private func routeWords(_ store: Int, _ how: How) -> String {
    guard !isOffline else { return "offline" }
    return switch route(store, how) {
    case .silent: "suspected"
    case .open(let moment) where now.sinceBoot - moment < 60_000: "validated"
    case .open, .unknown: "online"
    }
  }
}
