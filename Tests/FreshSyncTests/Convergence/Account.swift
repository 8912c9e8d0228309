import FreshStore
import Synchronization

/// The books of one device: every local write that its store acknowledged, and its outcome. Every
/// violation of a law is recorded as it happens.
final class Account: Reporter {
  /// The end of a write.
  enum Fate: Equatable {
    case waiting
    /// The source has it.
    case pushed
    /// A later write replaced it before it was ever sent.
    case coalesced
    /// It and the preceding creation cancelled each other out.
    case cancelled
    /// A conflict was resolved, by the policy in force.
    case resolved
    /// It was dropped on request.
    case dropped
  }

  /// The version that a write was based on.
  struct Ground: Equatable {
    var words: [String]?
    /// Known once the source has answered the preceding write.
    var tag: String??
  }

  /// One write.
  struct Line {
    let idempotencyKey: String
    let key: String
    let kind: OutboxEntry.Kind
    let words: [String]?
    var id: OutboxEntry.ID?
    var fate: Fate = .waiting
    var wasSent = false
    var answer: Ground?
    /// All answers: only the one to the request whose claim was valid counts, which only the store knows.
    var answers: [Ground] = []
    var metConflict = false
    /// True when the source has made another value of the write before it: it is a conflict, of which the source
    /// may not be told.
    var isKnownConflict = false
  }

  private struct State {
    var lines: [Line] = []
    var grounds: [String: Ground] = [:]
    /// The answers of the conflict that was resolved last.
    var resolved: [String: [Ground]] = [:]
    /// The value that the resolution of a conflict has to push.
    var successors: [String: [String]?] = [:]
    /// The number of the write that holds it, which another write may replace before it is sent.
    var holders: [String: OutboxEntry.ID] = [:]
    /// The decision of a merge, to be compared with the push, and the last write that the merge saw.
    var merged: [String: (resolution: Resolution<[String]>, last: String?)] = [:]
    var isDropping = false
  }

  let device: String
  private let policy: DevicePolicy
  private let server: ModelServer
  private let laws: BrokenLaws
  private let state = Mutex(State())

  init(_ device: String, _ policy: DevicePolicy, _ server: ModelServer, _ laws: BrokenLaws) {
    self.device = device
    self.policy = policy
    self.server = server
    self.laws = laws
  }

  var lines: [Line] { state.withLock(\.lines) }

  /// The state that the device must show for a key with waiting writes; `nil` when it has none, or one of
  /// the store's own making.
  func expected(_ key: String) -> Line? {
    state.withLock { state in
      guard state.successors[key] == nil else { return nil }
      return state.lines.last { $0.key == key && $0.fate == .waiting }
    }
  }

  private func breaks(_ words: String) { laws.note("\(device): \(words)") }

  // MARK: Local writes

  /// A write was acknowledged, based on a copy.
  func note(_ entry: OutboxEntry, _ words: [String]?, upon copy: [String]?) {
    state.withLock { state in
      var line = Line(
        idempotencyKey: entry.idempotencyKey, key: entry.key, kind: entry.kind, words: words,
        id: entry.id)
      if let old = state.lines.firstIndex(where: { $0.id == entry.id && $0.fate == .waiting }) {
        state.lines[old].fate = .coalesced
        (line.answer, line.metConflict) = (state.lines[old].answer, state.lines[old].metConflict)
        line.isKnownConflict = state.lines[old].isKnownConflict
        if state.lines[old].wasSent { breaks("a write that was sent was coalesced") }
      } else if !state.lines.contains(where: { $0.key == entry.key && $0.fate == .waiting }) {
        state.grounds[entry.key] = Ground(words: copy)
      }
      state.lines.append(line)
      if state.holders[entry.key] == entry.id { state.successors.removeValue(forKey: entry.key) }
    }
  }

  /// A deletion and the preceding write cancelled each other out.
  func noteNothing(_ key: String) {
    state.withLock { state in
      guard let last = state.lines.lastIndex(where: { $0.key == key && $0.fate == .waiting }),
        state.lines[last].kind == .create, !state.lines[last].wasSent
      else { return breaks("a deletion of \(key) came to nothing without a creation before it") }
      state.lines[last].fate = .cancelled
    }
  }

