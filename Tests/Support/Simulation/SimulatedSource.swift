import FreshStore
import Strategies
import Synchronization

/// The source of every store: it records its requests and answers when the script says so.
final class SimulatedSource: Sendable {
  /// A pending fetch.
  struct Fetch: Sendable {
    let question: Question
    let request: HeldRequest<[String: Fetched<Int>]>
  }

  /// The request of a fetch.
  struct Question: Hashable, Sendable, CustomStringConvertible {
    /// A key, and the copy that the store has.
    struct Copy: Hashable, Sendable {
      let key: String
      let value: Int?
    }

    let store: Int
    /// In the order of their keys.
    let copies: [Copy]
    let isBySync: Bool

    func asks(for key: String) -> Bool { copies.contains { $0.key == key } }

    var description: String {
      let words = copies.map { "\($0.key) over \($0.value.map(String.init) ?? "none")" }
      return "fetch by \(store)\(isBySync ? "'s sync" : "") of \(words.joined(separator: ", "))"
    }
  }

  /// A pending push.
  struct Push: Sendable {
    let question: PushQuestion
    let request: HeldRequest<Pushed<Int>>
  }

  /// The request of a push.
  struct PushQuestion: Hashable, Sendable, CustomStringConvertible {
    let store: Int
    let key: String
    let kind: OutboxEntry.Kind
    let value: Int?
    let base: Int?
    let attempts: Int
    let isBySync: Bool

    var description: String {
      "push of \(kind) \(key) \(value.map(String.init) ?? "") by \(store)"
        + "\(isBySync ? "'s sync" : "") upon \(base.map(String.init) ?? "none"), sent \(attempts) times before"
    }
  }

  private struct State {
    var fetches: [Fetch] = []
    var pushes: [Push] = []
  }

  private let state = Mutex(State())

  /// The pending fetches, oldest first.
  var fetches: [Fetch] { openFetches.filter { !$0.request.isGivenUp } }

  /// The fetches that their stores have given up and that continue all the same, oldest first.
  var lateFetches: [Fetch] { openFetches.filter(\.request.isGivenUp) }

  private var openFetches: [Fetch] {
    state.withLock { state in
      state.fetches.removeAll(where: \.request.isOver)
      return state.fetches
    }
  }

  /// The pending pushes, oldest first.
  var pushes: [Push] {
    state.withLock { state in
      state.pushes.removeAll(where: \.request.isOver)
      return state.pushes
    }
  }

  /// Forgets the requests of a dead process; returns them.
  func forget(_ store: Int) -> [@Sendable () -> Void] {
    let (fetches, pushes) = (openFetches, pushes)
    state.withLock { state in
      state.fetches.removeAll { $0.question.store == store }
      state.pushes.removeAll { $0.question.store == store }
    }
    var ends: [@Sendable () -> Void] = []
    for fetch in fetches where fetch.question.store == store {
      ends.append { fetch.request.end(.failure(CancellationError())) }
    }
    for push in pushes where push.question.store == store {
      ends.append { push.request.end(.failure(CancellationError())) }
    }
    return ends
  }

  func fetch(_ previous: Previous<Int>, by store: Int, isBySync: Bool) async throws -> Fetched<Int>
  {
    let answer = try await fetch([previous], by: store, isBySync: isBySync)
    guard let fetched = answer[previous.key] else { throw SourceFailure() }
    return fetched
  }

  func fetch(
    _ previous: [Previous<Int>], by store: Int, isBySync: Bool
  ) async throws -> [String: Fetched<Int>] {
    let copies = previous.map { Question.Copy(key: $0.key, value: $0.value) }
    let fetch = Fetch(
      question: Question(
        store: store, copies: copies.sorted { $0.key < $1.key }, isBySync: isBySync),
      request: HeldRequest(isStubborn: true))
    state.withLock { $0.fetches.append(fetch) }
    return try await fetch.request.answer()
  }

  func push(_ write: PendingWrite<Int>, by store: Int, isBySync: Bool) async throws -> Pushed<Int> {
    let kind: OutboxEntry.Kind =
      switch write.kind {
      case .create: .create
      case .replace: .replace
      case .patch: .patch
      case .delete: .delete
      }
    let push = Push(
      question: PushQuestion(
        store: store, key: write.key, kind: kind, value: write.value, base: write.base,
        attempts: write.attempts, isBySync: isBySync),
      request: HeldRequest(isStubborn: false))
    state.withLock { $0.pushes.append(push) }
    return try await push.request.answer()
  }
}

/// A source that fails.
struct SourceFailure: FetchErrorTraits {
  var blamesOrigin: Bool { true }
  var retryAfter: Duration? { nil }
}
