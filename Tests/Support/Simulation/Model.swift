import FreshStore
import Strategies

/// The expected contents and behaviour of stores on one file, in dictionaries: the semantics of the
/// design, without SQLite, tasks or memory.
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
    /// The start of the network outage; `nil` while the network is up.
    var outage: Outage?
    var verdicts: [String: Verdict] = [:]
    /// The time at which verdicts are written down, on the process's own alarms.
    var alarms: Set<Int64> = []
    var awaitsVerdicts = false
    var awaitsWants = false
    var awake: Int64 = 0
    var isDraining = false
    /// The state of the ways to the sources, by origin; a source without one has a way, too.
    var routes: [String?: ModelRoute] = [:]
  }

  /// The lease of a key.
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

  /// The remaining tasks of a caller that waited for a flight once it is over; each in its own time.
  enum Errand: Hashable {
    /// Takes the result of the flight, or looks again.
    case land(ModelFlight.Landing, store: Int, key: String, ModelFlight.Caller)
    /// Continues with the flights that it has opened since.
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

    /// The result.
    var words: String { World.words(answers) }
  }

  /// A key of a get that has looked at its copy and needs a fetch.
  struct Get: Hashable {
    let store: Int
    let key: String
    let how: How
    let look: Look
    /// The newest known invalidation of the key.
    let newest: Int
    /// The time of its first question, if the flight it joined brought an older answer.
    var asked: Int?
    /// The known failures of fetches.
    let failed: ModelRecord.Failures?
    /// No task, when the copy was served and is refreshed in the background.
    var caller: ModelFlight.Caller?
    /// The flight that it has opened.
    var flight: Int?
  }

  let setting: Setting
  /// The deliberate mistake of the model.
  let flaw: Flaw?
  var now: ClockReading
  var isOffline = false
  var number = 0
  /// The number of the last wipe: what was asked before leaves nothing behind.
  var wiped = 0
  var stamp = 0
  var flightCount = 0
  var lastEntry: Int64 = 0
  var records: [String: ModelRecord] = [:]
  /// The known values of sources for the keys with local writes.
  var shadows: [String: ModelRecord] = [:]
  var entries: [String: [ModelEntry]] = [:]
  var invalidations: [Scope: Invalidation] = [:]
  var errands: Set<Errand> = []
  var leases: [String: Lease] = [:]
  var breakers: [String: ModelBreaker] = [:]
  /// The origins that nobody asks until they are released.
  var holds: Set<String> = []
  /// The fetches whose leases had expired when they were renewed in this step: a task that woke at the
  /// same moment may have come before.
  var lateRenewals: Set<Int> = []
  var flights: [ModelFlight] = []
  var pushes: [ModelPush] = []
  /// The gets of this step, by its number: the keys that need a fetch.
  var gets: [Int: [Get]] = [:]
  var batches: [Int: Batch] = [:]
  /// Writes that were handed out, by the number of their step.
  var handedOut: [Int: [HandedOut]] = [:]
  /// Pushes that have taken writes out of the outbox, unknown to others yet.
  var settled: Set<ModelPush> = []
  /// The results of flights that are not handed out yet.
  var landings: [Int: ModelFlight.Landing] = [:]
  var processes: [Process]
  /// The results of finished operations, by the number of their step.
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
  /// - Parameter moment: The last time at which it was known to be true, in milliseconds since the machine
  /// was started; `nil` for now.
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

  /// The marks that cover a key.
  func covering(_ key: String, isTagged: Bool) -> Invalidation? {
    invalidations.filter { scope, _ in
      switch scope {
      case .collection: true
      case .tag: isTagged
      case .prefix(let prefix): key.hasPrefix(prefix)
      // The record holds it.
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

  /// The newest known invalidation of a key.
  func newestInvalidation(_ key: String) -> Int {
    guard let record = records[key] else { return 0 }
    return max(
      record.mark?.number ?? 0, covering(key, isTagged: record.isTagged)?.number ?? 0)
  }

  // MARK: Looking

  /// The gate's decision about a key.
  func look(_ key: String, _ how: How = .plain) -> Look {
    let policy = setting.policy(how)
    guard let record = records[key] else { return Look(.missing) }
    guard record.kind != .unfetched else { return Look(.missing, nextAttempt: record.nextAttempt) }
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
      return Look(.unusable, nextAttempt: record.nextAttempt)
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

  /// Remembers the stale verdict of a read.
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

  /// The end of a pause after this many failures.
  func pauseEnd(after failures: Int) -> Int64 {
    let base = Int64(setting.retryPause) * 1000
    let longest = min(base << Int64(min(failures - 1, 10)), Setting.longestPause.milliseconds)
    return now.wall.millisecondsSinceEpoch + Int64(Double(longest) * Setting.chance)
  }
}

extension Duration {
  var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