  /// Runs a drop on request.
  func dropping(_ body: () async throws -> Void) async rethrows {
    state.withLock { $0.isDropping = true }
    defer { state.withLock { $0.isDropping = false } }
    try await body()
  }

  // MARK: The wire

  /// A write is about to be sent.
  func noteSent(_ write: PendingWrite<[String]>) {
    state.withLock { state in
      if !state.lines.contains(where: { $0.idempotencyKey == write.idempotencyKey }) {
        registerSuccessor(write, in: &state)
      }
      guard
        let own = state.lines.firstIndex(where: { $0.idempotencyKey == write.idempotencyKey })
      else { return breaks("sent \(write.key) under an idempotency key of nobody's") }
      state.lines[own].wasSent = true
      let line = state.lines[own]
      if line.fate != .waiting { breaks("sent \(write.key) that was \(line.fate)") }
      if line.words != write.value { breaks("sent other words than were written to \(write.key)") }
      if state.lines[..<own].contains(where: { $0.key == write.key && $0.fate == .waiting }) {
        breaks("sent \(write.key) before an earlier write of the key was settled")
      }
      let tag = write.baseValidators.entityTag
      if let met = state.resolved.removeValue(forKey: write.key)?.last(where: { $0.tag == tag }) {
        state.grounds[write.key] = met
      }
      if !line.isKnownConflict { check(write, upon: state.grounds[write.key]) }
    }
  }

  private func registerSuccessor(_ write: PendingWrite<[String]>, in state: inout State) {
    guard let words = state.successors.removeValue(forKey: write.key) else { return }
    if words != write.value { breaks("the resolution pushed other words to \(write.key)") }
    let kind: OutboxEntry.Kind =
      switch write.kind {
      case .create: .create
      case .replace: .replace
      case .patch: .patch
      case .delete: .delete
      }
    // Other writes may have come while it was put off, which stand behind it.
    let place = state.lines.firstIndex { $0.key == write.key && $0.fate == .waiting }
    state.lines.insert(
      Line(idempotencyKey: write.idempotencyKey, key: write.key, kind: kind, words: write.value),
      at: place ?? state.lines.endIndex)
  }

  private func check(_ write: PendingWrite<[String]>, upon ground: Ground?) {
    guard let ground else { return breaks("sent \(write.key) upon nothing known") }
    let tag = write.baseValidators.entityTag
    if write.base != ground.words {
      breaks("sent \(write.key) upon \(write.base ?? []), not \(ground.words ?? [])")
    }
    if let known = ground.tag, known != tag {
      breaks("sent \(write.key) upon \(tag ?? "none"), not \(known ?? "none")")
    }
    if tag.flatMap(server.words(of:)) != ground.words {
      breaks("sent \(write.key) with the tag \(tag ?? "none") of other words")
    }
  }

  /// The source's answer reaches the device.
  func noteAnswer(
    to write: PendingWrite<[String]>, _ version: ModelServer.Version?, isConflict: Bool
  ) {
    state.withLock { state in
      guard
        let own = state.lines.firstIndex(where: { $0.idempotencyKey == write.idempotencyKey })
      else { return }
      let answer = Ground(words: version?.words, tag: .some(version?.tag))
      state.lines[own].answer = answer
      state.lines[own].answers.append(answer)
      // The answer to another request for it may come later.
      if isConflict { state.lines[own].metConflict = true }
      // A creation finds the object when the preceding deletion was dropped on request, and a timed-out
      // creation may arrive when all is settled.
      guard isConflict, write.kind != .create, state.lines[own].fate == .waiting,
        let author = version?.write,
        version?.author == device,
        state.lines.contains(where: { $0.idempotencyKey == author && $0.fate == .pushed })
      else { return }
      breaks("\(write.key) met a conflict with what the device had pushed itself")
    }
  }

  /// The decision of a merge.
  func note(_ resolution: Resolution<[String]>, of key: String) {
    state.withLock { state in
      let last = state.lines.last { $0.key == key && $0.fate == .waiting }
      state.merged[key] = (resolution, last?.idempotencyKey)
    }
  }

  // MARK: Events

  func report(_ event: StoreEvent) {
    state.withLock { state in
      switch event {
      case .pushed(let entry): notePushed(entry, in: &state)
      case .discarded(let entries) where state.isDropping:
        for entry in entries { settle(entry, .dropped, in: &state) }
      case .discarded(let entries), .rewritten(_, inPlaceOf: let entries):
        noteResolved(entries, in: &state)
      default: break
      }
    }
  }

