import FreshStore
import FreshStoreTesting
import Synchronization

/// The statements of a source, its callers and their acknowledgements, in order. All observations
/// are judged by them; nothing is predicted.
///
/// Every event has a number, and later events have higher ones. A question to the source is drawn from a
/// store's sequence a moment before the source hears it, but not before the world last came to rest.
final class History: Sendable {
  /// A value of a record: the source's, or one that a caller wrote.
  struct Edition: Sendable {
    let record: Int
    /// When the source first held it; `nil` while it never did.
    var since: Int?
    /// When the source replaced it, and at what time; `nil` while it has not.
    var until: Int?
    var replacedAt: Int64?
    /// The earliest and the latest question that brought it to a store, as far as can be told.
    var firstAsked = Int.max
    var lastAsked = -1
    /// The time of its import as a first copy, after a sweep: earlier marks may be forgotten by then,
    /// as there was nothing left for them to cover. Also set when the wall clock was set meanwhile: the
    /// times in an export are compared with marks by the wall clock alone.
    var forgivenAt: Int?
    /// The imports of it that have begun and not ended.
    var takes = 0
    /// When it last came to a store, as far as can be told, by a question or by a caller; of a call or a
    /// decision that has not ended, when that began.
    var arrivedAt = -1
    /// The calls that bring it and have not ended.
    var arriving = 0
    /// True once it was imported somewhere.
    var isImported = false
    /// The wall clock was set between the export and the import of a copy, so that its age
    /// is unknown.
    var hasNoAge = false
  }

  /// The knowledge at the start of a look.
  struct Ground: Sendable {
    /// No fresh copy was replaced before this event, because of a mark.
    let floor: Int
    /// No fresh copy answers an older question than this: a younger question's answer was seen.
    let youngest: Int
    let time: Int64
    /// Nothing that came before this event is left.
    let wiped: Int
    /// The host on which it is looked.
    let host: Int
    /// As `floor`, for all but imports: marks that the host knows to be missing there.
    var doubted = 0
  }

  struct Write: Sendable {
    let record: Int
    /// The host on which it was made.
    let host: Int
    let edition: Int?
    let begun: Int
    /// When it was acknowledged; `nil` while it was not.
    var ended: Int?
    /// `nil` when there is nothing to send.
    var idempotencyKey: String?
    var isDropped = false
    var base = Base.unsaid
    var isCorrection = false
    /// The write whose place it has taken.
    var corrects: Int?
  }

  /// The base that a caller has made a write from.
  enum Base: Sendable {
    case unsaid, nothing
    case edition(Int)

    init(_ edition: Int?) { self = edition.map(Base.edition) ?? .nothing }

    /// True for a write that a merge of the ones before it may leave behind.
    var isSaid: Bool { if case .unsaid = self { false } else { true } }
  }

  /// Both sides of a conflict, which somebody was asked to decide.
  struct Seen: Hashable, Sendable {
    let record: Int
    let local: Int?
    let remote: Int?
  }

  enum Outcome: Sendable {
    case remote, deleted, parked
    case merged(Int)
  }

  /// The input and the decision of a conflict's resolver.
  struct Decided: Sendable {
    let record: Int
    let local: Int?
    let outcome: Outcome
    let at: Int
  }

  /// The facts that must be true of one host's file.
  struct Knowledge {
    var floors = Array(repeating: 0, count: Place.count)
    var youngest = Array(repeating: -1, count: Place.count)
    /// When a record was last known to be removed.
    var forgotten = Array(repeating: -1, count: Place.count)
    /// The puts that have begun and not ended, record by record.
    var puts = Array(repeating: 0, count: Place.count)
    /// When the last of them ended.
    var lastPut = Array(repeating: -1, count: Place.count)
    /// The records that a list removed: an import is the only way back.
    var gone: Set<Int> = []
    /// When the last wipe that was acknowledged began, and was acknowledged.
    var wiped = (begun: -1, ended: -1)
    /// When the host last heard of a record that its fleet has.
    var found = Array(repeating: -1, count: Place.count)
    /// When the holds on the origins of collections were acknowledged.
    var heldSince: [Int: Int] = [:]
    /// The releases of origins that have begun, and those of them that have not ended.
    var releases = 0
    var openReleases = 0

