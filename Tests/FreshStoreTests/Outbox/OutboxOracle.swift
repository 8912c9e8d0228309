import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies

/// The expected contents of a store with local writes, in a dictionary: the simplest thing that could be
/// right.
struct OutboxOracle {
  /// The source's known value of a key.
  enum Known: Equatable {
    case nothing
    case value(String, isStale: Bool)
    case gone(isStale: Bool)

    init(_ value: String?, isStale: Bool = false) {
      self = value.map { .value($0, isStale: isStale) } ?? .gone(isStale: isStale)
    }

    var value: String? { if case .value(let value, _) = self { value } else { nil } }

    var isStale: Bool {
      switch self {
      case .nothing: false
      case .value(_, let isStale), .gone(let isStale): isStale
      }
    }

    var marked: Known {
      switch self {
      case .nothing: .nothing
      case .value(let value, _): .value(value, isStale: true)
      case .gone: .gone(isStale: true)
      }
    }
  }

  struct Entry: Equatable {
    let id: Int64
    var kind: OutboxEntry.Kind
    var value: String?
    /// The value that the write was made from, where the source has changed that value.
    var basis: String??
    /// True when the write was parked with the value that it has met.
    var hasMetAnother = false
    var attempts = 0
    /// The attempts since somebody has asked for the write to be sent.
    var tries = 0
    var conflicts = 0
    var isParked = false
    /// True when a mark came after it was first sent: an answer may describe an older state.
    var isMarkedSinceSent = false
    var wasHeld = false
    var pausedUntil: Timestamp?
    /// The moment since which it is due.
    var dueAt: Timestamp
    /// On the boot clock of a boot.
    var heldUntil: (boot: Int64, moment: Int64)?
    /// The store that holds it, by the number of stores abandoned before it.
    var heldBy = 0

    /// True when no process can have sent it.
    var isUntouched: Bool { attempts == 0 && !isParked && !wasHeld }

    func isHeld(at now: ClockReading) -> Bool {
      heldUntil.map { $0.boot == now.boot && $0.moment > now.sinceBoot } ?? false
    }

    func isDue(at now: ClockReading) -> Bool {
      let isPaused = pausedUntil.map { until in
        until > now.wall && until <= now.wall.advanced(by: .seconds(86_400))
      }
      return !isParked && isPaused != true && !isHeld(at: now)
    }

    /// It waits until then, and goes behind those that are due by then.
    mutating func pause(until end: Timestamp) { (pausedUntil, dueAt) = (end, end) }

    static func == (left: Entry, right: Entry) -> Bool { left.id == right.id }
  }

  struct Record {
    var known = Known.nothing
    var entries: [Entry] = []

    /// The first write and those made from it.
    var mergeable: ArraySlice<Entry> {
      entries.prefix(1) + entries.dropFirst().prefix { $0.basis == nil }
    }

    /// The base of the first write, as the source is told.
    func base(merging: Bool) -> String? {
      follows(merging: merging) ? known.value : entries.first?.basis ?? known.value
    }

    /// True when the first write follows what the source has made of the one that it was made from: a patch
    /// always does, and any other without a merge.
    private func follows(merging: Bool) -> Bool {
      guard let head = entries.first, let basis = head.basis, basis != nil, !head.hasMetAnother
      else { return false }
      return !merging || head.kind == .patch
    }

    /// True when the first write states what it was made from, and the source is not known to hold that.
    func isBaseUnseen(merging: Bool) -> Bool {
      guard let basis = entries.first?.basis, !follows(merging: merging) else { return false }
      if case .nothing = known { return true }
      return basis != known.value
    }

    /// True when the source is known to hold another value than the one that the first write was made from.
    func hasKnownConflict(merging: Bool) -> Bool {
      guard let head = entries.first, let basis = head.basis, !follows(merging: merging),
        // Somebody asks for it: so is its source.
        !(head.hasMetAnother && head.tries == 0)
      else { return false }
      switch known {
      case .nothing: return false
      case .gone(let isStale): return basis != nil && (!isStale || head.value != nil)
      case .value(let value, let isStale):
        return basis != value && (!isStale || head.value != value)
      }
    }
  }

  var records: [String: Record] = [:]
  var lastID: Int64 = 0

  /// The result of a read.
  func outcome(_ key: String) -> (outcome: Decision.Outcome, value: String?) {
    guard let record = records[key] else { return (.missing, nil) }
    if let last = record.entries.last {
      return last.value.map { (.fresh, $0) } ?? (.absent, nil)
    }
    switch record.known {
    case .nothing: return (.missing, nil)
    case .value(let value, let isStale): return (isStale ? .stale : .fresh, value)
    case .gone(let isStale): return (isStale ? .missing : .absent, nil)
    }
  }

