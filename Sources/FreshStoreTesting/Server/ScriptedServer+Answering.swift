public import FreshStore
internal import Synchronization

extension ScriptedServer {
  /// Asks for one object.
  public func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value> {
    try await ask(previous, for: previous.key, fetchArrivals, \.fetchReplies) { [self] reply in
      if let stated = reply.stated { return stated() }
      let present = present(previous.key)
      if case .value(_, let details) = present,
        details.validators.entityTag == previous.validators.entityTag
      {
        return .notModified(details)
      }
      return present
    }
  }

  /// Sends a local write.
  ///
  /// A patch is not read; the value that the write expects takes its effect.
  public func push(_ write: PendingWrite<Value>) async throws -> Pushed<Value> {
    try await ask(write, for: write.key, pushArrivals, \.pushReplies) { [self] reply in
      // Made before the lock is taken, as it may ask this server.
      let stated = reply.stated?()
      return state.withLock { settle(write, stated, &$0) }
    }
  }

  /// Asks for a list, or for its changes.
  public func list(_ previous: PreviousList) async throws -> SourceListChange<Value> {
    try await ask(previous, for: previous.name, listArrivals, \.listReplies) { [self] reply in
      if let stated = reply.stated { return stated() }
      return state.withLock { told(previous, $0) }
    }
  }

  /// A list in full and in one piece, as a client without a cursor gets it.
  public func wholeList(_ name: String) -> SourceListChange<Value> {
    state.withLock { state in
      let objects = members(of: name, state)
      return .full(
        members(objects, on: Set(objects.keys), unseen: .named), cursor: state.objects.cursor)
    }
  }

  private func told(_ previous: PreviousList, _ state: State) -> SourceListChange<Value> {
    var place: ListPlace?
    if let page = previous.page {
      guard let known = ListPlace(page), state.objects.knows(known.version) else {
        return .expiredCursor
      }
      place = known
    }
    let version = place?.version ?? state.objects.version
    guard let cursor = previous.cursor else {
      let objects = members(of: previous.name, state)
      let (keys, next) = page(Array(objects.keys), after: place?.last)
      let told = members(objects, on: keys, unseen: .named)
      if let next { return .fullPage(told, next: ListPlace(version, next).text) }
      return .full(told, cursor: "\(version)")
    }
    let isMember = state.memberships[previous.name] ?? { _, _ in true }
    guard let changes = state.objects.changes(since: cursor, isMember) else {
      return .expiredCursor
    }
    guard place != nil || !changes.present.isEmpty || !changes.removed.isEmpty else {
      return .notModified
    }
    let (keys, next) = page(changes.present.keys + changes.removed, after: place?.last)
    let present = members(changes.present, on: keys, unseen: .changed)
    let removals = changes.removed.filter { keys.contains($0) }.map(\.text)
    if let next {
      return .deltaPage(present, removals: removals, next: ListPlace(version, next).text)
    }
    return .delta(present, removals: removals, cursor: "\(version)")
  }

  private func members(
    of list: String, _ state: State
  ) -> [ExactName: ServerObjects<Value>.Object] {
    let isMember = state.memberships[list] ?? { _, _ in true }
    return state.objects.all.filter { isMember($0.key.text, $0.value.value) }
  }

  /// The keys of one page, and the last of them if there are more.
  private func page(
    _ keys: [ExactName], after last: ExactName?
  ) -> (keys: Set<ExactName>, next: ExactName?) {
    let rest = keys.sorted().filter { key in last.map { $0 < key } ?? true }
    guard let pageSize, rest.count > pageSize else { return (Set(rest), nil) }
    return (Set(rest.prefix(pageSize)), rest[pageSize - 1])
  }

  /// - Parameter unseen: The entry of each member in a list without values.
  private func members(
    _ objects: [ExactName: ServerObjects<Value>.Object], on page: Set<ExactName>,
    unseen: ListMember<Value>
  ) -> [String: ListMember<Value>] {
    var members: [String: ListMember<Value>] = [:]
    for (key, object) in objects where page.contains(key) {
      members[key.text] = listsValues ? .value(object.value, stating(object.tag)) : unseen
    }
    return members
  }