    /// True when a mark that was made then is still to be heeded: the record was not put or removed since.
    func isUntouched(_ record: Int, since event: Int) -> Bool {
      puts[record] == 0 && lastPut[record] < event && forgotten[record] < event
    }
  }

  struct State {
    var hosts: [Knowledge]
    var event = 0
    var lastRest = 0
    var editions: [Edition] = []
    /// The source's values, record by record, with their start.
    var held: [[(event: Int, edition: Int?, time: Int64)]] = Array(
      repeating: [], count: Place.count)
    /// When a record came onto its list or left it.
    var listed: [[(event: Int, isListed: Bool)]] = Array(repeating: [], count: Place.count)
    var applied: [String: Int] = [:]
    var firstSent: [String: Int] = [:]
    var writes: [Write] = []
    var decided: [Decided] = []
    var seen: Set<Seen> = []
    /// The records that list answers covered, by cursor: no copy replaced before is fresh any more.
    var told: [String: [(record: Int, floor: Int)]] = [:]
    /// The marks that were acknowledged, by their beginning.
    var acknowledged: [(scope: HistoryOperation.Scope, event: Int, host: Int)] = []
    /// The last events before time passed, and the time from then on.
    var times: [(event: Int, time: Int64)] = []
    /// The records whose conflicts somebody was asked to decide: what comes of that is sent at once.
    var resolving: Set<Int> = []
    var isOffline = false
    var finding: String?
  }

  let machine: ManualClock
  let state: Mutex<State>

  init(machine: ManualClock, hosts: Int) {
    self.machine = machine
    state = Mutex(State(hosts: Array(repeating: Knowledge(), count: hosts)))
    noteTime()
    for record in 0..<Place.count {
      change(record)
      if Place.isListable(record) { relist(record) }
    }
  }

  var time: Int64 { machine.reading().sinceBoot }

  var isOffline: Bool { state.withLock(\.isOffline) }

  func note(isOffline: Bool) { state.withLock { $0.isOffline = isOffline } }

  /// Time has passed.
  func noteTime() {
    let time = time
    state.withLock { $0.times.append(($0.event, time)) }
  }

  /// The first violation.
  var finding: String? { state.withLock(\.finding) }

  func find(_ words: String) { state.withLock { $0.find(words) } }

  // MARK: Events

  func event() -> Int { state.withLock { $0.next() } }

  /// No task is between drawing a number and asking the source.
  func noteRest() { state.withLock { $0.lastRest = $0.next() } }

  /// The last rest, before which no question that is being drawn now was drawn.
  var lastRest: Int { state.withLock(\.lastRest) }

  /// A question that the source hears now: the earliest and the latest event at which it can have been
  /// drawn; earlier, when it had to wait for its fleet.
  func question(since earliest: Int? = nil) -> ClosedRange<Int> {
    state.withLock { min($0.lastRest, earliest ?? .max)...$0.next() }
  }

  // MARK: The source

  /// The source holds another edition from now on.
  @discardableResult func change(_ record: Int) -> Int {
    state.withLock { state in
      let edition = state.newEdition(of: record)
      state.hold(edition, record, time)
      return edition
    }
  }

  func erase(_ record: Int) { state.withLock { $0.hold(nil, record, time) } }

  func relist(_ record: Int) {
    state.withLock { state in
      let isListed = state.listed[record].last?.isListed ?? false
      state.listed[record].append((state.next(), !isListed))
    }
  }

  /// The source's value, now or at an event.
  func edition(of record: Int, at event: Int? = nil) -> Int? {
    state.withLock { $0.edition(of: record, at: event ?? $0.event) }
  }

  /// The source's value this many changes ago, and its start.
  func earlier(_ record: Int, _ age: Int) -> (event: Int, edition: Int?, time: Int64) {
    state.withLock { state in state.held[record].dropLast(age).last ?? state.held[record][0] }
  }

  func isOnList(_ record: Int, at event: Int? = nil) -> Bool {
    state.withLock { $0.isOnList(record, at: event ?? $0.event) }
  }