  /// The writes that are handed out, those that are due for longest first.
  func due(at now: ClockReading) -> [(key: String, entry: Entry)] {
    records.compactMap { key, record in
      record.entries.first.flatMap { $0.isDue(at: now) ? (key, $0) : nil }
    }.sorted { ($0.entry.dueAt, $0.entry.id) < ($1.entry.dueAt, $1.entry.id) }
  }

  /// The shortest pause after so many failures, or conflicts, in a row.
  private static func leastPause(after count: Int) -> Duration {
    .milliseconds(min(100 << min(count - 1, 4), 1000))
  }

  mutating func write(
    _ key: String, _ kind: OutboxEntry.Kind, _ value: String?, coalesces: Bool, at now: Timestamp
  ) {
    var record = records[key] ?? Record()
    if coalesces, let last = record.entries.last, last.isUntouched {
      switch (last.kind, kind) {
      case (.replace, .replace), (.create, .replace), (.replace, .delete):
        let kind = kind == .delete ? kind : last.kind
        record.entries[record.entries.count - 1] = Entry(
          id: last.id, kind: kind, value: value, basis: last.basis, dueAt: last.dueAt)
        records[key] = record
        return
      case (.create, .delete):
        record.entries.removeLast()
        let isThere = record.entries.last.map { $0.kind != .delete } ?? (record.known.value != nil)
        if isThere {
          record.entries.append(
            Entry(id: last.id, kind: .delete, value: nil, basis: last.basis, dueAt: last.dueAt))
        }
        records[key] = record
        return
      default: break
      }
    }
    lastID += 1
    record.entries.append(Entry(id: lastID, kind: kind, value: value, dueAt: now))
    records[key] = record
  }

  mutating func drop(_ id: Int64) {
    for (key, record) in records where record.entries.contains(where: { $0.id == id }) {
      var record = record
      let wasTouched = record.entries.contains { $0.id == id && !$0.isUntouched }
      record.entries.removeAll { $0.id == id }
      // The source may have it.
      if record.entries.isEmpty || wasTouched { record.known = record.known.marked }
      records[key] = record
    }
  }

  mutating func change(_ id: Int64, _ body: (inout Entry) -> Void) {
    records = records.mapValues { record in
      var record = record
      for index in record.entries.indices where record.entries[index].id == id {
        body(&record.entries[index])
      }
      return record
    }
  }

  /// The claims of a closed store are free.
  mutating func release(heldBy store: Int) {
    for entry in records.values.flatMap(\.entries) where entry.wasHeld && entry.heldBy == store {
      change(entry.id) { ($0.heldUntil, $0.wasHeld) = (nil, false) }
    }
  }

  /// The wall clock was set: pauses keep their length.
  mutating func move(by step: Duration, after moment: Timestamp) {
    for entry in records.values.flatMap(\.entries) {
      change(entry.id) { entry in
        if let end = entry.pausedUntil, end > moment { entry.pausedUntil = end.advanced(by: step) }
        entry.dueAt = entry.dueAt.advanced(by: step)
      }
    }
  }

  mutating func mark(_ key: String) {
    guard var record = records[key] else { return }
    record.known = record.known.marked
    for index in record.entries.indices where record.entries[index].attempts > 0 {
      record.entries[index].isMarkedSinceSent = true
    }
    records[key] = record
  }

  mutating func markAll() {
    for key in records.keys { mark(key) }
  }

  // MARK: Pushing

  /// The answer of a source to one attempt, and other events meanwhile.
  struct Answer: Sendable {
    enum Kind: Sendable, CaseIterable {
      case accepted, changed, refused, failed, conflict, gone, same
    }
    var kind: Kind
    var value: String
    var pause: Duration
    var marks: Bool
  }

  enum Resolution: Sendable, CaseIterable {
    case server, client, merged, deleted, parked, failed

    /// True for those that make one version of two.
    var merges: Bool {
      switch self {
      case .merged, .deleted, .failed: true
      case .server, .client, .parked: false
      }
    }
  }