  // MARK: Writes

  /// - Parameter stated: The script's answer, in place of the server's own.
  private func settle(
    _ write: PendingWrite<Value>, _ stated: Pushed<Value>?, _ state: inout State
  ) -> Pushed<Value> {
    if knowsIdempotencyKeys, let first = state.applied[write.idempotencyKey] { return first }
    if stated == nil, isConditional, isOutdated(write, at: state.objects[write.key]?.tag) {
      return .conflict(present(write.key, state))
    }
    let answer: Pushed<Value>
    switch stated ?? .accepted {
    case .accepted(let details):
      state.objects.set(write.value, for: write.key)
      answer = .accepted(stating(state.objects[write.key]?.tag, beside: details))
    case .acceptedAs(let value, let details):
      state.objects.set(value, for: write.key)
      answer = .acceptedAs(value, stating(state.objects[write.key]?.tag, beside: details))
    case let other:
      return other
    }
    state.applied[write.idempotencyKey] = answer
    return answer
  }

  /// True when a write is based on another version than the present one; `nil` is none.
  private func isOutdated(_ write: PendingWrite<Value>, at present: String?) -> Bool {
    switch write.kind {
    case .create: return present != nil
    // The object is gone already.
    case .delete where present == nil: return false
    case .replace where write.isBaseAbsent: return present != nil
    // The store compares the present version with the base.
    case .replace where write.isBaseUnseen, .patch where write.isBaseUnseen,
      .delete where write.isBaseUnseen:
      return true
    case .replace, .patch, .delete:
      return write.baseValidators.entityTag.map { $0 != present } ?? false
    }
  }

  // MARK: Requests

  private func ask<Request: Sendable, Answer: Sendable>(
    _ request: Request, for name: String, _ arrivals: Arrivals<Request>,
    _ replies: WritableKeyPath<State, Replies<Answer>>,
    _ serve: @escaping @Sendable (ScriptedReply<Answer>) -> Answer
  ) async throws -> Answer {
    // A cancelled task sends nothing.
    try Task.checkCancellation()
    let (reply, latch) = state.withLock { state -> (ScriptedReply<Answer>, Latch?) in
      if let outage = state.outage { return (.failure(outage), nil) }
      let reply = state[keyPath: replies].take(for: name)
      return (reply, state.isHeld || reply.isHeld ? state.latch : nil)
    }
    let arrival = reply.arrival
    // From here on a test may know of the request, and move the clock or release it.
    arrivals.note(request)
    if case .failure(let error) = reply.way { throw error }
    if let latch { try await wait(at: latch) { _ = serve(reply) } }
    let answer = serve(reply)
    switch reply.way {
    case .lost(let error): throw error
    case .late(_, let clock): if let arrival { try await clock.sleep(until: arrival) }
    case .straight, .failure, .held: break
    }
    return answer
  }

  /// Waits until the request is released. When the sender gives up first, the request arrives without it.
  private func wait(
    at latch: Latch, _ arrive: @escaping @Sendable () -> Void
  ) async throws {
    do {
      try await latch.pass()
    } catch {
      let isReleased = state.withLock { state in
        guard state.latch === latch else { return true }
        state.orphans.append(arrive)
        return false
      }
      if isReleased { arrive() }
      throw error
    }
  }
}

/// The position of a walk through the pages of a list: the token of a page.
struct ListPlace: Sendable {
  /// The server's version at the first page. Later changes come with the next update.
  let version: Int
  /// The last key of the page before.
  let last: ExactName

  init(_ version: Int, _ last: ExactName) {
    (self.version, self.last) = (version, last)
  }

  /// `nil` for a text that is no place.
  init?(_ text: String) {
    // By bytes: a combining mark after the colon would join it to one character.
    let digits = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard digits.count < text.utf8.count, let version = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let last = String(decoding: text.utf8.dropFirst(digits.count + 1), as: UTF8.self)
    self.init(version, ExactName(last))
  }

  var text: String { "\(version):\(last.text)" }
}
