import FreshStore
import FreshStoreTesting
import Synchronization

/// The marks, leases and values of a history's shared tier, and the laws that follow from them for
/// every host.
final class FleetLaws: Sendable {
  /// A mark, and when it was made.
  struct Mark: Sendable {
    let mark: SharedMark
    let event: Int
  }

  /// A lease that has not ended by the words of the tier.
  struct Grant: Sendable {
    let fence: Int64
    let owner: String
    /// By the tier's clock.
    var until: Duration
  }

  /// The knowledge that one process has of the tier.
  struct Process: Sendable {
    /// How often the source may be asked for a key: by leases, and by calls that failed.
    var permits: [SharedKey: Int] = [:]
    /// The last rest before the first question about a key that has not come to its end.
    var begun: [SharedKey: Int] = [:]
    /// True from an outage, or its beginning, until it has had an answer.
    var isOut = true
    /// True when a call has failed since the last rest, and the tier is out of reach.
    var hasFailed = false
    /// When the first answer after that was given, or a later one that holds marks.
    var answered: Int?
    /// The marks that were made before this event are known to be missing, or are applied.
    var known: Int?
  }

  struct State: Sendable {
    /// Where the journal begins; `nil` before anybody has asked.
    var beginning: SharedPosition?
    var marks: [Mark] = []
    var grants: [SharedKey: Grant] = [:]
    /// The editions that came under valid leases.
    var landed: Set<Int64> = []
    var processes: [Process]
    /// The place of each host.
    var positions: [SharedPosition?]
    /// True from a loss of history until no message from before it is in flight.
    var isUnsettled = false
    var saved: Saved?
    /// How long a host may be alone; `nil` for any time, and where files are not to be relied upon.
    var longestAlone: Duration?
    var silences: [Silence]
    var pauses: Pauses
    var hasLock = false

    func knows(_ position: SharedPosition) -> Bool {
      position == beginning || marks.contains { $0.mark.position == position }
    }
  }

  /// A copy of the journal.
  struct Saved: Sendable {
    let beginning: SharedPosition?
    let marks: [Mark]
    let event: Int

    /// A host of this fleet with such a place finds that it was lost.
    func lacks(_ position: SharedPosition) -> Bool {
      let last = marks.last?.mark.position ?? beginning
      return position.generation == last?.generation && position != beginning
        && !marks.contains { $0.mark.position == position }
    }
  }

  let history: History
  /// The records, by their shared keys.
  let records: [SharedKey: Int]
  let keys: [SharedKey]
  private let clock: ManualClock
  let state: Mutex<State>

  init(
    _ history: History, hosts: Int, stores: Int, hasTwins: Bool, longestAlone: Int?,
    clock: ManualClock
  ) {
    (self.history, self.clock) = (history, clock)
    let names = Place.collections(hasTwins: hasTwins)
    let keys = (0..<Place.count).map { SharedKey(names[Place.collection($0)], Place.key($0)) }
    self.keys = keys
    records = Dictionary(keys.enumerated().map { ($1, $0) }) { first, _ in first }
    state = Mutex(
      State(
        processes: Array(repeating: Process(), count: stores),
        positions: Array(repeating: nil, count: hosts),
        longestAlone: longestAlone.map { .seconds($0) },
        silences: Array(repeating: Silence(), count: hosts), pauses: Pauses(hosts: hosts)))
  }

  var now: Duration { clock.now.elapsed }

  func words(_ key: SharedKey) -> String { records[key].map(Place.words) ?? "a record" }

  func covers(_ scope: SharedMark.Scope, _ record: Int) -> Bool {
    scope.covers(keys[record], tags: Place.tags(record).map { Array($0.utf8) })
  }

  /// Another program has locked a file: its stores cannot take part in anything.
  func noteLock() {
    state.withLock { state in
      state.hasLock = true
      state.longestAlone = nil
    }
  }

  // MARK: One fetch

  /// A process asks the tier about keys.
  func ask(_ keys: [SharedKey], by process: Int) {
    let rest = history.lastRest
    state.withLock { state in
      for key in keys where state.processes[process].begun[key] == nil {
        state.processes[process].begun[key] = rest
      }
    }
  }

  /// The answer has reached it; with `nil`, none has: it goes on alone.
  func hear(
    _ results: [SharedKey: SharedClaimResult]?, of keys: [SharedKey], by process: Int
  ) {
    state.withLock { state in
      for key in keys {
        if case .found = results?[key], let record = records[key] {
          history.found(record, on: process % state.silences.count)
        }
        switch results?[key] {
        case .granted:
          state.processes[process].permits[key, default: 0] += 1
          state.processes[process].begun[key] = nil
        // Every host asks the source for itself.
        case .found(let finding) where finding.record.value == nil && !finding.record.isAbsent:
          state.processes[process].permits[key, default: 0] += 1
          state.processes[process].begun[key] = nil
        case .found, .paused: state.processes[process].begun[key] = nil
        case .held: break
        case nil: state.processes[process].permits[key, default: 0] += 1
        }
      }
    }
  }

  /// A process asks the source: the earliest event at which its question can have been drawn, where that is not
  /// the last rest.
  func fetch(_ records: [Int], by process: Int) -> Int? {
    state.withLock { state in
      var earliest: Int?
      for record in records {
        let key = keys[record]
        if let begun = state.processes[process].begun.removeValue(forKey: key) {
          earliest = min(earliest ?? .max, begun)
        }
        let permits = state.processes[process].permits[key] ?? 0
        if permits > 0 {
          state.processes[process].permits[key] = permits - 1
        } else if !state.hasLock {
          history.find(
            "store \(process) asks the source for \(Place.words(record)), has no lease of its "
              + "fleet, and is not alone")
        }
      }
      return earliest
    }
  }

  /// The tier has answered questions.
  func note(
    claims: [SharedKey: SharedClaimResult], by owner: String, for duration: Duration
  ) {
    let now = now
    state.withLock { state in
      for (key, result) in claims {
        switch result {
        case .granted(let lease):
          if let grant = state.grants[key], grant.until > now {
            history.find(
              "\(grant.owner) and \(owner) have the lease of \(words(key)) at the same time")
          }
          state.grants[key] = Grant(fence: lease.fence, owner: owner, until: now + duration)
        case .found(let finding) where !state.landed.contains(finding.edition):
          history.find(
            "\(owner) is handed a value of \(words(key)) that came under no valid lease")
        case .found, .held, .paused: break
        }
      }
    }
  }

  /// Leases have ended with a record.
  func note(landed: Set<SharedLease>) {
    state.withLock { state in
      for lease in landed {
        if state.grants[lease.key]?.fence != lease.fence {
          history.find("a late owner's value of \(words(lease.key)) is taken")
        }
        state.landed.insert(lease.fence)
        state.grants[lease.key] = nil
      }
    }
  }

  /// Leases have ended without one.
  func note(released: [SharedLease]) {
    state.withLock { state in
      for lease in released where state.grants[lease.key]?.fence == lease.fence {
        state.grants[lease.key] = nil
      }
    }
  }

  /// The ends of leases were moved.
  func note(extended: Set<SharedLease>, for duration: Duration) {
    let now = now
    state.withLock { state in
      for lease in extended where state.grants[lease.key]?.fence == lease.fence {
        state.grants[lease.key]?.until = now + duration
      }
    }
  }
}