  /// The first write of the key receives the answers, one for each attempt.
  mutating func push(
    _ key: String, _ answers: [Answer], _ resolution: Resolution, _ merged: String,
    at now: Timestamp, resolves: Bool = true
  ) {
    guard var record = records[key], !record.entries.isEmpty, let answer = answers.first else {
      return
    }
    var head = record.entries[0]
    head.attempts += 1
    head.tries += 1
    head.dueAt = max(head.dueAt, now)
    head.wasHeld = false
    head.heldUntil = nil
    if record.hasKnownConflict(merging: resolution.merges) {
      // Nothing is sent for it.
      let (remote, isMarked) = (record.known.value, record.known.isStale)
      record.entries[0] = head
      if remote == head.value { record.entries.removeFirst() }
      records[key] = record
      guard remote != head.value else { return }
      if resolution == .parked {
        // It is no attempt.
        records[key]?.entries[0].attempts -= 1
        records[key]?.entries[0].tries -= 1
      }
      return resolve(key, resolution, merged, remote, answers, isMarked, at: now)
    }
    // The state of now is newer than a mark that comes before the answer, but not than one that
    // comes while the write is pushed.
    if answer.marks {
      record.known = record.known.marked
      head.isMarkedSinceSent = true
    }
    let isUnseen = record.isBaseUnseen(merging: resolution.merges)
    let remote: String?
    switch answer.kind {
    case .accepted, .changed:
      let value = answer.kind == .changed ? answer.value : head.value
      // Where a part was sent, the rest is unknown.
      let isPart = answer.kind == .accepted && head.kind == .patch
      let isRestKnown = if case .value(_, isStale: false) = record.known { true } else { false }
      record.known = Known(value, isStale: head.isMarkedSinceSent || isPart && !isRestKnown)
      record.entries.removeFirst()
      if answer.kind == .changed, resolution.merges, !record.entries.isEmpty,
        record.entries[0].basis == nil
      {
        record.entries[0].basis = .some(head.value)
      }
      records[key] = record
      return
    case .refused: head.isParked = true
    case .failed:
      head.pause(
        until: now.advanced(by: max(answer.pause, Self.leastPause(after: head.attempts))))
    case .conflict, .gone, .same: break
    }
    record.entries[0] = head
    records[key] = record
    // The current value of a conflict is the source's value at the last question.
    switch answer.kind {
    case .conflict: remote = answer.value
    case .gone: remote = nil
    case .same: remote = head.value
    case .accepted, .changed, .refused, .failed: return
    }
    if remote == head.value {
      record.known = Known(remote, isStale: head.isMarkedSinceSent)
      record.entries.removeFirst()
      records[key] = record
    } else if isUnseen, let basis = head.basis, basis == remote {
      // It was only not known to hold that; the attempt is none.
      record.known = Known(remote, isStale: answer.marks)
      (head.attempts, head.tries) = (head.attempts - 1, head.tries - 1)
      record.entries[0] = head
      records[key] = record
      push(
        key, Array(answers.dropFirst()), resolution, merged, at: now, resolves: resolves)
    } else if !resolves {
      head.conflicts += 1
      head.pause(until: now.advanced(by: Self.leastPause(after: head.conflicts)))
      records[key]?.entries[0] = head
    } else {
      resolve(
        key, resolution, merged, remote, Array(answers.dropFirst()), answer.marks, at: now)
    }
  }

  private mutating func resolve(
    _ key: String, _ resolution: Resolution, _ merged: String, _ remote: String?,
    _ answers: [Answer], _ isMarked: Bool, at now: Timestamp
  ) {
    guard var record = records[key] else { return }
    var rewritten: String??
    switch resolution {
    case .server:
      record.known = Known(remote, isStale: isMarked)
      record.entries.removeFirst(record.mergeable.count)
    case .parked:
      record.entries[0].isParked = true
      record.entries[0].basis = record.entries[0].basis ?? .some(record.known.value)
      record.entries[0].hasMetAnother = true
      record.known = Known(remote, isStale: isMarked)
    case .failed:
      let pause = Self.leastPause(after: record.entries[0].attempts)
      record.entries[0].pause(until: now.advanced(by: pause))
    case .client: rewritten = .some(record.mergeable.last?.value)
    case .merged: rewritten = .some(merged)
    case .deleted: rewritten = .some(nil)
    }
    guard let value = rewritten else {
      records[key] = record
      return
    }
    let kind: OutboxEntry.Kind = value == nil ? .delete : remote == nil ? .create : .replace
    record.known = Known(remote, isStale: isMarked)
    // It takes the place of the first one.
    let left = record.entries.dropFirst(record.mergeable.count)
    let met = record.entries[0]
    let entry = Entry(
      id: met.id, kind: kind, value: value, conflicts: met.conflicts + 1, dueAt: met.dueAt)
    record.entries = [entry] + left
    records[key] = record
    push(key, answers, resolution, merged, at: now, resolves: false)
  }
}
