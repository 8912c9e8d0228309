import FreshStore
import Strategies

/// What stores on one file must hold and do, in dictionaries: the semantics of the design, without
/// SQLite, tasks or memory.
struct Model: Hashable {
  /// One process.
  struct Process: Hashable {
    /// A flight that may be joined, and the newest invalidation that was known when it was opened.
    struct Seat: Hashable {
      var flight: Int
      var newest: Int
    }

    /// A verdict that waits to be written down as a mark.
    struct Verdict: Hashable {
      var stamp: Int
      var at: Int64
    }

    /// The moment at which a network was lost.
    struct Outage: Hashable {
      /// On the process's own alarms.
      var awake: Int64
      var sinceBoot: Int64
    }

    var seats: [String: Seat] = [:]
    /// Since when the network is out; `nil` while it is not.
    var outage: Outage?
    var verdicts: [String: Verdict] = [:]
    /// When verdicts are written down, on the process's own alarms.
    var alarms: Set<Int64> = []
    var awaitsVerdicts = false
    var awaitsWants = false
    var awake: Int64 = 0
    var isDraining = false
    /// What is known of the ways to the sources, by origin; one that has none has a way, too.
    var ways: [String?: ModelWay] = [:]
  }

  /// The right to fetch a key.
  struct Lease: Hashable {
    var flight: Int
    var fence: Int
    var boot: Int64
    var deadline: Int64
  }

  /// A write that may be sent.
  struct HandedOut: Hashable {
    let key: String
    let entry: Int64
    let fence: Int
  }

  /// What somebody who waited for a flight has still to do once it is over; each in its own time.
  enum Errand: Hashable {
    /// Takes what the flight has brought, or looks again.
    case land(ModelFlight.Landing, store: Int, key: String, ModelFlight.Caller)
    /// Goes on with the flights that it has opened since.
    case fly(step: Int, [Get])

    var store: Int? {
      switch self {
      case .land(_, let store, _, _): store
      case .fly(_, let gets): gets.first?.store
      }
    }
  }

  /// A mark that covers many records.
  struct Invalidation: Hashable {
    var number: Int
    var at: Int64
  }

  /// A get of several keys that has not ended.
  struct Batch: Hashable {
    let store: Int
    let keys: Set<String>
    var answers: [String: String] = [:]

    /// What it came to.
    var words: String { World.words(answers) }
  }

  /// A key of a get that has looked at its copy and needs a fetch.
  struct Get: Hashable {
    let store: Int
    let key: String
    let how: How
    let look: Look
    /// The newest invalidation that was known of the key.
    let newest: Int
    /// When it asked first, if the flight it joined brought what was older.
    var asked: Int?
    /// What was known of the fetches that failed.
    let failed: ModelRecord.Failures?
    /// Nobody, when the copy was served and is refreshed behind.
    var caller: ModelFlight.Caller?
    /// The flight that it has opened.
    var flight: Int?
  }

  let setting: Setting
  /// What the model is deliberately wrong about.
  let flaw: Flaw?
  var now: ClockReading
  var isOffline = false
  var number = 0
  var stamp = 0
  var flightCount = 0
  var lastEntry: Int64 = 0
  var records: [String: ModelRecord] = [:]
  /// What sources are known to hold of the keys with local writes.
  var shadows: [String: ModelRecord] = [:]
  var entries: [String: [ModelEntry]] = [:]
  var invalidations: [Scope: Invalidation] = [:]
  var errands: Set<Errand> = []
  var leases: [String: Lease] = [:]
  var breakers: [String: ModelBreaker] = [:]
  /// The fetches whose leases had run out when they were renewed in this step: who woke at the same
  /// moment may have come before.
  var lateRenewals: Set<Int> = []
  var flights: [ModelFlight] = []
  var pushes: [ModelPush] = []
  /// The gets of this step, by its number: what they need a fetch for.
  var gets: [Int: [Get]] = [:]
  var batches: [Int: Batch] = [:]
  /// Writes that were handed out, by the number of their step.
  var handedOut: [Int: [HandedOut]] = [:]
  /// Pushes that have taken writes out of the outbox, which others do not know yet.
  var settled: Set<ModelPush> = []
  /// What flights have brought that is not handed out yet.
  var landings: [Int: ModelFlight.Landing] = [:]
  var processes: [Process]
  /// What operations that have ended came to, by the number of their step.
  var results: [Int: String] = [:]

  init(_ setting: Setting, at now: ClockReading, flaw: Flaw?) {
    (self.setting, self.now, self.flaw) = (setting, now, flaw)
    processes = Array(repeating: Process(), count: setting.stores)
  }

  mutating func nextNumber() -> Int {
    number += 1
    return number
  }

  mutating func nextStamp() -> Int {
    stamp += 1
    return stamp
  }

  // MARK: Records

  /// Writes a record; `isTagged` of `nil` keeps the tags of the one in its place.
  ///
  /// - Parameter moment: When it was last known to be true, in milliseconds since the machine was
  ///   started; `nil` for now.
  mutating func store(
    _ key: String, _ kind: ModelRecord.Kind, _ value: Int?, _ lifetime: Lifetime, epoch: Int,
    mark: ModelRecord.Mark? = nil, isTagged: Bool? = nil, asOf moment: Int64? = nil
  ) {
    let old = records[key]
    let moment = moment ?? now.sinceBoot
    var record = ModelRecord(
      kind: kind, value: value,
      lastUpdate: now.wall.millisecondsSinceEpoch + moment - now.sinceBoot, boot: now.boot,
      bootStamp: moment, lifetime: lifetime, epoch: epoch, stamp: nextStamp())
    record.mark = mark
    record.isTagged = isTagged ?? old?.isTagged ?? false
    record.isPending = old?.isPending ?? false
    records[key] = record
  }

