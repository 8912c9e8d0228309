import FreshStore
import Synchronization

/// A server of objects, in memory: entity tags, conditional writes, idempotency keys that are
/// remembered permanently, if at all, and a list of all objects that reports the changes since a cursor.
final class ModelServer: Sendable {
  /// One state of one key. Without words there is no object.
  struct Version: Sendable {
    let number: Int
    let words: [String]?
    let author: String
    /// The idempotency key of the write that made it; `nil` for a manual change at the server.
    let write: String?

    var tag: String? { words == nil ? nil : "\"\(number)\"" }

    var details: FetchDetails { FetchDetails(validators: Validators(entityTag: tag)) }

    var fetched: Fetched<[String]> {
      words.map { .value($0, details) } ?? .gone
    }
  }

  /// The result of a write at the server.
  enum Answer: Sendable {
    /// It was applied, now or before.
    case taken(Version)
    case conflict(Version?)
  }

  private struct State {
    var last = 0
    var current: [String: Version] = [:]
    var tags: [String: [String]] = [:]
    /// By idempotency key.
    var taken: [String: Version] = [:]
    var applications: [(key: String, write: String)] = []
  }

  /// Whether it applies a write once that comes twice.
  let knowsIdempotencyKeys: Bool
  /// The key that it changes itself whenever a write of it comes.
  private let contestedKey: String?
  private let state = Mutex(State())

  init(_ scenario: Scenario) {
    knowsIdempotencyKeys = scenario.knowsIdempotencyKeys
    contestedKey = scenario.trouble == .conflict ? scenario.stuckKey : nil
  }

  var current: [String: Version] { state.withLock(\.current) }

  /// The writes applied, in order: key and idempotency key.
  var applications: [(key: String, write: String)] { state.withLock(\.applications) }

  /// The state that an entity tag identifies.
  func words(of tag: String) -> [String]? { state.withLock { $0.tags[tag] } }

  func has(taken write: String) -> Bool { state.withLock { $0.taken[write] != nil } }

  /// A manual change; `nil` deletes.
  func edit(_ key: String, _ change: (_ words: [String]?) -> [String]?) {
    state.withLock { state in
      let words = change(state.current[key]?.words)
      Self.store(words, for: key, author: "server", write: nil, in: &state)
    }
  }

  func apply(_ write: PendingWrite<[String]>, from device: String) -> Answer {
    state.withLock { state in
      if knowsIdempotencyKeys, let version = state.taken[write.idempotencyKey] {
        return .taken(version)
      }
      if write.key == contestedKey {
        let words = (state.current[write.key]?.words ?? []) + ["other\(state.last)"]
        return .conflict(
          Self.store(words, for: write.key, author: "server", write: nil, in: &state))
      }
      let present = state.current[write.key].flatMap { $0.words == nil ? nil : $0 }
      let expected = write.baseValidators.entityTag
      let words: [String]?
      switch write.kind {
      case .create:
        guard present == nil else { return .conflict(present) }
        words = write.value
      case .replace:
        guard expected == nil || expected == present?.tag else { return .conflict(present) }
        words = write.value
      case .patch(let document, _):
        guard expected == nil || expected == present?.tag else { return .conflict(present) }
        words = (present?.words ?? []) + [String(decoding: document, as: UTF8.self)]
      case .delete:
        guard present == nil || expected == nil || expected == present?.tag else {
          return .conflict(present)
        }
        // A missing value is not deleted again.
        if !knowsIdempotencyKeys, present == nil, let absent = state.current[write.key] {
          state.taken[write.idempotencyKey] = absent
          return .taken(absent)
        }
        words = nil
      }
      let version = Self.store(
        words, for: write.key, author: device, write: write.idempotencyKey, in: &state)
      state.taken[write.idempotencyKey] = version
      state.applications.append((write.key, write.idempotencyKey))
      return .taken(version)
    }
  }

  @discardableResult
  private static func store(
    _ words: [String]?, for key: String, author: String, write: String?, in state: inout State
  ) -> Version {
    state.last += 1
    let version = Version(number: state.last, words: words, author: author, write: write)
    state.current[key] = version
    if let tag = version.tag { state.tags[tag] = words }
    return version
  }

  func fetch(_ previous: Previous<[String]>) -> Fetched<[String]> {
    guard let version = current[previous.key], let tag = version.tag else { return .gone }
    return previous.validators.entityTag == tag ? .notModified(version.details) : version.fetched
  }

  /// The list, or its changes. Without values it only names the changed keys.
  func list(_ previous: PreviousList, withValues: Bool) -> SourceListChange<[String]> {
    let (current, last) = state.withLock { ($0.current, $0.last) }
    let since = previous.cursor.flatMap { Int($0) }
    var members: [String: ListMember<[String]>] = [:]
    var removals: [String] = []
    for (key, version) in current where version.number > since ?? 0 {
      guard let words = version.words else {
        removals.append(key)
        continue
      }
      members[key] = withValues ? .value(words, version.details) : .changed
    }
    guard since != nil else { return .full(members, cursor: "\(last)") }
    if members.isEmpty, removals.isEmpty { return .notModified }
    return .delta(members, removals: removals.sorted(), cursor: "\(last)")
  }
}
