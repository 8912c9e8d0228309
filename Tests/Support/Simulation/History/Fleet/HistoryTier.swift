import FreshStore
import FreshStoreTesting
import Synchronization

/// The way of one process to the shared tier of its fleet, and the process's knowledge of the tier.
///
/// Like a client, it waits for no call longer than some moments. It makes no call for a while after
/// two have failed.
final class HistoryTier: SharedTier {
  private struct State {
    var reach = SharedTierReach.unknown
    var failures = 0
    var outages = 0
    var isDead = false
    var isOver = false
    var listeners: [AsyncStream<Void>.Continuation] = []
    /// The calls of a dead process, which never end.
    var stuck: [HeldRequest<Void>] = []
  }

  let store: Int
  let host: Int
  private let fleet: HistoryFleet
  private let state = Mutex(State())

  private static let failuresToOpen = 2

  init(_ store: Int, of host: Int, in fleet: HistoryFleet) {
    (self.store, self.host, self.fleet) = (store, host, fleet)
  }

  private var laws: FleetLaws { fleet.laws }
  private var tier: WatchedTier { fleet.tier }

  var reach: SharedTierReach { state.withLock { $0.reach } }

  var outages: Int { state.withLock { $0.outages } }

  // MARK: Life

  /// The process is dead: nothing that it has begun goes on.
  func die() { state.withLock { $0.isDead = true } }

  /// Nobody is interested any more.
  func end() {
    let (stuck, listeners) = state.withLock { state in
      state.isOver = true
      defer { (state.stuck, state.listeners) = ([], []) }
      return (state.stuck, state.listeners)
    }
    for listener in listeners { listener.finish() }
    for call in stuck { call.end(.success(())) }
  }

  /// There may be news.
  func announce() {
    let listeners = state.withLock { $0.isDead ? [] : $0.listeners }
    for listener in listeners { listener.yield() }
  }

  /// Looks for a tier that is out of reach.
  func probe() {
    let isBack = state.withLock { state in
      guard !state.isDead, case .outOfReach = state.reach else { return false }
      (state.reach, state.failures) = (.reached, 0)
      return true
    }
    guard isBack else { return }
    laws.noteReached(by: store)
    announce()
  }