  mutating func mark(_ key: String, _ mark: ModelRecord.Mark) {
    let stamp = nextStamp()
    records[key]?.mark = mark
    records[key]?.stamp = stamp
  }

  /// What covers a key.
  func covering(_ key: String, isTagged: Bool) -> Invalidation? {
    invalidations.filter { scope, _ in
      switch scope {
      case .collection: true
      case .tag: isTagged
      case .prefix(let prefix): key.hasPrefix(prefix)
      // The record bears it.
      case .key: false
      }
    }.values.max { $0.number < $1.number }
  }

  /// The newest mark that covers an answer to a question of that number.
  func mark(
    over key: String, isTagged: Bool, standing: ModelRecord.Mark?, since number: Int
  ) -> ModelRecord.Mark? {
    let invalidations = [
      covering(key, isTagged: isTagged), self.invalidations[.key(key)],
    ].compactMap { $0 }.map { ModelRecord.Mark(number: $0.number, at: $0.at) }
    // Of two with one number that on the record: an invalidation moves with the wall clock.
    return ([standing].compactMap { $0 } + invalidations).filter { $0.number > number }
      .max { $0.number < $1.number }
  }

  /// The newest invalidation that is known of a key.
  func newestInvalidation(_ key: String) -> Int {
    guard let record = records[key] else { return 0 }
    return max(
      record.mark?.number ?? 0, covering(key, isTagged: record.isTagged)?.number ?? 0)
  }

  // MARK: Looking

  /// What the gate says of a key.
  func look(_ key: String, _ how: How = .plain) -> Look {
    let policy = setting.policy(how)
    guard let record = records[key], record.kind != .unfetched else { return Look(.missing) }
    if record.isPending {
      var look = Look(record.kind == .value ? .fresh : .absent, record.value)
      (look.isLocal, look.edition) = (true, record.edition)
      return look
    }
    let wall = now.wall.millisecondsSinceEpoch
    let age = wall - record.lastUpdate(at: now)
    if let hardEnd = policy.hardEnd?.milliseconds,
      age >= hardEnd || age < -Setting.allowedSkew.milliseconds
    {
      return Look(.unusable)
    }
    let covering = covering(key, isTagged: record.isTagged).flatMap {
      $0.number > record.epoch ? $0 : nil
    }
    let isMarked = (record.mark != nil || covering != nil) && flaw != .ignoresMarks
    let isFresh = !isMarked && record.isInTime(age)
    let servesAll = isOffline && !policy.mustRevalidate
    var look: Look
    if record.kind == .absent {
      look = Look(isFresh || servesAll ? .absent : .missing)
    } else {
      look = Look(isFresh ? .fresh : servesAll ? .offline : .stale, record.value)
    }
    let end = record.lifetime.milliseconds.map { record.lastUpdate(at: now) + $0 }
    // A mark from the future was made before the clock was set back: it may be as old as the copy.
    let marked = (record.mark?.at ?? covering?.at).map { at in
      at > wall + Setting.allowedSkew.milliseconds ? record.lastUpdate(at: now) : at
    }
    let since = [wall, marked, end].compactMap { $0 }.min() ?? wall
    look.staleFor = max(0, wall - since)
    look.mustRevalidate = policy.mustRevalidate
    look.edition = record.edition
    look.nextAttempt = record.nextAttempt
    return look
  }

  /// Remembers what a read found stale.
  mutating func noteRead(_ key: String, _ look: Look, by store: Int) {
    guard let record = records[key], !record.isPending, look.outcome != .fresh else { return }
    let awake = processes[store].awake
    if record.mark != nil {
      guard look.outcome == .stale || look.outcome == .offline else { return }
      guard !processes[store].awaitsWants else { return }
      processes[store].awaitsWants = true
      processes[store].alarms.insert(awake + 10_000)
    } else if look.outcome == .stale {
      processes[store].verdicts[key] = .init(
        stamp: record.stamp, at: now.wall.millisecondsSinceEpoch)
      guard !processes[store].awaitsVerdicts else { return }
      processes[store].awaitsVerdicts = true
      processes[store].alarms.insert(awake + 1000)
    }
  }

  /// Writes the verdicts of a process down.
  mutating func flush(_ store: Int) {
    for (key, verdict) in processes[store].verdicts.sorted(by: { $0.key < $1.key }) {
      guard let record = records[key], record.stamp == verdict.stamp, record.mark == nil,
        !record.isPending
      else { continue }
      mark(key, .init(number: 0, at: verdict.at))
    }
    processes[store].verdicts = [:]
    (processes[store].awaitsVerdicts, processes[store].awaitsWants) = (false, false)
  }

  /// The pause that is not over at this moment.
  func isPausing(until next: Int64?) -> Bool {
    guard let next else { return false }
    let left = next - now.wall.millisecondsSinceEpoch
    return left > 0 && left <= 86_400_000
  }

  /// The end of a pause after so many failures.
  func pauseEnd(after failures: Int) -> Int64 {
    let base = Int64(setting.retryPause) * 1000
    let longest = min(base << Int64(min(failures - 1, 10)), Setting.longestPause.milliseconds)
    return now.wall.millisecondsSinceEpoch + Int64(Double(longest) * Setting.chance)
  }
}

extension Duration {
  var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