  private func notePushed(_ entry: OutboxEntry, in state: inout State) {
    guard let own = settle(entry, .pushed, in: &state) else { return }
    let line = state.lines[own]
    state.grounds[line.key] = line.answer
    // The next one was made from the words as written, which does not matter to a patch.
    if policy == .merge, let answer = line.answer, answer.words != line.words,
      let next = state.lines.firstIndex(where: { $0.key == line.key && $0.fate == .waiting }),
      state.lines[next].kind != .patch || line.words == nil
    {
      (state.lines[next].answer, state.lines[next].metConflict) = (answer, true)
      state.lines[next].isKnownConflict = true
    }
    // A conflict between two equal sides is none.
    let isSame = line.metConflict && line.answer?.words == line.words
    if !server.has(taken: line.idempotencyKey), !isSame {
      breaks("\(line.key) counts as pushed, and the source never had it")
    }
  }

  private func noteResolved(_ entries: [OutboxEntry], in state: inout State) {
    guard let first = entries.first else { return }
    var words: [String]?
    for entry in entries {
      guard let own = settle(entry, .resolved, in: &state) else { continue }
      words = state.lines[own].words
    }
    if state.lines.contains(where: { $0.key == first.key && $0.fate == .waiting }) {
      breaks("a write of \(first.key) outlived the resolution of all")
    }
    let met = state.lines.first { $0.idempotencyKey == first.idempotencyKey }
    if met?.metConflict != true { breaks("\(first.key) was resolved without a conflict") }
    state.grounds[first.key] = met?.answer
    state.resolved[first.key] = met?.answers
    state.holders[first.key] = first.id
    let merged = state.merged.removeValue(forKey: first.key)
    if let merged, merged.last != entries.last?.idempotencyKey {
      breaks("a write of \(first.key) fell that the merge had not seen")
    }
    switch (policy, merged?.resolution) {
    case (.serverWins, _), (.merge, .remote): break
    case (.clientWins, _): state.successors[first.key] = .some(words)
    case (.merge, .merged(let words)): state.successors[first.key] = .some(words)
    case (.merge, .deleted): state.successors[first.key] = .some(nil)
    case (.merge, _): breaks("\(first.key) was resolved without a merge")
    }
  }

  @discardableResult
  private func settle(_ entry: OutboxEntry, _ fate: Fate, in state: inout State) -> Int? {
    guard
      let own = state.lines.firstIndex(where: { $0.idempotencyKey == entry.idempotencyKey })
    else {
      breaks("\(entry.key) was settled under an idempotency key of nobody's")
      return nil
    }
    if state.lines[own].fate != .waiting {
      breaks("\(entry.key) was \(fate) after it was \(state.lines[own].fate)")
    }
    state.lines[own].fate = fate
    return own
  }

  // MARK: The end

  /// Checks that every write has ended, except the writes of one key, and that the source received
  /// each as it should.
  func audit(except stuckKey: String?) {
    let (lines, successors) = state.withLock { state in
      (
        state.lines.filter { $0.key != stuckKey },
        state.successors.keys.filter { $0 != stuckKey }
      )
    }
    for key in successors { breaks("the resolution of \(key) was never pushed") }
    let applied = server.applications
    for line in lines {
      let times = applied.count { $0.write == line.idempotencyKey }
      if times > 1, server.knowsIdempotencyKeys {
        breaks("\(line.key) was applied \(times) times under one key")
      }
      if line.fate == .waiting { breaks("\(line.key) \(line.words ?? []) was lost") }
      let cannotHaveArrived = line.fate == .coalesced || line.fate == .cancelled
      if cannotHaveArrived, times > 0 { breaks("\(line.key) arrived although it was \(line.fate)") }
    }
    // A dropped write may have been in flight.
    let order = lines.filter { $0.fate == .pushed }.map(\.idempotencyKey)
    for key in Set(lines.map(\.key)) {
      let own = applied.filter { $0.key == key }.compactMap { order.firstIndex(of: $0.write) }
      if own != own.sorted() { breaks("the writes of \(key) were applied out of order") }
    }
  }
}
