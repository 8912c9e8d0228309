import FreshStore
import Strategies

/// The reasons why the source is not asked:
///
/// - Its origin keeps failing, or is held: no process asks it.
/// - The way to it gives no answer: one process does not ask it.
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

  /// The time for which the process does not use the way to the source.
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
    guard !isHeld(how) else { return .held }
    guard originPause(how) == nil else { return .down }
    if let origin { breakers[origin]?.admit(at: wall) }
    return nil
  }

  /// The reason why a push is put off.
  struct PushObstacle {
    /// The time for which it waits; `nil` when it may go as soon as the obstacle is gone.
    var pause: Int64?
  }

  /// The obstacle of a push, which can always wait; `nil` for a push that is let through.
  mutating func pushObstacle(_ store: Int) -> PushObstacle? {
    let pauses = (route: routePause(store, .plain), origin: originPause(.plain))
    return switch obstacle(store, .plain, mayWait: true) {
    case .paused: PushObstacle(pause: pauses.route)
    case .down: PushObstacle(pause: pauses.origin)
    case .offline, .held: PushObstacle()
    case .failed, nil: nil
    }
  }

  /// True when the synchronizer may ask or send: one at a time, where the attempt is a trial of
  /// the source.
  func mayTry(_ store: Int) -> Bool {
    guard routePause(store, .plain) == nil, originPause(.plain) == nil, !isHeld(.plain) else {
      return false
    }
    guard route(store, .plain).isOnTrial || breaker(.plain)?.isOpen == true else { return true }
    return !flights.contains { $0.isBySync && $0.store == store }
      && !pushes.contains { $0.isBySync && $0.store == store }
  }

  // MARK: Holds, and the end of pauses

  func isHeld(_ how: How) -> Bool {
    flaw != .ignoresHolds && setting.origin(how).map { holds.contains($0) } == true
  }

  mutating func hold(_ step: Int, _ origin: String) {
    holds.insert(origin)
    results[step] = "held"
  }

  /// Forgets what a process knows of the way to an origin.
  mutating func forgetWay(_ store: Int, to origin: String) { processes[store].routes[origin] = nil }

  /// An origin is released, and its failures are forgotten. The number tells requests from before.
  mutating func release(_ step: Int, _ origin: String) {
    _ = nextNumber()
    holds.remove(origin)
    breakers[origin] = nil
    results[step] = "released"
  }

  /// Every pause ends, and every hold.
  mutating func endPauses(_ step: Int, _ store: Int) {
    let wall = wall
    _ = nextNumber()
    processes[store].routes = [:]
    (breakers, holds) = ([:], [])
    for entry in entries.values.joined() where !entry.isParked {
      guard let end = entry.pausedUntil, end > wall else { continue }
      change(entry.id) { ($0.pausedUntil, $0.dueAt) = (nil, wall) }
    }
    func ended(_ records: [String: ModelRecord]) -> [String: ModelRecord] {
      records.mapValues { record in
        var record = record
        record.nextAttempt = record.nextAttempt.map { min($0, wall) }
        return record
      }
    }
    (records, shadows) = (ended(records), ended(shadows))
    results[step] = "ended"
  }

  // MARK: Seeing

  /// The state of the source.
  func sourceWords(_ store: Int, _ how: How) -> String {
    // One that is held is not said to be down.
    let until = isHeld(how) ? nil : breaker(how)?.pause(at: wall)
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