  func announcements() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let isOver = state.withLock { state in
      if !state.isOver { state.listeners.append(continuation) }
      return state.isOver
    }
    if isOver { continuation.finish() } else { continuation.yield() }
    return stream
  }

  // MARK: Calls

  /// - Parameter bringsNews: True for a call whose answer holds marks.
  private func call<Answer: Sendable>(
    bringsNews: Bool = false,
    _ body: @escaping @Sendable () async throws(SharedTierError) -> Answer
  ) async throws(SharedTierError) -> Answer {
    try await stopIfDead()
    if case .outOfReach(let failure) = reach {
      laws.noteOutage(of: store)
      throw failure
    }
    await Self.turn()
    let result: Result<(answer: Answer, event: Int), SharedTierError>
    do throws(SharedTierError) {
      let history = laws.history
      result = .success(
        try await carry { () async throws(SharedTierError) -> (answer: Answer, event: Int) in
          let answer = try await body()
          return (answer, history.event())
        })
    } catch {
      result = .failure(error)
    }
    await Self.turn()
    try await stopIfDead()
    switch result {
    case .success(let (answer, event)):
      noteAnswer(news: bringsNews ? event : nil)
      return answer
    case .failure(let failure):
      note(failure)
      throw failure
    }
  }

  /// Lets others have their turn. `Task.yield` would go on in another thread, past the scheduler.
  private static func turn() async {
    await withCheckedContinuation { continuation in
      Task { continuation.resume() }
    }
  }

  /// A dead process waits for ever.
  private func stopIfDead() async throws(SharedTierError) {
    let call = HeldRequest<Void>(isStubborn: true)
    let (isDead, isOver) = state.withLock { state in
      if state.isDead, !state.isOver { state.stuck.append(call) }
      return (state.isDead, state.isOver)
    }
    guard isDead || isOver else { return }
    if !isOver {
      do {
        try await call.answer()
      } catch {
        // It is over.
      }
    }
    throw SharedTierError(.closed, "the fleet is closed")
  }

  private func carry<Answer: Sendable>(
    _ body: @escaping @Sendable () async throws(SharedTierError) -> Answer
  ) async throws(SharedTierError) -> Answer {
    switch fleet.takeFate(of: host) {
    case nil: return try await body()
    case .requestLost: throw Self.lost
    case .answerLost:
      _ = try await body()
      throw Self.lost
    case .repeated:
      let answer = try await body()
      fleet.hold(
        HistoryMessage(host: host) {
          do throws(SharedTierError) {
            _ = try await body()
          } catch {
            // Nobody waits for it.
          }
        })
      return answer
    case .requestLate:
      let request = HeldRequest<Answer>(isStubborn: false)
      fleet.hold(
        HistoryMessage(host: host, giveUp: { request.end(.failure(Self.lost)) }) {
          do throws(SharedTierError) {
            request.end(.success(try await body()))
          } catch {
            request.end(.failure(error))
          }
        })
      return try await Self.answer(to: request)
    case .answerLate:
      let answer = try await body()
      let request = HeldRequest<Answer>(isStubborn: false)
      fleet.hold(
        HistoryMessage(host: host, giveUp: { request.end(.failure(Self.lost)) }) {
          request.end(.success(answer))
        })
      return try await Self.answer(to: request)
    }
  }

  private static func answer<Answer: Sendable>(
    to request: HeldRequest<Answer>
  ) async throws(SharedTierError) -> Answer {
    do {
      return try await request.answer()
    } catch let error as SharedTierError {
      throw error
    } catch {
      throw SharedTierError(.cancelled, "nobody waits for it", isUncertain: true)
    }
  }

  private static let lost = SharedTierError(
    .slow, "the shared tier did not answer", isUncertain: true)

  private static let refusal = SharedTierError(.noRights, "the host may make no marks")

  private func noteAnswer(news event: Int?) {
    state.withLock { state in
      (state.reach, state.failures) = (.reached, 0)
    }
    laws.noteAnswer(to: store, news: event)
  }

  private func note(_ failure: SharedTierError) {
    guard failure.code == .slow else { return }
    let isOut = state.withLock { state in
      state.failures += 1
      guard state.failures >= Self.failuresToOpen else { return false }
      var certain = failure
      certain.isUncertain = false
      if case .outOfReach = state.reach {} else { state.outages += 1 }
      state.reach = .outOfReach(certain)
      return true
    }
    if isOut { laws.noteOutage(of: store) }
  }

  // MARK: The tier

  func claim(
    _ claims: [SharedClaim], owner: String, for duration: Duration, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<[SharedKey: SharedClaimResult]> {
    let keys = claims.map(\.key)
    laws.ask(keys, by: store)
    do throws(SharedTierError) {
      let answer = try await call(bringsNews: true) {
        [tier] () async throws(SharedTierError)
          -> SharedAnswer<[SharedKey: SharedClaimResult]> in
        try await tier.claim(claims, owner: owner, for: duration, since: position)
      }
      laws.hear(answer.value, of: keys, by: store)
      return answer
    } catch {
      laws.hear(nil, of: keys, by: store)
      throw error
    }
  }

  func land(
    _ records: [(lease: SharedLease, record: SharedRecord)], since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<Set<SharedLease>> {
    try await call(bringsNews: true) {
      [tier] () async throws(SharedTierError) -> SharedAnswer<Set<SharedLease>> in
      try await tier.land(records, since: position)
    }
  }

  func release(_ leases: [SharedLease], pausing: SharedPause?) async throws(SharedTierError) {
    try await call { [tier] () async throws(SharedTierError) in
      try await tier.release(leases, pausing: pausing)
    }
  }

  func extend(
    _ leases: [SharedLease], for duration: Duration
  ) async throws(SharedTierError) -> Set<SharedLease> {
    try await call { [tier] () async throws(SharedTierError) -> Set<SharedLease> in
      try await tier.extend(leases, for: duration)
    }
  }

  func mark(
    _ scopes: [SharedMark.Scope], reason: String, since position: SharedPosition?
  ) async throws(SharedTierError) -> SharedAnswer<ClosedRange<Int64>> {
    try await call(bringsNews: true) {
      [tier, fleet, host] () async throws(SharedTierError) -> SharedAnswer<ClosedRange<Int64>> in
      if fleet.refusesMarks(of: host) { throw Self.refusal }
      let answer = try await tier.mark(scopes, reason: reason, since: position)
      fleet.announce()
      return answer
    }
  }

  func markAll(
    reason: String, unlessAfter number: Int64
  ) async throws(SharedTierError) -> Bool {
    try await call { [tier, fleet, host] () async throws(SharedTierError) -> Bool in
      if fleet.refusesMarks(of: host) { throw Self.refusal }
      let isMade = try await tier.markAll(reason: reason, unlessAfter: number)
      fleet.announce()
      return isMade
    }
  }

  func news(since position: SharedPosition?) async throws(SharedTierError) -> SharedNews {
    try await call(bringsNews: true) { [tier] () async throws(SharedTierError) -> SharedNews in
      try await tier.news(since: position)
    }
  }

  func pause(_ origin: String, _ pause: SharedPause?) async throws(SharedTierError) {
    try await call { [tier] () async throws(SharedTierError) in
      try await tier.pause(origin, pause)
    }
  }

  func endPauses(of keys: [SharedKey]) async throws(SharedTierError) {
    try await call { [tier] () async throws(SharedTierError) in
      try await tier.endPauses(of: keys)
    }
  }

  func endPauses() async throws(SharedTierError) {
    try await call { [tier] () async throws(SharedTierError) in try await tier.endPauses() }
  }

  func pauses(
    of origins: [String]
  ) async throws(SharedTierError) -> [String: SharedPause] {
    let (pauses, ends) = try await call {
      [tier, laws] () async throws(SharedTierError)
        -> (pauses: [String: SharedPause], ends: [String: Duration]) in
      (try await tier.pauses(of: origins), laws.pauses(of: origins))
    }
    laws.hear(pauses: ends, on: host)
    return pauses
  }
}
