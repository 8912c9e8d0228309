internal import Platform
internal import Synchronization

/// A store's part in its fleet: the shared tier, and the tasks that follow it.
final class FleetMember: Sendable {
  let tier: any SharedTier
  /// The name of the host.
  let host: String
  let options: FleetOptions

  fileprivate struct State {
    /// The tasks that follow the tier.
    var following: [Task<Void, Never>] = []
    /// Calls that no caller waits for.
    var calls: [Int: Task<Void, Never>] = [:]
    var next = 0
    var isClosed = false
    /// The last answer, or the last time at which everything became suspect, since boot.
    var lastWord: Duration?
    /// How often a call has failed because the tier is out of reach, or the tier has told that it was.
    var outages = 0
    /// The tier's own count when that was looked at last.
    var outagesOfTier: Int
    /// True once all marks are applied that were made before an answer since the last outage.
    var isCurrent = false
    /// From the first such answer until then: the number of the store's sequence at that answer.
    var behind: Int64?
    /// The outages by then.
    var behindAfter = 0
    /// How often it has heard of marks that were not applied then.
    var falls = 0
    /// True from then on until they are applied, also while the tier is out of reach.
    var hasHeard = false
    /// From an opening after too long a silence until the fleet has answered, or everything is taken as stale.
    var isTooLongAlone = false
    var isCatchingUp = false
    /// True when the running update is to be followed by another one.
    var catchesUpAgain = false
    var isDelivering = false
    /// Those that wait for the end of a delivery.
    var deliverers: [CheckedContinuation<Void, Never>] = []
    /// The reason why the last delivery failed; `nil` after a success.
    var hindrance: SharedTierError?
    /// The oldest mark that is still to be delivered, and since when it is known, since boot.
    var oldest: (id: Int64, since: Duration)?
    /// The origins that are paused in the fleet, as far as this store knows.
    var paused: Set<String> = []
    /// How often a caller has ended pauses.
    var endsByHand = 0
    /// The last looks for a pause, since boot, by origin: those of this second, and those of the one before.
    var looks: [String: Duration] = [:]
    var formerLooks: [String: Duration] = [:]
    /// Since when ``looks`` are noted.
    var looksSince = Duration.zero
    /// When pauses of the fleet end, since boot, that are longer than this host heeds and were taken over, by origin.
    var overlong: [String: Duration] = [:]
  }

  private let state: Mutex<State>

  /// `nil` for a host alone, and for a store that only reads.
  init?(_ configuration: Configuration) {
    guard let tier = configuration.sharedTier, configuration.access == .readWrite else {
      return nil
    }
    self.tier = tier
    state = Mutex(State(outagesOfTier: tier.outages))
    options = configuration.fleet
    let machine = HostName.current
    host = configuration.fleet.host ?? (machine.isEmpty ? "a host without a name" : machine)
  }

  /// Stops with the store, also with one that is not closed: the tasks do not keep it.
  deinit {
    for task in state.withLock({ $0.following }) { task.cancel() }
  }

  /// Ends the tasks; returns once the running calls have ended, which the tier's own limit bounds.
  func close() async {
    let (following, calls) = state.withLock { state in
      state.isClosed = true
      defer { state.following = [] }
      return (state.following, Array(state.calls.values))
    }
    for task in following { task.cancel() }
    for task in following { await task.value }
    for call in calls { await call.value }
  }