  /// A write arrives; returns the source's answer. A repeated write is applied once, except at a source
  /// that is forgetful and does not recognise it.
  func apply(
    _ write: PendingWrite<Int>, _ record: Int, conflicts: Bool, isForgetful: Bool
  ) -> Pushed<Int> {
    state.withLock { state in
      let now = state.edition(of: record, at: state.event)
      if let applied = state.applied[write.idempotencyKey], !isForgetful {
        return .accepted(applied < 0 ? FetchDetails() : Place.details(applied, of: record))
      }
      guard !conflicts, now == write.base.map(HistorySource.edition) else {
        return .conflict(now.map { .value($0, Place.details($0, of: record)) } ?? .gone)
      }
      if !state.isFounded(write.value, write.idempotencyKey, on: now, record) {
        let (own, held) = (write.value.map { "edition \($0)" }, now.map { "edition \($0)" })
        state.find(
          "\(own ?? "a deletion") of \(Place.words(record)) replaces \(held ?? "nothing") at the "
            + "source, and was made from something else")
      }
      state.hold(write.value, record, time)
      state.applied[write.idempotencyKey] = write.value ?? -1
      return .accepted(write.value.map { Place.details($0, of: record) } ?? FetchDetails())
    }
  }

  /// Notes that a write is sent; the earliest event at which its first attempt can have been drawn.
  func sent(_ write: PendingWrite<Int>, _ asked: ClosedRange<Int>) -> Int {
    state.withLock { state in
      let first = min(state.firstSent[write.idempotencyKey] ?? .max, asked.lowerBound)
      state.firstSent[write.idempotencyKey] = first
      return first
    }
  }

  /// An answer to a question brings an edition.
  func brought(_ edition: Int, _ asked: ClosedRange<Int>) {
    state.withLock { $0.brought(edition, asked) }
  }

  /// A call that brings an edition begins.
  func bring(_ edition: Int) { state.withLock { $0.editions[edition].arriving += 1 } }

  /// It has ended.
  func arrived(_ edition: Int) {
    state.withLock { state in
      state.editions[edition].arriving -= 1
      state.editions[edition].arrivedAt = state.next()
    }
  }

  /// An edition is imported, and marks from before need not cover it.
  func forgive(_ edition: Int) {
    state.withLock { $0.editions[edition].forgivenAt = $0.next() }
  }

  func isForgiven(_ edition: Int) -> Bool {
    state.withLock { state in
      // A value made by a merge is no edition.
      state.editions.indices.contains(edition) && state.editions[edition].forgivenAt != nil
    }
  }

  func takes(_ edition: Int, _ count: Int) {
    state.withLock { state in
      state.editions[edition].takes += count
      state.editions[edition].isImported = true
    }
  }

  /// The wall clock is set.
  func forgiveTakes() {
    state.withLock { state in
      for edition in state.editions.indices where state.editions[edition].takes > 0 {
        state.editions[edition].forgivenAt = state.next()
        state.editions[edition].hasNoAge = true
      }
    }
  }

  // MARK: Lists

  /// True when a record, or its place on its list, has changed after an event, and by another one.
  func hasNews(_ record: Int, after since: Int, through event: Int) -> Bool {
    state.withLock { state in
      state.listed[record].contains { $0.event > since && $0.event <= event }
        || state.held[record].contains { $0.event > since && $0.event <= event }
    }
  }

  func noteTold(_ cursor: String, _ told: [(record: Int, floor: Int)]) {
    state.withLock { $0.told[cursor] = told }
  }

  /// The records that the answer with a cursor, or a page before the last one, has covered.
  func told(_ cursor: String) -> [(record: Int, floor: Int)] {
    state.withLock { $0.told[cursor] ?? [] }
  }

  /// A list reports that a record is gone, although a copy of it may be about to arrive.
  func noteGone(_ record: Int, on host: Int) {
    state.withLock { state in
      state.hosts[host].gone.insert(record)
      for edition in state.editions.indices
      where state.editions[edition].record == record && state.editions[edition].takes > 0 {
        state.editions[edition].forgivenAt = state.next()
      }
    }
  }

  func isGone(_ record: Int, on host: Int) -> Bool {
    state.withLock { $0.hosts[host].gone.contains(record) }
  }

  /// A store holds a cursor: the contents of its answer count.
  func noteCursor(_ cursor: String, on host: Int) {
    state.withLock { state in
      for (record, floor) in state.told[cursor] ?? [] { state.raise(record, floor, on: host) }
    }
  }

  // MARK: Marks and removals

