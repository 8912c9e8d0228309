import FreshStore
import FreshStoreTesting
import Rules
import Strategies
import Synchronization

/// The source of every store of a history, and its pending requests: it answers when the script says
/// so, and at the end at once.
final class HistorySource: Sendable {
  /// Something that waits for an answer.
  struct Waiting: Sendable {
    let kind: HistoryOperation.Request
    let store: Int
    let collection: Int
    let isOver: @Sendable () -> Bool
    let answer: @Sendable (HistoryOperation.Manner) -> Void
    /// The edition that a push sends.
    var edition: Int?
    var arrive: (@Sendable () -> Void)?
    let end: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Waiting] = []
    var isPrompt = false
    /// The event of the last change, by list; there is none before the source answers at once.
    var settledSince = [Int.max, .max]
    /// The number of requests to the source at one moment.
    var moment: Int64 = 0
    var asked: [String: Int] = [:]
    /// By host, and by list.
    var listsTold: [Int: [Int: String]] = [:]
    /// The cursors of first pages, by their events.
    var stated: [Int: String] = [:]
  }

  let history: History
  let setting: HistorySetting
  let flaw: HistoryFlaw?
  /// The laws of the fleet; `nil` for a host alone.
  let laws: FleetLaws?
  private let state = Mutex(State())

  init(_ history: History, _ setting: HistorySetting, laws: FleetLaws?, flaw: HistoryFlaw?) {
    (self.history, self.setting, self.laws, self.flaw) = (history, setting, laws, flaw)
  }

  /// The pending requests, oldest first.
  func waiting(_ kind: HistoryOperation.Request) -> [Waiting] {
    all.filter { $0.kind == kind }
  }

  private var all: [Waiting] {
    state.withLock { state in
      state.waiting.removeAll { $0.isOver() }
      return state.waiting
    }
  }

  /// The last cursors of lists since everything is answered at once, by their collections.
  func listsTold(_ host: Int) -> [Int: String] { state.withLock { $0.listsTold[host] ?? [:] } }

  /// True for a record whose source misbehaves.
  func isTroubled(_ record: Int) -> Bool {
    switch setting.trouble {
    case nil: false
    case .hangs: Place.collection(record) == 1
    case .rejectsWrites, .alwaysConflicts, .isTooLarge: record < 3
    }
  }

  private func has(_ trouble: HistorySetting.Trouble, _ record: Int) -> Bool {
    setting.trouble == trouble && isTroubled(record)
  }

  /// Answers everything from now on, at once, except for hanging requests.
  func beginToAnswer() {
    let event = history.event()
    state.withLock { ($0.isPrompt, $0.settledSince) = (true, [event, event]) }
    for waiting in all where !hangs(waiting) { waiting.answer(.now) }
  }

  private func hangs(_ waiting: Waiting) -> Bool {
    let isAsked = waiting.kind != .rule && waiting.kind != .resolver
    return isAsked && setting.trouble == .hangs && waiting.collection == 1
  }

  /// Removes the pending requests of a dead process.
  func forget(_ store: Int) -> [@Sendable () -> Void] {
    let dead = all.filter { $0.store == store }
    state.withLock { state in state.waiting.removeAll { $0.store == store } }
    return dead.map(\.end)
  }

  // MARK: Waiting

  private func wait<Answer: Sendable>(
    _ kind: HistoryOperation.Request, _ store: Int, _ collection: Int, edition: Int? = nil,
    arrive: (@Sendable () -> Void)? = nil,
    _ answer: @escaping @Sendable (HistoryOperation.Manner) -> Result<Answer, any Error>
  ) async throws -> Answer {
    // Whatever comes of it, it says more of the origin than others do.
    defer { laws?.release(HistoryLife.origin(collection).name, on: setting.host(of: store)) }
    let request = HeldRequest<Answer>(isStubborn: false)
    let waiting = Waiting(
      kind: kind, store: store, collection: collection, isOver: { request.isOver },
      answer: { request.end(answer($0)) }, edition: edition, arrive: arrive,
      end: { request.end(.failure(CancellationError())) })
    let isPrompt = state.withLock { state in
      if !state.isPrompt { state.waiting.append(waiting) }
      return state.isPrompt
    }
    if isPrompt, !hangs(waiting) { return try answer(.now).get() }
    return try await request.answer()
  }

  /// Detects endless repetition of the same request at one moment.
  private func count(_ what: String) {
    let time = history.time
    let count = state.withLock { state in
      if state.moment != time { (state.moment, state.asked) = (time, [:]) }
      state.asked[what, default: 0] += 1
      return state.asked[what, default: 0]
    }
    if count == 40 * setting.hosts {
      history.find("\(what) comes to the source again and again, without a pause")
    }
  }

  // MARK: Fetches

  func fetch(
    _ previous: [Previous<Int>], _ collection: Int, variant: Int = 0, isForced: Bool = false,
    by store: Int
  ) async throws -> [String: Fetched<Int>] {
    let records = previous.compactMap { Place.record(collection, $0.key) }
    let asked = history.question(since: laws?.fetch(records, by: store))
    let host = setting.host(of: store)
    // A refresh by hand asks whatever is held.
    if !isForced {
      let who = "a fetch by store \(store)"
      history.judge(asking: collection, on: host, by: who)
      laws?.judge(asking: HistoryLife.origin(collection).name, on: host, by: who)
    }
    for (record, copy) in zip(records, previous) {
      count("a fetch of \(Place.words(record))")
      history.judge(
        copy: copy.value.map(Self.edition), copy.validators, of: record, on: host,
        by: "a fetch by store \(store)")
    }
    return try await wait(.fetch, store, collection) { [self] manner in
      guard manner == .now || manner == .asAsked else { return .failure(SourceFailure()) }
      var answers: [String: Fetched<Int>] = [:]
      for (record, copy) in zip(records, previous) {
        answers[copy.key] = answer(
          record, copy, variant: variant, asked, isSlow: manner == .asAsked)
      }
      return .success(answers)
    }
  }

  private func answer(
    _ record: Int, _ copy: Previous<Int>, variant: Int, _ asked: ClosedRange<Int>, isSlow: Bool
  ) -> Fetched<Int> {
    var event = isSlow ? asked.upperBound : nil
    if flaw == .answersLate { event = max(0, asked.lowerBound - 20) }
    guard let edition = history.edition(of: flaw == .mixesRecords ? 0 : record, at: event) else {
      // An absence may hold until another statement.
      return .gone(FetchDetails(expiry: asked.lowerBound % 2 == 0 ? .never : nil))
    }
    history.brought(edition, asked)
    var details = Place.details(edition, of: record)
    if variant != 0 { details.variant = "\(variant)" }
    if copy.validators.entityTag == Place.tag(edition),
      copy.value.map(Self.variant) ?? 0 == variant
    {
      return .notModified(details)
    }
    if flaw == .mixesTags { details.validators.entityTag = Place.tag(edition + 1) }
    return .value(value(edition, record) + variant * Self.nextVariant, details)
  }

  private func value(_ edition: Int, _ record: Int) -> Int {
    has(.isTooLarge, record) ? edition + Self.tooMuch : edition
  }

  /// The edition that a value is.
  static func edition(_ value: Int) -> Int { value % nextVariant }
  /// The variant of it; 0 for one that fits all.
  static func variant(_ value: Int) -> Int { value % tooMuch / nextVariant }

  private static let nextVariant = 1_000_000_000
  /// More digits than the stores take.
  private static let tooMuch = 1_000_000_000_000_000
  static let largestValue = 12

  // MARK: Pushes

  func push(_ write: PendingWrite<Int>, _ collection: Int, by store: Int) async throws -> Pushed<
    Int
  > {
    guard let record = Place.record(collection, write.key) else { throw SourceFailure() }
    let asked = history.question()
    let first = history.sent(write, asked)
    count("a push of \(Place.words(record))")
    let (host, who) = (setting.host(of: store), "a push by store \(store)")
    history.judge(pushing: record, on: host, by: who)
    history.judge(
      copy: write.base.map(Self.edition), write.baseValidators, of: record, on: host, by: who)
    if let value = write.value {
      history.judge(sent: value, on: host, by: who)
      history.judge(
        value, of: record, isLocal: true, history.ground(record, on: host), by: who)
    }
    let arrive: @Sendable () -> Pushed<Int> = { [self] in
      if flaw == .forgetsWrites { return .accepted(FetchDetails()) }
      let pushed = history.apply(
        write, record, conflicts: has(.alwaysConflicts, record),
        isForgetful: setting.isLoose == true)
      // The statement of a list may be from before.
      if case .accepted = pushed {
        let event = history.event()
        state.withLock { state in
          if state.isPrompt { state.settledSince[collection] = event }
          for host in state.listsTold.keys { state.listsTold[host]?[collection] = nil }
        }
      }
      return pushed
    }
    return try await wait(
      .push, store, collection, edition: write.value, arrive: { _ = arrive() }
    ) { [self] manner in
      guard manner != .failed, !has(.rejectsWrites, record) else {
        return .failure(SourceFailure())
      }
      if manner == .refused { return .success(.refused("no")) }
      let answer = arrive()
      guard manner != .lost else { return .failure(SourceFailure()) }
      if case .accepted = answer, let value = write.value {
        history.brought(value, first...asked.upperBound)
      }
      if case .conflict(.value(let remote, _)) = answer { history.brought(remote, asked) }
      return .success(answer)
    }
  }

  /// A conflict is decided.
  func resolve(_ conflict: Conflict<Int>, _ collection: Int, by store: Int) async throws
    -> Resolution<Int>
  {
    guard let record = Place.record(collection, conflict.key) else { throw SourceFailure() }
    history.see(record, local: conflict.local, remote: conflict.remote.map(Self.edition))
    if let local = conflict.local, local == conflict.remote {
      history.find("store \(store) asks about a conflict whose two sides are edition \(local)")
    }
    return try await wait(.resolver, store, collection) { [self] manner in
      let isPrompt = state.withLock(\.isPrompt)
      return .success(decide(conflict, record, isPrompt: isPrompt))
    }
  }

  private func decide(
    _ conflict: Conflict<Int>, _ record: Int, isPrompt: Bool
  ) -> Resolution<Int> {
    switch setting.conflicts {
    case .parked where !isPrompt:
      return .parked("undecided")
    case .remote, .parked:
      history.decide(record, local: conflict.local, .remote)
      return .remote
    case .local where conflict.local != nil:
      return conflict.local.map(Resolution.merged) ?? .deleted
    case .local, .merged:
      guard conflict.local != nil else {
        history.decide(record, local: nil, .deleted)
        return .deleted
      }
      let merged = history.newEdition(of: record)
      history.decide(record, local: conflict.local, .merged(merged))
      return .merged(merged)
    }
  }

  // MARK: Rules

  func allow(_ collection: Int, by store: Int) async -> Bool {
    do {
      return try await wait(.rule, store, collection) { .success($0 != .refused) }
    } catch {
      return true
    }
  }

  // MARK: Lists

  func list(
    _ previous: PreviousList, _ collection: Int, by store: Int
  ) async throws -> SourceListChange<Int> {
    let asked = history.question()
    count("list \(collection)")
    let host = setting.host(of: store)
    if let cursor = previous.cursor { history.noteCursor(cursor, on: host) }
    return try await wait(.list, store, collection) { [self] manner in
      guard manner == .now || manner == .asAsked else { return .failure(SourceFailure()) }
      return .success(
        answer(previous, collection, asked, isSlow: manner == .asAsked, to: host))
    }
  }

  private func answer(
    _ previous: PreviousList, _ collection: Int, _ asked: ClosedRange<Int>, isSlow: Bool,
    to host: Int
  ) -> SourceListChange<Int> {
    let event = isSlow ? asked.upperBound : history.event()
    let since = previous.cursor.map(Since.init)
    // A source forgets cursors, and pages.
    if previous.page == nil, let since, since.second % 7 == 0 { return .expiredCursor }
    let first = previous.page.flatMap { Int($0) }
    if let first, first % 11 == 0 { return .expiredCursor }
    let isSplit = previous.page == nil && event % 3 == 0
    var (members, removals): ([String: ListMember<Int>], [String]) = ([:], [])
    var told: [(record: Int, floor: Int)] = previous.page.map(history.told) ?? []
    for record in Place.records(of: collection) {
      let key = Place.key(record)
      // Each page tells of its half what is true when it is asked for.
      if isSplit || first != nil, Self.isOnFirstPage(key) != isSplit { continue }
      let isTold = since.map { isNews(record, key, $0, event) } ?? false
      let since = since?.event(key)
      guard history.isOnList(record, at: event) else {
        if since == nil || isTold || history.isOnList(record, at: since) {
          removals.append(key)
          history.forget([record], on: host)
          // A delta lists members alone, so that nothing else is reported as gone.
          if since != nil, history.edition(of: record, at: event) == nil {
            told.append((record, event))
            history.noteGone(record, on: host)
          }
        }
        continue
      }
      if let since, !isTold, !hasChanged(record, since, event) { continue }
      if flaw == .skipsMembers, record % 4 == 1 { continue }
      guard let edition = history.edition(of: record, at: event) else { continue }
      if (edition + event) % 2 == 0, since.map({ !history.isOnList(record, at: $0) }) ?? false {
        members[key] = .named
      } else if (edition + event) % 3 == 0 {
        members[key] = .changed
        told.append((record, event))
      } else {
        members[key] = .value(value(edition, record), Place.details(edition, of: record))
        history.brought(edition, asked)
        told.append((record, asked.lowerBound))
      }
    }
    // An answer without an earlier cursor is the whole list, under either name.
    let isNamedWhole = since == nil && event % 2 == 0
    if since == nil { removals = [] }
    if isSplit {
      history.noteTold("\(event)", told)
      // Some walks name their cursor with the first page: it stands for both halves at that time.
      let stated = event / 2 % 2 == 0 ? "\(collection) first \(event) \(event)" : nil
      state.withLock { $0.stated[event] = stated }
      return isNamedWhole
        ? .fullPage(members, next: "\(event)", cursor: stated)
        : .deltaPage(members, removals: removals, next: "\(event)", cursor: stated)
    }
    let stated = first.flatMap { first in state.withLock { $0.stated[first] } }
    // After such a page the last one names a cursor that passes over what changed on the first.
    let begun = stated == nil ? first ?? event : event
    let named = "\(collection) \(history.event()) \(begun) \(event)"
    let cursor = stated ?? named
    history.noteTold(cursor, told)
    let isUnchanged = first == nil && since != nil && members.isEmpty && removals.isEmpty
    state.withLock { state in
      // Changes since an earlier first page come with the next walk.
      if state.isPrompt, first ?? event >= state.settledSince[collection] {
        state.listsTold[host, default: [:]][collection] = isUnchanged ? previous.cursor : cursor
      }
    }
    if isUnchanged { return .notModified }
    if isNamedWhole { return .full(members, cursor: named) }
    return .delta(members, removals: removals, cursor: named)
  }

  /// The events at which the two pages of a cursor's answer were true.
  private struct Since {
    let first: Int
    let second: Int
    /// True for a cursor that came with the first page: later pages have told more.
    let isOfFirstPage: Bool

    init(_ cursor: String) {
      isOfFirstPage = cursor.contains(" first ")
      let numbers = cursor.split(separator: " ").suffix(2).compactMap { Int($0) }
      (first, second) = (numbers.first ?? 0, numbers.last ?? 0)
    }

    func event(_ key: String) -> Int { HistorySource.isOnFirstPage(key) ? first : second }
  }

  private static func isOnFirstPage(_ key: String) -> Bool {
    key.utf8.reduce(0) { $0 + Int($1) } % 2 == 0
  }

  /// True when a record has changed since a first page, even if it has changed back.
  private func isNews(_ record: Int, _ key: String, _ since: Since, _ event: Int) -> Bool {
    since.isOfFirstPage && history.hasNews(record, after: since.event(key), through: event)
  }

  private func hasChanged(_ record: Int, _ since: Int, _ event: Int) -> Bool {
    history.edition(of: record, at: since) != history.edition(of: record, at: event)
      || !history.isOnList(record, at: since)
  }
}
