internal import FreshStore
internal import Strategies

/// The result of one look at the queues.
struct Turn {
  var jobs: [SyncJob] = []
  /// When to look again without an event, on the boot clock.
  private(set) var nextLook: Duration
  let now: ClockReading
  /// True when only the rate of starts delays work.
  var isHeldByRate = false
  /// True when the store is left alone because it failed.
  var isHeldByStore = false
  /// True when there may be more to do than was seen.
  var isHeld: Bool { isHeldByRate || isHeldByStore }
  /// The reason why every source is out of reach; `nil` when one is not.
  var offline: String? { isAnyOnline ? nil : offlineReasons.min() }
  var isAnyOffline: Bool { !offlineReasons.isEmpty }
  private var offlineReasons: [String] = []
  private var isAnyOnline = false
  /// The pauses of origins at which no attempt was made just now.
  var refusals: [ExactName: Duration] = [:]
  /// The shortest pause among the availabilities of each origin.
  private var standingPauses: [ExactName: Duration] = [:]
  /// The held origins, and the reasons.
  private(set) var holds: [ExactName: String] = [:]
  /// The pauses of origins, and their rest: work may begin again when both are over.
  var pauses: [ExactName: Duration] { refusals.merging(standingPauses) { max($0, $1) } }
  /// How long work under way waits for a source that is out of reach.
  var patience = Duration.zero
  /// When the next record or write falls due.
  var nextDue: Timestamp?

  /// The failure that kept the store from being used to the end of the turn.
  var failure: StoreError?

  init(at now: ClockReading, nextLook: Duration) {
    self.now = now
    self.nextLook = now.steady + nextLook
  }

  /// Work is to be looked at after so long.
  mutating func note(lookAfter pause: Duration) {
    nextLook = min(nextLook, now.steady + max(.milliseconds(1), pause))
  }

  /// Notes the availabilities of the sources of origins.
  mutating func note(_ availabilities: [(origin: String, availability: Availability)]) {
    for (origin, availability) in availabilities {
      switch availability {
      case .paused(let pause):
        standingPauses[origin] = min(standingPauses[origin] ?? pause, pause)
        isAnyOnline = true
      case .held(let reason):
        holds[origin] = reason
        isAnyOnline = true
      case .offline(let reason): offlineReasons.append(reason)
      case .open, .trial, .cautious: isAnyOnline = true
      }
    }
    if let pause = pauses.values.min() { note(lookAfter: pause) }
  }

  /// Work falls due then.
  mutating func note(due moment: Timestamp?) {
    guard let moment else { return }
    nextDue = min(nextDue ?? moment, moment)
    note(lookAfter: moment.duration(since: now.wall))
  }
}