  /// A mark that began then is acknowledged. A record removed since may have gone with it.
  func marked(_ scope: HistoryOperation.Scope, since event: Int, on host: Int) {
    state.withLock { state in
      state.acknowledged.append((scope, event, host))
      for record in 0..<Place.count where Place.covers(scope, record) {
        state.raiseUnlessForgotten(record, event, on: host)
      }
    }
  }

  /// Another host's mark of a record, which was made then, is applied.
  func applied(_ record: Int, since event: Int, on host: Int) {
    state.withLock { state in
      for edition in state.editions.indices
      where state.editions[edition].record == record && state.editions[edition].takes > 0 {
        state.editions[edition].forgivenAt = state.next()
      }
      state.raiseUnlessForgotten(record, event, on: host)
    }
  }

  /// Nobody can know any more of the marks that began after an event.
  func forgetMarks(after event: Int) {
    state.withLock { state in state.acknowledged.removeAll { $0.event > event } }
  }

  /// All hosts know of all marks.
  func applyAll() {
    state.withLock { state in
      for (scope, event, _) in state.acknowledged {
        for record in 0..<Place.count where Place.covers(scope, record) {
          for host in state.hosts.indices {
            state.raiseUnlessForgotten(record, event, on: host)
          }
        }
      }
    }
  }

  /// True when neither a put nor a removal on a host has come since an event.
  func isUntouched(_ record: Int, since event: Int, on host: Int) -> Bool {
    state.withLock { $0.hosts[host].isUntouched(record, since: event) }
  }

  /// A caller puts the source's present value; with -1, the put has ended.
  func puts(_ record: Int, _ count: Int = 1, on host: Int) {
    state.withLock { state in
      state.hosts[host].puts[record] += count
      if count < 0 { state.hosts[host].lastPut[record] = state.next() }
    }
  }

  /// A record may be gone, together with the knowledge about it.
  func forget(_ records: some Sequence<Int>, on host: Int) {
    state.withLock { state in
      let event = state.next()
      for record in records {
        (state.hosts[host].floors[record], state.hosts[host].youngest[record]) = (0, -1)
        state.hosts[host].forgotten[record] = event
      }
    }
  }
}

extension History.State {
  mutating func find(_ words: String) { finding = finding ?? words }

  mutating func next() -> Int {
    event += 1
    return event
  }

  mutating func newEdition(of record: Int) -> Int {
    editions.append(History.Edition(record: record))
    return editions.count - 1
  }

  /// No copy replaced before is fresh any more, except for values that a caller has put since.
  mutating func raise(_ record: Int, _ floor: Int, on host: Int) {
    guard hosts[host].puts[record] == 0, hosts[host].lastPut[record] < floor else { return }
    hosts[host].floors[record] = max(hosts[host].floors[record], floor)
  }

  /// The same of a mark: a record removed since may have gone with it.
  mutating func raiseUnlessForgotten(_ record: Int, _ floor: Int, on host: Int) {
    if hosts[host].forgotten[record] < floor { raise(record, floor, on: host) }
  }

  /// The time of an event.
  func time(of event: Int) -> Int64 { times.last { $0.event < event }?.time ?? 0 }

  mutating func hold(_ edition: Int?, _ record: Int, _ time: Int64) {
    let event = next()
    if let old = held[record].last?.edition {
      (editions[old].until, editions[old].replacedAt) = (event, time)
    }
    held[record].append((event, edition, time))
    guard let edition else { return }
    editions[edition].since = editions[edition].since ?? event
    (editions[edition].until, editions[edition].replacedAt) = (nil, nil)
  }

  func edition(of record: Int, at event: Int) -> Int? {
    held[record].last { $0.event <= event }?.edition
  }

  func isOnList(_ record: Int, at event: Int) -> Bool {
    edition(of: record, at: event) != nil
      && listed[record].last { $0.event <= event }?.isListed == true
  }

  mutating func brought(_ edition: Int, _ asked: ClosedRange<Int>) {
    editions[edition].firstAsked = min(editions[edition].firstAsked, asked.lowerBound)
    editions[edition].lastAsked = max(editions[edition].lastAsked, asked.upperBound)
    // The end of a call that asks nobody says when it came.
    if asked.upperBound != .max {
      editions[edition].arrivedAt = max(editions[edition].arrivedAt, asked.upperBound)
    }
  }
}
