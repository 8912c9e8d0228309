internal import FreshStore
internal import Strategies

/// What one look at the queues led to.
struct Turn {
  var jobs: [SyncJob] = []
  /// When to look again although nothing happens, on the boot clock.
  private(set) var nextLook: Duration
  let now: ClockReading
  /// True when the rate of starts alone keeps work back.
  var isHeldByRate = false
  /// True when the store is left alone because it failed.
  var isHeldByStore = false
  /// True when there may be more to do than was seen.
  var isHeld: Bool { isHeldByRate || isHeldByStore }
  /// Why every source is out of reach; `nil` when one is not.
  var offline: String? { isAnyOnline ? nil : offlineReasons.min() }
  var isAnyOffline: Bool { !offlineReasons.isEmpty }
  private var offlineReasons: [String] = []
  private var isAnyOnline = false
  /// How long origins are left alone of which no attempt was made just now.
  var refusals: [ExactName: Duration] = [:]
  /// The shortest pause of what stands under the name of each origin.
  private var standingPauses: [ExactName: Duration] = [:]
  /// The pauses of origins, and how long they last: something may begin again when both are over.
  var pauses: [ExactName: Duration] { refusals.merging(standingPauses) { max($0, $1) } }
  /// When the next record or write falls due.
  var nextDue: Timestamp?

  /// Why the store could not be worked with to the end of the turn.
  var failure: StoreError?

  init(at now: ClockReading, nextLook: Duration) {
    self.now = now
    self.nextLook = now.steady + nextLook
  }

  /// There is something to look at after so long.
  mutating func note(lookAfter pause: Duration) {
    nextLook = min(nextLook, now.steady + max(.milliseconds(1), pause))
  }

  /// How the sources of so many origins stand.
  mutating func note(_ standings: [(origin: String, standing: Standing)]) {
    for (origin, standing) in standings {
      switch standing {
      case .paused(let pause):
        standingPauses[origin] = min(standingPauses[origin] ?? pause, pause)
        isAnyOnline = true
      case .offline(let reason): offlineReasons.append(reason)
      case .open, .trial: isAnyOnline = true
      }
    }
    if let pause = pauses.values.min() { note(lookAfter: pause) }
  }

  /// Something falls due then.
  mutating func note(due moment: Timestamp?) {
    guard let moment else { return }
    nextDue = min(nextDue ?? moment, moment)
    note(lookAfter: moment.duration(since: now.wall))
  }
}