  /// Runs work in a task that ends with the store.
  func follow(_ work: @escaping @Sendable () async -> Void) {
    let task = Task { await work() }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.following.append(task) }
      return state.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// Makes a call that no caller waits for; closing the store does.
  func call(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      let number = state.next
      state.next += 1
      state.calls[number] = Task { [weak self] in
        await work()
        self?.end(number)
      }
    }
  }

  private func end(_ number: Int) {
    state.withLock { $0.calls[number] = nil }
  }

  // MARK: Origins

  /// True once a second for each origin.
  func mayAskForPause(of origin: String, at now: ClockReading) -> Bool {
    let moment = Duration.milliseconds(now.sinceBoot)
    return state.withLock { state in
      let since = moment - state.looksSince
      if since < .zero || since >= .seconds(1) {
        let isRecent = since >= .zero && since < .seconds(2)
        (state.formerLooks, state.looks) = (isRecent ? state.looks : [:], [:])
        state.looksSince = moment
      }
      let last = state.looks[origin] ?? state.formerLooks[origin]
      if let last, moment - last < .seconds(1), moment >= last { return false }
      state.looks[origin] = moment
      return true
    }
  }

  /// The number of looks that are remembered; for tests.
  var looksKept: Int { state.withLock { $0.looks.count + $0.formerLooks.count } }

  func notePause(of origin: String, isPaused: Bool) {
    state.withLock { state in
      guard isPaused else {
        state.paused.remove(origin)
        return
      }
      // One that is not known ends by itself.
      if state.paused.count >= Self.mostPauses { state.paused = [] }
      state.paused.insert(origin)
    }
  }

  /// The most origins whose pauses are known.
  private static let mostPauses = 1024

  /// False for a pause that this host has heeded for as long as it heeds any, and that goes on in the fleet.
  func isToBeTaken(_ pause: SharedPause, of origin: String, at now: ClockReading) -> Bool {
    let end = Duration.milliseconds(now.sinceBoot) + pause.duration
    guard let known = state.withLock({ $0.overlong[origin] }) else { return true }
    // The same one seems to end a little earlier or later, as its answer came late, then or now. One that ends at any
    // other time was made since.
    return end > known + .seconds(5) || end < known - .seconds(5)
  }

  /// Notes that a pause was taken over.
  func noteTaken(
    _ pause: SharedPause, of origin: String, heeding longest: Duration, at now: ClockReading
  ) {
    let end = Duration.milliseconds(now.sinceBoot) + pause.duration
    state.withLock { state in
      // One that is not known is taken over once more.
      if state.overlong.count >= Self.mostPauses { state.overlong = [:] }
      state.overlong[origin] = pause.duration > longest ? end : nil
    }
  }

  /// The origins that are known to be paused, one or all, which are not from now on.
  func takePauses(of origin: String?) -> [String] {
    state.withLock { state in
      guard let origin else {
        defer { (state.paused, state.overlong) = ([], [:]) }
        return Array(state.paused)
      }
      state.overlong[origin] = nil
      return state.paused.remove(origin).map { [$0] } ?? []
    }
  }

  /// Forgets the pauses of one origin or of all, as a caller ends them.
  func forgetPauses(of origin: String?) {
    _ = takePauses(of: origin)
    state.withLock { $0.endsByHand += 1 }
  }

  /// How often a caller has ended pauses: a look from before that takes none over.
  var endsByHand: Int { state.withLock { $0.endsByHand } }

  // MARK: Reach

  /// The reason why calls fail at once; `nil` while the tier is in reach, as far as is known.
  var obstacle: SharedTierError? {
    if case .outOfReach(let error) = tier.reach { error } else { nil }
  }

  /// Notes that the fleet has answered, or that everything from before is suspect by now.
  func noteWord(at now: ClockReading) {
    state.withLock { $0.lastWord = Duration.milliseconds(now.sinceBoot) }
  }

  /// The time since then; `nil` before the first one.
  func silence(at now: ClockReading) -> Duration? {
    let word = state.withLock { $0.lastWord }
    return word.map { max(.zero, Duration.milliseconds(now.sinceBoot) - $0) }
  }

  // MARK: Marks that were missed

  /// How often the tier has gone out of reach, whoever has noticed.
  var outages: Int {
    let (count, isOut) = (tier.outages, obstacle != nil)
    return state.withLock { state in
      state.notice(count, isOut: isOut)
      return state.outages
    }
  }

  /// The number up to which copies are doubtful, because marks of the fleet may be missing here; `nil` for none.
  ///
  /// It is the number of the store's sequence at the first answer after an outage, or at a later answer that could
  /// not be applied. A host that is alone and has heard of no such mark has none.
  var behind: Int64? { state.withLock { $0.behind } }

  /// How often the host has heard of marks that were not applied then: a question from before does not end that.
  var falls: Int { state.withLock { $0.falls } }

  /// Notes an answer; true when it is the first one since the store was opened, or since an outage.
  func noteAnswer(at now: ClockReading) -> Bool {
    noteWord(at: now)
    let (count, isOut) = (tier.outages, obstacle != nil)
    return state.withLock { state in
      state.notice(count, isOut: isOut)
      return !state.isCurrent && !state.isBehind
    }
  }

  /// Notes that marks may be missing; false when none are by now, or the tier is out of reach again.
  func fallBehind(at number: Int64, after outages: Int) -> Bool {
    state.withLock { state in
      guard !state.isCurrent, !state.isBehind, state.outages == outages else { return false }
      (state.behind, state.behindAfter) = (number, outages)
      return true
    }
  }

  /// Notes that the host has heard of marks that are not applied. It counts also for a host that was current until
  /// then, or is alone by now. A host doubts what it fetched alone once it is in reach again.
  func fallBehind(at number: Int64) {
    let (count, isOut) = (tier.outages, obstacle != nil)
    state.withLock { state in
      state.notice(count, isOut: isOut)
      state.falls += 1
      (state.isCurrent, state.hasHeard) = (false, true)
      state.behind = max(state.behind ?? number, number)
      state.behindAfter = isOut ? -1 : state.outages
    }
  }

  /// Notes that all marks are applied that were made before the answer to a question. A host that is alone by then has
  /// nothing to doubt any more.
  func noteEnd(of question: FleetQuestion) {
    let isOut = obstacle != nil
    state.withLock { state in
      guard state.falls == question.falls else { return }
      state.hasHeard = false
      if state.outages == question.outages {
        (state.isCurrent, state.behind, state.isTooLongAlone) = (true, nil, false)
      } else if isOut, !state.isTooLongAlone, !state.isBehind {
        state.behind = nil
      }
    }
  }

  /// Notes a failure: the host is alone, if the tier is out of reach.
  func noteFailure() {
    guard obstacle != nil else { return }
    let count = tier.outages
    state.withLock { state in
      state.outagesOfTier = count
      state.noteOutage(isOut: true)
    }
  }

  /// Notes that the fleet was silent for too long before the store was opened: what it holds, up to this number, is
  /// doubtful although the host is alone.
  func beginTooLongAlone(at number: Int64) {
    state.withLock { state in
      guard !state.isCurrent, state.behind == nil else { return }
      (state.behind, state.behindAfter, state.isTooLongAlone) = (number, -1, true)
    }
  }

  /// Notes that the file tells by itself what is stale because of that.
  func endTooLongAlone() {
    state.withLock { state in
      guard state.isTooLongAlone else { return }
      state.isTooLongAlone = false
      if !state.isBehind, !state.hasHeard { state.behind = nil }
    }
  }

  /// False while another task catches up where no caller waits; it does so once more then.
  func beginCatchingUp() -> Bool {
    state.withLock { state in
      state.catchesUpAgain = state.isCatchingUp
      defer { state.isCatchingUp = true }
      return !state.isCatchingUp
    }
  }

  /// False when there is more to do.
  func endCatchingUp() -> Bool {
    state.withLock { state in
      state.isCatchingUp = state.catchesUpAgain
      state.catchesUpAgain = false
      return !state.isCatchingUp
    }
  }

  // MARK: Deliveries

  /// Notes how a delivery has ended.
  func noteDelivery(hinderedBy error: SharedTierError?) { state.withLock { $0.hindrance = error } }

  /// The marks that wait for too long; `nil` where none does.
  ///
  /// - Parameter oldest: The number of the oldest that waits.
  func overdue(_ marks: Int, oldest: Int64?, at now: ClockReading) -> FleetStanding.Overdue? {
    let (moment, obstacle) = (Duration.milliseconds(now.sinceBoot), obstacle)
    return state.withLock { state in
      guard let oldest else {
        state.oldest = nil
        return nil
      }
      let since = state.oldest.flatMap { $0.id == oldest ? $0.since : nil } ?? moment
      state.oldest = (oldest, since)
      guard moment - since >= FleetStanding.longestDelivery else { return nil }
      return FleetStanding.Overdue(
        marks: marks, wait: moment - since, reason: obstacle ?? state.hindrance)
    }
  }

  /// Waits for the turn to deliver kept marks: two at once would send each of them twice. Its holder must end it.
  func beginDelivery() async {
    await withCheckedContinuation { continuation in
      let isFirst = state.withLock { state in
        guard state.isDelivering else {
          state.isDelivering = true
          return true
        }
        state.deliverers.append(continuation)
        return false
      }
      if isFirst { continuation.resume() }
    }
  }

  /// Hands the turn on.
  func endDelivery() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.deliverers.isEmpty else {
        state.isDelivering = false
        return nil
      }
      return state.deliverers.removeFirst()
    }
    next?.resume()
  }
}

extension FleetMember.State {
  /// True from the first answer after the last outage on, until the host is current.
  fileprivate var isBehind: Bool { behind != nil && behindAfter == outages }

  /// Compares the tier's count of its outages: who looks for it between the calls may have found one that no call has
  /// met.
  fileprivate mutating func notice(_ count: Int, isOut: Bool) {
    guard count != outagesOfTier else { return }
    outagesOfTier = count
    noteOutage(isOut: isOut)
  }

  /// Marks may be missed from now on. A host that is alone does not doubt what it has for that, but for what it has
  /// heard of; one that is in reach again goes on doubting it until it has caught up.
  fileprivate mutating func noteOutage(isOut: Bool) {
    outages += 1
    isCurrent = false
    if isOut, !isTooLongAlone, !hasHeard { behind = nil }
  }
}
